import type { Logger } from '#contract/logger.ts'
import { DatabaseError } from '#database/database-error.ts'
import { Listeners } from '#database/listeners.ts'
import type { Lane, RunOptions, Sessions } from '#database/sessions.ts'
import { applyDatabaseSettings, countDatabaseSettings } from '#database/stored-settings.ts'
import type { Reply } from '#database/wire/reply.ts'
import { plainStep, type Request } from '#database/wire/request.ts'
import { WireSession } from '#database/wire/session.ts'
import { Housekeeping } from './housekeeping.ts'
import { LogSync } from './log-sync.ts'
import { Watchdog } from './watchdog.ts'
import { WorkerHost, type LogPromise, type WorkerEvents } from './worker-host.ts'

export interface PgliteSessionsParts {
  /** The engine's folder, when commits are to be on the disk before they are told. */
  syncedDir?: string
  /** Starts the engine's thread; called again after a thread was lost. */
  start: (events: WorkerEvents) => Promise<WorkerHost>
  /** In memory: what the thread held is gone with it. */
  volatile: boolean
  log: Logger
}

/** A transaction's claim on the session. */
/** Between two tries to start an engine that did not come back. */
const retryMs = 2000

interface Holder {
  firstSeq: number
  /** As the last reply told. */
  status: Reply['status']
  doomed?: DatabaseError
}

interface Exchange {
  seq: number
  request: Request
  timeoutMs: number
  /** How often its time limit passed before it had begun. */
  delays: number
  holder: Holder | undefined
  resolve: (reply: Reply) => void
  reject: (error: DatabaseError) => void
}

const mostDelays = 10

const cancelled = (): DatabaseError => new DatabaseError({ sqlstate: '57014', message: 'canceling statement due to statement timeout' })
const crashed = (): DatabaseError => new DatabaseError({ sqlstate: '57P02', message: 'the statement ended the database engine, which was started anew' })
const interrupted = (): DatabaseError => new DatabaseError({ sqlstate: '57P01', message: 'the transaction was lost when the database engine had to be started anew' })
const closed = (): DatabaseError => new DatabaseError({ sqlstate: '57P03', message: 'the database is closed' })
const lostMemory = (): DatabaseError => new DatabaseError({ sqlstate: '57P03', message: 'the in-memory database was lost with its engine' })

/** The embedded engine's one session: requests in a line, a transaction holding it alone, a watchdog over the head of the line. */
export class PgliteSessions implements Sessions {
  readonly #parts: PgliteSessionsParts
  readonly #listeners = new Listeners()
  readonly #watchdog = new Watchdog(() => this.#expire())
  readonly #housekeeping: Housekeeping
  /** Waiting for a turn: behind a transaction, or for the engine to be started anew. */
  readonly #line: (() => void)[] = []
  /** Sent and not yet answered, in order. */
  #inFlight: Exchange[] = []
  #seq = 0
  #held = false
  #host: WorkerHost | undefined
  #wire = this.#newWire()
  #sync: LogSync | undefined
  /** Of the reply being read. */
  #promise: LogPromise = { promised: 0, file: '' }
  #restarting: Promise<void> | undefined
  #dead: DatabaseError | undefined
  /** Set while the engine did not come back: a full disk may have room at the next try. */
  #retryAt: number | undefined

