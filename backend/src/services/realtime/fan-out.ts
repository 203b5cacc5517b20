/** How long one turn of the event loop may be spent on writing to a crowd. */
const sliceMs = 5
// The clock is read once for so many.
const writesBetweenLooks = 32
// Whoever sends faster than can be written is kept waiting, as the loop's own queues do: the rest is written at once.
const mostWaiting = 32

interface Round<One> {
  rest: readonly One[]
  from: number
  tell: (one: One) => void
}

/**
 * Tells a crowd one thing after the other: everybody hears them in the order they were told. A large crowd takes several turns of the
 * event loop, so that others' requests and sockets are not kept waiting. Who has left meanwhile hears nothing more, who has come
 * hears what is told from then on.
 */
export class FanOut<One> {
  readonly #crowd: ReadonlySet<One>
  readonly #waiting: Round<One>[] = []
  #isDue = false

  constructor(crowd: ReadonlySet<One>) {
    this.#crowd = crowd
  }

  tell(tell: (one: One) => void): void {
    if (this.#waiting.length > 0) {
      this.#waiting.push({ rest: [...this.#crowd], from: 0, tell })
      if (this.#waiting.length > mostWaiting) this.flush()
      return
    }
    const until = performance.now() + sliceMs
    let told = 0
    const everybody = this.#crowd.values()
    for (const one of everybody) {
      tell(one)
      told += 1
      if (told % writesBetweenLooks !== 0 || performance.now() < until) continue
      const rest = [...everybody]
      if (rest.length > 0) this.#wait({ rest, from: 0, tell })
      return
    }
  }

  /** Tells what is still to be told, now: whoever is told something else next hears it after that. */
  flush(): void {
    this.#work(Number.POSITIVE_INFINITY)
  }

  #wait(round: Round<One>): void {
    this.#waiting.push(round)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#work(performance.now() + sliceMs)
      if (this.#waiting.length > 0) this.#schedule()
    })
  }

  #work(until: number): void {
    let told = 0
    for (let round = this.#waiting[0]; round; round = this.#waiting[0]) {
      while (round.from < round.rest.length) {
        const one = round.rest[round.from] as One
        round.from += 1
        if (this.#crowd.has(one)) round.tell(one)
        told += 1
        if (told % writesBetweenLooks === 0 && performance.now() >= until) return
      }
      this.#waiting.shift()
    }
  }
}
