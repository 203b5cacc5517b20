/** Some of Elixir's terms, as far as the hosted server shows them in its messages. */
export type Term = string | number | boolean | null | undefined | readonly Term[] | { tuple: readonly Term[] } | { readonly [name: string]: unknown }

const isTuple = (term: object): term is { tuple: readonly Term[] } => 'tuple' in term && Array.isArray(term.tuple)

/** Writes a term as the hosted server's `inspect` does: `%{"event" => "*"}`, `[{"id", "eq", "1", false}]`, `nil`. */
export function inspect(term: unknown): string {
  if (term === null || term === undefined) return 'nil'
  if (typeof term !== 'object') return typeof term === 'string' ? JSON.stringify(term) : String(term)
  if (Array.isArray(term)) return `[${term.map(inspect).join(', ')}]`
  if (isTuple(term)) return `{${term.tuple.map(inspect).join(', ')}}`
  return `%{${Object.entries(term).map(([name, value]) => `${inspect(name)} => ${inspect(value)}`).join(', ')}}`
}
