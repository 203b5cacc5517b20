/** Runs what must not overtake each other one after the other: at once when nothing is under way. Tasks must not throw. */
export class TaskQueue {
  readonly #waiting: (() => void | Promise<void>)[] = []
  #isBusy = false
  #isStopped = false

  /** Tasks that wait or run. */
  get length(): number {
    return this.#waiting.length + (this.#isBusy ? 1 : 0)
  }

  run(task: () => void | Promise<void>): void {
    if (this.#isStopped) return
    this.#waiting.push(task)
    if (!this.#isBusy) this.#drain()
  }

  /** Drops what waits. What runs ends by itself. */
  stop(): void {
    this.#isStopped = true
    this.#waiting.length = 0
  }

  #drain(): void {
    for (let task = this.#waiting.shift(); task; task = this.#waiting.shift()) {
      const running = task()
      if (!running) continue
      this.#isBusy = true
      void running.finally(() => {
        this.#isBusy = false
        this.#drain()
      })
      return
    }
  }
}
