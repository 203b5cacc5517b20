import { isIP } from 'node:net'

/** The far end of a request, as the server that took it knows it. */
export interface Connection {
  /** The socket's own address. */
  ip: string
  /** Puts a header on the answer before it is written; left out when there is no socket. */
  setHeader?(name: string, value: string): void
}

export interface ProxyRules {
  /** Addresses whose `X-Forwarded-*` headers are believed. */
  trustedProxies: ReadonlySet<string>
  /** Fixed public origin, when the operator gave one. */
  publicUrl?: string
}

const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address)
const last = (list: string | null): string => list?.split(',').at(-1)?.trim() ?? ''

/** The client's address and the origin it used. Forwarded headers count only when a trusted proxy sent them. */
export function readClient(arrival: { request: Request; url: URL; connection: Connection }, rules: ProxyRules): { ip: string; origin: string } {
  const { request, url, connection } = arrival
  const ip = plain(connection.ip)
  const origin = rules.publicUrl ?? url.origin
  if (!rules.trustedProxies.has(ip)) return { ip, origin }
  const forwarded = plain(last(request.headers.get('x-forwarded-for')))
  const protocol = last(request.headers.get('x-forwarded-proto'))
  const host = last(request.headers.get('x-forwarded-host'))
  const believed = /^https?$/.test(protocol) && /^[\w.:[\]-]+$/.test(host) ? `${protocol}://${host}` : origin
  return { ip: isIP(forwarded) > 0 ? forwarded : ip, origin: rules.publicUrl ?? believed }
}
