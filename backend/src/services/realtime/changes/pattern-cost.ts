/** A pattern as large as this, written out, is answered for a row of 100 kB in well under a second. */
const mostStates = 1_000
const deepest = 8
const longest = 500

/** Why a pattern may take its engine long, in words for who wrote it. */
type PatternFault = 'it refers back to a group' | 'it looks ahead or behind' | 'it repeats too much' | 'it is nested too deep' | 'it is too long' | 'it is of the basic kind'

class TooDear extends Error {
  readonly fault: PatternFault

  constructor(fault: PatternFault) {
    super(fault)
    this.fault = fault
  }
}

/** Reads a pattern once, adding up what it is when its repetitions are written out. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): number {
    let states = 0
    while (this.#at < this.#text.length) states += this.#alternatives(0) + this.#skipUnmatched()
    return states
  }

  // A `)` without its `(`: the engine says so.
  #skipUnmatched(): number {
    if (this.#text[this.#at] === ')') this.#at += 1
    return 1
  }

  #alternatives(depth: number): number {
    if (depth > deepest) throw new TooDear('it is nested too deep')
    let states = 1
    while (this.#at < this.#text.length && this.#text[this.#at] !== ')') {
      const one = this.#atom(depth)
      states += this.#repeated(one)
      if (states > mostStates) throw new TooDear('it repeats too much')
    }
    return states
  }

  #atom(depth: number): number {
    const rest = this.#text.slice(this.#at)
    if (/^\(\?(?:[=!]|<[=!])/.test(rest)) throw new TooDear('it looks ahead or behind')
    if (rest.startsWith('(')) {
      this.#at += rest.startsWith('(?:') ? 3 : 1
      const states = this.#alternatives(depth + 1)
      this.#at += 1
      return states
    }
    if (/^\\[1-9]/.test(rest)) throw new TooDear('it refers back to a group')
    // In brackets a `]` comes first, or after the `^`, as itself; classes, `[:alpha:]`, have brackets of their own.
    const [whole = ''] = /^\[\^?\]?(?:\[[:.=].*?[:.=]\]|\\.|[^\]])*\]?/s.exec(rest) ?? /^\\./s.exec(rest) ?? /^[\s\S]/.exec(rest) ?? []
    this.#at += whole.length
    return 1
  }

  #repeated(states: number): number {
    let written = states
    for (;;) {
      const [mark, least, most] = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/.exec(this.#text.slice(this.#at)) ?? []
      if (mark === undefined) return written
      this.#at += mark.length
      const times = least === undefined ? (mark.startsWith('+') ? 2 : 1) : Math.max(1, Number(least) + 1, Number(most ?? 0))
      written *= times
      if (written > mostStates) throw new TooDear('it repeats too much')
    }
  }
}

/**
 * Why a regular expression must not be asked of an engine that cannot be stopped; undefined: it takes time in proportion to the text.
 * Postgres' expressions without references back and without looking around are run as automata; what is left is their size.
 *
 * @see postgres src/backend/regex/README
 */
export function faultOfPattern(pattern: string): PatternFault | undefined {
  if (pattern.length > longest) return 'it is too long'
  // There braces and parentheses mean what they do with a backslash before them.
  if (/^(?:\*\*\*:)?\(\?[a-z]*b[a-z]*\)/.test(pattern)) return 'it is of the basic kind'
  try {
    return new Reader(pattern).read() > mostStates ? 'it repeats too much' : undefined
  } catch (error) {
    if (error instanceof TooDear) return error.fault
    throw error
  }
}
