import { rangeBeyondRows } from '#services/rest/errors.ts'
import type { Plan } from '#services/rest/plan/plan.ts'
import type { ApiRequest } from '#services/rest/request/api-request.ts'
import { contentType, type MediaType } from '#services/rest/request/media-type.ts'
import { countsRows, preferenceApplied, type Preferences } from '#services/rest/request/preferences.ts'
import { returnsVoid } from '#services/rest/schema-cache/routine.ts'
import type { Outcome } from '#services/rest/run-plan.ts'
import { withGivenHeaders } from './given-headers.ts'

/** A reply before it is a `Response`. */
export interface Reply {
  status: number
  headers: Record<string, string>
  /** Null where there is none at all. */
  body: string | Uint8Array | null
  /** Headers the SQL set; a name may come twice. */
  given?: readonly (readonly [string, string])[]
}

const contentRange = (first: number, last: number, total: number | undefined): string =>
  `${total !== 0 && first <= last ? `${first}-${last}` : '*'}/${total ?? '*'}`

const byteLength = (body: string | Uint8Array): string => String(Buffer.byteLength(body))

function typeHeaders(media: MediaType, request: ApiRequest): Record<string, string> {
  return { 'Content-Type': contentType(media), ...schemaHeader(request) }
}

export const schemaHeader = ({ schema, schemaNegotiated }: ApiRequest): Record<string, string> =>
  schemaNegotiated ? { 'Content-Profile': Buffer.from(schema, 'utf8').toString('latin1') } : {}

function appliedHeader(applied: Omit<Preferences, 'unknown'>): Record<string, string> {
  const value = preferenceApplied(applied)
  return value === undefined ? {} : { 'Preference-Applied': value }
}

const commonPreferences = ({ preferences }: ApiRequest): Omit<Preferences, 'unknown'> => {
  const { count, transaction, handling, timezone } = preferences
  return {
    ...(count && { count }), ...(transaction && { transaction }), ...(handling && { handling }), ...(timezone === undefined ? {} : { timezone }),
  }
}

function readStatus({ first }: { first: number }, rows: number, total: number | undefined): number {
  if (total === undefined) return 200
  if (first > total) return 416
  return rows < total ? 206 : 200
}

function checkOffset({ range }: ApiRequest, { rows, total }: Outcome): number {
  const status = readStatus(range, rows, total)
  if (status === 416) throw rangeBeyondRows(range.first, total ?? 0)
  return status
}

const bodyOf = (body: string | Uint8Array): Pick<Reply, 'body'> & { length: Record<string, string> } => ({
  body, length: { 'Content-Length': byteLength(body) },
})

function readReply(request: ApiRequest, plan: Extract<Plan, { kind: 'read' }>, outcome: Outcome): Reply {
  const status = checkOffset(request, outcome)
  const { first } = request.range
  const { canonical } = request.params
  const { body, length } = bodyOf(outcome.body)
  return {
    status,
    headers: {
      'Content-Range': contentRange(first, first + outcome.rows - 1, outcome.total),
      'Content-Location': `/${encodeURI(plan.read.from.name)}${canonical === '' ? '' : `?${canonical}`}`,
      ...(plan.headersOnly ? {} : length),
      ...typeHeaders(plan.chosen.media, request),
      ...appliedHeader(commonPreferences(request)),
    },
    body: plan.headersOnly ? null : body,
  }
}

function callReply(request: ApiRequest, plan: Extract<Plan, { kind: 'call' }>, outcome: Outcome): Reply {
  const status = checkOffset(request, outcome)
  const { first } = request.range
  const { maxAffected } = request.preferences
  const headers = {
    'Content-Range': contentRange(first, first + outcome.rows - 1, outcome.total),
    ...appliedHeader({ ...commonPreferences(request), ...(maxAffected === undefined ? {} : { maxAffected }) }),
  }
  if (returnsVoid(plan.call.routine)) return { status: 204, headers, body: null }
  const { body, length } = bodyOf(outcome.body)
  return {
    status,
    headers: { ...headers, ...(plan.headersOnly ? {} : length), ...typeHeaders(plan.chosen.media, request) },
    body: plan.headersOnly ? null : body,
  }
}

