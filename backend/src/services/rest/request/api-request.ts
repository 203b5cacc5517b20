import {
  methodNotForFunctions, methodNotSupported, openApiDisabled, pathNotValid, rangeNotSatisfiable, rangeOnSingleUpsert, schemaNotExposed,
} from '#services/rest/errors.ts'
import type { RestSettings } from '#services/rest/settings.ts'
import { jsonMedia, parseAccept, parseMediaType, type MediaType } from './media-type.ts'
import { readPayload, type Payload } from './payload.ts'
import { parsePreferences, type Preferences } from './preferences.ts'
import { parseQueryParams, type QueryParams } from './query-params.ts'
import { allRows, asksForNoRows, intersect, isAllRows, isEmptyRange, keepNoRows, parseRangeHeader, type RowRange } from './row-range.ts'

/** What the client wants done with what. */
export type Action =
  | { kind: 'read'; relation: string; headersOnly: boolean }
  | { kind: 'write'; relation: string; write: 'insert' | 'upsert' | 'update' | 'delete' }
  | { kind: 'call'; routine: string; by: 'get' | 'head' | 'post' }
  | { kind: 'schema'; headersOnly: boolean }
  | { kind: 'info'; about: 'relation' | 'routine' | 'schema'; name: string }

/** A request in the data API's own terms; whether it makes sense is the planner's to say. */
export interface ApiRequest {
  action: Action
  schema: string
  /** Whether replies name the schema they are about. */
  schemaNegotiated: boolean
  params: QueryParams
  /** By key; `limit` is the root's. */
  ranges: ReadonlyMap<string, RowRange>
  /** The root's. */
  range: RowRange
  preferences: Preferences
  accept: readonly MediaType[]
  contentType: MediaType
  payload: Payload | undefined
  /** Columns or arguments the body gives. */
  names: readonly string[]
}

export interface RequestParts {
  method: string
  /** Below the mount. */
  path: string
  /** With or without its question mark. */
  query: string
  headers: Headers
  body: Uint8Array
}

function splitPath(path: string): string[] {
  const parts = path.split('/').slice(1)
  if (parts.at(-1) === '') parts.pop()
  try {
    return parts.map(decodeURIComponent)
  } catch {
    throw pathNotValid()
  }
}

function actionOf({ method, path }: RequestParts, settings: RestSettings): Action {
  const parts = splitPath(path)
  const [first, second] = parts
  if (first === undefined) return rootAction(method, settings)
  if (parts.length === 1) return relationAction(method, first)
  if (parts.length === 2 && first === 'rpc' && second !== undefined) return routineAction(method, second)
  throw pathNotValid()
}

function rootAction(method: string, { openApi, rootFunction }: RestSettings): Action {
  if (openApi === 'disabled') throw openApiDisabled()
  if (rootFunction !== undefined) return routineAction(method, rootFunction)
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { kind: 'schema', headersOnly: method === 'HEAD' }
    case 'OPTIONS':
      return { kind: 'info', about: 'schema', name: '' }
  }
  throw methodNotSupported(method)
}

function routineAction(method: string, routine: string): Action {
  switch (method) {
    case 'GET':
      return { kind: 'call', routine, by: 'get' }
    case 'HEAD':
      return { kind: 'call', routine, by: 'head' }
    case 'POST':
      return { kind: 'call', routine, by: 'post' }
    case 'OPTIONS':
      return { kind: 'info', about: 'routine', name: routine }
  }
  throw methodNotForFunctions(method)
}

const writes = new Map<string, 'insert' | 'upsert' | 'update' | 'delete'>([
  ['POST', 'insert'], ['PUT', 'upsert'], ['PATCH', 'update'], ['DELETE', 'delete'],
])

function relationAction(method: string, relation: string): Action {
  if (method === 'GET' || method === 'HEAD') return { kind: 'read', relation, headersOnly: method === 'HEAD' }
  if (method === 'OPTIONS') return { kind: 'info', about: 'relation', name: relation }
  const write = writes.get(method)
  if (!write) throw methodNotSupported(method)
  return { kind: 'write', relation, write }
}

function chooseSchema({ method, headers }: RequestParts, { schemas }: RestSettings): Pick<ApiRequest, 'schema' | 'schemaNegotiated'> {
  const asked = headers.get(writes.has(method) ? 'content-profile' : 'accept-profile')
  if (asked === null) return { schema: schemas[0], schemaNegotiated: schemas.length > 1 }
  // Header values reach us byte by byte; a schema's name may be in any script.
  const schema = Buffer.from(asked, 'latin1').toString('utf8')
  if (!schemas.includes(schema)) throw schemaNotExposed(schema, schemas)
  return { schema, schemaNegotiated: true }
}

function chooseRanges({ method, headers }: RequestParts, asked: ReadonlyMap<string, RowRange>): Pick<ApiRequest, 'range' | 'ranges'> {
  const fromHeader = method === 'GET' ? parseRangeHeader(headers.get('range')) : allRows
  const fromQuery = asked.get('limit') ?? allRows
  const range = keepNoRows(fromQuery, intersect(fromHeader, fromQuery))
  if (isEmptyRange(range) && !asksForNoRows(fromQuery)) {
    throw rangeNotSatisfiable(
      isEmptyRange(fromHeader)
        ? 'The lower boundary must be lower than or equal to the upper boundary in the Range header.'
        : 'Limit should be greater than or equal to zero.',
    )
  }
  if (method === 'PUT' && !isAllRows(range)) throw rangeOnSingleUpsert()
  return { range, ranges: new Map([...asked, ['limit', range]]) }
}

function takesBody(action: Action): boolean {
  return (action.kind === 'write' && action.write !== 'delete') || (action.kind === 'call' && action.by === 'post')
}

const takesArguments = (action: Action): boolean =>
  (action.kind === 'call' && action.by !== 'post') || (action.kind === 'info' && action.about === 'routine')

function columnsOf(action: Action, { columns }: QueryParams): readonly string[] | undefined {
  const mayName = action.kind === 'call' || (action.kind === 'write' && (action.write === 'insert' || action.write === 'update'))
  return mayName ? columns : undefined
}

export interface RequestRules {
  settings: RestSettings
  isTimezone(name: string): boolean
}

/** Reads a request. @throws PGRST100 to PGRST106, PGRST114, PGRST117, PGRST125, PGRST126 */
export function readApiRequest(parts: RequestParts, { settings, isTimezone }: RequestRules): ApiRequest {
  const { headers } = parts
  const allowTransaction = settings.transactionEnd.endsWith('allow-override')
  const preferences = parsePreferences(headers.get('prefer'), { isTimezone, allowTransaction })
  const action = actionOf(parts, settings)
  const chosen = chooseSchema(parts, settings)
  const params = parseQueryParams(parts.query, takesArguments(action))
  const ranges = chooseRanges(parts, params.ranges)
  const sentType = headers.get('content-type')
  const contentType = sentType === null ? jsonMedia : parseMediaType(sentType)
  const read = takesBody(action)
    ? readPayload({ body: parts.body, contentType, columns: columnsOf(action, params), callsFunction: action.kind === 'call' })
    : undefined
  return {
    action, ...chosen, params, ...ranges, preferences, contentType,
    accept: parseAccept(headers.get('accept')), payload: read?.payload, names: read?.names ?? [],
  }
}
