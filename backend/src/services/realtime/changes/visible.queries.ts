import { identifier, join, sql, trusted, type Sql } from '#database/sql.ts'
import type { TableFacts } from './tables.queries.ts'

/** Asks which rows the caller sees, by the rows' keys: `keys` is a JSON array of `{"at":0,"k0":…,"k1":…}`. Gives the `at` of those. */
export function visibleAmong(table: TableFacts, keys: string): Sql {
  const keyColumns = table.columns.filter(({ isKey }) => isKey)
  const name = (at: number): Sql => identifier(`k${at}`)
  const typed = keyColumns.map(({ sqlType }, at) => sql`${name(at)} ${trusted(sqlType)}`)
  const same = keyColumns.map((column, at) => sql`t.${identifier(column.name)} = k.${name(at)}`)
  return sql`
    select k.at
    from json_to_recordset(${keys}::json) as k (at int, ${join(typed)})
    where exists (select from ${identifier(table.schema, table.name)} t where ${join(same, ' and ')})`
}
