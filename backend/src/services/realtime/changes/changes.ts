import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#contract/logger.ts'
import type { Database, Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'
import type { ChangeFeed, ChangeSubscriber, ReplayRequest, StoredMessage, Subscription } from '#services/realtime/change-feed.ts'
import { Book, type Binding } from './book.ts'
import { CommitLine } from './commit-line.ts'
import { deliver, type Batch } from './delivery.ts'
import { FilterBudget, filterBudgetOf, type FilterBudgetSettings } from './filter-budget.ts'
import { findUnseen, fitsOnePage, measureTransactions, readPage, readTransactions, sawAll, type LoggedTransaction } from './log.queries.ts'
import { beginReading, dropReaders, endReading, findWriters, followPublication, followsByItself, holdOpen, noteSeen, sendMark, trimLog } from './readers.queries.ts'
import { removeExpiredMessages, replayMessages } from './stored-messages.ts'
import { Subscribers } from './subscribers.ts'
import { Tables } from './tables.ts'

export interface ChangeFeedDeps {
  database: Database
  log: Logger
  /** What filters may take of the database's time. */
  filterBudget?: FilterBudgetSettings
}

const channel = 'portico_changes'
const tickMs = 20_000
const cleanUpMs = 60 * 60_000
const transactionsAtOnce = 500
/** Before each reading of the log; hosted, 100. */
const pauseMs = 40
/** What is read before it is known how much there is. */
const small = { rows: 200, bytes: 1024 * 1024 }
/** Delivered rows after which the log is tidied early. */
const rowsPerMark = 5_000
const lostAfterMs = 5_000
const daySeconds = 86_400
/** After which an embedded engine's hold of a day is made anew. */
const embeddedHoldMs = 60 * 60_000

const newReaderId = (): string => randomBytes(8).toString('hex').replace(/^(.{8})(.{4})(.{4})$/, '$1-$2-$3')

interface Mark {
  text: string
  seen: string | undefined
  sentAt: number
}

/** Reads what the database's triggers log, in the order of commits, and tells each subscriber what it may see. */
class Feed implements ChangeFeed {
  readonly #deps: ChangeFeedDeps
  readonly #reader = newReaderId()
  readonly #book = new Book()
  readonly #tables: Tables
  readonly #tooSlow = new WeakSet<Binding>()
  readonly #budget: FilterBudget
  readonly #stopped = new AbortController()
  #subscribers!: Subscribers
  #line!: CommitLine
  #hear: (message: StoredMessage) => void = () => undefined
  #stopListening: (() => Promise<void>) | undefined
  #early: string[] | undefined = []
  #running: Promise<void> | undefined
  #timers: NodeJS.Timeout[] = []
  #mark: Mark | undefined
  #marks = 0
  #rowsSinceMark = 0
  #followsByItself = true
  #heldAt = performance.now()

  constructor(deps: ChangeFeedDeps) {
    this.#deps = deps
    this.#budget = new FilterBudget(deps.filterBudget ?? filterBudgetOf(deps.database.engine))
    this.#tables = new Tables(deps.database, this.#book)
  }

  get #isEmbedded(): boolean {
    return this.#deps.database.engine === 'pglite'
  }

  // The embedded engine ends with its process: nobody is left to hold the log open for nothing.
  get #holdSeconds(): number {
    return this.#isEmbedded ? daySeconds : 60
  }

  async start(): Promise<void> {
    const { database } = this.#deps
    const stopListening = await database.listen(channel, (payload) => this.#heard(payload))
    try {
      await this.#begin()
    } catch (error) {
      this.#early = []
      await stopListening().catch(() => undefined)
      throw error
    }
    this.#stopListening = stopListening
    const early = this.#early ?? []
    this.#early = undefined
    for (const payload of early) this.#heard(payload)
    this.#timers = [
      setInterval(() => void this.#tick(), tickMs).unref(),
      setInterval(() => void this.#cleanUp(), cleanUpMs).unref(),
      setTimeout(() => void this.#cleanUp(), tickMs).unref(),
    ]
  }

  /** Says that the log is read from now on, and remembers what was committed before. */
  async #begin(): Promise<void> {
    const { database, log } = this.#deps
    const seen = await database.asAdmin('postgres', async (tx) => {
      this.#followsByItself = await followsByItself(tx)
      const now = await beginReading(tx, this.#reader)
      await holdOpen(tx, { seconds: this.#holdSeconds, changes: false })
      await dropReaders(tx, { self: this.#reader, others: this.#isEmbedded ? 'all' : 'silent' })
      await trimLog(tx)
      if (this.#followsByHand) await followPublication(tx)
      return now
    })
    if (!this.#isEmbedded) await this.#awaitSenders()
    this.#subscribers = new Subscribers({
      database, log, book: this.#book, reader: this.#reader, holdSeconds: this.#holdSeconds, followsByHand: this.#followsByHand,
    })
    this.#line = new CommitLine(seen)
  }

  get #followsByHand(): boolean {
    return this.#isEmbedded || !this.#followsByItself
  }

  async close(): Promise<void> {
    this.#stopped.abort()
    for (const timer of this.#timers) clearInterval(timer)
    await this.#stopListening?.().catch(() => undefined)
    await this.#subscribers?.stop()
    await this.#running
    if (this.#line === undefined) return
    await this.#deps.database.asAdmin('postgres', async (tx) => {
      await endReading(tx, this.#reader)
      if (this.#isEmbedded) await followPublication(tx)
    }).catch(() => undefined)
  }

  subscribe(subscriber: ChangeSubscriber): Subscription {
    return this.#subscribers.add(subscriber)
  }

  hearMessages(hear: (message: StoredMessage) => void): void {
    this.#hear = hear
  }

  isListening(): boolean {
    if (this.#line === undefined || this.#stopped.signal.aborted) return false
    return this.#mark === undefined || performance.now() - this.#mark.sentAt < lostAfterMs
  }

  replay(request: ReplayRequest): Promise<readonly StoredMessage[]> {
    return replayMessages(this.#deps.database, request)
  }

  #heard(payload: string): void {
    if (this.#early) this.#early.push(payload)
    else if (payload === '') void this.#catchUp()
    else {
      this.#line.hear(payload)
      this.#run()
    }
  }

  async #catchUp(): Promise<void> {
    await this.#untilDone(() => this.#line.insertMissed((seen) => this.#deps.database.asAdmin('postgres', (tx) => findUnseen(tx, seen))))
    // A mark may have been lost with the rest.
    this.#mark = undefined
    this.#run()
  }

  #run(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined
      if (!this.#line.isEmpty && !this.#stopped.signal.aborted) this.#run()
    })
  }

  async #work(): Promise<void> {
    while (!this.#line.isEmpty && !this.#stopped.signal.aborted) {
      await this.#pace()
      const steps = this.#line.take(transactionsAtOnce)
      const xids = steps.flatMap((step) => (step.kind === 'transaction' ? [step.xid] : []))
      if (xids.length > 0) await this.#read(xids)
      else if (steps[0]?.kind === 'tables') await this.#tablesChanged()
      else if (steps[0]?.kind === 'mark') await this.#reached(steps[0].mark)
    }
  }

  async #tablesChanged(): Promise<void> {
    this.#tables.forget()
    await this.#untilDone(() => this.#subscribers.refresh())
  }

  /** What is committed together is told together. And whoever wrote has its answer first, as the hosted server's polling gives it. */
  async #pace(): Promise<void> {
    await sleep(pauseMs, undefined, { ref: false, signal: this.#stopped.signal }).catch(() => undefined)
  }

  /** Tries until it is done: what was committed stays committed, and nobody else tells of it. */
  async #untilDone<T>(work: () => Promise<T>, mostTries = Infinity): Promise<T | undefined> {
    for (let tries = 1, delayMs = 200; tries <= mostTries && !this.#stopped.signal.aborted; tries += 1, delayMs = Math.min(delayMs * 2, 5_000)) {
      try {
        return await work()
      } catch (error) {
        if (this.#stopped.signal.aborted) return undefined
        this.#deps.log.warn('changes wait for the database', { error })
        await sleep(delayMs, undefined, { ref: false, signal: this.#stopped.signal }).catch(() => undefined)
      }
    }
    return undefined
  }

  async #read(xids: readonly number[]): Promise<void> {
    // Most often there is little, and one look sees it all.
    const first = await this.#ask((tx) => readTransactions(tx, xids, small))
    if (first === undefined) return
    const isAll = sawAll(first, small)
    const measured = isAll ? [] : ((await this.#ask((tx) => measureTransactions(tx, xids))) ?? [])
    const committedAt = new Map((isAll ? first : measured).map(({ xid, committedAt: at }) => [xid, at]))
    for (const xid of xids) if (!committedAt.has(String(xid))) this.#line.unknow(xid)
    if (isAll) return this.#deliver({ changes: first, committedAt })
    for (const { xids: together, isOnePage } of toPages(xids, measured)) {
      if (!isOnePage) await this.#readInPages(together[0] as string, committedAt)
      else await this.#deliver({ changes: (await this.#ask((tx) => readTransactions(tx, together))) ?? [], committedAt })
    }
  }

  async #readInPages(xid: string, committedAt: ReadonlyMap<string, string>): Promise<void> {
    let after = { started: '0', id: '0' }
    while (!this.#stopped.signal.aborted) {
      const from = after
      const changes = await this.#ask((tx) => readPage(tx, xid, from))
      const last = changes?.at(-1)
      if (changes === undefined || last === undefined) return
      await this.#deliver({ changes, committedAt })
      after = last
    }
  }

  #ask<T>(work: (tx: Transaction) => Promise<T>): Promise<T | undefined> {
    return this.#untilDone(() => this.#deps.database.asAdmin('postgres', work))
  }

  async #deliver(batch: Batch): Promise<void> {
    await this.#subscribers.noted()
    const { database, log } = this.#deps
    const deps = { database, log, book: this.#book, tables: this.#tables, tooSlow: this.#tooSlow, budget: this.#budget, hearMessage: this.#hear }
    // What cannot be told after so many tries must not keep back what comes after it.
    await this.#untilDone(() => deliver(deps, batch), 12)
    this.#rowsSinceMark += batch.changes.length
    if (this.#rowsSinceMark >= rowsPerMark) this.#sendMark().catch((error: unknown) => log.warn('the log of changes could not be trimmed yet', { error }))
  }

  async #tick(): Promise<void> {
    try {
      // A quiet box with an engine of its own writes nothing.
      if (!this.#isEmbedded || performance.now() - this.#heldAt > embeddedHoldMs) await this.#stay()
      if (!this.#followsByItself && !this.#isEmbedded) this.#heard('tables')
      if (!this.#isEmbedded || this.#rowsSinceMark > 0) await this.#sendMark()
    } catch (error) {
      this.#deps.log.warn('what was told of changes could not be noted', { error })
    }
  }

  /** Says that the log is still read. */
  async #stay(): Promise<void> {
    await this.#deps.database.asAdmin('postgres', async (tx) => {
      await noteSeen(tx, this.#reader, this.#line.seen)
      await holdOpen(tx, { seconds: this.#holdSeconds, changes: !this.#subscribers.isEmpty })
      if (this.#isEmbedded) return
      await dropReaders(tx, { self: this.#reader, others: 'silent' })
      if (!this.#followsByItself) await followPublication(tx)
    })
    this.#heldAt = performance.now()
  }

  /** Asks how far the log has been delivered: the answer comes through the line. */
  async #sendMark(): Promise<void> {
    if (this.#mark !== undefined && performance.now() - this.#mark.sentAt < tickMs) return
    this.#rowsSinceMark = 0
    this.#marks += 1
    const mark: Mark = { text: `${this.#reader}/${this.#marks}`, seen: undefined, sentAt: performance.now() }
    this.#mark = mark
    await this.#deps.database.asAdmin('postgres', async (tx) => { mark.seen = await sendMark(tx, mark.text) })
  }

  async #reached(text: string): Promise<void> {
    const mark = this.#mark
    if (mark === undefined || mark.text !== text || mark.seen === undefined) return
    this.#mark = undefined
    const { seen } = mark
    this.#line.moveTo(seen)
    try {
      await this.#deps.database.asAdmin('postgres', async (tx) => {
        await noteSeen(tx, this.#reader, seen)
        await trimLog(tx)
      })
    } catch (error) {
      this.#deps.log.warn('the log of changes could not be trimmed yet', { error })
    }
  }

  /** Whoever was sending a broadcast when the log was opened is waited for. */
  async #awaitSenders(): Promise<void> {
    const { database } = this.#deps
    const writers = () => database.asAdmin('postgres', async (tx) => {
      const { messages } = await tx.one<{ messages: string }>(sql`select 'realtime.messages'::regclass::oid::text as messages`)
      return findWriters(tx, [messages])
    })
    let waiting = await writers()
    for (let waited = 0; waiting.length > 0 && waited < 5_000; waited += 100) {
      await sleep(100)
      const now = new Set(await writers())
      waiting = waiting.filter((writer) => now.has(writer))
    }
  }

  async #cleanUp(): Promise<void> {
    try {
      await removeExpiredMessages(this.#deps.database)
    } catch (error) {
      this.#deps.log.warn('old broadcasts could not be removed', { error })
    }
  }
}

const sum = (transactions: readonly LoggedTransaction[], of: 'rows' | 'bytes'): number =>
  transactions.reduce((total, transaction) => total + transaction[of], 0)

/** Parts transactions into what is read at once; a large one stands alone. */
function toPages(xids: readonly number[], measured: readonly LoggedTransaction[]): { xids: string[]; isOnePage: boolean }[] {
  const byXid = new Map(measured.map((transaction) => [transaction.xid, transaction]))
  const pages: { transactions: LoggedTransaction[]; isOnePage: boolean }[] = []
  for (const transaction of xids.flatMap((xid) => byXid.get(String(xid)) ?? [])) {
    const last = pages.at(-1)
    const together = [...(last?.transactions ?? []), transaction]
    if (last?.isOnePage && fitsOnePage(sum(together, 'rows'), sum(together, 'bytes'))) last.transactions = together
    else pages.push({ transactions: [transaction], isOnePage: fitsOnePage(transaction.rows, transaction.bytes) })
  }
  return pages.map(({ transactions, isOnePage }) => ({ xids: transactions.map(({ xid }) => xid), isOnePage }))
}

/** Makes the feed of a database's changes. Call `start` before anything else. */
export const createChangeFeed = (deps: ChangeFeedDeps): ChangeFeed => new Feed(deps)
