import type { ColumnDescription } from '#features/data/description/description.ts'
import { kindOf } from '#features/data/description/field-kind.ts'
import type { Relation } from '#features/data/description/relations.ts'
import { findColumn, keyColumns, readableColumns } from '#features/data/description/relations.ts'
import { dayRange, isoDay, type Calendar } from './day-range.ts'
import { isComplete, type Condition, type FilterPart } from './filter.ts'
import { arrayLiteral, columnPath, likePattern, regexPattern } from './wire-text.ts'

/** One comparison as the data API spells it, or several joined. */
export type Clause =
  | { column: string; operator: string; value: string; negated?: true }
  /** `in`: each item is quoted by itself. */
  | { column: string; operator: 'in'; items: string[]; negated?: true }
  | { all: Clause[] }
  | { any: Clause[] }

/** Translates the filter; conditions on columns that are gone or half-written are left out. */
export function clausesOf(relation: Relation, filter: readonly FilterPart[], calendar: Calendar): Clause[] {
  return filter.flatMap(({ any }) => {
    const clauses = any.filter(isComplete).flatMap((condition) => {
      const column = findColumn(relation, condition.column)
      const clause = column && clauseOf(column, condition, calendar)
      return clause ? [clause] : []
    })
    const [only] = clauses
    if (clauses.length === 1 && only) return [only]
    return clauses.length > 0 ? [{ any: clauses }] : []
  })
}

/** Looks for the words in every text column, and in the key when they could be one. */
export function searchClause(relation: Relation, search: string): Clause | undefined {
  const words = search.trim()
  if (words === '') return undefined
  const keys = new Set(keyColumns(relation) ?? [])
  const any = readableColumns(relation).flatMap((column): Clause[] => {
    if (column.array === true) return []
    const kind = kindOf(column)
    if (kind === 'text') return [containing(columnPath(column.name), words)]
    if (kind === 'integer' && /^-?\d{1,9}$/.test(words) && keys.has(column.name)) return [equal(columnPath(column.name), words)]
    if (kind === 'uuid' && isUuid(words)) return [equal(columnPath(column.name), words)]
    return []
  })
  return any.length > 0 ? { any } : undefined
}

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** Whether a search has anything to look through. */
export const isSearchable = (relation: Relation): boolean =>
  readableColumns(relation).some((column) => column.array !== true && kindOf(column) === 'text')

const compare: Partial<Record<Condition['operator'], string>> = { equal: 'eq', is: 'eq', more: 'gt', 'at-least': 'gte', less: 'lt', 'at-most': 'lte' }

// oxlint-disable-next-line max-lines-per-function -- one case an operator
function clauseOf(column: ColumnDescription, condition: Condition, calendar: Calendar): Clause | undefined {
  const { operator, values } = condition
  const name = columnPath(column.name)
  const [first = '', second = ''] = values
  const given = values.filter((value) => value !== '')
  switch (operator) {
    case 'contains': return containing(name, first)
    case 'not-contains': return orNull(column, { ...containing(name, first), negated: true })
    case 'starts': return matching(name, { text: first, before: '', after: '%' })
    case 'ends': return matching(name, { text: first, before: '%', after: '' })
    case 'is': case 'equal': case 'more': case 'at-least': case 'less': case 'at-most':
      return { column: name, operator: compare[operator] ?? 'eq', value: first }
    case 'is-not': case 'not-equal': return orNull(column, { column: name, operator: 'neq', value: first })
    case 'in': return { column: name, operator: 'in', items: given }
    case 'not-in': return orNull(column, { column: name, operator: 'in', items: given, negated: true })
    case 'empty': return equal(name, column.array === true ? '{}' : '')
    case 'not-empty': return { column: name, operator: 'neq', value: column.array === true ? '{}' : '' }
    case 'between': return between(name, first, second)
    case 'true': return { column: name, operator: 'is', value: 'true' }
    case 'not-true': return orNull(column, { column: name, operator: 'is', value: 'false' })
    case 'has-all': return { column: name, operator: 'cs', value: arrayLiteral(given) }
    case 'has-any': return { column: name, operator: 'ov', value: arrayLiteral(given) }
    case 'has-none': return orNull(column, { column: name, operator: 'ov', value: arrayLiteral(given), negated: true })
    case 'path-is': return equal(columnPath(column.name, first), second)
    case 'path-contains': return containing(columnPath(column.name, first), second)
    case 'path-exists': return { column: columnPath(column.name, first), operator: 'is', value: 'null', negated: true }
    case 'json-contains': return { column: name, operator: 'cs', value: first }
    case 'holds': return { column: name, operator: 'cs', value: `[${first},${first}]` }
    case 'overlaps': return { column: name, operator: 'ov', value: first }
    case 'words': return { column: name, operator: 'wfts', value: first }
    case 'null': return { column: name, operator: 'is', value: 'null' }
    case 'not-null': return { column: name, operator: 'is', value: 'null', negated: true }
    default: return momentClause(column, condition, calendar)
  }
}

function momentClause(column: ColumnDescription, { operator, values }: Condition, calendar: Calendar): Clause | undefined {
  const name = columnPath(column.name)
  if (kindOf(column) === 'time') return { column: name, operator: operator === 'before' ? 'lt' : 'gt', value: values[0] ?? '' }
  if (operator === 'past') return { column: name, operator: 'lt', value: moment(column, calendar.now) }
  if (operator === 'future') return { column: name, operator: 'gt', value: moment(column, calendar.now) }
  const range = dayRange(operator, values, calendar)
  if (!range) return undefined
  const all: Clause[] = []
  if (range.from) all.push({ column: name, operator: 'gte', value: moment(column, range.from) })
  if (range.until) all.push({ column: name, operator: 'lt', value: moment(column, range.until) })
  const [only] = all
  return all.length === 1 ? only : { all }
}

/** The moment as the column's type compares it: an instant, the reader's wall clock, or the day. */
function moment(column: ColumnDescription, date: Date): string {
  switch (kindOf(column)) {
    case 'date': return isoDay(date)
    case 'timestamp': return `${isoDay(date)}T${date.toTimeString().slice(0, 8)}`
    default: return date.toISOString()
  }
}

function between(column: string, from: string, to: string): Clause {
  const all: Clause[] = []
  if (from !== '') all.push({ column, operator: 'gte', value: from })
  if (to !== '') all.push({ column, operator: 'lte', value: to })
  const [only] = all
  return all.length === 1 && only ? only : { all }
}

const equal = (column: string, value: string): Clause => ({ column, operator: 'eq', value })

type Plain = { column: string; operator: string; value: string }

const containing = (column: string, text: string): Plain => matching(column, { text, before: '%', after: '%' })

// In a `like` value the API reads every `*` as `%`, without an escape; a pattern match takes its place then.
function matching(column: string, { text, before, after }: { text: string; before: string; after: string }): Plain {
  if (!text.includes('*')) return { column, operator: 'ilike', value: `${before}${likePattern(text)}${after}` }
  return { column, operator: 'imatch', value: `${before === '' ? '^' : ''}${regexPattern(text)}${after === '' ? '$' : ''}` }
}

// "Is not open" is also true of a row that has no status.
const orNull = (column: ColumnDescription, clause: Clause): Clause =>
  column.not_null === true ? clause : { any: [clause, { column: columnPath(column.name), operator: 'is', value: 'null' }] }
