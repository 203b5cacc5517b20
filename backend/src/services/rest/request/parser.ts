/**
 * Small parser combinators that report failures in Parsec's words, because the data API sends those words to clients.
 * A parser that fails after consuming input stops an alternation; `attempt` makes it back off.
 */

const unexpectedToken = 0
const unexpectedThing = 1
const expected = 2

interface Message {
  kind: 0 | 1 | 2
  text: string
}

interface Failure {
  at: number
  messages: readonly Message[]
}

interface Outcome<T> {
  ok: boolean
  consumed: boolean
  /** Where the next parser goes on. */
  at: number
  value: T
  /** What else would have been accepted here; kept on success too, for the message of a later failure. */
  failure: Failure
}

export type Parser<T> = (text: string, at: number) => Outcome<T>

export class ParseFailure extends Error {
  readonly position: string
  readonly expectation: string

  constructor(position: string, expectation: string) {
    super(position)
    this.position = position
    this.expectation = expectation
  }
}

const nothingKnown = (at: number): Failure => ({ at, messages: [] })

function merge(first: Failure, second: Failure): Failure {
  if (second.messages.length === 0 && first.messages.length > 0) return first
  if (first.messages.length === 0 && second.messages.length > 0) return second
  if (first.at !== second.at) return first.at > second.at ? first : second
  return { at: first.at, messages: [...first.messages, ...second.messages] }
}

// A failed outcome carries no value; nobody reads it.
const failed = <T>(consumed: boolean, failure: Failure): Outcome<T> => ({ ok: false, consumed, at: failure.at, value: undefined as T, failure })

const refused = <T>(at: number, ...messages: Message[]): Outcome<T> => failed(false, { at, messages })

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\', '"': '\\"' }

const showText = (text: string): string =>
  `"${[...text].map((character) => escapes[character] ?? (character < ' ' || character > '~' ? `\\${character.codePointAt(0)}` : character)).join('')}"`

const showCharacter = (character: string): string =>
  character === "'" ? "'\\''" : character === '"' ? `'"'` : `'${showText(character).slice(1, -1)}'`

export const satisfy = (accepts: (character: string) => boolean): Parser<string> => (text, at) => {
  if (at >= text.length) return refused(at, { kind: unexpectedToken, text: '' })
  const character = String.fromCodePoint(text.codePointAt(at)!)
  if (!accepts(character)) return refused(at, { kind: unexpectedToken, text: showText(character) })
  const next = at + character.length
  return { ok: true, consumed: true, at: next, value: character, failure: nothingKnown(next) }
}

export const labelled = <T>(parser: Parser<T>, label: string): Parser<T> => (text, at) => {
  const outcome = parser(text, at)
  if (outcome.consumed || (outcome.ok && outcome.failure.messages.length === 0)) return outcome
  const messages = outcome.failure.messages.filter((message) => message.kind !== expected)
  return { ...outcome, failure: { at: outcome.failure.at, messages: [...messages, { kind: expected, text: label }] } }
}

export const character = (wanted: string): Parser<string> => labelled(satisfy((found) => found === wanted), showText(wanted))

export const oneOf = (wanted: string): Parser<string> => satisfy((found) => wanted.includes(found))

export const noneOf = (unwanted: string): Parser<string> => satisfy((found) => !unwanted.includes(found))

export const anyCharacter: Parser<string> = satisfy(() => true)

export const letter: Parser<string> = labelled(satisfy((found) => /\p{L}/u.test(found)), 'letter')

export const digit: Parser<string> = labelled(satisfy((found) => found >= '0' && found <= '9'), 'digit')

/** A whole word. Failing inside the word counts as having consumed input, reported at the word's start. */
export const word = (wanted: string): Parser<string> => (text, at) => {
  if (text.startsWith(wanted, at)) {
    const next = at + wanted.length
    return { ok: true, consumed: wanted !== '', at: next, value: wanted, failure: nothingKnown(next) }
  }
  let matched = 0
  while (matched < wanted.length && text[at + matched] === wanted[matched]) matched += 1
  const found = at + matched >= text.length ? '' : showText(String.fromCodePoint(text.codePointAt(at + matched)!))
  return failed(matched > 0, { at, messages: [{ kind: unexpectedToken, text: found }, { kind: expected, text: showText(wanted) }] })
}

export const succeed = <T>(value: T): Parser<T> => (_text, at) => ({ ok: true, consumed: false, at, value, failure: nothingKnown(at) })

export const refuse: Parser<never> = (_text, at) => failed(false, nothingKnown(at))

export const map = <A, B>(parser: Parser<A>, change: (value: A) => B): Parser<B> => (text, at) => {
  const outcome = parser(text, at)
  return outcome.ok ? { ...outcome, value: change(outcome.value) } : (outcome as Outcome<never>)
}

type Values<P extends readonly Parser<unknown>[]> = { [I in keyof P]: P[I] extends Parser<infer T> ? T : never }

/** Runs the parsers one after another; gives all their values. */
export const sequence = <const P extends readonly Parser<unknown>[]>(...parsers: P): Parser<Values<P>> => (text, start) => {
  const values: unknown[] = []
  let at = start
  let consumed = false
  let failure = nothingKnown(start)
  for (const parser of parsers) {
    const outcome = parser(text, at)
    failure = outcome.consumed ? outcome.failure : merge(failure, outcome.failure)
    consumed ||= outcome.consumed
    if (!outcome.ok) return failed(consumed, failure)
    values.push(outcome.value)
    at = outcome.at
  }
  return { ok: true, consumed, at, value: values as Values<P>, failure }
}

