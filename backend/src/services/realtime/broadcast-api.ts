import type { RequestContext } from '#contract/service.ts'
import type { Database } from '#database/database.ts'
import { batchTooLarge, invalidFields, malformedBody, mayNotWrite, policyError, rateExceeded, unsupportedMediaType } from './errors.ts'
import type { Message, Place } from './groups.ts'
import type { Home } from './home.ts'
import { askMayWrite } from './policies.ts'
import type { Reader } from './tokens.ts'
import { isObject } from './wire.ts'

interface Sent {
  place: Place
  message: Message
}

const blank = "can't be blank"
const tooLarge = 'Payload size exceeds tenant limit'
const notValid = 'is invalid'

const readerOf = ({ caller }: RequestContext): Reader => ({ role: caller.role, claims: caller.claims, expiresAt: Number.POSITIVE_INFINITY })

const mayWrite = (database: Database, context: RequestContext, topic: string): Promise<boolean> =>
  askMayWrite(database, { reader: readerOf(context), topic, facts: context.caller.request ?? { method: '', path: '', headers: {}, cookies: {} } }, 'broadcast')

function textFault(value: unknown): string[] {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return [blank]
  return typeof value === 'string' ? [] : [notValid]
}

function payloadFault(value: unknown, maxBytes: number): string[] {
  if (value === undefined || value === null) return [blank]
  if (!isObject(value)) return [notValid]
  return Buffer.byteLength(JSON.stringify(value)) > maxBytes ? [tooLarge] : []
}

const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === '1'

function faultsOf(item: unknown, maxBytes: number): Record<string, string[]> {
  const { topic, event, payload } = isObject(item) ? item : {}
  const all = { topic: textFault(topic), payload: payloadFault(payload, maxBytes), event: textFault(event) }
  return Object.fromEntries(Object.entries(all).filter(([, faults]) => faults.length > 0))
}

function toSent(item: Readonly<Record<string, unknown>>): Sent {
  const { id, topic, event, payload } = item
  const meta = typeof id === 'string' ? { meta: { id } } : {}
  return {
    place: { name: String(topic), isPrivate: isTrue(item.private) },
    message: { wholeJson: JSON.stringify({ payload, event, type: 'broadcast', ...meta }), ...meta },
  }
}

const weightOf = (home: Home, place: Place): number => 1 + (home.groups.find(place)?.weight ?? 0)

async function readJson(request: Request): Promise<unknown> {
  const text = await request.text()
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw malformedBody()
  }
}

function readBatch(body: unknown, maxBytes: number): Sent[] {
  const messages = isObject(body) ? body.messages : undefined
  if (messages === undefined || messages === null) throw invalidFields({ messages: [blank] })
  if (!Array.isArray(messages) || !messages.every(isObject)) throw invalidFields({ messages: [notValid] })
  const faults = messages.map((item) => faultsOf(item, maxBytes))
  if (faults.some((fault) => Object.keys(fault).length > 0)) throw invalidFields({ messages: faults })
  return messages.map(toSent)
}

/**
 * Sends a batch of messages: `{ messages: [{ topic, event, payload, private? }] }`. Private ones that the policies withhold are
 * left out without a word.
 *
 * @see supabase/realtime lib/realtime/tenants/batch_broadcast.ex
 */
export async function sendBatch(home: Home, request: Request, context: RequestContext): Promise<Response> {
  const { settings, database } = home.deps
  const all = readBatch(await readJson(request), settings.maxPayloadBytes)
  if (all.length > settings.maxEventsPerSecond) throw batchTooLarge()
  if (!home.httpEvents.take(all.reduce((sum, { place }) => sum + weightOf(home, place), 0))) throw rateExceeded()
  await home.start()
  for (const { place, message } of all) if (!place.isPrivate) home.send(place, message)
  const topics = new Set(all.filter(({ place }) => place.isPrivate).map(({ place }) => place.name))
  for (const topic of topics) {
    const may = await mayWrite(database, context, topic).catch((error: unknown) => {
      context.log.warn('the policies of a channel could not be asked', { code: 'RlsPolicyError', error })
      return false
    })
    for (const { place, message } of may ? all : []) if (place.isPrivate && place.name === topic) home.send(place, message)
  }
  return new Response(null, { status: 202 })
}

async function readSingle(request: Request): Promise<{ json: string } | { bytes: Uint8Array }> {
  const type = (request.headers.get('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/octet-stream') return { bytes: new Uint8Array(await request.arrayBuffer()) }
  if (type !== 'application/json') throw unsupportedMediaType()
  const body = await readJson(request)
  // What is no object arrives wrapped: the hosted server's reader of bodies does that.
  return { json: JSON.stringify(isObject(body) ? body : { _json: body }) }
}

/**
 * Sends one message, JSON or bytes.
 *
 * @throws 403 when the policies withhold it, 415, 422 when it is too large, 429.
 * @see supabase/realtime lib/realtime/tenants/single_broadcast.ex
 */
export async function sendSingle(home: Home, target: { topic: string; event: string }, { request, context }: { request: Request; context: RequestContext }): Promise<Response> {
  const { settings, database } = home.deps
  const { topic, event } = target
  const payload = await readSingle(request)
  const bytes = 'json' in payload ? Buffer.byteLength(payload.json) : payload.bytes.length
  if (bytes > settings.maxPayloadBytes) throw invalidFields({ payload: [tooLarge] })
  const place = { name: topic, isPrivate: context.url.searchParams.get('private') === 'true' }
  if (!home.httpEvents.take(weightOf(home, place))) throw rateExceeded()
  if (place.isPrivate) {
    const may = await mayWrite(database, context, topic).catch((error: unknown) => {
      context.log.warn('the policies of a channel could not be asked', { code: 'RlsPolicyError', error })
      throw policyError()
    })
    if (!may) throw mayNotWrite()
  }
  await home.start()
  home.send(place, { event, payload })
  return new Response(null, { status: 202 })
}
