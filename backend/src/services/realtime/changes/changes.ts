import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { sql } from '#database/sql.ts'
import type { ChangeFeed, ChangeSubscriber, ReplayRequest, StoredMessage, Subscription } from '#services/realtime/change-feed.ts'
import { Book } from './book.ts'
import { CommitLine } from './commit-line.ts'
import { deliver } from './delivery.ts'
import { findUnseen, fitsOnePage, measureTransactions, readPage, readTransactions, type LoggedTransaction } from './log.queries.ts'
import { beginReading, dropReaders, endReading, findWriters, followPublication, followsByItself, holdOpen, noteSeen, sendMark, trimLog } from './readers.queries.ts'
import { removeExpiredMessages, replayMessages } from './stored-messages.ts'
import { Subscribers } from './subscribers.ts'

export interface ChangeFeedDeps {
  database: Database
  log: Logger
}

const channel = 'portico_changes'
const tickMs = 20_000
const cleanUpMs = 60 * 60_000
const transactionsAtOnce = 500
/** Delivered rows after which the log is tidied early. */
const rowsPerMark = 5_000
const lostAfterMs = 5_000
const daySeconds = 86_400

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

  constructor(deps: ChangeFeedDeps) {
    this.#deps = deps
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
      const steps = this.#line.take(transactionsAtOnce)
      const xids = steps.flatMap((step) => (step.kind === 'transaction' ? [step.xid] : []))
      if (xids.length > 0) await this.#read(xids)
      else if (steps[0]?.kind === 'tables') await this.#untilDone(() => this.#subscribers.refresh())
      else if (steps[0]?.kind === 'mark') await this.#reached(steps[0].mark)
    }
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
    const { database } = this.#deps
    const measured = await this.#untilDone(() => database.asAdmin('postgres', (tx) => measureTransactions(tx, xids)))
    if (measured === undefined) return
    const byXid = new Map(measured.map((transaction) => [transaction.xid, transaction]))
    const committedAt = new Map(measured.map(({ xid, committedAt: at }) => [xid, at]))
    let together: LoggedTransaction[] = []
    for (const xid of xids) {
      const transaction = byXid.get(String(xid))
      if (transaction === undefined) continue
      const more = [...together, transaction]
      if (fitsOnePage(sum(more, 'rows'), sum(more, 'bytes'))) together = more
      else {
        await this.#readTogether(together, committedAt)
        together = fitsOnePage(transaction.rows, transaction.bytes) ? [transaction] : []
        if (together.length === 0) await this.#readInPages(transaction, committedAt)
      }
    }
    await this.#readTogether(together, committedAt)
  }

  async #readTogether(transactions: readonly LoggedTransaction[], committedAt: ReadonlyMap<string, string>): Promise<void> {
    if (transactions.length === 0) return
    const xids = transactions.map(({ xid }) => xid)
    const changes = await this.#untilDone(() => this.#deps.database.asAdmin('postgres', (tx) => readTransactions(tx, xids)))
    await this.#deliver(changes ?? [], committedAt)
  }

  async #readInPages({ xid }: LoggedTransaction, committedAt: ReadonlyMap<string, string>): Promise<void> {
    let after = { started: '0', id: '0' }
    while (!this.#stopped.signal.aborted) {
      const from = after
      const changes = await this.#untilDone(() => this.#deps.database.asAdmin('postgres', (tx) => readPage(tx, xid, from)))
      const last = changes?.at(-1)
      if (changes === undefined || last === undefined) return
      await this.#deliver(changes, committedAt)
      after = last
    }
  }

  async #deliver(changes: Parameters<typeof deliver>[1], committedAt: ReadonlyMap<string, string>): Promise<void> {
    await this.#subscribers.noted()
    const { database, log } = this.#deps
    // What cannot be told after so many tries must not keep back what comes after it.
    await this.#untilDone(() => deliver({ database, log, book: this.#book, hearMessage: this.#hear }, changes, committedAt), 12)
    this.#rowsSinceMark += changes.length
    if (this.#rowsSinceMark >= rowsPerMark) void this.#sendMark()
  }

  async #tick(): Promise<void> {
    const { database, log } = this.#deps
    try {
      if (!this.#isEmbedded) {
        await database.asAdmin('postgres', async (tx) => {
          await noteSeen(tx, this.#reader, this.#line.seen)
          await holdOpen(tx, { seconds: this.#holdSeconds, changes: !this.#subscribers.isEmpty })
          await dropReaders(tx, { self: this.#reader, others: 'silent' })
          if (!this.#followsByItself) await followPublication(tx)
        })
        if (!this.#followsByItself) this.#heard('tables')
      }
      if (!this.#isEmbedded || this.#rowsSinceMark > 0) await this.#sendMark()
    } catch (error) {
      log.warn('what was told of changes could not be noted', { error })
    }
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

/** Makes the feed of a database's changes. Call `start` before anything else. */
export const createChangeFeed = (deps: ChangeFeedDeps): ChangeFeed => new Feed(deps)
