/** How much of the database's time the filters of live channels may take. */
export interface FilterBudgetSettings {
  /** For the filters of one socket, in a minute. */
  socketMs: number
  /** For all of them, in a minute; past it each may still take `leastMs`. */
  totalMs: number
  /** One question, when several sockets share it; one that takes longer is asked for each by itself. */
  sharedMs: number
  leastMs: number
}

/** On a server a statement that takes too long is cancelled. The embedded engine has to be started again for it: there it is given its time. */
export const filterBudgetOf = (engine: 'pglite' | 'postgres'): FilterBudgetSettings =>
  engine === 'postgres' ? { socketMs: 8_000, totalMs: 24_000, sharedMs: 2_000, leastMs: 250 } : { socketMs: 8_000, totalMs: 24_000, sharedMs: 8_000, leastMs: 8_000 }

/** What is left of an amount that comes back evenly within a minute. */
class Allowance {
  readonly #most: number
  #left: number
  #at: number

  constructor(most: number, now: number) {
    this.#most = most
    this.#left = most
    this.#at = now
  }

  left(now: number): number {
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) / 60_000) * this.#most)
    this.#at = now
    return this.#left
  }

  spend(ms: number, now: number): void {
    this.#left = Math.max(0, this.left(now) - ms)
  }
}

/** Whose filters a question is asked for: a socket, whatever it is held as. */
export type Owner = object

/**
 * Shares out the database's time among the filters of live channels. A filter may be as slow as its pattern: without a limit for all
 * of a socket's together, each of a hundred would run into its own, and everybody waits behind them.
 */
export class FilterBudget {
  readonly #settings: FilterBudgetSettings
  readonly #now: () => number
  readonly #total: Allowance
  readonly #owners = new WeakMap<Owner, Allowance>()

  constructor(settings: FilterBudgetSettings, now: () => number = () => performance.now()) {
    this.#settings = settings
    this.#now = now
    this.#total = new Allowance(settings.totalMs, now())
  }

  /** For how long a question may run, in milliseconds; undefined: none of those who want it has any time left. */
  allow(owners: ReadonlySet<Owner>): number | undefined {
    const { leastMs, sharedMs, socketMs, totalMs } = this.#settings
    const now = this.#now()
    const left = Math.max(...[...owners].map((owner) => this.#of(owner, now).left(now)))
    if (left < socketMs / 4) return undefined
    const most = this.#total.left(now) < totalMs / 4 ? leastMs : owners.size > 1 ? sharedMs : socketMs
    return Math.max(leastMs, Math.floor(Math.min(most, left)))
  }

  /** Notes what a question took: each who wanted it bears a part. */
  spend(owners: ReadonlySet<Owner>, ms: number): void {
    const now = this.#now()
    this.#total.spend(ms, now)
    for (const owner of owners) this.#of(owner, now).spend(ms / owners.size, now)
  }

  #of(owner: Owner, now: number): Allowance {
    const known = this.#owners.get(owner)
    if (known) return known
    const made = new Allowance(this.#settings.socketMs, now)
    this.#owners.set(owner, made)
    return made
  }
}
