import type { Sql, SqlValue } from '#database/sql.ts'
import { makePlan, type Plan, type PlannedAction, type Planning } from './plan/plan.ts'
import type { ApiRequest } from './request/api-request.ts'
import { filterShape, withValue } from './request/filter.ts'
import { mediaName } from './request/media-type.ts'
import { asksPlanner } from './request/preferences.ts'
import { explainCount, planStatement } from './statement/statement.ts'

/** A plan and its statements, values in place. */
export interface Prepared {
  plan: Plan
  main: Sql
  /** Asks the planner for the number of rows. */
  explain: Sql | undefined
}

/** A value's place in a statement whose values come with each request. */
interface Slot {
  slot: number
}

interface Template {
  text: string
  values: readonly (SqlValue | Slot)[]
}

interface Kept {
  plan: Plan
  main: Template
  explain: Template | undefined
}

/** A request told apart into what decides its plan and what only fills it. */
interface Abstracted {
  key: string
  request: ApiRequest
  values: readonly string[]
}

const mostPlans = 1_000
const longestKey = 4_096

// No text that Postgres takes holds a zero byte, so no value can be taken for a mark.
const mark = (slot: number): string => `\0${slot}`

const slotOf = (value: SqlValue): number | undefined => (typeof value === 'string' && value.startsWith('\0') ? Number(value.slice(1)) : undefined)

function abstractRequest(request: ApiRequest): Abstracted | undefined {
  const { params, payload, action } = request
  const values: string[] = []
  const keep = (value: string): string => mark(values.push(value) - 1)
  const filters = params.filters.map(({ path, value }) => {
    const { operation } = value
    return { path, value: operation.kind === 'is' ? value : { ...value, operation: withValue(operation, keep(operation.value)) } }
  })
  const args = params.args.map(([name, value]) => [name, keep(value)] as const)
  const body = payload?.kind === 'json' && payload.text !== '' ? { ...payload, text: keep(payload.text) } : payload
  const key = JSON.stringify([
    action, request.schema, params.fixed, params.filters.map(({ value }, index) => [params.filterKeys[index], filterShape(value)]),
    params.args.map(([name]) => name), [...request.ranges], request.preferences, request.accept.map(mediaName), mediaName(request.contentType),
    payload?.kind === 'json' ? [payload.isObject, payload.text === '', request.names] : payload?.kind,
  ])
  if (key.length > longestKey || key.includes('\\u0000') || body?.kind === 'pairs' || body?.kind === 'raw') return undefined
  return { key, request: { ...request, params: { ...params, filters, args }, payload: body }, values }
}

function toTemplate({ text, values }: Sql): Template {
  return {
    text,
    values: values.map((value) => {
      const slot = slotOf(value)
      return slot === undefined ? value : { slot }
    }),
  }
}

const isSlot = (value: SqlValue | Slot): value is Slot => typeof value === 'object' && value !== null && 'slot' in value

const fill = ({ text, values }: Template, given: readonly string[]): Sql => ({
  text, values: values.map((value) => (isSlot(value) ? given[value.slot]! : value)),
})

function build({ request, settings, cache }: Planning, action: PlannedAction): Prepared {
  const plan = makePlan({ request, settings, cache }, action)
  const { preferences } = request
  return {
    plan,
    main: planStatement(plan, { preferences, maxRows: settings.maxRows }),
    explain: plan.kind === 'read' && asksPlanner(preferences) ? explainCount(plan) : undefined,
  }
}

// A value that was worked into something else (an array, a JSON object) left no slot; such a plan serves one request only.
function holdsAll({ main }: Kept, count: number): boolean {
  const found = new Set(main.values.filter(isSlot).map(({ slot }) => slot))
  return found.size === count
}

/** Keeps plans and statements of requests that differ in values only. Good for one schema: a new one starts with none. */
export class PreparedPlans {
  readonly #kept = new Map<string, Kept>()

  /** @throws what planning throws; failures are not kept. */
  prepare(planning: Planning, action: PlannedAction): Prepared {
    const abstracted = abstractRequest(planning.request)
    if (!abstracted) return build(planning, action)
    const { key, values } = abstracted
    const known = this.#kept.get(key) ?? this.#plan({ ...planning, request: abstracted.request }, action, abstracted)
    if (!known) return build(planning, action)
    return { plan: known.plan, main: fill(known.main, values), explain: known.explain && fill(known.explain, values) }
  }

  #plan(planning: Planning, action: PlannedAction, { key, values }: Abstracted): Kept | undefined {
    const built = build(planning, action)
    const kept: Kept = { plan: built.plan, main: toTemplate(built.main), explain: built.explain && toTemplate(built.explain) }
    if (!holdsAll(kept, values.length)) return undefined
    if (this.#kept.size >= mostPlans) this.#kept.delete(this.#kept.keys().next().value!)
    this.#kept.set(key, kept)
    return kept
  }
}
