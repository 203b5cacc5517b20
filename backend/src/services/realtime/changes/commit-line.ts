import { isVisibleIn, readSnapshot, type Snapshot } from './snapshot.ts'

/** What is to be done next, in the order of commits. */
export type Step = { kind: 'transaction'; xid: number } | { kind: 'mark'; mark: string } | { kind: 'tables' }

/**
 * The order of commits. Notifications come in it, each transaction once with its number; what was missed while nobody listened is put in by
 * `insertMissed`. A transaction known already is not put in twice.
 */
export class CommitLine {
  #steps: Step[] = []
  /** Told while it is looked up what was missed: comes behind that. */
  #held: Step[] | undefined
  #seen: Snapshot
  readonly #told = new Set<number>()

  constructor(seen: string) {
    this.#seen = readSnapshot(seen)
  }

  /** All that is visible in it has been in the line. */
  get seen(): string {
    return this.#seen.text
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0
  }

  /** A notification's payload: a transaction's number, `tables`, or a mark. */
  hear(payload: string): void {
    const into = this.#held ?? this.#steps
    if (payload === 'tables') into.push({ kind: 'tables' })
    else if (!/^\d{1,15}$/.test(payload)) into.push({ kind: 'mark', mark: payload })
    else if (this.#held) into.push({ kind: 'transaction', xid: Number(payload) })
    else this.#put(Number(payload))
  }

  /** Looks up what nobody told; what is told meanwhile comes after. */
  async insertMissed(find: (seen: string) => Promise<readonly number[]>): Promise<void> {
    if (this.#held) return
    this.#held = []
    let missed: readonly number[] = []
    try {
      missed = await find(this.#seen.text)
    } finally {
      const held: readonly Step[] = this.#held
      this.#held = undefined
      for (const xid of missed) this.#put(xid)
      this.#steps.push({ kind: 'tables' })
      for (const step of held) {
        if (step.kind === 'transaction') this.#put(step.xid)
        else this.#steps.push(step)
      }
    }
  }

  /** Takes the next: one step of another kind, or the transactions in front of it, at most so many. */
  take(most: number): Step[] {
    const first = this.#steps[0]
    if (first === undefined) return []
    let count = 1
    if (first.kind === 'transaction') while (count < most && this.#steps[count]?.kind === 'transaction') count += 1
    return this.#steps.splice(0, count)
  }

  /** Nothing was found of it: it may have been told before its end, by somebody else than its commit. */
  unknow(xid: number): void {
    this.#told.delete(xid)
  }

  /** A mark has come out of the line: all that was visible when it was sent came before it. */
  moveTo(seen: string): void {
    this.#seen = readSnapshot(seen)
    for (const xid of this.#told) if (isVisibleIn(this.#seen, xid)) this.#told.delete(xid)
  }

  #put(xid: number): void {
    if (this.#told.has(xid) || isVisibleIn(this.#seen, xid)) return
    this.#told.add(xid)
    this.#steps.push({ kind: 'transaction', xid })
  }
}
