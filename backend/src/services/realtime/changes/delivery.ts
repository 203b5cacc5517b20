import { setImmediate } from 'node:timers/promises'
import type { ChangeMessage, ChangeSubscriber, StoredMessage } from '#services/realtime/change-feed.ts'
import type { Binding, Book } from './book.ts'
import { writeChange, type CommittedChange, type View } from './change-json.ts'
import type { LoggedChange } from './log.queries.ts'
import { matchChanges, type MatchingDeps, type Told } from './matching.ts'
import { isVisibleIn } from './snapshot.ts'
import type { MessageRow } from './stored-messages.queries.ts'
import { toMessage } from './stored-messages.ts'
import type { TableFacts } from './tables.queries.ts'
import type { Tables } from './tables.ts'

export interface DeliveryDeps extends MatchingDeps {
  book: Book
  tables: Tables
  hearMessage(message: StoredMessage): void
}

interface Matched {
  table: TableFacts
  told: Told
}

/** Some changes in the order of commits. */
export interface Batch {
  changes: readonly LoggedChange[]
  /** By transaction. */
  committedAt: ReadonlyMap<string, string>
}

/** Finds who is told of which of these changes, by table. */
async function matchAll(deps: DeliveryDeps, batch: Batch): Promise<ReadonlyMap<string, Matched>> {
  const byEntity = new Map<string, { changes: LoggedChange[]; bindings: Binding[] }>()
  for (const change of batch.changes) {
    if (change.action === 'M') continue
    const known = byEntity.get(change.entity)
    if (known) known.changes.push(change)
    else byEntity.set(change.entity, { changes: [change], bindings: [...(deps.book.of(change.entity) ?? [])] })
  }
  for (const [entity, { bindings }] of byEntity) if (bindings.length === 0) byEntity.delete(entity)
  if (byEntity.size === 0) return new Map()
  const roles = new Set([...byEntity.values()].flatMap(({ bindings }) => bindings.map(({ role }) => role)))
  const tables = await deps.tables.describe([...byEntity.keys()], [...roles])
  const matched = new Map<string, Matched>()
  for (const [entity, work] of byEntity) {
    const table = tables.get(entity)
    if (table) matched.set(entity, { table, told: await matchChanges(deps, { table, ...work }) })
  }
  return matched
}

/** Tells one change: each subscriber once, unless it asked for different columns of it. */
function tell(committed: CommittedChange, table: TableFacts, bindings: readonly Binding[]): void {
  const messages = new Map<string, ChangeMessage>()
  const ids = new Map<ChangeSubscriber, Map<string, Set<number>>>()
  for (const binding of bindings) {
    const key = binding.viewKey
    const view: View = { table, role: binding.role, select: binding.wanted.select }
    if (!messages.has(key)) messages.set(key, writeChange(committed, view))
    const views = ids.get(binding.subscriber) ?? new Map<string, Set<number>>()
    ids.set(binding.subscriber, views.set(key, (views.get(key) ?? new Set()).add(binding.id)))
  }
  for (const [subscriber, views] of ids)
    for (const [key, own] of views) subscriber.onChange(messages.get(key) as ChangeMessage, [...own])
}

// How long one turn of the event loop may be spent on telling.
const sliceMs = 5

/** Tells changes and messages in the order given. */
export async function deliver(deps: DeliveryDeps, batch: Batch): Promise<void> {
  const matched = await matchAll(deps, batch)
  let until = performance.now() + sliceMs
  for (const change of batch.changes) {
    // Many changes for many: others have their turn in between.
    if (performance.now() >= until) {
      await setImmediate()
      until = performance.now() + sliceMs
    }
    if (change.action === 'M') {
      deps.hearMessage(toMessage(JSON.parse(change.record ?? '{}') as MessageRow))
      continue
    }
    const found = matched.get(change.entity)
    // Since it was matched, a subscriber may have left, or a transaction may turn out to be older than its subscription.
    const bindings = found?.told.get(change.id)?.filter(({ subscriber, since }) => deps.book.has(subscriber) && !isVisibleIn(since, Number(change.xid)))
    if (found && bindings && bindings.length > 0) tell({ change, committedAt: batch.committedAt.get(change.xid) ?? '' }, found.table, bindings)
  }
}
