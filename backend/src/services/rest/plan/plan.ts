import { maxAffectedNeedsRows, preferencesNotKnown, tableNotFound } from '#services/rest/errors.ts'
import { findNearest } from '#services/rest/fuzzy.ts'
import type { Action, ApiRequest } from '#services/rest/request/api-request.ts'
import { treePath } from '#services/rest/request/grammar.ts'
import { parse } from '#services/rest/request/parser.ts'
import type { At } from '#services/rest/request/query.ts'
import type { RowRange } from '#services/rest/request/row-range.ts'
import { returnedTable, returnsOne, type Routine } from '#services/rest/schema-cache/routine.ts'
import type { SchemaCache } from '#services/rest/schema-cache/schema-cache.ts'
import type { QualifiedName, Table } from '#services/rest/schema-cache/table.ts'
import type { RestSettings } from '#services/rest/settings.ts'
import { planCall, type CallPlan } from './call-plan.ts'
import { chooseMedia, type ChosenMedia } from './choose-media.ts'
import { findRoutine } from './find-routine.ts'
import { planRead } from './plan-read.ts'
import { isWholeSelect, type ReadPlan } from './read-plan.ts'
import { planWrite, type WriteKind, type WritePlan } from './write-plan.ts'

interface PlanCommon {
  read: ReadPlan
  chosen: ChosenMedia
}

export type Plan =
  | (PlanCommon & { kind: 'read'; headersOnly: boolean })
  | (PlanCommon & { kind: 'write'; table: Table; writeKind: WriteKind; write: WritePlan })
  | (PlanCommon & { kind: 'call'; call: CallPlan; headersOnly: boolean; readOnly: boolean })

type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

/** The planner's view of one request. */
export interface Planning {
  cache: SchemaCache
  request: ApiRequest
  settings: RestSettings
}

// Above this many tables a suggestion would cost more than it helps.
const mostTablesToSearch = 500
const closeEnough = 0.75

/** @throws PGRST205 (404), with the nearest name if one is close */
export function getTable(cache: SchemaCache, name: QualifiedName): Table {
  const table = cache.findTable(name)
  if (table) return table
  const names = cache.listTableNames(name.schema)
  throw tableNotFound(name.schema, name.name, names.length < mostTablesToSearch ? findNearest(names, name.name, closeEnough) : undefined)
}

const placedRanges = ({ ranges }: ApiRequest): At<RowRange>[] =>
  [...ranges].map(([key, value]) => ({ path: parse(treePath, `failed to parse tree path (${key})`, key).path, value }))

function readPlanOf({ cache, request, settings }: Planning, from: QualifiedName): ReadPlan {
  const { params, action } = request
  const isWrite = action.kind === 'write'
  // What filters a write's root decides which rows it writes, and is no filter of the rows it gives.
  const placed = <T>(items: readonly At<T>[]): readonly At<T>[] => (isWrite ? items.filter(({ path }) => path.length > 0) : items)
  return planRead(cache, {
    from, select: params.select, filters: placed(params.filters), logic: placed(params.logic), order: params.order,
    ranges: isWrite ? [] : placedRanges(request), fromSource: action.kind !== 'read',
    maxRows: isWrite ? undefined : settings.maxRows, aggregates: settings.aggregates,
  })
}

function checkPreferences({ preferences }: ApiRequest): void {
  if (preferences.handling === 'strict' && preferences.unknown.length > 0) throw preferencesNotKnown(preferences.unknown)
}

const mediaOf = ({ cache, request, settings }: Planning, from: QualifiedName, read: ReadPlan): ChosenMedia =>
  chooseMedia(cache, { accept: request.accept, from, wholeSelect: isWholeSelect(read), plans: settings.plans })

const withoutBody = ({ media }: ChosenMedia): ChosenMedia => ({ media, rendering: { kind: 'none' } })

function planTableRead(planning: Planning, { relation, headersOnly }: ActionOf<'read'>): Plan {
  const from = { schema: planning.request.schema, name: relation }
  getTable(planning.cache, from)
  const read = readPlanOf(planning, from)
  const chosen = mediaOf(planning, from, read)
  checkPreferences(planning.request)
  return { kind: 'read', read, headersOnly, chosen: headersOnly ? withoutBody(chosen) : chosen }
}

function planTableWrite(planning: Planning, { relation, write: writeKind }: ActionOf<'write'>): Plan {
  const { cache, request, settings } = planning
  const table = getTable(cache, { schema: request.schema, name: relation })
  const name = { schema: table.schema, name: table.name }
  const read = readPlanOf(planning, name)
  const { params, preferences, payload, names } = request
  const write = planWrite(cache, { kind: writeKind, table, params, preferences, payload, names, read, requiresFilter: settings.requiresFilter })
  checkPreferences(request)
  const chosen = mediaOf(planning, name, read)
  return { kind: 'write', read, table, writeKind, write, chosen: preferences.representation === 'representation' ? chosen : withoutBody(chosen) }
}

/** The function a call means. @throws PGRST202, PGRST203 */
export function getRoutine({ cache, request }: Planning, name: string, isPost: boolean): Routine {
  const argumentNames = isPost ? request.names : [...new Set(request.params.args.map(([argument]) => argument))]
  return findRoutine(cache, { schema: request.schema, name, argumentNames, contentType: request.contentType, isPost })
}

function planRoutineCall(planning: Planning, { routine: name, by }: ActionOf<'call'>): Plan {
  const { request } = planning
  const isPost = by === 'post'
  const routine = getRoutine(planning, name, isPost)
  const from = { schema: routine.schema, name: returnedTable(routine) ?? routine.name }
  const read = readPlanOf(planning, from)
  const argumentNames = isPost ? request.names : request.params.args.map(([argument]) => argument)
  const call = planCall({ routine, read, argumentNames, sent: isPost ? { payload: request.payload } : { pairs: request.params.args } })
  const chosen = mediaOf(planning, from, read)
  checkPreferences(request)
  const { handling, maxAffected } = request.preferences
  if (maxAffected !== undefined && handling === 'strict' && returnsOne(routine)) throw maxAffectedNeedsRows()
  return {
    kind: 'call', read, call, headersOnly: by === 'head', readOnly: !isPost || routine.volatility !== 'volatile',
    chosen: by === 'head' ? withoutBody(chosen) : chosen,
  }
}

/** What takes a plan; the rest is answered from the schema. */
export type PlannedAction = ActionOf<'read' | 'write' | 'call'>

/** Makes the plan of what a request wants of the database. */
export function makePlan(planning: Planning, action: PlannedAction): Plan {
  switch (action.kind) {
    case 'read':
      return planTableRead(planning, action)
    case 'write':
      return planTableWrite(planning, action)
    case 'call':
      return planRoutineCall(planning, action)
  }
}
