/** A check expression as Postgres prints it, read as far as forms can use it. Casts are dropped. */
export type Expression =
  | { is: 'all' | 'any'; parts: Expression[] }
  | { is: 'not'; part: Expression }
  | { is: 'compare'; operator: string; left: Expression; right: Expression }
  /** `left operator any (array)`. */
  | { is: 'member'; operator: string; left: Expression; items: Expression[] }
  | { is: 'null-test'; of: Expression; negated: boolean }
  | { is: 'call'; name: string; args: Expression[] }
  | { is: 'column'; name: string }
  | { is: 'literal'; value: string }
  | { is: 'list'; items: Expression[] }

type Token = { kind: 'word' | 'name' | 'text' | 'number' | 'sign'; value: string }

const tokenPattern =
  /\s+|(?<text>E?'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*")|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<sign>::|<>|<=|>=|!~~\*|!~~|~~\*|~~|!~\*|!~|~\*|[~=<>(),[\].-])/uy

/** Reads the expression, or gives undefined when it says more than a form understands (arithmetic, `case`, sub-queries). */
export function parseCheck(source: string): Expression | undefined {
  const tokens = tokenize(source)
  if (!tokens) return undefined
  try {
    const reader = new Reader(tokens)
    const expression = reader.either()
    return reader.isDone() ? expression : undefined
  } catch (cause) {
    if (cause instanceof NotUnderstood) return undefined
    throw cause
  }
}

function tokenize(source: string): Token[] | undefined {
  const tokens: Token[] = []
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < source.length) {
    const groups = tokenPattern.exec(source)?.groups
    if (!groups) return undefined
    const [kind, value] = Object.entries(groups).find(([, text]) => text !== undefined) ?? []
    if (value !== undefined) tokens.push({ kind: kind as Token['kind'], value })
  }
  return tokens
}

class NotUnderstood extends Error {}

const comparisons = new Set(['=', '<>', '<', '<=', '>', '>=', '~', '~*', '!~', '!~*', '~~', '~~*', '!~~', '!~~*'])

// Recursive descent over the few forms pg_get_expr prints; every method consumes what it reads.
class Reader {
  private at = 0
  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  isDone(): boolean {
    return this.at >= this.tokens.length
  }

  either(): Expression {
    return this.series('OR', 'any', () => this.both())
  }

  private both(): Expression {
    return this.series('AND', 'all', () => this.negation())
  }

  private series(word: string, is: 'all' | 'any', next: () => Expression): Expression {
    const parts = [next()]
    while (this.takeWord(word)) parts.push(next())
    const [only] = parts
    return parts.length === 1 && only ? only : { is, parts }
  }

  private negation(): Expression {
    return this.takeWord('NOT') ? { is: 'not', part: this.negation() } : this.comparison()
  }

  private comparison(): Expression {
    const left = this.value()
    if (this.takeWord('IS')) {
      const negated = this.takeWord('NOT')
      if (!this.takeWord('NULL')) throw new NotUnderstood()
      return { is: 'null-test', of: left, negated }
    }
    const operator = this.peek()
    if (operator?.kind !== 'sign' || !comparisons.has(operator.value)) return left
    this.at += 1
    if (!this.takeWord('ANY')) return { is: 'compare', operator: operator.value, left, right: this.value() }
    const list = this.inBrackets(() => this.value())
    if (list.is !== 'list') throw new NotUnderstood()
    return { is: 'member', operator: operator.value, left, items: list.items }
  }

  private value(): Expression {
    const value = this.bare()
    while (this.takeSign('::')) this.typeName()
    return value
  }

  private bare(): Expression {
    if (this.peek()?.value === '(') return this.inBrackets(() => this.either())
    if (this.takeSign('-')) return this.negative()
    const token = this.take()
    switch (token.kind) {
      case 'text':
        return { is: 'literal', value: unquote(token.value) }
      case 'number':
        return { is: 'literal', value: token.value }
      case 'name':
        return { is: 'column', name: token.value.slice(1, -1).replaceAll('""', '"') }
      case 'word':
        return this.named(token.value)
      case 'sign':
        throw new NotUnderstood()
    }
  }

  private negative(): Expression {
    const value = this.take()
    if (value.kind !== 'number') throw new NotUnderstood()
    return { is: 'literal', value: `-${value.value}` }
  }

  private named(word: string): Expression {
    if (word === 'ARRAY' && this.takeSign('[')) return { is: 'list', items: this.separated(']', () => this.value()) }
    if (word === 'true' || word === 'false') return { is: 'literal', value: word }
    if (/^(CASE|EXTRACT|POSITION|SUBSTRING|OVERLAY|ROW|NULL|CURRENT_\w+|LOCALTIME\w*)$/.test(word)) throw new NotUnderstood()
    let name = word
    while (this.takeSign('.')) name = this.take().value
    if (!this.takeSign('(')) return { is: 'column', name }
    if (name === 'TRIM' && this.takeWord('BOTH')) this.takeWord('FROM')
    return { is: 'call', name: name.toLowerCase(), args: this.separated(')', () => this.either()) }
  }

  private separated(end: string, next: () => Expression): Expression[] {
    const items: Expression[] = []
    while (!this.takeSign(end)) {
      items.push(next())
      if (this.peek()?.value !== end && !this.takeSign(',')) throw new NotUnderstood()
    }
    return items
  }

  private inBrackets(next: () => Expression): Expression {
    if (!this.takeSign('(')) throw new NotUnderstood()
    const inner = next()
    if (!this.takeSign(')')) throw new NotUnderstood()
    return inner
  }

  // `character varying(20)[]`, `public.email`, `timestamp with time zone`
  private typeName(): void {
    while (this.peek()?.kind === 'word' && !/^(AND|OR|IS)$/.test(this.peek()?.value ?? '')) {
      this.at += 1
      this.takeSign('.')
    }
    if (this.peek()?.kind === 'name') this.at += 1
    if (this.takeSign('(')) this.separated(')', () => this.value())
    while (this.takeSign('[')) if (!this.takeSign(']')) throw new NotUnderstood()
  }

  private peek(): Token | undefined {
    return this.tokens[this.at]
  }

  private take(): Token {
    const token = this.peek()
    if (!token) throw new NotUnderstood()
    this.at += 1
    return token
  }

  private takeSign(sign: string): boolean {
    return this.takeIf((token) => token.kind === 'sign' && token.value === sign)
  }

  private takeWord(word: string): boolean {
    return this.takeIf((token) => token.kind === 'word' && token.value === word)
  }

  private takeIf(fits: (token: Token) => boolean): boolean {
    const token = this.peek()
    if (!token || !fits(token)) return false
    this.at += 1
    return true
  }
}

function unquote(text: string): string {
  const plain = text.replace(/^E/, '').slice(1, -1).replaceAll("''", "'")
  return text.startsWith('E') ? plain.replaceAll('\\\\', '\\') : plain
}
