import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { InsideAddress, isInsideAddress, lookupOutside } from './outside-address.ts'

export interface OutgoingRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: Uint8Array
  timeoutMs: number
}

export interface OutgoingResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export interface Reach {
  /** The box itself; always reachable. `http://127.0.0.1:54321`. */
  ownOrigin?: string
  /** Lets requests reach private and local networks. Default false. */
  privateNetworks?: boolean
}

/** A request that took longer than it may. */
export class RequestTimedOut extends Error {
  constructor(timeoutMs: number) {
    super(`Timeout of ${timeoutMs} ms reached`)
    this.name = 'RequestTimedOut'
  }
}

const longestBodyBytes = 10 * 1024 * 1024

// What projects call the gateway of the CLI's containers, and the port it has on the host; here both are the box.
const gatewayNames = /^(kong|api\.supabase\.internal|supabase_kong_[\w.-]+)$/i
const gatewayPort = '54321'
const hostNames = new Set(['localhost', '127.0.0.1', '[::1]', 'host.docker.internal'])

function isOwnAddress(url: URL, own: URL): boolean {
  if (url.origin === own.origin || gatewayNames.test(url.hostname)) return true
  return hostNames.has(url.hostname) && (url.port === gatewayPort || (hostNames.has(own.hostname) && url.port === own.port))
}

function aimed(address: string, { ownOrigin }: Reach): { url: URL; isOwn: boolean } {
  const url = new URL(address)
  if (ownOrigin === undefined || !isOwnAddress(url, new URL(ownOrigin))) return { url, isOwn: false }
  // Set, not resolved: a path that begins with two slashes would be read as another host.
  return { url: Object.assign(new URL(ownOrigin), { pathname: url.pathname, search: url.search }), isOwn: true }
}

async function readBody(response: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > longestBodyBytes) throw new Error(`the answer is longer than ${longestBodyBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const joined = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))

/**
 * Makes one request that SQL asked for. Redirects are not followed: each could lead inside.
 *
 * @throws InsideAddress, RequestTimedOut, or the network's own error.
 */
export async function makeRequest(asked: OutgoingRequest, reach: Reach): Promise<OutgoingResponse> {
  const { url, isOwn } = aimed(asked.url, reach)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${url.protocol} is not http or https`)
  const guarded = !isOwn && reach.privateNetworks !== true
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (guarded && isIP(host) !== 0 && isInsideAddress(host)) throw new InsideAddress(host)
  const timeout = AbortSignal.timeout(asked.timeoutMs)
  const options: RequestOptions = {
    method: asked.method,
    // No shared agent: a kept connection would outlive the check of its address.
    agent: false,
    headers: { ...asked.headers, ...(asked.body ? { 'content-length': String(asked.body.length) } : {}) },
    signal: timeout,
    ...(guarded ? { lookup: lookupOutside } : {}),
  }
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve)
      request.on('error', reject)
      request.end(asked.body)
    })
    return { status: response.statusCode ?? 0, headers: joined(response.headers), body: await readBody(response) }
  } catch (cause) {
    throw timeout.aborted ? new RequestTimedOut(asked.timeoutMs) : cause
  }
}
