import type { Logger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { selectTimezones } from './schema-cache/schema-cache.queries.ts'

export interface DatabaseWatchDeps<T> {
  database: Database
  logger: Logger
  read(): Promise<T>
}

// DDL comes in bursts, one notice a statement.
const quietMs = 50

const known = new Set(['', 'reload schema', 'reload config'])

/**
 * Keeps what was read of the database in step with it: read once at the start, read again after `notify pgrst`. Requests go on with
 * what there is; only one that misses something waits for a reading under way.
 */
export class DatabaseWatch<T> {
  readonly #deps: DatabaseWatchDeps<T>
  #current: Promise<T> | undefined
  #timer: NodeJS.Timeout | undefined
  #reading: Promise<void> | undefined
  #isStale = false
  #timezones: Promise<ReadonlySet<string>> | undefined
  #stop: Promise<() => Promise<void>> | undefined

  constructor(deps: DatabaseWatchDeps<T>) {
    this.#deps = deps
  }

  /** Listens and reads for the first time. */
  async start(): Promise<void> {
    this.#stop ??= this.#deps.database.listen('pgrst', (payload) => this.#hear(payload))
    await Promise.all([this.#stop, this.get()])
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await (await this.#stop)?.()
    await this.#reading
  }

  /** What was read last. A first reading that failed is tried again by the next request. */
  get(): Promise<T> {
    return (this.#current ??= this.#deps.read().catch((error: unknown) => {
      this.#current = undefined
      throw error
    }))
  }

  /** After a miss: what is there now when a change is known of, else undefined. */
  async getNewer(): Promise<T | undefined> {
    if (!this.#isStale && !this.#reading) return undefined
    clearTimeout(this.#timer)
    await this.#reload()
    return this.get()
  }

  /** Names of the time zones a request may ask for, read when one first does. */
  listTimezones(): Promise<ReadonlySet<string>> {
    this.#timezones ??= this.#deps.database
      .asAdmin('postgres', (tx) => tx.many<{ name: string }>(selectTimezones()))
      .then((rows) => new Set(rows.map(({ name }) => name)))
      .catch((error: unknown) => {
        this.#timezones = undefined
        throw error
      })
    return this.#timezones
  }

  #hear(payload: string): void {
    if (!known.has(payload)) return
    this.#isStale = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#reload(), quietMs)
    this.#timer.unref()
  }

  async #reload(): Promise<void> {
    while (this.#isStale || this.#reading) {
      this.#reading ??= this.#replace().finally(() => { this.#reading = undefined })
      await this.#reading
    }
  }

  async #replace(): Promise<void> {
    this.#isStale = false
    try {
      this.#current = Promise.resolve(await this.#deps.read())
    } catch (error) {
      // What was read before serves on; the next notice tries again.
      this.#deps.logger.error('reading the schema failed', { error: String(error) })
    }
  }
}
