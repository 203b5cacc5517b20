import { empty, identifier, join, sql, trusted, type Sql } from '#database/sql.ts'
import type { CallArguments, CallPlan } from '#services/rest/plan/call-plan.ts'
import { aliasOf } from '#services/rest/plan/read-plan.ts'
import { returnsScalar, returnsSetOfScalar, type Parameter } from '#services/rest/schema-cache/routine.ts'
import { bodyColumnSql, bodyRowsSql } from './body-rows.ts'
import { columnSql, nameSql } from './fields.ts'
import { arrayText } from '#services/rest/request/operand.ts'

const variadicSql = ({ variadic }: Parameter): Sql => (variadic ? trusted('variadic ') : empty)

function wholeSql({ type }: Parameter, given: CallArguments): Sql {
  // bytea travels as bytes; everything else as text.
  if (given.kind === 'raw') return type === 'bytea' ? sql`${given.bytes}::bytea` : sql`${Buffer.from(given.bytes).toString('utf8')}::${trusted(type)}`
  return given.kind === 'json' ? sql`${given.text}::${trusted(type)}` : sql`${JSON.stringify(Object.fromEntries(given.values))}::${trusted(type)}`
}

function directSql(parameter: Parameter, values: ReadonlyMap<string, string | readonly string[]>): Sql {
  const value = values.get(parameter.name)
  const given = value === undefined ? null : typeof value === 'string' ? value : arrayText(value)
  return sql`${variadicSql(parameter)}${identifier(parameter.name)} := ${given}::${trusted(parameter.widestType)}`
}

const bodySql = (parameter: Parameter): Sql => sql`${variadicSql(parameter)}${identifier(parameter.name)} := ${bodyColumnSql(parameter.name)}`

/** A function's result as rows; a scalar in the column `pgrst_scalar`. */
export function callSql(plan: CallPlan): Sql {
  const { routine, returning, arguments: given } = plan
  const isScalar = returnsScalar(routine) || returnsSetOfScalar(routine)
  const call = (sent: Sql): Sql => {
    const invocation = sql`${nameSql(routine)}(${sent})`
    return isScalar ? sql`(select ${invocation} pgrst_scalar) pgrst_call` : sql`${invocation} pgrst_call`
  }
  const columns = isScalar ? trusted('pgrst_call.pgrst_scalar') : join(returning.map((name) => columnSql(aliasOf('pgrst_call'), name)))
  return sql`select ${columns} ${sourceSql(plan, given, call)}`
}

function sourceSql({ parameters }: CallPlan, given: CallArguments, call: (sent: Sql) => Sql): Sql {
  if ('whole' in parameters) return sql`from ${call(wholeSql(parameters.whole, given))}`
  const { named } = parameters
  if (named.length === 0) return sql`from ${call(empty)}`
  if (given.kind === 'direct') return sql`from ${call(join(named.map((parameter) => directSql(parameter, given.values))))}`
  const { text, isObject } = given.kind === 'json' ? given : { text: '{}', isObject: true }
  const columns = named.map(({ name, widestType }) => ({ name, type: widestType }))
  const rows = bodyRowsSql({ text, isObject, columns, useDefaults: false, onlyOne: true })
  return sql`${rows}, lateral ${call(join(named.map(bodySql)))}`
}
