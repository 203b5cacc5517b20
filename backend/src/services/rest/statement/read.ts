import { empty, identifier, join, sql, trusted, type Sql } from '#database/sql.ts'
import { aliasOf, plainField, type EmbedSelect, type ReadPlan, type SelectField, type SpreadField } from '#services/rest/plan/read-plan.ts'
import { isAllRows, rangeLimit, type RowRange } from '#services/rest/request/row-range.ts'
import type { QualifiedName } from '#services/rest/schema-cache/table.ts'
import { columnSql, fieldSql, nameSql, orderSql, selectSql, spreadSql } from './fields.ts'
import { joinConditionSql, logicSql, whereSql, type EmbedFilter } from './filters.ts'

/** What the plan's relation is called inside its own statement. */
export function relationOf({ relationship, fromAlias, from }: ReadPlan): QualifiedName {
  if (fromAlias !== undefined) return aliasOf(fromAlias)
  return relationship?.kind === 'computed' ? aliasOf(relationship.function.name) : from
}

/** `from …`, with the junction beside the relation where there is one. */
export function fromSql({ relationship, from, fromAlias, parentAlias }: ReadPlan): Sql {
  const alias = fromAlias === undefined ? empty : sql` as ${identifier(fromAlias)}`
  if (relationship?.kind === 'computed') {
    const { function: name, table } = relationship
    // The cast picks the overload: the source of a write or call is a row of no named type.
    const argument = parentAlias === undefined ? nameSql(table) : identifier(parentAlias)
    const row = parentAlias === undefined ? identifier(table.name) : argument
    return sql` from ${nameSql(name)}(${row}::${nameSql(table)})${alias}`
  }
  const junction = relationship?.cardinality.kind === 'many-to-many' ? sql`, ${nameSql(relationship.cardinality.junction.table)}` : empty
  return sql` from ${nameSql(from)}${alias}${junction}`
}

const star: SelectField = { field: plainField('*') }

function embedSelectSql(embed: EmbedSelect): Sql[] {
  const alias = identifier(embed.aggregateAlias)
  if (embed.kind === 'spread') return embed.fields.map((field) => spreadSql(embed.aggregateAlias, field))
  if (embed.isEmpty) return []
  const value = embed.toOne ? sql`row_to_json(${alias}.*)::jsonb` : sql`coalesce(${alias}.${alias}, '[]')`
  return [sql`${value} as ${identifier(embed.name)}`]
}

function spreadArraySql(child: ReadPlan, { name, alias }: SpreadField): Sql {
  const order = child.spread?.kind === 'to-many' ? orderSql(aliasOf(child.aggregateAlias), child.spread.order) : empty
  const value = sql`coalesce(json_agg(${columnSql(aliasOf(child.aggregateAlias), name)}${order}), '[]')::jsonb`
  return sql`${value} as ${identifier(alias ?? name)}`
}

function joinSql(embed: EmbedSelect, child: ReadPlan): Sql {
  const isInner = child.join === 'inner'
  const alias = identifier(embed.aggregateAlias)
  const rows = readSql(child)
  const kind = trusted(isInner ? 'inner' : 'left')
  const givesOne = embed.kind === 'json' ? embed.toOne : child.spread?.kind !== 'to-many'
  if (givesOne) return sql` ${kind} join lateral (${rows}) as ${alias} on true`
  const spread = embed.kind === 'spread' ? embed.fields.map((field) => sql`, ${spreadArraySql(child, field)}`) : []
  const gathered = sql`select json_agg(${alias})::jsonb as ${alias}${join(spread, '')} from (${rows}) as ${alias}`
  return sql` ${kind} join lateral (${gathered}) as ${alias} on ${isInner ? sql`${alias} is not null` : trusted('true')}`
}

// A field with an alias is grouped by it: a JSON path is written with parameters, and no two of those are the same to Postgres.
const groupTerm = (relation: QualifiedName) => ({ field, aggregate, alias }: SelectField): Sql[] => {
  if (aggregate !== undefined) return []
  return [alias === undefined ? fieldSql(relation, field) : identifier(alias)]
}

function embedGroupTerms(embed: EmbedSelect): Sql[] {
  if (embed.kind === 'json') return [identifier(embed.name)]
  return embed.fields
    .filter(({ aggregate }) => aggregate === undefined)
    .map(({ name, alias }) => columnSql(aliasOf(embed.aggregateAlias), alias ?? name))
}

function groupSql(relation: QualifiedName, { select, embeds }: ReadPlan): Sql {
  const aggregates =
    select.some(({ aggregate }) => aggregate !== undefined) ||
    embeds.some((embed) => embed.kind === 'spread' && embed.fields.some(({ aggregate }) => aggregate !== undefined))
  const terms = aggregates ? [...select.flatMap(groupTerm(relation)), ...embeds.flatMap(embedGroupTerms)] : []
  return terms.length === 0 ? empty : sql` group by ${join(terms)}`
}

function limitSql(range: RowRange): Sql {
  if (isAllRows(range)) return empty
  const limit = rangeLimit(range)
  return sql` limit ${limit === undefined ? trusted('all') : wholeNumber(limit)}${range.first === 0 ? empty : sql` offset ${range.first}`}`
}

// In the text where it can be: of a parameter the planner knows nothing, assumes a tenth of the table and plans anew each time.
const wholeNumber = (count: number): Sql => (Number.isSafeInteger(count) && count >= 0 ? trusted(String(count)) : sql`${count}`)

function extraFields({ spread }: ReadPlan, relation: QualifiedName): Sql[] {
  if (spread?.kind !== 'to-many') return []
  return spread.extraFields.map(({ relation: embed, field }) => selectSql(embed === undefined ? relation : aliasOf(embed), field))
}

const conditionsSql = (plan: ReadPlan, relation: QualifiedName, embedFilter?: EmbedFilter): Sql[] => [
  ...plan.where.map((logic) => logicSql(relation, logic, embedFilter)),
  ...plan.joinConditions.map(joinConditionSql),
]

/** The rows of a plan, embedded resources as JSON columns. */
export function readSql(plan: ReadPlan): Sql {
  const relation = relationOf(plan)
  const select = plan.select.length === 0 && plan.children.length === 0 ? [star] : plan.select
  const selected = [...select.map((item) => selectSql(relation, item)), ...extraFields(plan, relation), ...plan.embeds.flatMap(embedSelectSql)]
  const joins = plan.embeds.map((embed, index) => joinSql(embed, plan.children[index]!))
  return sql`select ${join(selected)}${fromSql(plan)}${join(joins, '')}${whereSql(conditionsSql(plan, relation))}${groupSql(relation, plan)}${orderSql(relation, plan.order)}${limitSql(plan.range)}`
}

/** One row for each row of the root, whatever limit the plan has; inner joins and filters on embedded resources become `exists`. */
export function countSql(plan: ReadPlan): Sql {
  const embedFilter: EmbedFilter = ({ embed, isNull }) => {
    const child = plan.children.find(({ aggregateAlias }) => aggregateAlias === embed)
    return sql`${isNull ? trusted('not ') : empty}exists (${child ? countSql(child) : trusted('select')})`
  }
  const inner = plan.children.filter((child) => child.join === 'inner').map((child) => sql`exists (${countSql(child)})`)
  return sql`select 1${fromSql(plan)}${whereSql([...conditionsSql(plan, relationOf(plan), embedFilter), ...inner])}`
}
