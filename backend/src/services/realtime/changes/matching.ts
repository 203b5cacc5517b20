import type { Database } from '#database/database.ts'
import type { Logger } from '#contract/logger.ts'
import { DatabaseError } from '#database/database-error.ts'
import type { ChangeSubscriber } from '#services/realtime/change-feed.ts'
import { wants, type Binding } from './book.ts'
import { isRefused, typeOf } from './change-json.ts'
import { jsonMembers } from './json-members.ts'
import type { LoggedChange } from './log.queries.ts'
import type { FilterBudget, Owner } from './filter-budget.ts'
import { findMatches, type FilterShape } from './matches.queries.ts'
import type { TableFacts } from './tables.queries.ts'
import { visibleAmong } from './visible.queries.ts'

export interface MatchingDeps {
  database: Database
  log: Logger
  /** Subscriptions whose filters took too long: they are asked no more. */
  tooSlow: WeakSet<Binding>
  budget: FilterBudget
}

/** Changes of one table, in order, and who may want them. */
export interface TableChanges {
  table: TableFacts
  changes: readonly LoggedChange[]
  bindings: readonly Binding[]
}

/** Which bindings are told of which change, by the change's id. */
export type Told = Map<string, Binding[]>

// The engine inside has one session; a server's are shared with everybody else.
const checksAtOnce = 3
const keptKeyTexts = 20
/** Said to the channel, which joins anew when it wants to try again. */
export const filtersTooSlow = 'Unable to subscribe to changes with given parameters. The filters of this connection take too long'

async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(Array.from({ length: checksAtOnce }, async () => {
    for (const item of queue) await work(item)
  }))
}

interface ShapeGroup {
  shape: FilterShape
  changes: readonly LoggedChange[]
  /** By value of the shape. */
  bindings: Binding[][]
}

const valuesKey = ({ wanted }: Binding): string => JSON.stringify(wanted.filters.map(({ value }) => value))

function shapeKey({ wanted }: Binding): string {
  return JSON.stringify(wanted.filters.map(({ column, operator, negate, value }) => [column, operator, negate, operator === 'is' ? value : '']))
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()]
}

// A deleted row is compared by what is told of it, so that no filter finds out the rest.
function isComparable(change: LoggedChange, table: TableFacts, names: ReadonlySet<string>): boolean {
  return change.action !== 'D' || table.columns.every(({ name, isIdentity }) => isIdentity || !names.has(name))
}

function toShapeGroup({ table, changes }: TableChanges, bindings: readonly Binding[]): ShapeGroup | undefined {
  const filters = (bindings[0] as Binding).wanted.filters
  const names = new Set(filters.map(({ column }) => column))
  const types = new Map(table.columns.map(({ name, sqlType }) => [name, sqlType]))
  const sqlTypes = filters.flatMap(({ column }) => types.get(column) ?? [])
  // A column that is gone matches nothing.
  if (sqlTypes.length < filters.length) return undefined
  const byValues = groupBy(bindings, valuesKey)
  const values = filters.map((_, at) => byValues.map(([first]) => (first as Binding).wanted.filters[at]?.value ?? ''))
  return { shape: { filters, sqlTypes, values }, changes: changes.filter((change) => isComparable(change, table, names)), bindings: byValues }
}

const isOverLong = (error: unknown): boolean => error instanceof DatabaseError && error.sqlstate.startsWith('57')

/** Changes that pass the filters, by binding. */
type Passed = Map<Binding, LoggedChange[]>

const ownersOf = ({ bindings }: ShapeGroup): Set<Owner> => new Set(bindings.flat().map(({ subscriber }) => subscriber.owner ?? subscriber))

async function passFilters(deps: MatchingDeps, group: ShapeGroup, passed: Passed): Promise<void> {
  const owners = ownersOf(group)
  const allowedMs = deps.budget.allow(owners)
  if (allowedMs === undefined) return setAside(deps, group)
  const byId = new Map(group.changes.map((change) => [change.id, change]))
  let startedAt = performance.now()
  try {
    const matches = await deps.database.asAdmin('postgres', (tx) => {
      // Waiting for others' questions costs nobody.
      startedAt = performance.now()
      return findMatches(tx, group.shape, [...byId.keys()])
    }, { timeoutMs: allowedMs })
    deps.budget.spend(owners, performance.now() - startedAt)
    const found = new Map<number, Set<string>>()
    for (const { id, at } of matches) found.set(at, (found.get(at) ?? new Set()).add(id))
    group.bindings.forEach((bindings, at) => {
      const ids = found.get(at)
      if (ids) for (const binding of bindings) passed.set(binding, group.changes.filter(({ id }) => ids.has(id)))
    })
  } catch (error) {
    deps.budget.spend(owners, performance.now() - startedAt)
    if (group.bindings.length > 1) return each(splitShape(group), (part) => passFilters(deps, part, passed))
    deps.log.warn('a filter of a live channel could not be answered', { error })
    if (isOverLong(error)) setAside(deps, group)
  }
}

/** Asks these no more, and says so: a channel that hears nothing must not be taken for one where nothing happens. */
function setAside(deps: MatchingDeps, { bindings }: ShapeGroup): void {
  const told = new Set<ChangeSubscriber>()
  for (const binding of bindings.flat()) {
    if (deps.tooSlow.has(binding)) continue
    deps.tooSlow.add(binding)
    told.add(binding.subscriber)
  }
  for (const subscriber of told) subscriber.onStatus({ status: 'error', message: filtersTooSlow })
}

