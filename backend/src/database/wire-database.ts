import type { Caller } from '#contract/caller.ts'
import { adminIdentity, callerIdentity, needsRoleCheck, roleCheckStep, roleMissing, roleRefused, scopeOf, settingsStep, type Identity } from './caller-settings.ts'
import type { AdminRole, Database, RawResult, Transaction, TransactionOptions } from './database.ts'
import { DatabaseError } from './database-error.ts'
import type { StatementTimeouts } from './engine-options.ts'
import { runScript } from './script.ts'
import type { Sessions } from './sessions.ts'
import type { Sql } from './sql.ts'
import { readRoleTimeouts, toRoleTimeouts } from './stored-settings.ts'
import { OpenTransaction } from './transaction.ts'
import { makeStep, plainStep, type Step } from './wire/request.ts'
import { isStale } from './wire/session.ts'

export interface WireDatabaseParts {
  engine: Database['engine']
  sessions: Sessions
  timeouts: StatementTimeouts | undefined
}

/** The `Database` of both engines: identity, prepared pipelines and transactions over whatever gives sessions. */
export class WireDatabase implements Database {
  readonly engine: Database['engine']
  readonly #sessions: Sessions
  readonly #timeouts: StatementTimeouts
  /** From `alter role … set statement_timeout`, read when first needed and again after each script. */
  #roleTimeouts: Promise<ReadonlyMap<string, number>> | undefined

  constructor({ engine, sessions, timeouts }: WireDatabaseParts) {
    this.engine = engine
    this.#sessions = sessions
    this.#timeouts = timeouts ?? {}
  }

  async asCaller<T>(caller: Caller, work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    await this.#checkRole(caller.role)
    return this.#transact(callerIdentity(caller, options), work, { ...options, timeoutMs: await this.#callerTimeout(caller, options) })
  }

  async asAdmin<T>(role: AdminRole, work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#transact(adminIdentity(role, options), work, { ...options, timeoutMs: options.timeoutMs ?? this.#adminMs })
  }

  async batchAsCaller(caller: Caller, statements: readonly Sql[], options: TransactionOptions = {}): Promise<RawResult[]> {
    // An isolation level can only be chosen by `begin`.
    if (options.isolation !== undefined && options.isolation !== 'read committed')
      return this.asCaller(caller, (tx) => Promise.all(statements.map((statement) => tx.raw(statement))), options)
    if (needsRoleCheck(caller.role)) await this.#checkRole(caller.role)
    const identity = callerIdentity(caller, options)
    const scope = scopeOf(identity)
    const timeoutMs = await this.#callerTimeout(caller, options)
    const steps = [settingsStep(identity, options, this.#timeoutSetting(timeoutMs)), ...statements.map((statement) => makeStep(statement, scope))]
    const reply = await this.#once(steps, timeoutMs)
    return reply.slice(1)
  }

  async script(role: AdminRole, text: string): Promise<void> {
    // Also after a failure: the script's end drops every prepared statement.
    try {
      await this.#sessions.hold((lane) => runScript(lane, role, text))
    } finally {
      // Even a script that failed has let go of every statement, and may have committed a part by itself.
      this.#sessions.forgetStatements()
      this.#roleTimeouts = undefined
    }
  }

  listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#sessions.listen(channel, hear)
  }

  close(): Promise<void> {
    return this.#sessions.close()
  }

  get #adminMs(): number {
    return this.#timeouts.adminMs ?? 60_000
  }

  /** What the call says, else what was configured, else the role's own stored setting or its login's, else the hosted default. */
  async #callerTimeout({ role }: Caller, { timeoutMs }: TransactionOptions): Promise<number> {
    const configured = timeoutMs ?? (role === 'anon' ? this.#timeouts.anonMs : this.#timeouts.callerMs)
    if (configured !== undefined) return configured
    const stored = await (this.#roleTimeouts ??= this.#readRoleTimeouts())
    return stored.get(role) ?? (role === 'anon' ? 3_000 : (stored.get('authenticator') ?? 8_000))
  }

  async #readRoleTimeouts(): Promise<ReadonlyMap<string, number>> {
    try {
      const [result] = await this.#once([readRoleTimeouts], this.#adminMs)
      return toRoleTimeouts(result)
    } catch (error) {
      this.#roleTimeouts = undefined
      throw error
    }
  }

  // The embedded engine knows no statement_timeout; its watchdog counts instead.
  #timeoutSetting(timeoutMs: number): number | undefined {
    return this.engine === 'postgres' ? timeoutMs : undefined
  }

  // Runs steps that leave the session idle. A plan gone stale rolled everything back, so the whole is run again.
  async #once(steps: readonly Step[], timeoutMs: number): Promise<RawResult[]> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.#sessions.once({ steps }, { timeoutMs })
      if (!reply.error) return reply.results
      if (!isStale(reply.error) || attempt > steps.length) throw reply.error
    }
  }

  async #checkRole(role: string): Promise<void> {
    if (!needsRoleCheck(role)) return
    const [result] = await this.#once([roleCheckStep(role)], this.#adminMs)
    const answer = result?.rows[0]?.[0]
    if (answer === undefined) throw roleMissing(role)
    if (answer !== 't') throw roleRefused(role)
  }

  #transact<T>(identity: Identity, work: (tx: Transaction) => Promise<T>, options: TransactionOptions & { timeoutMs: number }): Promise<T> {
    const begin = `begin isolation level ${options.isolation ?? 'read committed'}`
    const opening = [plainStep(begin), settingsStep(identity, options, this.#timeoutSetting(options.timeoutMs))]
    const start = { opening, scope: scopeOf(identity), timeoutMs: options.timeoutMs }
    return this.#sessions.hold((lane) => this.#runTransaction(new OpenTransaction(lane, start), work))
  }

  async #runTransaction<T>(transaction: OpenTransaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const idle = new IdleLimit(this.#timeouts.idleMs ?? 10_000)
    transaction.onActivity = (busy) => idle.note(busy)
    try {
      const value = await Promise.race([work(transaction), idle.exceeded])
      idle.stop()
      await transaction.commit()
      return value
    } catch (error) {
      idle.stop()
      await transaction.rollback().catch(() => undefined)
      throw error
    }
  }
}

/** Ends a transaction that holds its session and does nothing: most often one that waits for a second one it started itself. */
class IdleLimit {
  readonly exceeded: Promise<never>
  readonly #limitMs: number
  #timer: NodeJS.Timeout | undefined
  #exceed: (error: DatabaseError) => void = () => undefined

  constructor(limitMs: number) {
    this.#limitMs = limitMs
    this.exceeded = new Promise((_, reject) => { this.#exceed = reject })
    this.exceeded.catch(() => undefined)
    this.note(false)
  }

  note(busy: boolean): void {
    this.stop()
    if (busy || this.#limitMs === 0) return
    this.#timer = setTimeout(() => this.#exceed(idleTooLong(this.#limitMs)), this.#limitMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

const idleTooLong = (limitMs: number): DatabaseError =>
  new DatabaseError({
    sqlstate: '25P03',
    message: `terminating transaction that held its session idle for ${limitMs} ms`,
    hint: 'Work inside a transaction uses its `tx`; a call to the database there waits for the transaction it is part of.',
  })

