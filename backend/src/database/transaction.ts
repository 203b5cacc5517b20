import type { RawResult, Transaction } from './database.ts'
import { DatabaseError } from './database-error.ts'
import { toRows } from './cells.ts'
import type { Lane } from './sessions.ts'
import type { Sql } from './sql.ts'
import { isStale } from './wire/session.ts'
import type { Reply } from './wire/reply.ts'
import { makeStep, type Request, type Step } from './wire/request.ts'

export interface TransactionStart {
  /** `begin …`, then the settings: sent with the first statement. */
  opening: readonly Step[]
  scope: string
  timeoutMs: number
}

const notOne = (rows: number, wanted: string): DatabaseError =>
  new DatabaseError({ sqlstate: 'P0003', message: `expected ${wanted} row, the statement gave ${rows}` })

const over = (): DatabaseError => new DatabaseError({ sqlstate: '25P01', message: 'the transaction is already over' })

/** Statements of one open transaction. Nothing is sent before the first; statements started together share no round trip but keep their order. */
export class OpenTransaction implements Transaction {
  readonly #lane: Lane
  readonly #start: TransactionStart
  #opened: Promise<Reply> | undefined
  #failure: DatabaseError | undefined
  #over = false
  #running = 0
  /** Told whenever the last running statement has been answered, or a statement starts. */
  onActivity: (busy: boolean) => void = () => undefined

  constructor(lane: Lane, start: TransactionStart) {
    this.#lane = lane
    this.#start = start
  }

  async many<Row>(statement: Sql): Promise<Row[]> {
    return toRows<Row>(await this.raw(statement))
  }

  async one<Row>(statement: Sql): Promise<Row> {
    const rows = await this.many<Row>(statement)
    if (rows.length !== 1) throw notOne(rows.length, 'exactly one')
    return rows[0] as Row
  }

  async maybeOne<Row>(statement: Sql): Promise<Row | undefined> {
    const rows = await this.many<Row>(statement)
    if (rows.length > 1) throw notOne(rows.length, 'at most one')
    return rows[0]
  }

  async execute(statement: Sql): Promise<number> {
    return (await this.raw(statement)).affected
  }

  async raw(statement: Sql): Promise<RawResult> {
    if (this.#over) throw over()
    const step = makeStep(statement, this.#start.scope)
    this.onActivity(++this.#running > 0)
    try {
      const reply = await (this.#opened ? this.#send([step]) : this.#open(step))
      if (reply.error) throw this.#fail(reply.error)
      return reply.results[reply.results.length - 1] as RawResult
    } finally {
      this.onActivity(--this.#running > 0)
    }
  }

  #open(step: Step): Promise<Reply> {
    const steps = [...this.#start.opening, step]
    this.#opened = this.#send(steps).then(async (reply) => {
      if (!reply.error || !isStale(reply.error) || this.#running > 1) return reply
      // Nothing has run yet, so a plan gone stale can be made anew without anyone noticing.
      if (reply.status !== 'I') await this.#run({ script: 'rollback' })
      return this.#send(steps)
    })
    return this.#opened
  }

  #send(steps: readonly Step[]): Promise<Reply> {
    return this.#run({ steps })
  }

  #run(request: Request): Promise<Reply> {
    return this.#lane.run(request, { timeoutMs: this.#start.timeoutMs })
  }

  // What follows a failure is refused with 25P02; the first failure is the one worth telling.
  #fail(error: DatabaseError): DatabaseError {
    this.#failure ??= error
    return error
  }

  async commit(): Promise<void> {
    this.#over = true
    if (!this.#opened) return
    const reply = await this.#run({ script: 'commit' })
    if (reply.error) throw reply.error
    if (reply.tags[0] === 'ROLLBACK') throw this.#failure ?? new DatabaseError({ sqlstate: '25P02', message: 'the transaction was rolled back' })
  }

  async rollback(): Promise<void> {
    this.#over = true
    if (!this.#opened) return
    await this.#run({ script: 'rollback' })
  }
}
