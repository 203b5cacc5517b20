import { empty, identifier, join, literal, sql, trusted, type Sql } from '#database/sql.ts'
import { transformSql } from './fields.ts'

/** A JSON body as rows: `from (…) pgrst_payload, lateral (…) pgrst_body`. */

export interface BodyColumn {
  name: string
  /** SQL of a type, from the catalog. */
  type: string
  transform?: string
  /** SQL of a default, from the catalog. */
  default?: string
}

export interface BodyRows {
  text: string
  isObject: boolean
  columns: readonly BodyColumn[]
  /** Whether missing columns get their defaults instead of null. */
  useDefaults: boolean
  /** Whether an array gives its first row only. */
  onlyOne: boolean
}

// An empty body is sent as null: no rows, rather than no JSON.
const bodyParameter = ({ text, useDefaults }: BodyRows): Sql => {
  const value = text === '' ? null : text
  return useDefaults ? sql`${value}::jsonb` : sql`${value}::json`
}

function defaultsSql({ columns, isObject }: BodyRows): Sql {
  const pairs = columns.flatMap(({ name, default: value }) => (value === undefined ? [] : [sql`${literal(name)}, ${trusted(value)}`]))
  const defaults = sql`jsonb_build_object(${join(pairs)})`
  return isObject
    ? sql`lateral (select ${defaults} || pgrst_payload.json_data as val) pgrst_json_defs, `
    : sql`lateral (select jsonb_agg(${defaults} || elem) as val from jsonb_array_elements(pgrst_payload.json_data) elem) pgrst_json_defs, `
}

function recordsSql({ columns, isObject, useDefaults, onlyOne }: BodyRows): Sql {
  const body = trusted(useDefaults ? 'pgrst_json_defs.val' : 'pgrst_payload.json_data')
  const prefix = useDefaults ? 'jsonb' : 'json'
  if (columns.length === 0) return isObject ? trusted('(values (1)) _') : sql`${trusted(`${prefix}_array_elements`)}(${body}) _`
  const typed = columns.map(({ name, type }) => sql`${identifier(name)} ${trusted(type)}`)
  const unpack = trusted(isObject ? `${prefix}_to_record` : `${prefix}_to_recordset`)
  return sql`${unpack}(${body}) as _(${join(typed)})${onlyOne ? trusted(' limit 1') : empty}`
}

/** `from …` giving the body's rows as `pgrst_body`. */
export function bodyRowsSql(body: BodyRows): Sql {
  const parsed = body.columns.map(({ name, transform }) => {
    const column = identifier(name)
    return transform === undefined ? column : sql`${transformSql(transform, column)} as ${column}`
  })
  const defaults = body.useDefaults ? defaultsSql(body) : empty
  return sql`from (select ${bodyParameter(body)} as json_data) pgrst_payload, ${defaults}lateral (select ${join(parsed)} from ${recordsSql(body)}) pgrst_body`
}

export const bodyColumnSql = (name: string): Sql => sql`pgrst_body.${identifier(name)}`
