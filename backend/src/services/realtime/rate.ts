import type { Clock } from '#contract/clock.ts'

/** Counts what happens against a rate. After a pause twice a second's worth may come at once. */
export class Rate {
  readonly #perSecond: number
  readonly #clock: Clock
  #left: number
  #at: number

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond
    this.#clock = clock
    this.#left = perSecond * 2
    this.#at = clock.now()
  }

  /** Counts `count` more; false when that is too many, and they do not count. */
  take(count = 1): boolean {
    const now = this.#clock.now()
    this.#left = Math.min(this.#perSecond * 2, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#left < count) return false
    this.#left -= count
    return true
  }
}

/** At most so many in a window that begins with the first. */
export class Window {
  readonly #limit: { maxEvents: number; windowMs: number }
  readonly #clock: Clock
  #count = 0
  #endsAt = 0

  constructor(limit: { maxEvents: number; windowMs: number }, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
  }

  take(): boolean {
    const now = this.#clock.now()
    if (now > this.#endsAt) {
      this.#count = 0
      this.#endsAt = now + this.#limit.windowMs
    }
    if (this.#count >= this.#limit.maxEvents) return false
    this.#count += 1
    return true
  }
}
