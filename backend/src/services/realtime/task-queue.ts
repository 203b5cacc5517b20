/** Runs what must not overtake each other one after the other: at once when nothing is under way. */
export class TaskQueue {
  readonly #count: (change: number) => void
  readonly #waiting: (() => void | Promise<void>)[] = []
  #isBusy = false
  #isStopped = false

  /** @param count told of every task that comes (1) and is done or dropped (-1). Tasks must not throw. */
  constructor(count: (change: number) => void) {
    this.#count = count
  }

  run(task: () => void | Promise<void>): void {
    if (this.#isStopped) return
    this.#count(1)
    this.#waiting.push(task)
    if (!this.#isBusy) this.#drain()
  }

  /** Drops what waits. What runs ends by itself. */
  stop(): void {
    this.#isStopped = true
    this.#count(-this.#waiting.length)
    this.#waiting.length = 0
  }

  #drain(): void {
    for (let task = this.#waiting.shift(); task; task = this.#waiting.shift()) {
      const running = task()
      if (running) {
        this.#isBusy = true
        void running.finally(() => {
          this.#isBusy = false
          this.#count(-1)
          this.#drain()
        })
        return
      }
      this.#count(-1)
    }
  }
}
