import type { QueryClient } from '@tanstack/react-query'
import type { Change } from '#api/channels.ts'
import type { AppError } from '#api/app-error.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { keyColumns } from '#features/data/description/relations.ts'
import { readRefusal, type Refusal } from '#features/data/form/refusal.ts'
import { changedKey } from '#features/data/live/live-table.ts'
import { differing } from '#features/data/live/pages.ts'
import { keyOf } from '#features/data/rows/address.ts'
import { isOwnWrite, rowId } from '#features/data/rows/own-writes.ts'
import { anyOf, readRecord, updateRecord } from '#features/data/rows/record-query.ts'
import type { Row } from '#features/data/rows/row.ts'
import { clausesOfView, countQuery, countRows, relationKey } from '#features/data/rows/rows-query.ts'
import { tableAt } from '#features/data/rows/table-at.ts'
import type { Source } from '#features/data/source.ts'
import { applyClauses } from '#features/data/view/apply.ts'
import { countIn, counted, isWhole, rowsIn, withCard, withChanged, withoutCard, type Cards } from './cards.ts'
import { boardKey, cardsQuery, type BoardWanted } from './cards-query.ts'
import { groupFor, type Group } from './groups.ts'

/** Why a card stands where it was, or elsewhere than one put it. */
export type CardNote =
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'failed'; error: AppError; to: Group }
  /** Somebody else moved it meanwhile: it is shown where it is now. */
  | { kind: 'clash'; now: Group; to: Group }

export interface BoardState {
  marks: ReadonlyMap<string, 'changed' | 'gone'>
  /** On their way to another column. */
  moving: ReadonlySet<string>
  notes: ReadonlyMap<string, CardNote>
  /** How many changes of others wait until nobody points at the column. */
  waiting: ReadonlyMap<string, number>
}

export type Moved =
  | { outcome: 'done' | 'same' | 'gone' }
  | { outcome: 'not-done'; note: CardNote }

export interface BoardParts {
  queries: QueryClient
  source: Source
  wanted: BoardWanted
  groups: readonly Group[]
  compare: (left: Row, right: Row) => number
}

interface Seen {
  key: readonly string[]
  wasInserted: boolean
  isDeleted: boolean
}

const gatherMs = 200
const busyGatherMs = 1000
const askedAtOnce = 50
/** More than this at once are not asked for card by card. */
const mostAtOnce = 150
const markedMs = 2800
const struckMs = 1600
const countAfterMs = 2000

/** What happens to the cards of one board: those one moves oneself, and what others do meanwhile. */
export class BoardStore {
  readonly #parts: BoardParts
  readonly #listeners = new Set<() => void>()
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  readonly #queue = new Map<string, Seen>()
  readonly #toCount = new Set<string>()
  readonly #held = new Set<string>()
  /** Cards whose change waits, by id, with the columns it concerns. */
  readonly #waiting = new Map<string, { groups: readonly string[]; act: () => void }>()
  #isDragging = false
  #isGathering = false
  #counting: ReturnType<typeof setTimeout> | undefined
  #flushedAt = 0
  #isClosed = false
  #state: BoardState = { marks: new Map(), moving: new Set(), notes: new Map(), waiting: new Map() }

  constructor(parts: BoardParts) {
    this.#parts = parts
  }

  open(): () => void {
    this.#isClosed = false
    return () => {
      this.#isClosed = true
      for (const timer of this.#timers) clearTimeout(timer)
      clearTimeout(this.#counting)
      this.#counting = undefined
      this.#isGathering = false
    }
  }

  /** The same object until something changes. */
  readonly state = (): BoardState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly idOf = (row: Row): string => this.#idOf(keyOf(this.#parts.wanted.relation, row) ?? [])

  /** The cards at hand, column after column. */
  loaded(): Row[] {
    return this.#parts.groups.flatMap((group) => {
      const cards = this.#cards(group)
      return cards ? rowsIn(cards, this.idOf) : []
    })
  }