// One subscription's filter must not cost the others theirs.
const splitShape = ({ shape, changes, bindings }: ShapeGroup): ShapeGroup[] =>
  bindings.map((own, at) => ({ shape: { ...shape, values: shape.values.map((values) => [values[at] as string]) }, changes, bindings: [own] }))

async function filterAll(deps: MatchingDeps, work: TableChanges): Promise<Passed> {
  const passed: Passed = new Map()
  const filtered: Binding[] = []
  for (const binding of work.bindings) {
    if (binding.wanted.filters.length === 0) passed.set(binding, [...work.changes])
    else if (!deps.tooSlow.has(binding)) filtered.push(binding)
  }
  const groups = groupBy(filtered, shapeKey).flatMap((bindings) => toShapeGroup(work, bindings) ?? [])
  await each(groups.filter(({ changes }) => changes.length > 0), (group) => passFilters(deps, group, passed))
  return passed
}

/** The keys of rows as `visibleAmong` wants them, each found once and written once for all readers who are asked about the same rows. */
function keyWriter(table: TableFacts): (changes: readonly LoggedChange[]) => string {
  const names = table.columns.filter(({ isKey }) => isKey).map(({ name }) => name)
  const keys = new Map<LoggedChange, string>()
  const keyOf = (change: LoggedChange): string => {
    const known = keys.get(change)
    if (known !== undefined) return known
    const members = jsonMembers(change.record ?? '{}')
    const key = names.map((name, column) => `"k${column}":${members.get(name) ?? 'null'}`).join(',')
    keys.set(change, key)
    return key
  }
  const texts = new Map<string, string>()
  return (changes) => {
    const ids = changes.map(({ id }) => id).join()
    const known = texts.get(ids)
    if (known !== undefined) return known
    const text = `[${changes.map((change, at) => `{"at":${at},${keyOf(change)}}`).join(',')}]`
    if (texts.size < keptKeyTexts) texts.set(ids, text)
    return text
  }
}

interface Question {
  table: TableFacts
  writeKeys: ReturnType<typeof keyWriter>
  reader: Pick<Binding, 'role' | 'claims'>
  changes: readonly LoggedChange[]
}

/** Which of the changed rows a reader's policies let through now. Rows no answer can be had for are kept back. */
async function askPolicies(deps: MatchingDeps, question: Question): Promise<Set<string>> {
  const { table, reader, changes } = question
  try {
    const [answer] = await deps.database.batchAsCaller(reader, [visibleAmong(table, question.writeKeys(changes))])
    return new Set((answer?.rows ?? []).flatMap(([at]) => changes[Number(at)]?.id ?? []))
  } catch (error) {
    // One row may be what a policy stumbles over; one that takes too long would take as long for each.
    if (changes.length === 1 || isOverLong(error)) {
      deps.log.warn('a policy could not be asked for a live channel', { table: `${table.schema}.${table.name}`, role: reader.role, error })
      return new Set()
    }
    const half = Math.ceil(changes.length / 2)
    const first = await askPolicies(deps, { ...question, changes: changes.slice(0, half) })
    const second = await askPolicies(deps, { ...question, changes: changes.slice(half) })
    return new Set([...first, ...second])
  }
}

async function applyPolicies(deps: MatchingDeps, { table, changes }: TableChanges, passed: Passed): Promise<void> {
  const held = [...passed.keys()].filter(({ role }) => table.hasPolicies && table.roles[role]?.bypasses !== true)
  const writeKeys = keyWriter(table)
  await each(groupBy(held, ({ readerKey }) => readerKey), async (bindings) => {
    const reader = bindings[0] as Binding
    const asked = new Set(bindings.flatMap((binding) => (passed.get(binding) ?? []).filter(({ action }) => action !== 'D')))
    if (asked.size === 0) return
    const visible = await askPolicies(deps, { table, writeKeys, reader, changes: changes.filter((change) => asked.has(change)) })
    for (const binding of bindings)
      passed.set(binding, (passed.get(binding) ?? []).filter(({ id, action }) => action === 'D' || visible.has(id)))
  })
}

/** Finds who is told of what: those whose event, filters and policies let a change through, and those who are told why they may not know. */
export async function matchChanges(deps: MatchingDeps, work: TableChanges): Promise<Told> {
  const told: Told = new Map()
  const tell = (binding: Binding, change: LoggedChange): void => {
    const others = told.get(change.id)
    if (others) others.push(binding)
    else told.set(change.id, [binding])
  }
  const refused = new Set(work.bindings.map(({ role }) => role).filter((role) => isRefused({ table: work.table, role, select: null }, 'INSERT')))
  const isOpen = ({ role }: Binding, { action }: LoggedChange): boolean => action === 'D' || !refused.has(role)
  const open: Binding[] = []
  for (const binding of work.bindings) {
    const wanted = work.changes.filter((change) => wants(binding, typeOf(change)))
    const closed = wanted.filter((change) => !isOpen(binding, change))
    for (const change of closed) tell(binding, change)
    if (closed.length < wanted.length) open.push(binding)
  }
  const passed: Passed = open.length === 0 ? new Map() : await filterAll(deps, { ...work, bindings: open })
  for (const [binding, changes] of passed)
    passed.set(binding, changes.filter((change) => wants(binding, typeOf(change)) && isOpen(binding, change)))
  await applyPolicies(deps, work, passed)
  for (const [binding, changes] of passed) for (const change of changes) tell(binding, change)
  return told
}
