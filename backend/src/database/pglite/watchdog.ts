/** Calls `expire` once a deadline has passed; setting a new one replaces the old. Costs one timer for many short requests. */
export class Watchdog {
  readonly #expire: () => void
  #deadlineAt = 0
  #timer: NodeJS.Timeout | undefined
  #timerAt = 0

  constructor(expire: () => void) {
    this.#expire = expire
  }

  /** @param timeoutMs 0 for none. */
  watch(timeoutMs: number): void {
    this.#deadlineAt = timeoutMs > 0 ? performance.now() + timeoutMs : 0
    if (this.#deadlineAt > 0) this.#schedule()
  }

  #schedule(): void {
    // A timer that fires too early looks again, which is cheaper than one timer a request.
    if (this.#timer && this.#timerAt <= this.#deadlineAt) return
    clearTimeout(this.#timer)
    this.#timerAt = this.#deadlineAt
    this.#timer = setTimeout(() => this.#look(), Math.max(1, this.#deadlineAt - performance.now()))
    this.#timer.unref()
  }

  #look(): void {
    this.#timer = undefined
    if (this.#deadlineAt === 0) return
    if (performance.now() < this.#deadlineAt) return this.#schedule()
    this.#deadlineAt = 0
    this.#expire()
  }
}
