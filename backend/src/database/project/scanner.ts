const blank = /[ \t\r\n\f\v\uFEFF]/
const wordStart = /[A-Za-z_\u0080-\uFFFF]/
const word = /[A-Za-z0-9_$\u0080-\uFFFF]*/y
const dollarTag = /\$(?:[A-Za-z_\u0080-\uFFFF][A-Za-z0-9_\u0080-\uFFFF]*)?\$/y
const copyEnd = /^\\\.[ \t]*\r?$/m

/** Walks over SQL text by its lexical units, as psql's own scanner does. */
export class Scanner {
  position = 0
  readonly #text: string
  // Of the statement being taken: words since its start, and how deep it is in `begin atomic … end` and in parentheses.
  #words: string[] = []
  #bodyDepth = 0
  #parenthesisDepth = 0

  constructor(text: string) {
    this.#text = text
  }

  get atEnd(): boolean {
    return this.position >= this.#text.length
  }

  peek(ahead = 0): string {
    return this.#text[this.position + ahead] ?? ''
  }

  /** Skips spaces, comments and stray semicolons. */
  skipBlank(): void {
    while (!this.atEnd) {
      if (blank.test(this.peek()) || this.peek() === ';') this.position += 1
      else if (!this.#skipComment()) return
    }
  }

  takeLine(): string {
    return this.#takeUntil(this.#indexOf('\n')).trimEnd()
  }

  /** Takes up to the next semicolon that ends a statement, and moves past it. */
  takeStatement(): string {
    const start = this.position
    this.#words = []
    this.#bodyDepth = 0
    this.#parenthesisDepth = 0
    while (!this.atEnd && !this.#atStatementEnd()) this.#step()
    const text = this.#text.slice(start, this.position).trimEnd()
    this.position += 1
    return text
  }

  /** Takes the lines after a `copy … from stdin;` up to `\.`. */
  takeCopyData(): string {
    this.position = this.#indexOf('\n') + 1
    const rest = this.#text.slice(this.position)
    const end = copyEnd.exec(rest)
    const data = rest.slice(0, end?.index ?? rest.length)
    this.position += end ? end.index + end[0].length : rest.length
    return data
  }

  #atStatementEnd(): boolean {
    return this.peek() === ';' && this.#bodyDepth === 0 && this.#parenthesisDepth <= 0
  }

  #step(): void {
    const at = this.peek()
    if (this.#skipComment()) return
    if (at === "'") this.#skipString(/e/i.test(this.#letterBefore()))
    else if (at === '"') this.#skipQuoted('"')
    else if (at === '$') this.#skipDollarQuote()
    else if (wordStart.test(at)) this.#takeWord()
    else if (/[0-9]/.test(at)) this.#takeWord()
    else {
      if (at === '(') this.#parenthesisDepth += 1
      if (at === ')') this.#parenthesisDepth -= 1
      this.position += 1
    }
  }

  #skipComment(): boolean {
    if (this.peek() === '-' && this.peek(1) === '-') {
      this.position = this.#indexOf('\n')
      return true
    }
    if (this.peek() !== '/' || this.peek(1) !== '*') return false
    let depth = 0
    do {
      if (this.peek() === '/' && this.peek(1) === '*') depth += 1
      else if (this.peek() === '*' && this.peek(1) === '/') depth -= 1
      else {
        this.position += 1
        continue
      }
      this.position += 2
    } while (depth > 0 && !this.atEnd)
    return true
  }

  // The `e` of e'…' is a word of its own, taken just before.
  #letterBefore(): string {
    const letter = this.#text[this.position - 1] ?? ''
    const before = this.#text[this.position - 2] ?? ''
    return /[A-Za-z0-9_$]/.test(before) ? '' : letter
  }

  #skipString(escapes: boolean): void {
    this.position += 1
    while (!this.atEnd) {
      const at = this.peek()
      if (escapes && at === '\\') this.position += 2
      else if (at === "'" && this.peek(1) === "'") this.position += 2
      else if (at === "'") {
        this.position += 1
        return
      } else this.position += 1
    }
  }

  #skipQuoted(quote: string): void {
    const end = this.#text.indexOf(quote, this.position + 1)
    this.position = end < 0 ? this.#text.length : end + 1
  }

  #skipDollarQuote(): void {
    dollarTag.lastIndex = this.position
    const tag = dollarTag.exec(this.#text)?.[0]
    if (tag === undefined) {
      this.position += 1
      return
    }
    const end = this.#text.indexOf(tag, this.position + tag.length)
    this.position = end < 0 ? this.#text.length : end + tag.length
  }

  // Only `create function|procedure … begin atomic` holds statements inside a statement; there, `case … end` nests too.
  #takeWord(): void {
    word.lastIndex = this.position
    const taken = word.exec(this.#text)?.[0] ?? ''
    this.position += Math.max(taken.length, 1)
    const lower = taken.toLowerCase()
    if (this.#words.length < 4) this.#words.push(lower)
    if (this.#words[0] !== 'create' || !this.#words.some((each) => each === 'function' || each === 'procedure')) return
    if (lower === 'begin' && /^\s+atomic\b/i.test(this.#text.slice(this.position, this.position + 200))) this.#bodyDepth += 1
    else if (this.#bodyDepth > 0 && lower === 'case') this.#bodyDepth += 1
    else if (this.#bodyDepth > 0 && lower === 'end') this.#bodyDepth -= 1
  }

  #takeUntil(end: number): string {
    const text = this.#text.slice(this.position, end)
    this.position = end
    return text
  }

  #indexOf(text: string): number {
    const found = this.#text.indexOf(text, this.position)
    return found < 0 ? this.#text.length : found
  }
}
