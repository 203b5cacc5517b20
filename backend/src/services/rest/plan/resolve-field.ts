import type { Field, Filter, Logic, OrderTerm } from '#services/rest/request/query.ts'
import type { SchemaCache } from '#services/rest/schema-cache/schema-cache.ts'
import type { Column, QualifiedName, Table } from '#services/rest/schema-cache/table.ts'
import { columnNotFound } from '#services/rest/errors.ts'
import { plainField, type ResolvedField, type ResolvedLogic, type ResolvedOrder } from './read-plan.ts'

export const resolveColumn = (column: Column): ResolvedField => ({
  name: column.name, path: [], toJson: false, type: column.nominalType, ...(column.default === undefined ? {} : { default: column.default }),
})

function resolve(cache: SchemaCache, from: QualifiedName, { name, path }: Field): { field: ResolvedField; column: Column | undefined } {
  const column = cache.findTable(from)?.columns.get(name)
  const field = column ? resolveColumn(column) : plainField(name, path)
  // json columns take arrows as they are, so that an index on the expression is used.
  const isJson = field.type === 'json' || field.type === 'jsonb'
  return { field: { ...field, path, toJson: !isJson }, column }
}

function withTransform(cache: SchemaCache, field: ResolvedField, [source, target]: readonly [string, string]): ResolvedField {
  const transform = cache.findRepresentation(source, target)
  return transform === undefined ? field : { ...field, type: source, transform }
}

export const withOutputTransform = (cache: SchemaCache, field: ResolvedField): ResolvedField => withTransform(cache, field, [field.type, 'json'])

export const resolveOutput = (cache: SchemaCache, from: QualifiedName, field: Field): ResolvedField =>
  withOutputTransform(cache, resolve(cache, from, field).field)

function resolveFilterField(cache: SchemaCache, from: QualifiedName, { field, operation }: Filter): ResolvedField {
  const { field: found, column } = resolve(cache, from, field)
  // A computed column is taken as it is: what is not in the table is most often a tsvector made for searching.
  const searched =
    operation.kind === 'search' && column !== undefined && column.type !== 'tsvector'
      ? { ...found, search: operation.language === undefined ? {} : { language: operation.language } }
      : found
  return withTransform(cache, searched, ['text', searched.type])
}

export function resolveLogic(cache: SchemaCache, from: QualifiedName, logic: Logic): ResolvedLogic {
  if (logic.kind === 'group') return { ...logic, members: logic.members.map((member) => resolveLogic(cache, from, member)) }
  return resolveFilter(cache, from, logic.filter)
}

export const resolveFilter = (cache: SchemaCache, from: QualifiedName, filter: Filter): ResolvedLogic => ({
  kind: 'filter', field: resolveFilterField(cache, from, filter), negated: filter.negated, operation: filter.operation,
})

export function resolveOrder(cache: SchemaCache, from: QualifiedName, { field, ...term }: OrderTerm): ResolvedOrder {
  return { ...term, field: term.relation === undefined ? resolve(cache, from, field).field : plainField(field.name, field.path) }
}

/** A column that a body gives values for. @throws PGRST204 (400) */
export function resolveWritten(cache: SchemaCache, table: Table, name: string): ResolvedField {
  const column = table.columns.get(name)
  if (!column) throw columnNotFound(table.name, name)
  const field = resolveColumn(column)
  return withTransform(cache, field, ['json', field.type])
}
