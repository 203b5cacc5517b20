import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Transaction } from '#database/database.ts'
import type { Logger } from '#contract/logger.ts'
import { mostAsked, type ChangeReader, type ChangeSubscriber, type Subscription } from '#services/realtime/change-feed.ts'
import { AskedWrongly, readAsked, tooManyAsked, type Wanted } from './asked.ts'
import type { Binding, Book } from './book.ts'
import { findWriters, followPublication, holdOpen } from './readers.queries.ts'
import { notPublished, refusalOf, refuseDearPatterns, SubscriptionRefused } from './refusals.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'
import { currentSnapshot, deleteSubscriptions, insertSubscription, listPublished, type PublishedTable } from './subscriptions.queries.ts'

export interface SubscribersDeps {
  database: Database
  log: Logger
  book: Book
  /** Begins every subscription's id: `0123abcd-0123-0123`. */
  reader: string
  /** For how long a hold on the log lasts. */
  holdSeconds: number
  /** Whether triggers have to be put up by hand. */
  followsByHand: boolean
}

interface Entry {
  subscriber: ChangeSubscriber
  reader: ChangeReader
  subscriptionId: string
  /** Grows with each new reader; what belongs to an older one is not told. */
  round: number
  since: Snapshot | undefined
  /** The tables its last try meant. */
  meant: string | undefined
  closed: boolean
}

interface Asked {
  id: number
  wanted: Wanted
}

/** What a subscription means, by table, and when it came to count. */
interface Noted {
  found: [entity: string, asked: Asked][]
  snapshot: string
}

const insertTimeoutMs = 10_000
const longestWaitMs = 30_000
const removeAfterMs = 5_000
// Who joins and leaves faster than the database answers costs it nothing more.
const nothingNoted = async (): Promise<Noted> => ({ found: [], snapshot: '' })
const subscribed = 'Subscribed to PostgreSQL'

const tablesKey = (entities: Iterable<string>): string => [...new Set(entities)].toSorted().join()

const claimsOf = ({ role, claims }: ChangeReader): Readonly<Record<string, unknown>> => ({ ...claims, role })

const means = ({ schema, table }: Wanted, published: PublishedTable): boolean =>
  (schema === '*' || schema === published.schema) && (table === '*' || table === published.name)

/** Who subscribed, from the asking to the leaving. */
export class Subscribers {
  readonly #deps: SubscribersDeps
  readonly #entries = new Set<Entry>()
  /** Subscriptions being noted: their tables are not in the book yet. */
  readonly #noting = new Set<Promise<unknown>>()
  /** Tables whose triggers are up already. */
  readonly #followed = new Set<string>()
  #gone: string[] = []
  #removal: NodeJS.Timeout | undefined
  readonly #stopped = new AbortController()