export const followedBy = <A, B>(parser: Parser<A>, next: (value: A) => Parser<B>): Parser<B> => (text, start) => {
  const first = parser(text, start)
  if (!first.ok) return first as Outcome<never>
  const second = next(first.value)(text, first.at)
  return {
    ...second,
    consumed: first.consumed || second.consumed,
    failure: second.consumed ? second.failure : merge(first.failure, second.failure),
  }
}

export const skipThen = <T>(skipped: Parser<unknown>, parser: Parser<T>): Parser<T> => map(sequence(skipped, parser), ([, value]) => value)

export const thenSkip = <T>(parser: Parser<T>, skipped: Parser<unknown>): Parser<T> => map(sequence(parser, skipped), ([value]) => value)

export const between = <T>(open: Parser<unknown>, close: Parser<unknown>, parser: Parser<T>): Parser<T> =>
  map(sequence(open, parser, close), ([, value]) => value)

export const either = <T>(...parsers: readonly Parser<T>[]): Parser<T> => (text, at) => {
  let failure = nothingKnown(at)
  for (const parser of parsers) {
    const outcome = parser(text, at)
    if (outcome.consumed) return outcome
    failure = merge(failure, outcome.failure)
    if (outcome.ok) return { ...outcome, failure }
  }
  return failed(false, failure)
}

export const attempt = <T>(parser: Parser<T>): Parser<T> => (text, at) => {
  const outcome = parser(text, at)
  return outcome.ok ? outcome : failed(false, outcome.failure)
}

export const lookAhead = <T>(parser: Parser<T>): Parser<T> => (text, at) => {
  const outcome = parser(text, at)
  return outcome.ok ? { ...outcome, consumed: false, at, failure: nothingKnown(at) } : outcome
}

export const notFollowedBy = (parser: Parser<string>): Parser<undefined> => (text, at) => {
  const outcome = parser(text, at)
  if (!outcome.ok) return { ok: true, consumed: false, at, value: undefined, failure: nothingKnown(at) }
  return refused(outcome.at, { kind: unexpectedThing, text: showCharacter(outcome.value) })
}

export const endOfInput: Parser<undefined> = labelled((text, at) => {
  if (at >= text.length) return { ok: true, consumed: false, at, value: undefined, failure: nothingKnown(at) }
  return refused(at, { kind: unexpectedThing, text: showCharacter(String.fromCodePoint(text.codePointAt(at)!)) })
}, 'end of input')

export const option = <T, D>(parser: Parser<T>, fallback: D): Parser<T | D> => either<T | D>(parser, succeed(fallback))

export const many = <T>(parser: Parser<T>): Parser<T[]> => (text, start) => {
  const values: T[] = []
  let at = start
  for (;;) {
    const outcome = parser(text, at)
    if (!outcome.ok) {
      if (outcome.consumed) return failed(true, outcome.failure)
      return { ok: true, consumed: values.length > 0, at, value: values, failure: outcome.failure }
    }
    values.push(outcome.value)
    at = outcome.at
  }
}

export const many1 = <T>(parser: Parser<T>): Parser<T[]> => map(sequence(parser, many(parser)), ([first, rest]) => [first, ...rest])

export const separated1 = <T>(parser: Parser<T>, separator: Parser<unknown>): Parser<T[]> =>
  map(sequence(parser, many(skipThen(separator, parser))), ([first, rest]) => [first, ...rest])

export const separated = <T>(parser: Parser<T>, separator: Parser<unknown>): Parser<T[]> =>
  either<T[]>(separated1(parser, separator), succeed([]))

/** A parser that refers to one defined later in the file. */
export const lazily = <T>(make: () => Parser<T>): Parser<T> => (text, at) => make()(text, at)

function describePosition(text: string, at: number): string {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length + 1
  return `(line ${line}, column ${column})`
}

function alternatives(messages: readonly string[]): string {
  const told = [...new Set(messages)].filter((text) => text !== '')
  return told.length < 2 ? told.join('') : `${told.slice(0, -1).join(', ')} or ${told.at(-1)}`
}

function describeExpectation(messages: readonly Message[]): string {
  if (messages.length === 0) return 'unknown parse error'
  const texts = (kind: Message['kind']): string[] => messages.filter((message) => message.kind === kind).map((message) => message.text)
  const tokens = texts(unexpectedToken)
  const things = alternatives(texts(unexpectedThing))
  const wanted = alternatives(texts(expected))
  const parts = [
    things === '' && tokens.length > 0 ? `unexpected ${tokens[0] || 'end of input'}` : '',
    things === '' ? '' : `unexpected ${things}`,
    wanted === '' ? '' : `expecting ${wanted}`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

/**
 * Parses as much of the text as the parser takes.
 *
 * @throws ParseFailure naming `title` and the position.
 */
export function parse<T>(parser: Parser<T>, title: string, text: string): T {
  const outcome = parser(text, 0)
  if (outcome.ok) return outcome.value
  throw new ParseFailure(`"${title}" ${describePosition(text, outcome.failure.at)}`, describeExpectation(outcome.failure.messages))
}