  private constructor(parts: PgliteSessionsParts) {
    this.#parts = parts
    this.#housekeeping = new Housekeeping({
      run: (request) => this.once(request, { timeoutMs: 0 }),
      isIdle: () => !this.#held && !this.#restarting && this.#inFlight.length === 0,
      log: parts.log,
    })
  }

  static async start(parts: PgliteSessionsParts): Promise<PgliteSessions> {
    const sessions = new PgliteSessions(parts)
    await sessions.#open()
    const { results: [stored] } = await sessions.once({ steps: [countDatabaseSettings] }, { timeoutMs: 0 })
    if (stored?.rows[0]?.[0] !== '0') await sessions.once({ script: applyDatabaseSettings }, { timeoutMs: 0 })
    return sessions
  }

  async #open(): Promise<void> {
    const host = await this.#parts.start(this.#events())
    this.#host = host
    if (this.#parts.syncedDir !== undefined) this.#sync = new LogSync(this.#parts.syncedDir, (promised) => host.noteSynced(promised))
  }

  once(request: Request, { timeoutMs }: RunOptions): Promise<Reply> {
    return this.#turn(() => this.#exchange(request, timeoutMs, undefined))
  }

  hold<T>(work: (lane: Lane) => Promise<T>): Promise<T> {
    return this.#turn(async () => {
      const holder: Holder = { firstSeq: 0, status: 'I' }
      this.#held = true
      try {
        return await work({ run: (request, { timeoutMs }) => this.#exchange(request, timeoutMs, holder) })
      } finally {
        if (holder.status !== 'I' && !holder.doomed) await this.#clear(holder)
        this.#held = false
        this.#advance()
      }
    })
  }

  forgetStatements(): void {
    this.#housekeeping.noteScript()
    this.#wire.forgetStatements()
  }

  async listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#listeners.add(channel, hear, (text) => this.#command(text))
  }

  async close(): Promise<void> {
    this.#housekeeping.stop()
    this.#retryAt = undefined
    await this.#restarting
    if (this.#dead) {
      await this.#host?.terminate()
      return
    }
    await this.hold(async () => {
      this.#dead = closed()
      await this.#host?.close()
      await this.#sync?.close()
    })
  }

  /** The data folder as a tar archive, for templates. */
  dump(compression: 'none' | 'gzip'): Promise<ArrayBuffer> {
    return this.hold(() => (this.#host as WorkerHost).dump(compression))
  }

  async #command(text: string): Promise<void> {
    const { error } = await this.once({ steps: [plainStep(text)] }, { timeoutMs: 0 })
    if (error) throw error
  }

  /** Runs `start` when no transaction holds the session and nobody waits in front. */
  #turn<T>(start: () => Promise<T>): Promise<T> {
    this.#reviveWhenDue()
    if (this.#dead) return Promise.reject(this.#dead)
    if (!this.#held && !this.#restarting && this.#line.length === 0) return start()
    return new Promise((resolve, reject) => {
      this.#line.push(() => (this.#dead ? Promise.reject(this.#dead) : start()).then(resolve, reject))
    })
  }

  /** Leaves no transaction open for the next in line, at any price. */
  async #clear(holder: Holder): Promise<void> {
    const reply = await this.#exchange({ script: 'rollback' }, 0, holder).catch(() => undefined)
    if (reply?.status !== 'I') this.#replace(crashed)
  }

  #advance(): void {
    while (!this.#held && !this.#restarting && this.#line.length > 0) this.#line.shift()?.()
  }

  #exchange(request: Request, timeoutMs: number, holder: Holder | undefined): Promise<Reply> {
    if (holder?.doomed) return Promise.reject(holder.doomed)
    if (this.#dead) return Promise.reject(this.#dead)
    return new Promise((resolve, reject) => {
      const exchange = { seq: ++this.#seq, request, timeoutMs, delays: 0, holder, resolve, reject }
      if (holder && holder.firstSeq === 0) holder.firstSeq = exchange.seq
      this.#inFlight.push(exchange)
      if (this.#host) this.#send(exchange)
    })
  }

  #send(exchange: Exchange): void {
    const bytes = this.#wire.encode(exchange.request, (reply) => this.#settle(exchange, reply))
    this.#host?.send(exchange.seq, bytes)
    if (this.#inFlight[0] === exchange) this.#watchdog.watch(exchange.timeoutMs)
  }

  #settle(exchange: Exchange, reply: Reply): void {
    this.#inFlight.shift()
    this.#housekeeping.note(reply)
    if (exchange.holder) exchange.holder.status = reply.status
    this.#watchdog.watch(this.#inFlight[0]?.timeoutMs ?? 0)
    const synced = this.#sync?.reached(this.#promise)
    if (!synced) return exchange.resolve(reply)
    synced.then(() => exchange.resolve(reply), (cause: unknown) => {
      this.#dead ??= new DatabaseError({ sqlstate: '58030', message: 'the write-ahead log could not be written to the disk' }, { cause })
      exchange.reject(this.#dead)
    })
  }

  #newWire(): WireSession {
    return new WireSession({ notification: (channel, payload) => this.#listeners.notify(channel, payload) })
  }

  #events(): WorkerEvents {
    return {
      reply: (seq, bytes, promise) => {
        this.#promise = promise
        this.#wire.receive(bytes)
        // A reply without its end: the engine's session is broken, though its thread still runs.
        if (this.#inFlight[0]?.seq === seq) this.#replace(crashed)
      },
      lost: (reason) => {
        this.#parts.log.error('the database engine was lost', { reason: reason.message })
        this.#replace(crashed)
      },
    }
  }

  #expire(): void {
    const head = this.#inFlight[0]
    // Finished meanwhile: the reply is on its way.
    if (!head || !this.#host || this.#host.finished >= head.seq) return
    const runningMs = this.#host.runningMs(head.seq)
    // On a busy machine the thread may come late to a request; only its own time counts, unless the thread has stopped listening.
    head.delays += runningMs === 0 ? 1 : 0
    if (runningMs >= head.timeoutMs || head.delays > mostDelays) return this.#replace(cancelled)
    this.#watchdog.watch(head.timeoutMs - runningMs)
  }

  #replace(failure: () => DatabaseError): void {
    if (this.#restarting || this.#dead) return
    this.#restarting = this.#restart(failure).finally(() => {
      this.#restarting = undefined
      this.#advance()
    })
  }

  async #restart(failure: () => DatabaseError): Promise<void> {
    const lost = this.#host as WorkerHost
    this.#watchdog.watch(0)
    await lost.terminate()
    this.#host = undefined
    await this.#sync?.close()
    this.#sync = undefined
    const remaining = this.#failBegun(lost.begun, failure())
    this.#inFlight = []
    if (this.#parts.volatile) return this.#giveUp(lostMemory(), remaining)
    this.#parts.log.warn('the database engine is started anew', { sqlstate: failure().sqlstate })
    await this.#reopen(remaining)
  }

  async #reopen(remaining: readonly Exchange[]): Promise<void> {
    this.#wire = this.#newWire()
    try {
      await this.#open()
    } catch (cause) {
      this.#retryAt = performance.now() + retryMs
      return this.#giveUp(new DatabaseError({ sqlstate: '57P03', message: 'the database engine did not start again' }, { cause }), remaining)
    }
    this.#resume(remaining)
  }

  #reviveWhenDue(): void {
    if (this.#retryAt === undefined || performance.now() < this.#retryAt || this.#restarting) return
    this.#retryAt = undefined
    this.#dead = undefined
    this.#restarting = this.#reopen([]).finally(() => {
      this.#restarting = undefined
      this.#advance()
    })
  }

  /** Fails what had begun, and the rest of the transaction it belonged to; gives what had not. */
  #failBegun(begun: number, failure: DatabaseError): Exchange[] {
    return this.#inFlight.filter((exchange) => {
      const { holder } = exchange
      if (exchange.seq > begun && !(holder && holder.firstSeq <= begun)) return true
      if (holder) holder.doomed ??= interrupted()
      exchange.reject(exchange.seq > begun ? interrupted() : failure)
      return false
    })
  }

  #giveUp(reason: DatabaseError, remaining: readonly Exchange[]): void {
    this.#dead = reason
    for (const exchange of [...remaining, ...this.#inFlight]) exchange.reject(reason)
    this.#inFlight = []
  }

  #resume(remaining: readonly Exchange[]): void {
    const added = this.#inFlight
    this.#inFlight = []
    const first = [{ script: applyDatabaseSettings }, ...this.#listeners.channels().map((text) => ({ steps: [plainStep(text)] }))]
    for (const exchange of [...first.map((request) => this.#ownExchange(request)), ...remaining, ...added]) {
      // Numbered anew: the thread counts what it has begun.
      exchange.seq = ++this.#seq
      if (exchange.holder) exchange.holder.firstSeq = Math.min(exchange.holder.firstSeq, exchange.seq)
      this.#inFlight.push(exchange)
      this.#send(exchange)
    }
    this.#listeners.notifyAll()
  }

  #ownExchange(request: Request): Exchange {
    return { seq: 0, request, timeoutMs: 0, delays: 0, holder: undefined, resolve: () => undefined, reject: () => undefined }
  }
}
