import { empty, identifier, join, sql, trusted, type Sql } from '#database/sql.ts'
import { aliasOf, type ResolvedField, type ResolvedOrder, type SelectField, type SpreadField } from '#services/rest/plan/read-plan.ts'
import type { AggregateFunction, JsonStep } from '#services/rest/request/query.ts'
import type { QualifiedName } from '#services/rest/schema-cache/table.ts'

/** Columns as SQL: in select lists, filters and orders. */

export const nameSql = ({ schema, name }: QualifiedName): Sql => (schema === '' ? identifier(name) : identifier(schema, name))

export const columnSql = (relation: QualifiedName, column: string): Sql =>
  column === '*' ? sql`${nameSql(relation)}.*` : sql`${nameSql(relation)}.${identifier(column)}`

const stepSql = ({ asText, key, index }: JsonStep): Sql => {
  const arrow = trusted(asText ? '->>' : '->')
  return index === undefined ? sql`${arrow}${key ?? ''}` : sql`${arrow}${index}::int`
}

const bareField = (relation: QualifiedName, field: ResolvedField): Sql => {
  if (field.wholeRow) return identifier(relation.name)
  const column = columnSql(relation, field.name)
  if (field.path.length === 0) return column
  return sql`${field.toJson ? sql`to_jsonb(${column})` : column}${join(field.path.map(stepSql), '')}`
}

/** A field where it is compared or ordered by. */
export function fieldSql(relation: QualifiedName, field: ResolvedField): Sql {
  const bare = bareField(relation, field)
  if (!field.search) return bare
  return field.search.language === undefined ? sql`to_tsvector(${bare})` : sql`to_tsvector(${field.search.language}, ${bare})`
}

/** Calls a transformation. Its name is SQL from the catalog. */
export const transformSql = (transform: string | undefined, value: Sql): Sql => (transform === undefined ? value : sql`${trusted(transform)}(${value})`)

// What Postgres' grammar reads as a type, `character varying` included, must not be quoted; nothing else is let through bare.
const bareType = /^[A-Za-z_][A-Za-z0-9_]*( [A-Za-z_][A-Za-z0-9_]*)*$/

const typeSql = (name: string): Sql => (bareType.test(name) ? trusted(name) : identifier(name))

const castSql = (value: Sql, type: string | undefined): Sql => (type === undefined ? value : sql`cast(${value} as ${typeSql(type)})`)

const aggregateSql = (value: Sql, aggregate: AggregateFunction | undefined, type: string | undefined): Sql =>
  aggregate === undefined ? value : castSql(sql`${trusted(aggregate)}(${value})`, type)

const asSql = (value: Sql, alias: string | undefined): Sql => (alias === undefined ? value : sql`${value} as ${identifier(alias)}`)

export function selectSql(relation: QualifiedName, { field, cast, aggregate, aggregateCast, alias }: SelectField): Sql {
  const value = castSql(transformSql(field.transform, fieldSql(relation, field)), cast)
  return asSql(aggregateSql(value, aggregate, aggregateCast), alias)
}

export const spreadSql = (aggregateAlias: string, { name, aggregate, aggregateCast, alias }: SpreadField): Sql =>
  asSql(aggregateSql(columnSql(aliasOf(aggregateAlias), name), aggregate, aggregateCast), alias)

const directions = { asc: ' asc', desc: ' desc' } as const
const nullOrders = { nullsfirst: ' nulls first', nullslast: ' nulls last' } as const

function termSql(relation: QualifiedName, { field, relation: embed, direction, nulls }: ResolvedOrder): Sql {
  const value = fieldSql(embed === undefined ? relation : aliasOf(embed), field)
  return sql`${value}${direction ? trusted(directions[direction]) : empty}${nulls ? trusted(nullOrders[nulls]) : empty}`
}

export const orderSql = (relation: QualifiedName, terms: readonly ResolvedOrder[]): Sql =>
  terms.length === 0 ? empty : sql` order by ${join(terms.map((term) => termSql(relation, term)))}`
