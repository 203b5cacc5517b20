import type { Logger } from '#contract/logger.ts'
import type { DatabaseError } from '#database/database-error.ts'
import type { Reply } from '#database/wire/reply.ts'
import { plainStep, type Request } from '#database/wire/request.ts'

export interface HousekeepingParts {
  run: (request: Request) => Promise<Reply>
  isIdle: () => boolean
  log: Logger
}

const lookEveryMs = 1_000
const restMs = 30_000
// A database that is never quiet is tended all the same, a table at a time between its requests.
const patienceMs = 20_000

// The thresholds are autovacuum's own. The counts of this session are only added up when asked for.
const dueTables = `
  select format('%I.%I', s.schemaname, s.relname),
    s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0) as needs_vacuum
  from pg_stat_all_tables s join pg_class c on c.oid = s.relid
  where c.relkind in ('r', 'm') and c.relpersistence = 'p' and s.schemaname not like 'pg\\_toast%'
    and (s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0) or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0))
  order by s.n_mod_since_analyze desc`

const writes = /^(INSERT|UPDATE|DELETE|MERGE|COPY) .*[1-9]\d*$/

/** What autovacuum does elsewhere; the embedded engine has no background process for it. Works table by table while nobody waits. */
export class Housekeeping {
  readonly #parts: HousekeepingParts
  readonly #timer: NodeJS.Timeout
  #wasIdle = false
  #wrote = false
  /** When the writes that are not looked at yet began; 0 without any. */
  #dueSince = 0
  #restUntil = 0
  #running = false

  constructor(parts: HousekeepingParts) {
    this.#parts = parts
    this.#timer = setInterval(() => this.#look(), lookEveryMs)
    this.#timer.unref()
  }

  /** Notes what a reply did. */
  note(reply: Reply): void {
    this.#wasIdle = false
    if (!this.#wrote && reply.tags.some((tag) => writes.test(tag))) this.#noteWrite()
  }

  /** Notes a script: it may have made and filled whole tables, which are worth looking at as soon as it is quiet. */
  noteScript(): void {
    this.#noteWrite()
    this.#restUntil = 0
  }

  #noteWrite(): void {
    if (!this.#wrote) this.#dueSince = performance.now()
    this.#wrote = true
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const idle = this.#parts.isIdle()
    const quiet = idle && this.#wasIdle
    this.#wasIdle = idle
    if (!this.#wrote || this.#running || performance.now() < this.#restUntil) return
    const overdue = performance.now() - this.#dueSince > patienceMs
    if (!quiet && !overdue) return
    this.#running = true
    this.#keep(overdue).catch((error: DatabaseError) => this.#parts.log.debug('housekeeping stopped early', { reason: error.message })).finally(() => {
      this.#running = false
      this.#restUntil = performance.now() + restMs
    })
  }

  async #keep(overdue: boolean): Promise<void> {
    this.#wrote = false
    await this.#parts.run({ steps: [plainStep('select pg_stat_force_next_flush()')] })
    const due = await this.#parts.run({ steps: [plainStep(dueTables)] })
    for (const [table, needsVacuum] of due.results[0]?.rows ?? []) {
      // Somebody came: the rest is still due the next time.
      if (!overdue && !this.#parts.isIdle()) return this.#noteWrite()
      await this.#parts.run({ script: needsVacuum === 't' ? `vacuum (analyze) ${table}` : `analyze ${table}` })
    }
  }
}
