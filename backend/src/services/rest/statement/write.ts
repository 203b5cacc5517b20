import { empty, identifier, join, sql, trusted, type Sql } from '#database/sql.ts'
import { aliasOf } from '#services/rest/plan/read-plan.ts'
import type { DeletePlan, InsertPlan, UpdatePlan, WritePlan } from '#services/rest/plan/write-plan.ts'
import { bodyColumnSql, bodyRowsSql } from './body-rows.ts'
import { columnSql, nameSql } from './fields.ts'
import { logicSql, whereSql } from './filters.ts'

/** A write that gives the rows it touched. */
export function writeSql(plan: WritePlan): Sql {
  switch (plan.kind) {
    case 'insert':
      return insertSql(plan)
    case 'update':
      return updateSql(plan)
    case 'delete':
      return deleteSql(plan)
  }
}

// Rows that only matter by their number give a 1 each.
const returningSql = ({ table, returning }: WritePlan): Sql =>
  returning.length === 0 ? trusted(' returning 1') : sql` returning ${join(returning.map((name) => columnSql(table, name)))}`

const inserted = `nullif(current_setting('pgrst.inserted', true), '')`

// Each row tried counts one, each row updated takes one back: what is left was inserted.
const countInserted = trusted(`set_config('pgrst.inserted', (coalesce(${inserted}::int, 0) + 1)::text, true) <> '0'`)
const countUpdated = trusted(`set_config('pgrst.inserted', (coalesce(${inserted}::int, 0) - 1)::text, true) <> '-1'`)

/** How many rows of an upsert were new. */
export const insertedSql = trusted(`${inserted}::int`)

export const countsInserted = (plan: WritePlan): boolean => plan.kind === 'insert' && plan.conflict?.resolution === 'merge-duplicates'

function conflictSql({ conflict, columns }: InsertPlan): Sql {
  if (!conflict || conflict.columns.length === 0) return empty
  const target = sql` on conflict (${join(conflict.columns.map((name) => identifier(name)))})`
  if (conflict.resolution === 'ignore-duplicates' || columns.length === 0) return sql`${target} do nothing`
  const changes = columns.map(({ name }) => sql`${identifier(name)} = excluded.${identifier(name)}`)
  return sql`${target} do update set ${join(changes)} where ${countUpdated}`
}

function insertSql(plan: InsertPlan): Sql {
  const { table, columns, body, conditions, useDefaults } = plan
  const names = columns.length === 0 ? empty : sql`(${join(columns.map(({ name }) => identifier(name)))})`
  const rows = sql`select ${join(columns.map(({ name }) => bodyColumnSql(name)))} ${bodyRowsSql({ ...body, columns, useDefaults, onlyOne: false })}`
  const matching = conditions.map((condition) => logicSql(aliasOf('pgrst_body'), condition))
  const where = whereSql(countsInserted(plan) ? [countInserted, ...matching] : matching)
  return sql`insert into ${nameSql(table)}${names} ${rows}${where}${conflictSql(plan)}${returningSql(plan)}`
}

function updateSql(plan: UpdatePlan): Sql {
  const { table, columns, body, where, returning, useDefaults } = plan
  // `update … set` with nothing to set is no SQL; no rows, with the columns that a select may ask for.
  if (columns.length === 0) {
    const nothing = returning.length === 0 ? [trusted('null')] : returning.map((name) => columnSql(aliasOf(table.name), name))
    return sql`select ${join(nothing)} from ${nameSql(table)} where false`
  }
  const changes = columns.map(({ name }) => sql`${identifier(name)} = ${bodyColumnSql(name)}`)
  const rows = bodyRowsSql({ ...body, columns, useDefaults, onlyOne: false })
  const conditions = where.map((condition) => logicSql(table, condition))
  return sql`update ${nameSql(table)} set ${join(changes)} ${rows}${whereSql(conditions)}${returningSql(plan)}`
}

const deleteSql = (plan: DeletePlan): Sql =>
  sql`delete from ${nameSql(plan.table)}${whereSql(plan.where.map((condition) => logicSql(plan.table, condition)))}${returningSql(plan)}`
