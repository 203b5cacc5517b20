import type { RelationDescription } from '#features/data/description/description.ts'
import { findColumn, keyColumns } from '#features/data/description/relations.ts'
import type { Clause } from './clause.ts'
import { columnName, quoted } from './wire-text.ts'
import { effectiveSort } from './newest-first.ts'
import type { Sort } from './view-state.ts'

/** The few calls of the official client's builder that a filter needs. */
export interface Filterable {
  filter: (column: string, operator: string, value: string) => this
  or: (filters: string) => this
}

export interface Orderable {
  order: (column: string, options: { ascending: boolean; nullsFirst?: boolean }) => this
}

/** Adds the clauses to a request; all of them must hold. */
export function applyClauses<Request extends Filterable>(request: Request, clauses: readonly Clause[]): Request {
  return clauses.reduce((sofar, clause) => applyClause(sofar, clause), request)
}

function applyClause<Request extends Filterable>(request: Request, clause: Clause): Request {
  if ('all' in clause) return applyClauses(request, clause.all)
  if ('any' in clause) return request.or(clause.any.map(written).join(','))
  return request.filter(clause.column, `${clause.negated === true ? 'not.' : ''}${clause.operator}`, valueOf(clause))
}

const valueOf = (clause: Exclude<Clause, { all: unknown } | { any: unknown }>): string =>
  'items' in clause ? `(${clause.items.map(quoted).join(',')})` : clause.value

// Inside a logical expression commas and brackets have a meaning, so every value is quoted.
function written(clause: Clause): string {
  if ('all' in clause) return `and(${clause.all.map(written).join(',')})`
  if ('any' in clause) return `or(${clause.any.map(written).join(',')})`
  const value = 'items' in clause || clause.operator === 'is' ? valueOf(clause) : quoted(valueOf(clause))
  return `${clause.column}.${clause.negated === true ? 'not.' : ''}${clause.operator}.${value}`
}

/** Orders by the view's columns, newest first when it names none, and then by the key, so that equal rows keep their places from page to page. */
export function applySort<Request extends Orderable>(request: Request, relation: RelationDescription, sort: readonly Sort[]): Request {
  const readable = effectiveSort(relation, sort).filter(({ column }) => findColumn(relation, column)?.can.includes('s') === true)
  const key = (keyColumns(relation) ?? []).filter((column) => !readable.some((part) => part.column === column))
  const rest = key.map((column) => ({ column, descending: readable.at(-1)?.descending ?? false }))
  return [...readable, ...rest].reduce((sofar, { column, descending }) => {
    // Empty values stand last in either direction. Said only where there can be some: an index serves the plain order.
    const nulls = findColumn(relation, column)?.not_null === true ? {} : { nullsFirst: false }
    return sofar.order(columnName(column), { ascending: !descending, ...nulls })
  }, request)
}
