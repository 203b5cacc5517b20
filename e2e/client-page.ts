import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'

/** A page with nothing but the official browser client on it. */
export interface ClientPage {
  /** `http://localhost:…/`: a name, since no passkey belongs to an address. */
  url: string
  /** Points the page's client at a project; before this the page has no client. */
  pointAt(settings: { url: string; key: string }): void
  close(): Promise<void>
}

const source = `
import { createBrowserClient } from '@supabase/ssr'
const { url, key } = globalThis.settings
const client = createBrowserClient(url, key, { isSingleton: false, auth: { detectSessionInUrl: false, autoRefreshToken: false, experimental: { recoveryCodes: true, passkey: true } } })
const parts = { auth: client.auth, mfa: client.auth.mfa, webauthn: client.auth.mfa.webauthn, recoveryCodes: client.auth.mfa.recoveryCodes, passkey: client.auth.passkey, oauth: client.auth.oauth }
const methodsOf = (part) => {
  const names = new Set()
  for (let at = part; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) if (!name.startsWith('_') && name !== 'constructor' && typeof part[name] === 'function') names.add(name)
  }
  return [...names]
}
globalThis.methods = Object.entries(parts).flatMap(([part, object]) => methodsOf(object).map((name) => part + '.' + name))
globalThis.call = async (name, ...given) => {
  const [part, method] = name.split('.')
  try {
    const answer = await parts[part][method](...given)
    return answer && 'error' in answer ? { data: answer.data, error: answer.error && { code: answer.error.code, status: answer.error.status, message: answer.error.message } } : { data: answer ?? null, error: null }
  } catch (error) {
    return { data: null, error: { code: 'thrown', status: 0, message: String(error) } }
  }
}
globalThis.client = client
`

/** Serves the page. */
export async function openClientPage(): Promise<ClientPage> {
  let settings: object = {}
  const built = await build({ stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'js' }, bundle: true, format: 'iife', platform: 'browser', write: false, logLevel: 'silent' })
  const script = built.outputFiles[0]?.text ?? ''
  const server = createServer((request, response) => {
    const isScript = request.url === '/client.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' })
    response.end(isScript ? `globalThis.settings = ${JSON.stringify(settings)};\n${script}` : '<!doctype html><title>Client</title><link rel="icon" href="data:,"><script src="/client.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    pointAt: (given) => void (settings = given),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
