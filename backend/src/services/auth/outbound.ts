import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'

import { InsideAddress, isInsideAddress, lookupOutside } from '#database/extensions/outside-address.ts'

/** What a request to somebody else's server carries. */
export interface OutboundInit {
  method?: string | undefined
  headers?: ConstructorParameters<typeof Headers>[0] | undefined
  body?: string | undefined
  /** Shorter than the road's own. */
  timeoutMs?: number | undefined
  longestBodyBytes?: number | undefined
  /** Ends it before its time. */
  signal?: AbortSignal | undefined
}

/**
 * Asks somebody else's server: the one way out of this service. Bounded in time and size; follows no redirect, so that what is said
 * to one address is carried to no other. Of the answer's headers `content-type` and `retry-after` are told.
 */
export type Outbound = (url: string, init?: OutboundInit) => Promise<Response>

/** Where requests may go: wherever the operator's own file says, or to public addresses over TLS alone. */
export type Reach = 'anywhere' | 'public'

export interface OutboundLimits {
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
  longestBodyBytes: number
}

const usualLimits: OutboundLimits = { timeoutMs: 10_000, longestBodyBytes: 1 << 20 }

/** A server did not answer, or not as servers do. */
export class ProviderUnreachable extends Error {
  constructor(host: string, why: string, options?: ErrorOptions) {
    super(`${host} ${why}`, options)
    this.name = 'ProviderUnreachable'
  }
}

/** A server answered with more than is read. */
export class AnswerTooLarge extends ProviderUnreachable {
  constructor(host: string, longestBodyBytes: number) {
    super(host, `answered with more than ${longestBodyBytes} bytes`)
    this.name = 'AnswerTooLarge'
  }
}

async function readBody(response: IncomingMessage, host: string, longest: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > longest) throw new AnswerTooLarge(host, longest)
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

const toldHeaders = ['content-type', 'retry-after'] as const

function headersOf(response: IncomingMessage): Record<string, string> {
  const told = toldHeaders.map((name): [string, string | undefined] => [name, response.headers[name]])
  return Object.fromEntries(told.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Makes a road out. */
export function createOutbound(reach: Reach, limits: OutboundLimits = usualLimits): Outbound {
  return async (address, { method = 'GET', headers, body, signal, timeoutMs = limits.timeoutMs, longestBodyBytes = limits.longestBodyBytes } = {}) => {
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
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
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
      return new Response(bodyless.has(status) ? null : content, { status, headers: headersOf(response) })
    } catch (cause) {
      if (cause instanceof ProviderUnreachable || cause instanceof InsideAddress) throw cause
      throw new ProviderUnreachable(url.host, timeout.aborted ? `did not answer within ${timeoutMs} ms` : 'could not be asked', { cause })
    }
  }
}
