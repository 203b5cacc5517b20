import type { Transaction } from '#database/database.ts'
import { identifier, join, sql, trusted, type Sql } from '#database/sql.ts'
import type { Filter } from './filter-text.ts'

/** Filters that differ in their values alone. */
export interface FilterShape {
  filters: readonly Filter[]
  /** By filter, as SQL spells it; from the catalog. */
  sqlTypes: readonly string[]
  /** One list of values a filter, as long as there are subscriptions of this shape. */
  values: readonly (readonly string[])[]
}

const infix: Readonly<Record<Exclude<Filter['operator'], 'in' | 'is' | 'isdistinct'>, string>> = {
  eq: '=', neq: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=', like: 'like', ilike: 'ilike', match: '~', imatch: '~*',
}
const keywords: Readonly<Record<string, string>> = { null: 'null', true: 'true', false: 'false', unknown: 'unknown' }

const valueName = (at: number): Sql => identifier(`v${at}`)

function valueOf(filter: Filter, at: number, sqlType: string): Sql {
  const text = sql`u.${valueName(at)}`
  if (filter.operator === 'is') return sql`${text} as ${valueName(at)}`
  return sql`${text}::${trusted(filter.operator === 'in' ? `${sqlType}[]` : sqlType)} as ${valueName(at)}`
}

function conditionOf(filter: Filter, at: number): Sql {
  const column = sql`x.${identifier(filter.column)}`
  const value = sql`f.${valueName(at)}`
  switch (filter.operator) {
    case 'in': return negated(filter, sql`${column} = any (${value})`)
    case 'is': return sql`${column} is ${trusted(filter.negate ? 'not ' : '')}${trusted(keywords[filter.value] ?? 'null')}`
    case 'isdistinct': return sql`${column} is ${trusted(filter.negate ? 'not ' : '')}distinct from ${value}`
    default: return negated(filter, sql`${column} ${trusted(infix[filter.operator])} ${value}`)
  }
}

const negated = (filter: Filter, condition: Sql): Sql => (filter.negate ? sql`not (${condition})` : condition)

/** A column named twice is one column of the record. */
function recordColumns({ filters, sqlTypes }: FilterShape): Sql {
  const columns = new Map(filters.map(({ column }, at) => [column, sqlTypes[at] as string]))
  return join([...columns].map(([name, sqlType]) => sql`${identifier(name)} ${trusted(sqlType)}`))
}

export interface Match {
  /** Of `_portico.changes`. */
  id: string
  /** Which of the shape's values: 0-based. */
  at: number
}

/** Which changes match which of the values: deleted rows by what they were, others by what they are. The database compares, by its own operators. */
export const findMatches = (tx: Transaction, shape: FilterShape, ids: readonly string[]): Promise<Match[]> => {
  const names = join([...shape.filters.map((_, at) => valueName(at)), sql`at`])
  return tx.many(sql`
    with x as materialized (
      select l.id as " change", r.*
      from _portico.changes l
      cross join lateral json_to_record((case l.action when 'D' then l.old_record else l.record end)::json) as r (${recordColumns(shape)})
      where l.id = any (${ids}::text[]::bigint[])
    ),
    f as materialized (
      select u.at - 1 as " at", ${join(shape.filters.map((filter, at) => valueOf(filter, at, shape.sqlTypes[at] as string)))}
      from unnest(${join(shape.values.map((values) => sql`${values}::text[]`))}) with ordinality as u (${names})
    )
    select x." change"::text as id, f." at"::int as at
    from x
    join f on ${join(shape.filters.map(conditionOf), ' and ')}`)
}
