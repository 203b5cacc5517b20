import { empty, identifier, sql, trusted, type Sql } from '#database/sql.ts'
import type { CallPlan } from '#services/rest/plan/call-plan.ts'
import type { Plan } from '#services/rest/plan/plan.ts'
import { sourceName } from '#services/rest/plan/read-plan.ts'
import type { MediaType } from '#services/rest/request/media-type.ts'
import { countsRows, type Preferences } from '#services/rest/request/preferences.ts'
import { returnsOne } from '#services/rest/schema-cache/routine.ts'
import type { WritePlan } from '#services/rest/plan/write-plan.ts'
import { callSql } from './call.ts'
import { countSql, readSql } from './read.ts'
import { locationSql, renderSql } from './render.ts'
import { countsInserted, insertedSql, writeSql } from './write.ts'

/** The statements of a plan. The main one gives one row: total, rows, body, headers, status, then for writes location and inserted. */

const settingSql = (name: 'headers' | 'status'): Sql => trusted(`nullif(current_setting('response.${name}', true), '')`)

const repliesSql = sql`${settingSql('headers')} as response_headers, ${settingSql('status')} as response_status`

const source = trusted(sourceName)

interface Counted {
  cte: Sql
  total: Sql
}

function countedSql(rows: Sql, { count }: Preferences, maxRows: number | undefined): Counted {
  if (count !== 'exact' && count !== 'estimated') return { cte: empty, total: trusted('null::bigint') }
  // An estimate is exact up to the most rows ever answered; one more tells that there are more.
  const limited = count === 'estimated' && maxRows !== undefined ? sql`${rows} limit ${maxRows + 1}` : rows
  return { cte: sql`, pgrst_source_count as (${limited})`, total: trusted('(select pg_catalog.count(*) from pgrst_source_count)') }
}

export interface StatementRules {
  preferences: Preferences
  maxRows: number | undefined
}

/** The plan's one statement. */
export function planStatement(plan: Plan, rules: StatementRules): Sql {
  const statement = mainStatement(plan, rules)
  const { media } = plan.chosen
  return media.kind === 'plan' ? explained(statement, media) : statement
}

function mainStatement(plan: Plan, { preferences, maxRows }: StatementRules): Sql {
  const { rendering } = plan.chosen
  switch (plan.kind) {
    case 'read': {
      const counted = countedSql(countSql(plan.read), preferences, maxRows)
      return sql`with ${source} as (${readSql(plan.read)})${counted.cte} select ${counted.total} as total_result_set, pg_catalog.count(_postgrest_t) as page_total, ${renderSql(rendering, undefined)} as body, ${repliesSql} from (select * from ${source}) _postgrest_t`
    }
    case 'write': {
      const rows = rendering.kind === 'none' ? sql`select * from ${source}` : readSql(plan.read)
      return sql`with ${source} as (${writeSql(plan.write)}) select null::bigint as total_result_set, pg_catalog.count(_postgrest_t) as page_total, ${renderSql(rendering, undefined)} as body, ${repliesSql}, ${writtenLocation(plan.write, preferences)} as location, ${countsInserted(plan.write) ? insertedSql : trusted('null')} as inserted from (${rows}) _postgrest_t`
    }
    case 'call':
      return callStatement(plan.call, plan, { preferences, maxRows })
  }
}

function callStatement(call: CallPlan, { read, chosen }: Plan, { preferences }: StatementRules): Sql {
  const counted = countsRows(preferences)
    ? { cte: sql`, pgrst_source_count as (${countSql(read)})`, total: trusted('(select pg_catalog.count(*) from pgrst_source_count)') }
    : { cte: empty, total: trusted('null::bigint') }
  const rows = returnsOne(call.routine) ? trusted('1') : trusted('pg_catalog.count(_postgrest_t)')
  return sql`with ${source} as (${callSql(call)})${counted.cte} select ${counted.total} as total_result_set, ${rows} as page_total, ${renderSql(chosen.rendering, call.routine)} as body, ${repliesSql} from (${readSql(read)}) _postgrest_t`
}

const writtenLocation = (write: WritePlan, { representation }: Preferences): Sql =>
  write.kind === 'insert' && representation === 'headers-only' ? locationSql(write.primaryKey) : trusted('null')

function explained(statement: Sql, { format, options }: Extract<MediaType, { kind: 'plan' }>): Sql {
  return sql`explain (${trusted([`format ${format}`, ...options].join(', '))}) ${statement}`
}

/** Asks the planner how many rows there are. */
export const explainCount = (plan: Plan): Sql => sql`explain (format json) ${countSql(plan.read)}`

/** Calls the project's own check before a request's statement: `check` or `auth.check`. */
export const preRequestSql = (name: string): Sql => sql`select ${identifier(...name.split('.'))}()`
