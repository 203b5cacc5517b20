import type { RawResult } from '#database/database.ts'

/** One named statement of one session. */
export interface Prepared {
  key: string
  /** Empty for the unnamed statement, which is parsed each time. */
  name: string
  /** Whether its Parse has been sent. */
  sent: boolean
  /** Known after the first reply; null when it gives no rows. */
  columns?: RawResult['columns'] | null
}

// A plan holds some 10 to 50 kB of the session's memory, and a statement this long is a bulk write that seldom recurs.
const longestNamedText = 16_384

/** Which statements a session holds by name. The least recently used one is let go beyond `limit`. */
export class PreparedStatements {
  readonly #limit: number
  readonly #held = new Map<string, Prepared>()
  #toClose: string[] = []
  #count = 0

  /** @param limit 0: every statement is parsed each time. */
  constructor(limit = 256) {
    this.#limit = limit
  }

  /** `scope` is the role and search_path the statement is planned under: sharing a plan between roles means planning it anew at each turn. */
  use(scope: string | undefined, text: string): Prepared {
    if (scope === undefined || this.#limit === 0 || text.length > longestNamedText) return { key: '', name: '', sent: false }
    const key = `${scope}\n${text}`
    const known = this.#held.get(key)
    if (known) {
      this.#held.delete(key)
      this.#held.set(key, known)
      return known
    }
    const made: Prepared = { key, name: `p${++this.#count}`, sent: false }
    this.#held.set(key, made)
    if (this.#held.size > this.#limit) this.drop(this.#held.values().next().value as Prepared)
    return made
  }

  /** Forgets a statement; its name is closed with the next request. */
  drop(statement: Prepared): void {
    if (this.#held.get(statement.key) !== statement) return
    this.#held.delete(statement.key)
    if (statement.sent) this.#toClose.push(statement.name)
  }

  dropAll(): void {
    for (const statement of this.#held.values()) if (statement.sent) this.#toClose.push(statement.name)
    this.#held.clear()
  }

  takeToClose(): string[] {
    const names = this.#toClose
    if (names.length > 0) this.#toClose = []
    return names
  }
}
