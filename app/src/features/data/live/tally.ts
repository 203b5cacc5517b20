/** A count is believed when nothing happened from this long before it was asked for: news may lag behind the count. */
const quietMs = 1000

/** Keeps the total of a view true between counts: what came and left is added to what was last known. */
export class Tally {
  #known: number | undefined
  #drift = 0
  #happenedAt = 0
  /** Rows the last count found beyond what had been told. */
  #unseen = 0
  #shown: number | undefined

  /** How many rows are shown; undefined while that is not known exactly. */
  showing(total: number | undefined): void {
    this.#shown = total
  }

  /** Rows came into the view, or left it. */
  add(rows: number): void {
    this.#known ??= this.#shown
    this.#drift += rows
    this.happen()
  }

  /** Something happened that a count under way may or may not have seen. */
  happen(): void {
    this.#happenedAt = Date.now()
  }

  /** How many rows more than those shown there are; less than none while rows are leaving. */
  waiting(): number {
    const total = this.#total()
    return total === undefined || this.#shown === undefined ? 0 : total - this.#shown
  }

  /** Rows a count found that nobody told of; less than none when rows are gone. */
  unseen(): number {
    return this.#unseen
  }

  /** Takes what the server counted; false when it must be counted again, since rows came or left meanwhile. */
  take(count: number, askedAt: number): boolean {
    if (this.#happenedAt > askedAt - quietMs) return false
    const total = this.#total() ?? this.#shown
    if (total !== undefined) this.#unseen += count - total
    this.#known = count
    this.#drift = 0
    return true
  }

  /** The rows were read anew: what is shown is what there is. */
  begin(): void {
    this.#known = undefined
    this.#drift = 0
    this.#unseen = 0
  }

  #total(): number | undefined {
    return this.#known === undefined ? undefined : this.#known + this.#drift
  }
}