  /** Puts a card into another column: shown at once, and put back where the project does not take it. */
  async move(row: Row, to: Group): Promise<Moved> {
    const { source, wanted, groups } = this.#parts
    const from = groupFor(groups, wanted.grouping, row)
    const key = keyOf(wanted.relation, row)
    const id = this.idOf(row)
    if (!key || from?.id === to.id || this.#state.moving.has(id)) return { outcome: 'same' }
    const column = wanted.grouping.column.name
    const held = row[column]
    this.#place({ ...row, [column]: to.value }, to, true)
    this.#change({ moving: new Set([...this.#state.moving, id]), notes: without(this.#state.notes, id) })
    try {
      const unless = { column, value: held === null || held === undefined ? null : String(held) }
      const written = await updateRecord(source, { ...wanted, key, changes: { [column]: to.value }, unless })
      if (written.outcome === 'refused') return await this.#explain(row, { key, to })
      this.#place(written.row, groupFor(groups, wanted.grouping, written.row) ?? to, true)
      this.#markStale()
      this.#countSoon(from ? [from, to] : [to])
      // What the view leaves out now goes, as it would at the next reading.
      if (this.#isNarrowed()) void this.#lookUp([{ key, wasInserted: false, isDeleted: false }])
      return { outcome: 'done' }
    } catch (cause) {
      const error = toAppError(cause)
      const refusal = readRefusal(wanted.relation, error)
      return this.#putBack(row, refusal ? { kind: 'refused', refusal } : { kind: 'failed', error, to })
    } finally {
      this.#change({ moving: new Set([...this.#state.moving].filter((other) => other !== id)) })
    }
  }

  /** No row was changed: it is gone, others moved it, or the policies keep it. */
  async #explain(row: Row, { key, to }: { key: readonly string[]; to: Group }): Promise<Moved> {
    const { source, wanted, groups } = this.#parts
    const now = await readRecord(source, { ...wanted, key })
    if (!now) {
      this.#remove(this.idOf(row))
      return { outcome: 'gone' }
    }
    const column = wanted.grouping.column.name
    const at = groupFor(groups, wanted.grouping, now)
    if (!at || String(now[column]) === String(row[column])) return this.#putBack(row, { kind: 'refused', refusal: { reason: 'policy', columns: [] } })
    return this.#putBack(now, { kind: 'clash', now: at, to })
  }

  #putBack(row: Row, note: CardNote): Moved {
    const at = groupFor(this.#parts.groups, this.#parts.wanted.grouping, row)
    if (at) this.#place(row, at, true)
    this.#change({ notes: new Map([...this.#state.notes, [this.idOf(row), note]]) })
    return { outcome: 'not-done', note }
  }

  dismiss(id: string): void {
    this.#change({ notes: without(this.#state.notes, id) })
  }

  /** Nothing comes or goes in a column while one points at it. */
  hold(groupId: string): void {
    this.#held.add(groupId)
  }

  release(groupId: string): void {
    this.#held.delete(groupId)
    this.#actOnWaiting()
  }

  /** Shows what waits in a column though one points at it. */
  showWaiting(groupId: string): void {
    this.#actOnWaiting((groups) => groups.includes(groupId))
  }

  dragging(isDragging: boolean): void {
    this.#isDragging = isDragging
    if (!isDragging) this.#actOnWaiting()
  }

  /** Takes in a change; those that come together are looked up together. */
  take(change: Change): void {
    const key = changedKey(this.#parts.wanted.relation, change)
    if (!key) return this.#beUnsure()
    const id = this.#idOf(key)
    this.#queue.set(id, { key, wasInserted: this.#queue.get(id)?.wasInserted ?? change.type === 'INSERT', isDeleted: change.type === 'DELETE' })
    if (this.#isGathering) return
    this.#isGathering = true
    this.#later(Date.now() - this.#flushedAt < busyGatherMs ? busyGatherMs : gatherMs, () => void this.#flush())
  }

  /** Looks whether the cards at hand are still what they were, after a time in which nothing was told. */
  async catchUp(): Promise<void> {
    const seen = this.loaded().flatMap((row) => {
      const key = keyOf(this.#parts.wanted.relation, row)
      return key ? [{ key, wasInserted: false, isDeleted: false }] : []
    })
    if (seen.length > mostAtOnce) return this.#beUnsure()
    await this.#lookUp(seen)
    this.#countSoon(this.#parts.groups)
  }

  async #flush() {
    this.#isGathering = false
    this.#flushedAt = Date.now()
    const seen = [...this.#queue.values()]
    this.#queue.clear()
    this.#markStale()
    for (const { key, isDeleted } of seen) if (isDeleted) this.#strike(this.#idOf(key))
    const asked = seen.filter(({ isDeleted }) => !isDeleted)
    if (asked.length > mostAtOnce) return this.#beUnsure()
    await this.#lookUp(asked)
  }

  /** Asks the project for these rows as the view would show them. */
  async #lookUp(asked: readonly Seen[]): Promise<void> {
    const { relation, view, select } = this.#parts.wanted
    for (let from = 0; from < asked.length; from += askedAtOnce) {
      const some = asked.slice(from, from + askedAtOnce)
      const request = applyClauses(tableAt(this.#parts.source.client, relation).select(select), [...clausesOfView(relation, view), anyOf(keyColumns(relation) ?? [], some.map(({ key }) => key))])
      const rows = await unwrap(request).catch(() => undefined) as unknown as Row[] | undefined
      if (this.#isClosed) return
      if (!rows) return this.#beUnsure()
      const found = new Map(rows.map((row) => [this.idOf(row), row]))
      for (const one of some) this.#settle(one, found.get(this.#idOf(one.key)))
    }
  }

  /** Shows a row as it is now, in the column and at the place it has now. */
  #settle({ key, wasInserted }: Seen, row: Row | undefined) {
    const { groups, wanted, compare } = this.#parts
    const id = this.#idOf(key)
    // One's own move is shown already, and its answer settles it.
    if (this.#state.moving.has(id)) return
    if (!row) return this.#strike(id)
    const to = groupFor(groups, wanted.grouping, row)
    const was = this.#find(id)
    if (!to) return was ? this.#strike(id) : undefined
    if (was && differing(was.row, row).size === 0) return
    const mark = isOwnWrite(id) ? [] : [id]
    if (was?.group.id === to.id && compare(was.row, row) === 0) {
      this.#edit(to, (cards) => withChanged(cards, row, this.idOf))
      return this.#mark(mark)
    }
    // A count may have seen the change before it was told: counting once more settles it.
    this.#countSoon(was ? [to, was.group] : wasInserted ? [to] : groups)
    this.#whenFree(id, [to.id, ...(was ? [was.group.id] : [])], () => {
      this.#place(row, to, false)
      this.#mark(mark)
    })
  }

  #strike(id: string) {
    const was = this.#find(id)
    if (!was) return this.#countSoon(this.#parts.groups)
    if (this.#state.marks.get(id) === 'gone' || this.#state.moving.has(id)) return
    this.#countSoon([was.group])
    this.#change({ marks: new Map([...this.#state.marks, [id, 'gone' as const]]) })
    this.#later(isOwnWrite(id) ? 0 : struckMs, () => this.#whenFree(id, [was.group.id], () => this.#remove(id)))
  }

  #remove(id: string) {
    for (const group of this.#parts.groups) this.#edit(group, (cards) => withoutCard(cards, id, this.idOf))
    this.#change({ marks: without(this.#state.marks, id), notes: without(this.#state.notes, id) })
    this.#countTotal()
  }

  #place(row: Row, to: Group, always: boolean) {
    const id = this.idOf(row)
    for (const group of this.#parts.groups) if (group.id !== to.id) this.#edit(group, (cards) => withoutCard(cards, id, this.idOf))
    this.#edit(to, (cards) => withCard(cards, row, { idOf: this.idOf, compare: this.#parts.compare, always }))
  }

  /** Does it now, or once nobody points at or drags over one of these columns. */
  #whenFree(id: string, groups: readonly string[], act: () => void) {
    if (!this.#isDragging && !groups.some((group) => this.#held.has(group))) return act()
    this.#waiting.set(id, { groups, act })
    this.#tellWaiting()
  }

  #actOnWaiting(isWanted: (groups: readonly string[]) => boolean = (groups) => !groups.some((group) => this.#held.has(group))) {
    if (this.#isClosed || this.#isDragging) return
    for (const [id, { groups, act }] of this.#waiting) {
      if (!isWanted(groups)) continue
      this.#waiting.delete(id)
      act()
    }
    this.#tellWaiting()
  }

  #tellWaiting() {
    const waiting = new Map<string, number>()
    for (const { groups } of this.#waiting.values()) for (const group of groups) if (this.#held.has(group)) waiting.set(group, (waiting.get(group) ?? 0) + 1)
    if (waiting.size > 0 || this.#state.waiting.size > 0) this.#change({ waiting })
  }

  #mark(ids: readonly string[]) {
    if (ids.length === 0) return
    this.#change({ marks: new Map([...this.#state.marks, ...ids.map((id) => [id, 'changed' as const] as const)]) })
    this.#later(markedMs, () => this.#change({ marks: new Map([...this.#state.marks].filter(([id, mark]) => !(mark === 'changed' && ids.includes(id)))) }))
  }

  // What is not on the screen is read anew when it comes there.
  #markStale() {
    const { queries, source, wanted } = this.#parts
    void queries.invalidateQueries({ queryKey: relationKey(source, wanted.relation), refetchType: 'none', predicate: (query) => !query.isActive() })
    void queries.invalidateQueries({ queryKey: [...relationKey(source, wanted.relation), 'record'] })
  }

  /** What cannot be told card by card is read anew. */
  #beUnsure() {
    const { queries, source, wanted } = this.#parts
    void queries.invalidateQueries({ queryKey: boardKey(source, wanted) })
    this.#countTotal()
  }

  #countSoon(groups: readonly Group[]) {
    for (const { id } of groups) this.#toCount.add(id)
    this.#counting ??= setTimeout(() => {
      this.#counting = undefined
      void this.#count()
    }, countAfterMs)
  }

  async #count() {
    const { source, wanted, groups } = this.#parts
    const asked = groups.filter((group) => this.#toCount.has(group.id) && this.#cards(group) !== undefined)
    this.#toCount.clear()
    this.#countTotal()
    for (const group of asked) {
      const clauses = [...clausesOfView(wanted.relation, wanted.view), group.clause]
      // oxlint-disable-next-line no-await-in-loop -- one after the other: counting must not crowd out what one waits for
      const rows = await countRows(source, { relation: wanted.relation, clauses, how: 'exact' }).catch(() => undefined)
      if (this.#isClosed) return
      if (rows !== undefined && this.#state.moving.size === 0) this.#recount(group, rows)
    }
  }

  #recount(group: Group, rows: number) {
    const cards = this.#cards(group)
    if (!cards || countIn(cards) === rows) return
    this.#edit(group, (now) => counted(now, () => rows))
    // All of it was at hand, and there is more: others' rows of which nothing was told.
    if (isWhole(cards) && rowsIn(cards, this.idOf).length !== rows) void this.#parts.queries.invalidateQueries({ queryKey: cardsQuery(this.#parts.source, this.#parts.wanted, group).queryKey })
  }

  #countTotal() {
    const { queries, source, wanted } = this.#parts
    void queries.invalidateQueries({ queryKey: countQuery(source, wanted).queryKey })
  }

  #find(id: string): { group: Group; row: Row } | undefined {
    for (const group of this.#parts.groups) {
      const cards = this.#cards(group)
      const row = cards && rowsIn(cards, this.idOf).find((one) => this.idOf(one) === id)
      if (row) return { group, row }
    }
    return undefined
  }

  #cards(group: Group): Cards | undefined {
    return this.#parts.queries.getQueryData<Cards>(cardsQuery(this.#parts.source, this.#parts.wanted, group).queryKey)
  }

  #edit(group: Group, change: (cards: Cards) => Cards) {
    const { queries, source, wanted } = this.#parts
    const { queryKey } = cardsQuery(source, wanted, group)
    if (queries.getQueryData<Cards>(queryKey) === undefined) return
    queries.setQueryData<Cards>(queryKey, (cards) => cards && change(cards))
  }

  #change(change: Partial<BoardState>) {
    if (this.#isClosed) return
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  #later(waitMs: number, act: () => void) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, waitMs)
    this.#timers.add(timer)
  }

  #isNarrowed = () => this.#parts.wanted.view.filter.length > 0 || this.#parts.wanted.view.search !== ''
  #idOf = (key: readonly string[]): string => rowId(this.#parts.wanted.relation, key)
}

function without<Value>(map: ReadonlyMap<string, Value>, id: string): ReadonlyMap<string, Value> {
  return map.has(id) ? new Map([...map].filter(([other]) => other !== id)) : map
}
