import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServerClient, parseCookieHeader, serializeCookieHeader } from '@supabase/ssr'
import { WebSocket } from 'ws'

/** A second app beside Portico, with the official client on a server of its own: it has no sign-in page, and shares the session. */
export interface SiblingApp {
  port: number
  close(): Promise<void>
}

export interface SiblingOptions {
  /** The project's address and public key, as any server has them. */
  projectUrl: string
  key: string
  /** Portico's session cookie. */
  cookieName: string
  /** The parent domain both stand on; without it they are two ports of one host. */
  cookieDomain?: string
  /** Where Portico's sign-in page is, as browsers reach it. */
  signIn: string
}

function openSession(request: IncomingMessage, response: ServerResponse, { projectUrl, key, cookieName, cookieDomain }: SiblingOptions) {
  const cookies: string[] = []
  return createServerClient(projectUrl, key, {
    cookieOptions: { name: cookieName, ...(cookieDomain ? { domain: cookieDomain } : {}) },
    realtime: { transport: WebSocket as never },
    cookies: {
      encode: 'tokens-only',
      getAll: () => parseCookieHeader(request.headers.cookie ?? '').map(({ name, value = '' }) => ({ name, value })),
      setAll(writes) {
        for (const { name, value, options } of writes) cookies.push(serializeCookieHeader(name, value, options))
        response.setHeader('set-cookie', cookies)
      },
    },
  })
}

/**
 * Serves `/` (who is signed in; else off to Portico and back), `/refresh`, `/sign-out`, and `/who` (who, without going anywhere).
 *
 * @param options asked for at each request: its port is known before Portico's is
 */
export async function openSiblingApp(options: () => SiblingOptions): Promise<SiblingApp> {
  const server = createServer((request, response) => void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const own = new URL(request.url ?? '/', `http://${request.headers.host ?? ''}`)
    const { auth } = openSession(request, response, options())
    const show = (told: unknown) => response.setHeader('content-type', 'text/html; charset=utf-8').end(`<title>Sibling</title><h1>Sibling</h1><pre>${JSON.stringify(told)}</pre>`)
    if (own.pathname === '/sign-out') {
      const { error } = await auth.signOut({ scope: 'local' })
      return show({ signedOut: error === null })
    }
    if (own.pathname === '/refresh') {
      const { data, error } = await auth.refreshSession()
      return show({ email: data.user?.email, error: error?.message })
    }
    const { data } = await auth.getUser()
    if (data.user || own.pathname === '/who') return show({ email: data.user?.email ?? null })
    return response.writeHead(303, { location: `${options().signIn}?redirect_to=${encodeURIComponent(own.href)}` }).end()
  }

  return { port, close: () => new Promise((resolve) => void server.close(() => resolve())) }
}
