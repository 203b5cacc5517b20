import type { QueryClient } from '@tanstack/react-query'
import type { Change } from '#api/channels.ts'
import { unwrap } from '#api/unwrap.ts'
import { keyColumns } from '#features/data/description/relations.ts'
import { keyOf } from '#features/data/rows/address.ts'
import { isOwnWrite, rowId } from '#features/data/rows/own-writes.ts'
import { anyOf } from '#features/data/rows/record-query.ts'
import type { Row } from '#features/data/rows/row.ts'
import { clausesOfView, countQuery, pageSize, relationKey, type RowsWanted } from '#features/data/rows/rows-query.ts'
import { tableAt } from '#features/data/rows/table-at.ts'
import type { Rows } from '#features/data/grid/use-rows.ts'
import type { Source } from '#features/data/source.ts'
import { applyClauses } from '#features/data/view/apply.ts'
import { effectiveSort } from '#features/data/view/newest-first.ts'
import { writeView } from '#features/data/view/view-state.ts'
import { changedKey } from './live-table.ts'
import { differing, placeOf, rowsWithout, type Page } from './pages.ts'
import { Tally } from './tally.ts'

/** What is laid over the rows: marks that fade, rows that are gone, rows that wait to be shown. */
export interface WatchState {
  marks: ReadonlyMap<string, { kind: 'changed' | 'gone'; columns?: ReadonlySet<string> | undefined }>
  /** Rows that belong to the view and are not among those shown. */
  newRows: number
  /** Rows that stand elsewhere than their order says, or of which nothing more is known than that they changed. */
  isOutOfOrder: boolean
}

interface Seen {
  key: string[]
  wasInserted: boolean
  isDeleted: boolean
}

export interface WatchParts {
  queries: QueryClient
  source: Source
  wanted: RowsWanted
}

const gatherMs = 200
const busyGatherMs = 1000
/** More than this at once are not asked for row by row. */
const mostAtOnce = 150
const askedAtOnce = 50
const markedMs = 2800
const struckMs = 1600
const countEveryMs = 2000

