import { notImplemented } from '#services/rest/errors.ts'
import { plainField, type EmbedSelect, type ReadPlan, type ResolvedOrder, type SelectField, type Spread, type SpreadField } from './read-plan.ts'

/** An aggregate on its way up from a spread resource to the relation whose rows it groups. */
interface Hoisted {
  aggregateAlias: string
  name: string
  aggregate: Pick<SpreadField, 'aggregate' | 'aggregateCast' | 'alias'>
}

/**
 * Moves aggregates of spread resources up to where they make sense: `?select=client_id,...invoices(total.sum())` sums by client,
 * not within the one joined row.
 */
export function hoistAggregates(root: ReadPlan): void {
  hoist(root)
}

function hoist(node: ReadPlan): Hoisted[] {
  const below = node.children.flatMap(hoist)
  const isSpreadToOne = node.spread?.kind === 'to-one'
  if (!isSpreadToOne) {
    if (node.children.length > 0) node.embeds = node.embeds.map((embed) => landAggregates(embed, below))
    return []
  }
  const own = node.select.flatMap((item) => hoistedOf(node, item))
  node.select = node.select.map(({ aggregate: _aggregate, aggregateCast: _cast, ...item }) => item)
  return [...own, ...below.map((hoisted) => ({ ...hoisted, aggregateAlias: node.aggregateAlias }))]
}

function hoistedOf({ aggregateAlias }: ReadPlan, { aggregate, aggregateCast, alias, field }: SelectField): Hoisted[] {
  if (aggregate === undefined) return []
  return [{
    aggregateAlias,
    name: alias ?? field.name,
    aggregate: { aggregate, ...(aggregateCast === undefined ? {} : { aggregateCast }), ...(alias === undefined ? {} : { alias }) },
  }]
}

function landAggregates(embed: EmbedSelect, hoisted: readonly Hoisted[]): EmbedSelect {
  if (embed.kind === 'json') return embed
  const landed = (name: string): Hoisted | undefined => hoisted.find((found) => found.aggregateAlias === embed.aggregateAlias && found.name === name)
  return { ...embed, fields: embed.fields.map((field) => ({ ...field, ...landed(field.name)?.aggregate })) }
}

/**
 * Moves the order of a spread of many rows to the aggregation of each column, which is where it can still be heeded.
 *
 * @throws PGRST127 (400) for an aggregate in such a spread.
 */
export function moveSpreadOrders(node: ReadPlan): void {
  if (node.spread?.kind !== 'to-many') return
  const aggregates =
    node.select.some(({ aggregate }) => aggregate !== undefined) ||
    node.embeds.some((embed) => embed.kind === 'spread' && embed.fields.some(({ aggregate }) => aggregate !== undefined))
  if (aggregates) throw notImplemented('Aggregates are not implemented for one-to-many or many-to-many spreads.')
  node.spread = spreadOrdered(node)
  node.order = []
}

function spreadOrdered({ order, aggregateAlias }: ReadPlan): Spread {
  const moved = order.map((term, index) => moveTerm(term, `${aggregateAlias}_${term.field.name}_${index + 1}`))
  return { kind: 'to-many', extraFields: moved.map(({ extraField }) => extraField), order: moved.map(({ term }) => term) }
}

interface MovedTerm {
  extraField: { relation?: string; field: SelectField }
  term: ResolvedOrder
}

function moveTerm({ field, relation, ...way }: ResolvedOrder, alias: string): MovedTerm {
  return { extraField: { field: { field, alias }, ...(relation === undefined ? {} : { relation }) }, term: { ...way, field: plainField(alias) } }
}