  constructor(deps: SubscribersDeps) {
    this.#deps = deps
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  add(subscriber: ChangeSubscriber): Subscription {
    const entry: Entry = { subscriber, reader: subscriber.reader, subscriptionId: this.#newId(), round: 0, since: undefined, meant: undefined, closed: false }
    this.#entries.add(entry)
    void this.#subscribe(entry)
    return {
      updateReader: (reader) => {
        entry.reader = reader
        entry.round += 1
        void this.#subscribe(entry)
      },
      unsubscribe: () => this.#leave(entry),
    }
  }

  /** Settles when every subscription begun before is in the book. */
  async noted(): Promise<void> {
    await Promise.allSettled(this.#noting)
  }

  /** The publication or its tables changed: whoever is meant by it subscribes anew. */
  async refresh(): Promise<void> {
    this.#followed.clear()
    if (this.isEmpty) return
    await this.noted()
    const published = await this.#deps.database.asAdmin('postgres', listPublished)
    for (const entry of this.#entries) {
      const meant = this.#read(entry).flatMap(({ wanted }) => published.filter((table) => means(wanted, table)).map(({ entity }) => entity))
      const key = tablesKey(meant)
      if (key === entry.meant || (entry.meant === undefined && key === tablesKey(this.#deps.book.entitiesOf(entry.subscriber)))) continue
      entry.meant = key
      void this.#subscribe(entry)
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    clearTimeout(this.#removal)
    await this.noted()
  }

  #newId(): string {
    const tail = randomBytes(8).toString('hex')
    return `${this.#deps.reader}-${tail.slice(0, 4)}-${tail.slice(4)}`
  }

  #leave(entry: Entry): void {
    entry.closed = true
    this.#entries.delete(entry)
    this.#deps.book.remove(entry.subscriber)
    this.#gone.push(entry.subscriptionId)
    if (this.#stopped.signal.aborted) return
    this.#removal ??= setTimeout(() => void this.#removeGone(), removeAfterMs).unref()
  }

  async #removeGone(): Promise<void> {
    this.#removal = undefined
    await this.noted()
    const gone = this.#gone
    this.#gone = []
    const { database, followsByHand, log } = this.#deps
    try {
      await database.asAdmin('postgres', async (tx) => {
        await deleteSubscriptions(tx, gone)
        this.#followed.clear()
        if (followsByHand) await followPublication(tx)
      })
    } catch (error) {
      log.warn('subscriptions of closed channels could not be removed yet', { error })
      this.#gone.push(...gone)
      if (!this.#stopped.signal.aborted) this.#removal ??= setTimeout(() => void this.#removeGone(), removeAfterMs).unref()
    }
  }

  /** What was asked, as far as it can be read. */
  #read({ subscriber }: Entry): Asked[] {
    try {
      return subscriber.asked.map(({ id, change }) => ({ id, wanted: readAsked(change) }))
    } catch {
      return []
    }
  }

  async #subscribe(entry: Entry): Promise<void> {
    const { round } = entry
    const isCurrent = (): boolean => !entry.closed && entry.round === round
    for (;;) {
      const fault = await this.#try(entry, isCurrent).then(() => undefined, (error: unknown) => error ?? new Error('unknown'))
      if (!isCurrent() || this.#stopped.signal.aborted) return
      const message = fault instanceof Error ? fault.message : String(fault)
      entry.subscriber.onStatus(fault === undefined ? { status: 'ok', message: subscribed } : { status: 'error', message })
      if (fault === undefined) return
      if (fault instanceof AskedWrongly || fault instanceof SubscriptionRefused) return this.#forget(entry)
      this.#deps.log.warn('a live channel could not subscribe to changes', { error: fault })
      await sleep(5_000 + Math.random() * 5_000, undefined, { ref: false, signal: this.#stopped.signal }).catch(() => undefined)
      if (!isCurrent() || this.#stopped.signal.aborted) return
    }
  }

  #forget(entry: Entry): void {
    entry.since = undefined
    this.#deps.book.remove(entry.subscriber)
    this.#gone.push(entry.subscriptionId)
    this.#removal ??= setTimeout(() => void this.#removeGone(), removeAfterMs).unref()
  }

  async #try(entry: Entry, isCurrent: () => boolean): Promise<void> {
    if (entry.subscriber.asked.length > mostAsked) throw tooManyAsked()
    const asked = entry.subscriber.asked.map(({ id, change }) => ({ id, wanted: readAsked(change) }))
    if (this.#deps.database.engine === 'pglite') for (const { wanted } of asked) refuseDearPatterns(wanted)
    const noting = this.#note(entry, asked, isCurrent)
    this.#noting.add(noting)
    const entities = await noting.finally(() => this.#noting.delete(noting))
    if (this.#deps.database.engine === 'postgres') await this.#awaitWriters(entities)
  }

  async #note(entry: Entry, asked: readonly Asked[], isCurrent: () => boolean): Promise<string[]> {
    const { reader } = entry
    const claims = claimsOf(reader)
    const readerKey = JSON.stringify([reader.role, claims])
    const { found, snapshot } = await this.#deps.database.asAdmin('postgres', (tx) => (isCurrent() ? this.#insertAll(tx, { entry, asked, claims }) : nothingNoted()), { timeoutMs: insertTimeoutMs })
      .catch((error: unknown) => {
        // Triggers it put up are gone with it.
        this.#followed.clear()
        throw error
      })
    if (!isCurrent()) return []
    entry.since ??= readSnapshot(snapshot)
    const { since, subscriber } = entry
    const bindings = found.map(([entity, { id, wanted }]): [string, Binding] =>
      [entity, { subscriber, id, wanted, role: reader.role, claims, readerKey, viewKey: JSON.stringify([reader.role, wanted.select]), since }])
    this.#deps.book.replace(subscriber, bindings)
    return [...new Set(found.map(([entity]) => entity))]
  }

  async #insertAll(tx: Transaction, { entry, asked, claims }: { entry: Entry; asked: readonly Asked[]; claims: Binding['claims'] }): Promise<Noted> {
    // First: a writer who does not see the subscription yet must not find the log closed either.
    await holdOpen(tx, { seconds: this.#deps.holdSeconds, changes: true })
    const found: [entity: string, asked: Asked][] = []
    for (const element of asked) {
      const entities = await insertSubscription(tx, { subscriptionId: entry.subscriptionId, claims, wanted: element.wanted }).catch((error: unknown) => {
        throw refusalOf(element.wanted, error)
      })
      if (entities.length === 0) throw notPublished(element.wanted)
      for (const entity of entities) found.push([entity, element])
    }
    if (this.#deps.followsByHand && found.some(([entity]) => !this.#followed.has(entity))) {
      await followPublication(tx)
      for (const [entity] of found) this.#followed.add(entity)
    }
    return { found, snapshot: await currentSnapshot(tx) }
  }

  /** Lets those finish who wrote before they could see that somebody subscribes: their changes are not in the log. */
  async #awaitWriters(entities: readonly string[]): Promise<void> {
    const ask = () => this.#deps.database.asAdmin('postgres', (tx) => findWriters(tx, entities))
    let waiting = await ask()
    for (let waited = 0; waiting.length > 0; waited += 100) {
      if (waited >= longestWaitMs) return this.#deps.log.warn('a subscription did not wait for a transaction that writes for very long', { entities })
      await sleep(100, undefined, { ref: false })
      const now = new Set(await ask())
      waiting = waiting.filter((writer) => now.has(writer))
    }
  }
}
