import type { Reply } from './reply.ts'

const bodiless = new Set([101, 204, 205, 304])

// HTTP knows 200 to 599; a status that SQL made up is the server's fault.
const allowedStatus = (status: number): number => (status >= 200 && status <= 599 ? status : 500)

/** Turns a reply into a `Response`. */
export function toResponse({ status, headers, body, given }: Reply, statusText?: string): Response {
  const allowed = allowedStatus(status)
  // A type left over from a body that is not sent would mislead.
  const all = new Headers(headers)
  for (const [name, value] of given ?? []) all.append(name, value)
  const sent = bodiless.has(allowed) ? null : body
  return new Response(sent as BodyInit | null, { status: allowed, headers: all, ...(statusText === undefined ? {} : { statusText }) })
}