/** Follows what others do to the rows of one view: changes them in place, and never moves what one is looking at. */
export class TableWatch {
  readonly #parts: WatchParts
  readonly #listeners = new Set<() => void>()
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  readonly #queue = new Map<string, Seen>()
  /** Rows that came into the view and are not shown yet. */
  readonly #entered = new Set<string>()
  /** Rows that left it, and are shown no more. */
  readonly #removed = new Set<string>()
  readonly #tally = new Tally()
  #marks = new Map<string, { kind: 'changed' | 'gone'; columns?: ReadonlySet<string> | undefined }>()
  #isOutOfOrder = false
  #isGathering = false
  #counting: ReturnType<typeof setTimeout> | undefined
  #countAgainMs = countEveryMs
  #flushedAt = 0
  #isClosed = false
  #state: WatchState = { marks: new Map(), newRows: 0, isOutOfOrder: false }

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  /** Follows what is read of the view; gives what ends it. */
  open(): () => void {
    this.#isClosed = false
    const unsubscribe = this.#parts.queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'added' && event.type !== 'updated') return
      const { queryKey } = event.query
      if (JSON.stringify(queryKey.slice(0, -1)) !== JSON.stringify(this.#rowsKey())) return
      // A further page counts from the rows as they are now: those at hand are read anew with it.
      if (event.type === 'added' && this.#hasPending()) queueMicrotask(() => void this.showAll())
      if (event.type === 'updated' && event.action.type === 'success' && event.action.manual !== true && queryKey.at(-1) === 0) this.#begin()
    })
    return () => {
      unsubscribe()
      this.#isClosed = true
      for (const timer of this.#timers) clearTimeout(timer)
      clearTimeout(this.#counting)
    }
  }

  /** The same object until something changes. */
  readonly state = (): WatchState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes in a change; those that come together are looked up together. */
  take(change: Change): void {
    const { relation } = this.#parts.wanted
    const key = changedKey(relation, change)
    if (!key) return this.#beUnsure()
    const id = rowId(relation, key)
    const before = this.#queue.get(id)
    this.#queue.set(id, { key, wasInserted: before?.wasInserted ?? change.type === 'INSERT', isDeleted: change.type === 'DELETE' })
    if (this.#isGathering) return
    this.#isGathering = true
    this.#later(Date.now() - this.#flushedAt < busyGatherMs ? busyGatherMs : gatherMs, () => void this.#flush())
  }

  /** Looks whether the rows at hand are still what they were, after a time in which nothing was told. */
  async catchUp(): Promise<void> {
    const keys = this.#loaded().flatMap(({ row }) => keyOf(this.#parts.wanted.relation, row) ?? [])
    if (keys.length === 0 && this.#loaded().length > 0) return this.#beUnsure()
    await this.#lookUp(this.#loaded().flatMap(({ row }) => this.#seen(row)))
    this.#countSoon()
  }

  /** Reads the view anew and shows what waited. */
  async showAll(): Promise<void> {
    const { queries, source, wanted } = this.#parts
    const fresh = [...this.#entered]
    await queries.invalidateQueries({ queryKey: relationKey(source, wanted.relation) })
    if (this.#isClosed) return
    this.#begin()
    this.#mark(fresh.map((id) => [id, undefined]))
  }

  /** The rows as they are now: without those that are gone. */
  show(rows: Rows): Rows {
    const shown = rowsWithout(rows, this.gone(), (row) => !this.#removed.has(this.#id(row)))
    this.#tally.showing(rows.isExact ? shown.total : undefined)
    return { ...shown, waiting: this.#tally.waiting() }
  }

  /** Where the rows stand that are left out, ascending. */
  gone(): number[] {
    return this.#removed.size === 0 ? [] : this.#loaded().flatMap(({ index, row }) => (this.#removed.has(this.#id(row)) ? [index] : []))
  }

  /** The rows were read anew: nothing waits any more. */
  #begin() {
    this.#entered.clear()
    this.#tally.begin()
    this.#isOutOfOrder = false
    const loaded = new Set(this.#loaded().map(({ row }) => this.#id(row)))
    for (const id of this.#removed) if (!loaded.has(id)) this.#removed.delete(id)
    this.#tell()
  }

  #hasPending(): boolean {
    return this.#entered.size > 0 || this.#removed.size > 0 || this.#tally.unseen() !== 0
  }

  async #flush() {
    this.#isGathering = false
    this.#flushedAt = Date.now()
    const seen = [...this.#queue.values()]
    this.#queue.clear()
    this.#tally.happen()
    this.#markStale()
    const isLoaded = new Set(this.#loaded().map(({ row }) => this.#id(row)))
    for (const { key, isDeleted, wasInserted } of seen) {
      if (!isDeleted) continue
      const id = this.#idOf(key)
      if (isLoaded.has(id)) this.#strike(id)
      else if (this.#entered.delete(id)) this.#tally.add(-1)
      else if (!wasInserted && !this.#isWhole()) this.#countSoon()
    }
    const isNarrowed = this.#isNarrowed()
    const asked = seen.filter(({ key, isDeleted, wasInserted }) => {
      if (isDeleted) return false
      const id = this.#idOf(key)
      if (isLoaded.has(id)) return true
      if (wasInserted && !isNarrowed) {
        this.#enter(id)
        return false
      }
      // What was changed may have come into the view; where not all of it is at hand, only counting tells.
      if (!wasInserted && isNarrowed && !this.#isWhole()) this.#countSoon()
      return isNarrowed && (wasInserted || this.#isWhole())
    })
    if (asked.length > mostAtOnce) return this.#beUnsure()
    await this.#lookUp(asked)
    this.#tell()
  }

  /** Asks the project for these rows as the view would show them. */
  async #lookUp(asked: readonly Seen[]): Promise<void> {
    for (let from = 0; from < asked.length; from += askedAtOnce) {
      const some = asked.slice(from, from + askedAtOnce)
      const rows = await readByKeys(this.#parts, some.map(({ key }) => key)).catch(() => undefined)
      if (this.#isClosed) return
      if (!rows) return this.#beUnsure()
      this.#settle(some, new Map(rows.map((row) => [this.#id(row), row])))
    }
  }

  #settle(asked: readonly Seen[], found: ReadonlyMap<string, Row>) {
    const { queries, wanted } = this.#parts
    const before = new Map(this.#loaded().map(({ row }) => [this.#id(row), row]))
    const ordering = new Set(effectiveSort(wanted.relation, wanted.view.sort).map(({ column }) => column))
    const changed: [string, ReadonlySet<string>][] = []
    for (const { key } of asked) {
      const id = this.#idOf(key)
      const [was, is] = [before.get(id), found.get(id)]
      if (is && !was) this.#enter(id)
      if (was && !is) this.#strike(id)
      if (!was || !is) continue
      if (this.#removed.delete(id)) this.#tally.add(1)
      const columns = differing(was, is)
      if (columns.size === 0) continue
      if ([...columns].some((column) => ordering.has(column))) this.#isOutOfOrder = true
      if (!isOwnWrite(id)) changed.push([id, columns])
    }
    queries.setQueriesData<Row[]>({ queryKey: this.#rowsKey() }, (rows) => rows?.map((row) => found.get(this.#id(row)) ?? row))
    this.#mark(changed)
  }

  /** What cannot be told row by row is offered to be read anew. */
  #beUnsure() {
    this.#isOutOfOrder = true
    this.#markStale()
    this.#countSoon()
    this.#tell()
  }

  #enter(id: string) {
    if (isOwnWrite(id) || this.#entered.has(id)) return
    this.#entered.add(id)
    this.#tally.add(1)
  }

  #strike(id: string) {
    if (this.#removed.has(id) || this.#marks.get(id)?.kind === 'gone') return
    this.#tally.add(-1)
    this.#marks = new Map(this.#marks).set(id, { kind: 'gone' })
    this.#tell()
    this.#later(isOwnWrite(id) ? 0 : struckMs, () => {
      this.#removed.add(id)
      this.#unmark([id])
    })
  }

  #mark(changed: readonly (readonly [id: string, columns: ReadonlySet<string> | undefined])[]) {
    if (changed.length > 0) {
      this.#marks = new Map([...this.#marks, ...changed.map(([id, columns]) => [id, { kind: 'changed' as const, columns }] as const)])
      this.#later(markedMs, () => this.#unmark(changed.map(([id]) => id), 'changed'))
    }
    this.#tell()
  }

  #unmark(ids: readonly string[], kind: 'changed' | 'gone' = 'gone') {
    this.#marks = new Map([...this.#marks].filter(([id, mark]) => !(ids.includes(id) && mark.kind === kind)))
    this.#tell()
  }

  // What is not on the screen is read anew when it comes there.
  #markStale() {
    const { queries, source, wanted } = this.#parts
    void queries.invalidateQueries({ queryKey: relationKey(source, wanted.relation), refetchType: 'none', predicate: (query) => !query.isActive() })
  }

  #countSoon() {
    this.#counting ??= setTimeout(() => {
      this.#counting = undefined
      void this.#count()
    }, this.#countAgainMs)
  }

  async #count() {
    const { queries, source, wanted } = this.#parts
    const query = countQuery(source, wanted)
    // A guess would contradict the rows at hand.
    if (queries.getQueryData(query.queryKey)?.exact === false) return
    const askedAt = Date.now()
    const count = await queries.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined)
    if (this.#isClosed || !count?.exact) return
    const isTaken = this.#tally.take(count.rows, askedAt)
    // Where rows come and go all the time, counting does not keep up and is not to weigh on the project.
    this.#countAgainMs = isTaken ? countEveryMs : Math.min(30_000, this.#countAgainMs * 2)
    if (!isTaken) this.#countSoon()
    if (this.#tally.unseen() < 0) this.#isOutOfOrder = true
    this.#tell()
  }

  /** How many rows wait to be shown; one that has been read meanwhile waits no longer. */
  #newRows(): number {
    const loaded = new Set(this.#loaded().map(({ row }) => this.#id(row)))
    return [...this.#entered].filter((id) => !loaded.has(id) && !isOwnWrite(id)).length + Math.max(0, this.#tally.unseen())
  }

  #tell() {
    if (this.#isClosed) return
    this.#state = { marks: this.#marks, newRows: this.#newRows(), isOutOfOrder: this.#isOutOfOrder }
    for (const listener of this.#listeners) listener()
  }

  #later(waitMs: number, act: () => void) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, waitMs)
    this.#timers.add(timer)
  }

  #rowsKey() {
    const { source, wanted } = this.#parts
    return [...relationKey(source, wanted.relation), 'rows', wanted.select, writeView(wanted.view)] as const
  }

  #pages(): Page[] {
    const found = this.#parts.queries.getQueriesData<Row[]>({ queryKey: this.#rowsKey() })
    return found.flatMap(([key, rows]) => (rows ? [{ page: Number(key.at(-1)), rows }] : [])).sort((left, right) => left.page - right.page)
  }

  #loaded = () => placeOf(this.#pages())
  #isWhole = () => this.#hasEnd() && this.#loaded().length === (this.#pages().at(-1)?.page ?? 0) * pageSize + (this.#pages().at(-1)?.rows.length ?? 0)
  #hasEnd = () => this.#pages().some(({ page, rows }) => rows.length < pageSize && (rows.length > 0 || page === 0))
  #isNarrowed = () => this.#parts.wanted.view.filter.length > 0 || this.#parts.wanted.view.search !== ''
  #id = (row: Row): string => this.#idOf(keyOf(this.#parts.wanted.relation, row) ?? [])
  #idOf = (key: readonly string[]): string => rowId(this.#parts.wanted.relation, key)
  #seen = (row: Row): Seen[] => {
    const key = keyOf(this.#parts.wanted.relation, row)
    return key ? [{ key, wasInserted: false, isDeleted: false }] : []
  }
}

async function readByKeys({ source, wanted: { relation, view, select } }: WatchParts, keys: readonly string[][]): Promise<Row[]> {
  if (keys.length === 0) return []
  const request = tableAt(source.client, relation).select(select)
  return (await unwrap(applyClauses(request, [...clausesOfView(relation, view), anyOf(keyColumns(relation) ?? [], keys)]))) as unknown as Row[]
}
