import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'

import { InsideAddress, isInsideAddress, lookupOutside } from '#database/extensions/outside-address.ts'

/** What a request to a provider carries. */
export interface OutboundInit {
  method?: string | undefined
  headers?: ConstructorParameters<typeof Headers>[0] | undefined
  body?: string | undefined
}

/** Asks a provider. Bounded in time and size; follows no redirect. */
export type Outbound = (url: string, init?: OutboundInit) => Promise<Response>

/** Where requests may go: wherever the operator's own file says, or to public addresses over TLS alone. */
export type Reach = 'anywhere' | 'public'

export interface OutboundLimits {
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
  longestBodyBytes: number
}

const usualLimits: OutboundLimits = { timeoutMs: 10_000, longestBodyBytes: 1 << 20 }

/** A provider did not answer as a provider does. */
export class ProviderUnreachable extends Error {
  constructor(host: string, why: string, options?: ErrorOptions) {
    super(`${host} ${why}`, options)
    this.name = 'ProviderUnreachable'
  }
}

async function readBody(response: IncomingMessage, host: string, longest: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > longest) throw new ProviderUnreachable(host, `answered with more than ${longest} bytes`)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

function requireReachable(url: URL, reach: Reach): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new ProviderUnreachable(url.host, 'is not reached over HTTP')
  if (reach === 'anywhere') return
  if (url.protocol !== 'https:') throw new ProviderUnreachable(url.host, 'is not reached over TLS')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && isInsideAddress(host)) throw new InsideAddress(host)
}

const bodyless = new Set([204, 205, 304])

/** Makes the one road to providers. */
export function createOutbound(reach: Reach, { timeoutMs, longestBodyBytes }: OutboundLimits = usualLimits): Outbound {
  return async (address, { method = 'GET', headers, body } = {}) => {
    const url = new URL(address)
    requireReachable(url, reach)
    const timeout = AbortSignal.timeout(timeoutMs)
    const options: RequestOptions = {
      method,
      // No shared agent: a kept connection would outlive the check of its address.
      agent: false,
      headers: {
        ...Object.fromEntries(new Headers(headers)),
        // What is packed could be far more than what is read.
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      signal: timeout,
      ...(reach === 'public' ? { lookup: lookupOutside } : {}),
    }
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve)
        request.on('error', reject)
        request.end(body)
      })
      const status = response.statusCode ?? 502
      const content = await readBody(response, url.host, longestBodyBytes)
      const type = response.headers['content-type']
      return new Response(bodyless.has(status) ? null : content, { status, headers: type === undefined ? {} : { 'content-type': type } })
    } catch (cause) {
      if (cause instanceof ProviderUnreachable || cause instanceof InsideAddress) throw cause
      throw new ProviderUnreachable(url.host, timeout.aborted ? `did not answer within ${timeoutMs} ms` : 'could not be asked', { cause })
    }
  }
}
