import type { Reply } from './reply.ts'

const bodiless = new Set([101, 204, 205, 304])

// HTTP knows 200 to 599; a status that SQL made up is the server's fault.
const allowedStatus = (status: number): number => (status >= 200 && status <= 599 ? status : 500)

// JSON, tables, plain text and pictures run nothing, whoever wrote them.
const isPassive = (type: string): boolean => /^(application\/(?:[\w.-]+\+)?json|application\/octet-stream|text\/(?:csv|plain)|(?:image\/(?!svg)|audio\/|video\/)[\w.-]+|application\/pdf) *(?:;|$)/i.test(type)

// A function of the project may answer with a page or with XML. It may run, and yet is a stranger to the app, whose origin it comes from.
function keepApart(headers: Headers): void {
  if (!isPassive(headers.get('content-type') ?? 'application/json')) headers.append('content-security-policy', 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts')
}

/** Turns a reply into a `Response`. */
export function toResponse({ status, headers, body, given }: Reply, statusText?: string): Response {
  const allowed = allowedStatus(status)
  // A type left over from a body that is not sent would mislead.
  const all = new Headers(headers)
  for (const [name, value] of given ?? []) all.append(name, value)
  keepApart(all)
  const sent = bodiless.has(allowed) ? null : body
  return new Response(sent as BodyInit | null, { status: allowed, headers: all, ...(statusText === undefined ? {} : { statusText }) })
}
