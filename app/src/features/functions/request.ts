import type { FunctionCall } from '#api/function-call.ts'
import type { ListedFunction } from '#listed-functions.ts'

export interface Pair {
  name: string
  value: string
}

export const bodyKinds = ['none', 'json', 'text', 'form', 'file'] as const
export type BodyKind = (typeof bodyKinds)[number]

/** What a person has filled in. Everything but a chosen file: that is not kept anywhere. */
export interface CallRequest {
  method: string
  /** After the function's name: empty, or `/more`. */
  path: string
  query: readonly Pair[]
  headers: readonly Pair[]
  as: 'user' | 'public'
  region: string
  bodyKind: BodyKind
  /** The body of `json` and `text`. */
  text: string
  form: readonly Pair[]
}

/** What must be mended before it is sent; each is a key of the catalogue's `functions.faults`. */
export type RequestFault = 'path' | 'json' | 'header-name' | 'header-value' | 'header-forbidden' | 'no-file' | 'form-name'

export const emptyRequest: CallRequest = { method: 'POST', path: '', query: [], headers: [], as: 'user', region: 'any', bodyKind: 'json', text: '', form: [] }

/** How the first call of a listed function may look. */
export function requestOf(listed: ListedFunction | undefined): CallRequest {
  const { method = 'POST', body, headers = {} } = listed ?? {}
  const bodyKind = body === undefined ? (method === 'GET' ? 'none' : 'json') : typeof body === 'string' ? 'text' : 'json'
  return {
    ...emptyRequest,
    method,
    bodyKind,
    text: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body, null, 2),
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  }
}

export const mayHaveBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

/** Names a page may not set: the browser would leave them out without a word. */
const forbidden = /^(accept-charset|accept-encoding|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|permissions-policy|proxy-.*|sec-.*|referer|te|trailer|transfer-encoding|upgrade|via)$/i
const token = /^[\w!#$%&'*+.^`|~-]+$/
// oxlint-disable-next-line no-control-regex -- these are what a header may not hold
const noHeaderText = /[^\t\x20-\x7e\x80-\xff]/

export function findFault(request: CallRequest, file: File | undefined): RequestFault | undefined {
  const { method, path, headers, bodyKind, text, form } = request
  if (/[?#\s\\]/.test(path) || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) return 'path'
  for (const { name, value } of filled(headers)) {
    if (!token.test(name)) return 'header-name'
    if (forbidden.test(name)) return 'header-forbidden'
    if (noHeaderText.test(value)) return 'header-value'
  }
  if (!mayHaveBody(method)) return undefined
  if (bodyKind === 'json' && text.trim() !== '' && !isJson(text)) return 'json'
  if (bodyKind === 'form' && form.some(({ name, value }) => name === '' && value !== '')) return 'form-name'
  return bodyKind === 'file' && !file ? 'no-file' : undefined
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Lines that were begun. */
export const filled = (pairs: readonly Pair[]): Pair[] => pairs.filter(({ name, value }) => name !== '' || value !== '')

/** `/more` from `more`. */
export const pathOf = ({ path }: Pick<CallRequest, 'path'>): string => (path === '' || path.startsWith('/') ? path : `/${path}`)

/** Puts what was filled in into the form that goes over the wire. */
export function callOf(name: string, request: CallRequest, file: File | undefined): FunctionCall {
  const tuples = (pairs: readonly Pair[]) => filled(pairs).map((pair) => [pair.name, pair.value] as const)
  const { body, contentType } = bodyOf(request, file)
  return { name, path: pathOf(request), method: request.method, query: tuples(request.query), headers: tuples(request.headers), as: request.as, region: request.region, body, contentType }
}

function bodyOf({ method, bodyKind, text, form }: CallRequest, file: File | undefined): Pick<FunctionCall, 'body' | 'contentType'> {
  if (!mayHaveBody(method)) return { body: null, contentType: null }
  switch (bodyKind) {
    case 'none': return { body: null, contentType: null }
    case 'json': return text.trim() === '' ? { body: null, contentType: null } : { body: text, contentType: 'application/json' }
    case 'text': return { body: text, contentType: 'text/plain' }
    case 'file': return { body: file ?? null, contentType: file?.type || 'application/octet-stream' }
    case 'form': {
      const data = new FormData()
      for (const { name, value } of filled(form)) data.append(name, value)
      return { body: data, contentType: null }
    }
  }
}

const isPairs = (value: unknown): value is Pair[] => Array.isArray(value) && value.every((pair: unknown) => isRecord(pair) && typeof pair['name'] === 'string' && typeof pair['value'] === 'string')
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** True for a request as this version keeps it: storage is written by whatever runs on this origin, older versions included. */
export function isRequest(value: unknown): value is CallRequest {
  if (!isRecord(value)) return false
  const texts = ['method', 'path', 'region', 'text'].every((key) => typeof value[key] === 'string')
  return texts && isPairs(value['query']) && isPairs(value['headers']) && isPairs(value['form']) && (value['as'] === 'user' || value['as'] === 'public') && bodyKinds.some((kind) => kind === value['bodyKind'])
}
