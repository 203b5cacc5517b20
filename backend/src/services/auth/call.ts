import type { RequestContext } from '#contract/service.ts'
import { z } from 'zod'

import { authError } from './errors.ts'
import { apiVersion } from './error-reply.ts'

/** One request on its way through this service. */
export interface Call {
  request: Request
  context: RequestContext
  /** Parts of the path that its route names: `{ user_id: '…' }`. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
}

/** Longest body read, as on the hosted backend. */
const longestBodyBytes = 1 << 20

// Read once and kept: a body is looked at by what guards an endpoint, and by the endpoint.
const texts = new WeakMap<Request, Promise<string>>()

/** The body as text. @throws `request_entity_too_large` (413) past 1 MB. */
export function readText(request: Request): Promise<string> {
  const known = texts.get(request) ?? readWhole(request)
  texts.set(request, known)
  return known
}

async function readWhole(request: Request): Promise<string> {
  const tooLarge = () => authError('request_entity_too_large')
  if (Number(request.headers.get('content-length') ?? 0) > longestBodyBytes) throw tooLarge()
  const bytes = Buffer.from(await request.arrayBuffer())
  if (bytes.byteLength > longestBodyBytes) throw tooLarge()
  return bytes.toString('utf8')
}

const badJson = (why: string) => authError('bad_json', { message: `Could not parse request body as JSON: ${why}` })

/** Deepest nesting read. What is deeper cannot be written again without end of the stack, here or in Postgres. */
const deepestNesting = 1000

function nestsTooDeep(text: string): boolean {
  let depth = 0
  for (const sign of text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/[[\]{}]/g) ?? []) {
    depth += sign === '[' || sign === '{' ? 1 : -1
    if (depth > deepestNesting) return true
  }
  return false
}

// Half of a pair of UTF-16 is no character, and Postgres keeps none; the hosted backend reads it as U+FFFD too.
const wellFormed = (_name: string, value: unknown): unknown => (typeof value === 'string' ? Buffer.from(value).toString() : value)

function parseJson(text: string): unknown {
  // Postgres keeps no NUL character; told here, it is the client's mistake and not a failure of ours.
  if (/\\u0000/.test(text)) throw badJson('invalid character in string literal')
  if (text.length > deepestNesting && nestsTooDeep(text)) throw badJson('exceeded max depth')
  try {
    return JSON.parse(text, /\\ud[89a-f]/i.test(text) ? wellFormed : undefined)
  } catch {
    throw badJson(text.trim() === '' ? 'unexpected end of JSON input' : 'invalid character')
  }
}

/** A JSON text by its shape. @throws `bad_json` (400). */
export function parseBody<Shape extends z.ZodType>(text: string, shape: Shape): z.output<Shape> {
  const parsed = shape.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const place = parsed.error.issues[0]?.path.join('.') ?? ''
  throw badJson(`wrong type of value${place === '' ? '' : ` for ${place}`}`)
}

/**
 * Reads a JSON body by its shape. Members the shape does not name are ignored.
 *
 * @throws `bad_json` (400), `request_entity_too_large` (413) past 1 MB.
 */
export async function readBody<Shape extends z.ZodType>(call: Call, shape: Shape): Promise<z.output<Shape>> {
  return parseBody(await readText(call.request), shape)
}

/** As `readBody`; a request without a body, or with an empty one, gives the shape's defaults. */
export async function readOptionalBody<Shape extends z.ZodType>(call: Call, shape: Shape): Promise<z.output<Shape>> {
  const text = await readText(call.request)
  return text === '' ? shape.parse({}) : parseBody(text, shape)
}

/** A JSON answer. */
export function reply(call: Call, body: unknown, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  const headers = new Headers({ 'content-type': 'application/json', ...init.headers })
  const version = apiVersion(call.request)
  if (version) headers.set('x-supabase-api-version', version)
  return new Response(JSON.stringify(body), { status: init.status ?? 200, headers })
}
