/** What a `${…}` of a `sql` template may hold. Objects travel as JSON, arrays as Postgres arrays, dates as ISO text. */
export type SqlValue = string | number | bigint | boolean | null | Date | Uint8Array | SqlJson | readonly SqlValue[]

/** A JSON parameter, told apart from an array parameter by `json(…)`. */
export interface SqlJson {
  readonly json: unknown
}

/** One statement: text with `$1…` and the values beside it. Made by `sql`, by nothing else. */
export interface Sql {
  readonly text: string
  readonly values: readonly SqlValue[]
}

const fragments = new WeakSet<object>()

function fragment(text: string, values: readonly SqlValue[]): Sql {
  const made = Object.freeze({ text, values })
  fragments.add(made)
  return made
}

const isFragment = (value: unknown): value is Sql => typeof value === 'object' && value !== null && fragments.has(value)

// Quoted names and literals are matched whole, so that a column named `price$1` stays what it is.
const placeholder = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(\d+)/g

// Fragments may sit inside fragments, so every placeholder is renumbered on the way in.
function append(into: { text: string; values: SqlValue[] }, part: Sql): void {
  const offset = into.values.length
  into.text +=
    offset === 0 || part.values.length === 0
      ? part.text
      : part.text.replace(placeholder, (found, digits: string | undefined) => (digits === undefined ? found : `$${Number(digits) + offset}`))
  into.values.push(...part.values)
}

/**
 * Makes a statement. A value becomes a parameter; a fragment made by `sql`, `identifier`, `join` or `trusted` is spliced in.
 * Text outside `${…}` must not contain a literal `$` followed by a digit.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly (SqlValue | Sql)[]): Sql {
  const made = { text: strings[0] ?? '', values: [] as SqlValue[] }
  parts.forEach((part, index) => {
    if (isFragment(part)) append(made, part)
    else {
      made.values.push(part as SqlValue)
      made.text += `$${made.values.length}`
    }
    made.text += strings[index + 1] ?? ''
  })
  return fragment(made.text, made.values)
}

/** A JSON or JSONB parameter. */
export const json = (value: unknown): SqlJson => ({ json: value })

/** A quoted name, dotted when several are given: `identifier('public', 'tickets')` is `"public"."tickets"`. */
export const identifier = (...names: readonly string[]): Sql =>
  fragment(names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.'), [])

/** A quoted literal, for the few places where Postgres takes no parameter (utility statements, JSON paths in an index). */
export const literal = (text: string): Sql => {
  const escaped = text.replaceAll("'", "''")
  return fragment(text.includes('\\') ? ` E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`, [])
}

/** Joins fragments: `join(columns, ', ')`. The separator is the programmer's, never a caller's. */
export function join(parts: readonly Sql[], separator = ', '): Sql {
  const made = { text: '', values: [] as SqlValue[] }
  parts.forEach((part, index) => {
    if (index > 0) made.text += separator
    append(made, part)
  })
  return fragment(made.text, made.values)
}

/** SQL text from our own source or from the database's catalog. Never call it with anything a request carried. */
export const trusted = (text: string): Sql => fragment(text, [])

export const empty: Sql = fragment('', [])