function writePreferences(request: ApiRequest, { writeKind, table }: Extract<Plan, { kind: 'write' }>): Omit<Preferences, 'unknown'> {
  const { resolution, representation, missing, maxAffected } = request.preferences
  const resolves = writeKind === 'insert' && (table.primaryKey.length > 0 || request.params.onConflict !== undefined)
  return {
    ...commonPreferences(request),
    ...(resolves && resolution && { resolution }),
    ...(representation && { representation }),
    ...((writeKind === 'insert' || writeKind === 'update') && missing && { missing }),
    ...((writeKind === 'update' || writeKind === 'delete') && maxAffected !== undefined ? { maxAffected } : {}),
  }
}

const encodeQueryPart = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)

function locationHeader(table: string, location: Outcome['location']): Record<string, string> {
  if (location.length === 0) return {}
  return { Location: `/${encodeURI(table)}?${location.map(([name, filter]) => `${encodeQueryPart(name)}=${encodeQueryPart(filter)}`).join('&')}` }
}

type WritePlanned = Extract<Plan, { kind: 'write' }>

// An upsert that only updated, or had no rows at all, created nothing.
const insertStatus = ({ preferences }: ApiRequest, { inserted }: Outcome): number =>
  preferences.resolution === 'merge-duplicates' && (inserted ?? 0) <= 0 ? 200 : 201

function rangeOfWrite(plan: WritePlanned, request: ApiRequest, { rows }: Outcome): Record<string, string> {
  const total = countsRows(request.preferences) ? rows : undefined
  if (plan.writeKind === 'upsert') return {}
  return { 'Content-Range': plan.writeKind === 'update' ? contentRange(0, rows - 1, total) : contentRange(1, 0, total) }
}

function writeStatus(plan: WritePlanned, request: ApiRequest, outcome: Outcome): number {
  const showsRows = request.preferences.representation === 'representation'
  switch (plan.writeKind) {
    case 'insert':
      return insertStatus(request, outcome)
    case 'upsert':
      return showsRows ? ((outcome.inserted ?? 0) > 0 ? 201 : 200) : 204
    default:
      return showsRows ? 200 : 204
  }
}

function writeReply(request: ApiRequest, plan: WritePlanned, outcome: Outcome): Reply {
  const headers = {
    ...(plan.writeKind === 'insert' ? locationHeader(plan.table.name, outcome.location) : {}),
    ...rangeOfWrite(plan, request, outcome),
    ...appliedHeader(writePreferences(request, plan)),
  }
  const status = writeStatus(plan, request, outcome)
  if (request.preferences.representation !== 'representation') {
    return { status, headers: plan.writeKind === 'insert' ? { ...headers, 'Content-Length': '0' } : headers, body: null }
  }
  const { body, length } = bodyOf(outcome.body)
  return { status, headers: { ...headers, ...length, ...typeHeaders(plan.chosen.media, request) }, body }
}

/** Makes the reply to a request from what the database answered. @throws PGRST103, PGRST111, PGRST112 */
export function makeReply(request: ApiRequest, plan: Plan, outcome: Outcome): Reply {
  const { media } = plan.chosen
  if (media.kind === 'plan') {
    const { body, length } = bodyOf(outcome.body)
    return { status: 200, headers: { ...length, ...typeHeaders(media, request) }, body }
  }
  return withGivenHeaders(replyOf(request, plan, outcome), outcome)
}

function replyOf(request: ApiRequest, plan: Plan, outcome: Outcome): Reply {
  switch (plan.kind) {
    case 'read':
      return readReply(request, plan, outcome)
    case 'call':
      return callReply(request, plan, outcome)
    case 'write':
      return writeReply(request, plan, outcome)
  }
}
