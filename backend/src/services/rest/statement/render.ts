import { literal, sql, trusted, type Sql } from '#database/sql.ts'
import type { Rendering } from '#services/rest/plan/choose-media.ts'
import { sourceName } from '#services/rest/plan/read-plan.ts'
import { returnsOneComposite, returnsScalar, returnsSetOfScalar, type Routine } from '#services/rest/schema-cache/routine.ts'
import type { MediaHandler } from '#services/rest/schema-cache/media-handlers.ts'
import { nameSql } from './fields.ts'

/** The rows `_postgrest_t` as one body. */
export function renderSql(rendering: Rendering, routine: Routine | undefined): Sql {
  switch (rendering.kind) {
    case 'none':
      return trusted("''::text")
    case 'json':
      return jsonSql(routine, false)
    case 'array':
      return jsonSql(routine, true)
    case 'object':
      return objectSql(routine, rendering.stripNulls)
    case 'csv':
      return csvSql
    case 'geojson':
      return trusted(
        "json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(ST_AsGeoJSON(_postgrest_t)::json), '[]'))",
      )
    case 'custom':
      return customSql(rendering.handler, routine)
  }
}

const gathered = (rows: string, stripNulls: boolean): string => (stripNulls ? `json_strip_nulls(json_agg(${rows}))` : `json_agg(${rows})`)

const firstOr = (rows: string, stripNulls: boolean): Sql => {
  const first = `json_agg(${rows})->0`
  return trusted(`coalesce(${stripNulls ? `json_strip_nulls(${first})` : first}, 'null')`)
}

function jsonSql(routine: Routine | undefined, stripNulls: boolean): Sql {
  if (routine && returnsOneComposite(routine)) return firstOr('_postgrest_t', stripNulls)
  if (routine && returnsScalar(routine)) return firstOr('_postgrest_t.pgrst_scalar', stripNulls)
  const rows = routine && returnsSetOfScalar(routine) ? '_postgrest_t.pgrst_scalar' : '_postgrest_t'
  return trusted(`coalesce(${gathered(rows, stripNulls)}, '[]')`)
}

const objectSql = (routine: Routine | undefined, stripNulls: boolean): Sql =>
  firstOr(routine && returnsScalar(routine) ? '_postgrest_t.pgrst_scalar' : '_postgrest_t', stripNulls)

const csvSql = trusted(
  `(select coalesce(string_agg(a.k, ','), '') from (` +
    `select json_object_keys(r)::text as k from (select row_to_json(hh) as r from ${sourceName} as hh limit 1) s) a)` +
    ` || E'\\n' || coalesce(string_agg(substring(_postgrest_t::text, 2, length(_postgrest_t::text) - 2), E'\\n'), '')`,
)

function customSql({ function: name, target }: MediaHandler, routine: Routine | undefined): Sql {
  if (routine && returnsScalar(routine)) return sql`${nameSql(name)}(_postgrest_t.pgrst_scalar)`
  return target ? sql`${nameSql(name)}(_postgrest_t::${nameSql(target)})` : sql`${nameSql(name)}(_postgrest_t)`
}

/** `key=eq.value` texts of the one row a write gave, for `Location`. */
export function locationSql(primaryKey: readonly string[]): Sql {
  const keys = primaryKey.map((name) => literal(name))
  if (keys.length === 0) return trusted("'[]'::json")
  return sql`case when pg_catalog.count(_postgrest_t) = 1 then coalesce((
    select json_agg(json_build_array(pair.key, coalesce('eq.' || pair.value, 'is.null')))
    from (select row_to_json(_) as row from ${trusted(sourceName)} as _ limit 1) data
    cross join json_each_text(data.row) as pair
    where pair.key in (${keys.reduce((list, key) => sql`${list}, ${key}`)})
  ), '[]') else '[]' end`
}
