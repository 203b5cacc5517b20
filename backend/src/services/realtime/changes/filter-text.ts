import { inspect } from './elixir-terms.ts'

export type FilterOperator = 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte' | 'in' | 'like' | 'ilike' | 'is' | 'match' | 'imatch' | 'isdistinct'

const operators: ReadonlySet<string> = new Set<FilterOperator>([
  'eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'like', 'ilike', 'is', 'match', 'imatch', 'isdistinct',
])

export interface Filter {
  column: string
  operator: FilterOperator
  /** An array literal, `{a,b}`, for `in`. */
  value: string
  negate: boolean
}

/** A filter that cannot be read; the message is the hosted one. */
export class FilterUnreadable extends Error {}

// Commas part filters, unless they stand in quotes or parentheses.
function splitTopLevel(text: string): string[] {
  const segments: string[] = []
  let current = ''
  let depth = 0
  let quoted = false
  let previous = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string
    if (quoted && char === '\\') {
      current += char + (text[at + 1] ?? '')
      at += 1
      continue
    }
    if (char === '"' && (quoted || ['.', '(', ','].includes(previous))) quoted = !quoted
    else if (!quoted && char === '(') depth += 1
    else if (!quoted && char === ')') depth = Math.max(depth - 1, 0)
    else if (!quoted && char === ',' && depth === 0) {
      segments.push(current)
      current = ''
      previous = ''
      continue
    }
    current += char
    previous = char
  }
  return [...segments, current]
}

/** What stands in quotes, when the whole value does; `\` takes the next character as it is. */
function unquote(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/su.exec(value)
  return quoted ? (quoted[1] as string).replaceAll(/\\(.)/gsu, '$1') : value
}

function formatValue(operator: FilterOperator, value: string): string {
  if (operator !== 'in') return unquote(value)
  if (!/^\(.*\)$/su.test(value)) throw new FilterUnreadable('`in` filter value must be wrapped by parentheses')
  return `{${value.slice(1, -1)}}`
}

/** The first `times - 1` separators part; the rest stays whole. */
function splitOnce(text: string, separator: string): [string] | [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)]
}

function readSegment(segment: string): Filter {
  const trimmed = segment.trim()
  if (trimmed === '') throw new FilterUnreadable('filter must not contain empty segments (check for extra commas)')
  const [column, rest] = splitOnce(trimmed, '=')
  if (rest === undefined) throw new FilterUnreadable(inspect([column]))
  const negate = rest.startsWith('not.')
  const parts = splitOnce(negate ? rest.slice('not.'.length) : rest, '.')
  const [operator, value] = parts
  if (value === undefined || !operators.has(operator)) throw new FilterUnreadable(inspect(parts))
  return { column, operator: operator as FilterOperator, value: formatValue(operator as FilterOperator, value), negate }
}

/**
 * Reads `column=op.value,column=not.op.value`, all of which must hold; blank means no filter.
 *
 * @throws FilterUnreadable
 * @see supabase/realtime lib/extensions/postgres_cdc_rls/subscriptions.ex, `parse_filters`
 */
export function readFilters(text: string): Filter[] {
  const trimmed = text.trim()
  return trimmed === '' ? [] : splitTopLevel(trimmed).map(readSegment)
}
