import { empty, identifier, join, sql, trusted, type Sql } from '#database/sql.ts'
import type { JoinCondition, ResolvedField, ResolvedLogic } from '#services/rest/plan/read-plan.ts'
import type { IsValue, Operation, QuantifiableOperator, SearchOperator, SimpleOperator } from '#services/rest/request/query.ts'
import type { QualifiedName } from '#services/rest/schema-cache/table.ts'
import { columnSql, fieldSql, transformSql } from './fields.ts'

const simpleOperators: Readonly<Record<SimpleOperator, string>> = {
  neq: '<>', cs: '@>', cd: '<@', ov: '&&', sl: '<<', sr: '>>', nxr: '&<', nxl: '&>', adj: '-|-',
}
const quantifiableOperators: Readonly<Record<QuantifiableOperator, string>> = {
  eq: '=', gte: '>=', gt: '>', lte: '<=', lt: '<', like: 'like', ilike: 'ilike', match: '~', imatch: '~*',
}
const searchFunctions: Readonly<Record<SearchOperator, string>> = {
  fts: 'to_tsquery', plfts: 'plainto_tsquery', phfts: 'phraseto_tsquery', wfts: 'websearch_to_tsquery',
}
const isValues: Readonly<Record<IsValue, string>> = { null: 'null', not_null: 'not null', true: 'true', false: 'false', unknown: 'unknown' }

function quantifiedSql({ operator, quantifier, value }: Extract<Operation, { kind: 'quantifiable' }>, { transform }: ResolvedField): Sql {
  const isPattern = operator === 'like' || operator === 'ilike'
  const compared = transformSql(isPattern ? undefined : transform, sql`${value}`)
  const operand = quantifier === undefined ? compared : sql`${trusted(quantifier)}(${compared})`
  return sql` ${trusted(quantifiableOperators[operator])} ${operand}`
}

function operationSql(operation: Operation, field: ResolvedField): Sql {
  switch (operation.kind) {
    case 'simple':
      return sql` ${trusted(simpleOperators[operation.operator])} ${transformSql(field.transform, sql`${operation.value}`)}`
    case 'quantifiable':
      return quantifiedSql(operation, field)
    case 'in':
      if (field.transform === undefined) return sql` = any (${operation.value})`
      return sql` = any (array(select ${transformSql(field.transform, sql`unnest(${operation.value}::text[])`)}))`
    case 'is':
      return sql` is ${trusted(isValues[operation.value])}`
    case 'isdistinct':
      return sql` is distinct from ${operation.value}`
    case 'search': {
      const { operator, language, value } = operation
      return sql` @@ ${trusted(searchFunctions[operator])}(${language === undefined ? empty : sql`${language}, `}${value})`
    }
  }
}

/** Writes a leaf that is about an embedded resource; differs between reading and counting. */
export type EmbedFilter = (logic: Extract<ResolvedLogic, { kind: 'embed' }>) => Sql

export const joinedEmbedFilter: EmbedFilter = ({ embed, isNull }) => sql`${identifier(embed)} is ${isNull ? trusted('not ') : empty}distinct from null`

export function logicSql(relation: QualifiedName, logic: ResolvedLogic, embedFilter: EmbedFilter = joinedEmbedFilter): Sql {
  switch (logic.kind) {
    case 'filter':
      return sql`${logic.negated ? trusted('not ') : empty}${fieldSql(relation, logic.field)}${operationSql(logic.operation, logic.field)}`
    case 'embed':
      return embedFilter(logic)
    case 'group': {
      const members = logic.members.map((member) => logicSql(relation, member, embedFilter))
      return sql`${logic.negated ? trusted('not ') : empty}(${join(members, logic.operator === 'and' ? ' and ' : ' or ')})`
    }
  }
}

export const joinConditionSql = ({ left, right }: JoinCondition): Sql => sql`${columnSql(left[0], left[1])} = ${columnSql(right[0], right[1])}`

export const whereSql = (conditions: readonly Sql[]): Sql => (conditions.length === 0 ? empty : sql` where ${join(conditions, ' and ')}`)
