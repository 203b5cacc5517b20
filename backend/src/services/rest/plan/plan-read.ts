import { aggregatesNotAllowed, relatedOrderNotToOne, resourceNotEmbedded } from '#services/rest/errors.ts'
import type { EmbedPath, Filter, At, Logic, OrderTerm, SelectItem } from '#services/rest/request/query.ts'
import { allRows, restrictTo, type RowRange } from '#services/rest/request/row-range.ts'
import { isToOne } from '#services/rest/schema-cache/relationship.ts'
import type { SchemaCache } from '#services/rest/schema-cache/schema-cache.ts'
import type { QualifiedName } from '#services/rest/schema-cache/table.ts'
import { addAliases, expandStars } from './select-fields.ts'
import { hoistAggregates, moveSpreadOrders } from './spread.ts'
import { joinRelationships } from './join-relationships.ts'
import { outsideName, type EmbedSelect, type ReadPlan, type ResolvedLogic, type ResolvedOrder, type SelectField, type SpreadField } from './read-plan.ts'
import { resolveFilter, resolveLogic, resolveOrder, resolveOutput } from './resolve-field.ts'

export interface ReadWanted {
  from: QualifiedName
  select: readonly SelectItem[]
  filters: readonly At<Filter>[]
  logic: readonly At<Logic>[]
  order: readonly At<readonly OrderTerm[]>[]
  ranges: readonly At<RowRange>[]
  /** Whether the rows come from the CTE of a write or a call. */
  fromSource: boolean
  maxRows: number | undefined
  aggregates: boolean
}

/**
 * Makes the plan of a read: names resolved, relationships found, everything in its place.
 *
 * @throws PGRST108, PGRST118, PGRST123, PGRST127, PGRST200, PGRST201
 */
export function planRead(cache: SchemaCache, wanted: ReadWanted): ReadPlan {
  const { from } = wanted
  const root = addItems(cache, makeNode(from, from.name, 0), wanted.select)
  placeAll(root, wanted.filters, (node, filter) => node.where.unshift(resolveFilter(cache, node.from, filter)))
  placeAll(root, wanted.order, (node, terms) => { node.order = terms.map((term) => resolveOrder(cache, from, term)) })
  placeAll(root, wanted.ranges, (node, range) => { node.range = range })
  placeAll(root, wanted.logic, (node, logic) => node.where.unshift(resolveLogic(cache, node.from, logic)))
  joinRelationships(cache, root, { schema: from.schema, fromSource: wanted.fromSource })
  expandStars(cache, root, from.schema)
  everyNode(root, addAliases)
  everyNode(root, (node) => { node.order = node.order.map((term) => aimRelatedOrder(node, term)) })
  everyNode(root, (node) => { node.where = node.where.map((logic) => aimEmbedFilter(node, logic)) })
  addEmbeds(root)
  if (!wanted.aggregates) everyNode(root, refuseAggregates)
  hoistAggregates(root)
  everyNode(root, moveSpreadOrders)
  everyNode(root, (node) => { node.range = restrictTo(wanted.maxRows, node.range) })
  return root
}

const makeNode = (from: QualifiedName, name: string, depth: number): ReadPlan => ({
  select: [], from, where: [], order: [], range: allRows, name, joinConditions: [], aggregateAlias: '', embeds: [], depth, children: [],
})

function addItems(cache: SchemaCache, node: ReadPlan, items: readonly SelectItem[]): ReadPlan {
  for (const item of items) {
    if (item.kind === 'field') {
      const { kind: _kind, field, ...rest } = item
      node.select.push({ field: resolveOutput(cache, node.from, field), ...rest } satisfies SelectField)
    } else {
      const { alias, hint, join, spread } = item
      const child: ReadPlan = {
        ...makeNode({ schema: node.from.schema, name: item.name }, item.name, node.depth + 1),
        ...(alias === undefined ? {} : { alias }), ...(hint === undefined ? {} : { hint }), ...(join === undefined ? {} : { join }),
        ...(spread ? { spread: { kind: 'to-one' } as const } : {}),
      }
      node.children.push(addItems(cache, child, item.items))
    }
  }
  return node
}

function everyNode(node: ReadPlan, work: (node: ReadPlan) => void): void {
  work(node)
  for (const child of node.children) everyNode(child, work)
}

function findNode(root: ReadPlan, path: EmbedPath): ReadPlan {
  return path.reduce((node, step) => {
    const child = node.children.find(({ name, alias }) => name === step || alias === step)
    if (!child) throw resourceNotEmbedded(step)
    return child
  }, root)
}

// From the last to the first, as each is put in front of those already there.
function placeAll<T>(root: ReadPlan, items: readonly At<T>[], place: (node: ReadPlan, value: T) => void): void {
  for (const { path, value } of items.toReversed()) place(findNode(root, path), value)
}

function aimRelatedOrder(node: ReadPlan, term: ResolvedOrder): ResolvedOrder {
  if (term.relation === undefined) return term
  const child = node.children.find((candidate) => outsideName(candidate) === term.relation)
  if (!child) throw resourceNotEmbedded(term.relation)
  if (!child.relationship || !isToOne(child.relationship)) throw relatedOrderNotToOne(node.from.name, outsideName(child))
  return { ...term, relation: child.aggregateAlias }
}

// `clients=is.null` asks whether the embedded resource has rows, where one of that name is embedded.
function aimEmbedFilter(node: ReadPlan, logic: ResolvedLogic): ResolvedLogic {
  if (logic.kind === 'group') return { ...logic, members: logic.members.map((member) => aimEmbedFilter(node, member)) }
  if (logic.kind === 'embed' || logic.operation.kind !== 'is' || logic.operation.value !== 'null' || logic.field.path.length > 0) return logic
  const child = node.children.find((candidate) => outsideName(candidate) === logic.field.name)
  return child ? { kind: 'embed', embed: child.aggregateAlias, isNull: !logic.negated } : logic
}

const selectsNothing = (node: ReadPlan): boolean => node.select.length === 0 && node.children.every(selectsNothing)

const spreadFields = (node: ReadPlan): SpreadField[] => [
  ...node.select.map(({ field, alias }) => ({ name: alias ?? field.name })),
  ...node.embeds.flatMap((embed) => (embed.kind === 'json' ? [{ name: embed.name }] : embed.fields)),
]

function embedOf(child: ReadPlan): EmbedSelect {
  const { aggregateAlias, relationship } = child
  if (child.spread) return { kind: 'spread', fields: spreadFields(child), aggregateAlias }
  return {
    kind: 'json', name: outsideName(child), aggregateAlias, toOne: relationship !== undefined && isToOne(relationship), isEmpty: selectsNothing(child),
  }
}

function addEmbeds(node: ReadPlan): void {
  for (const child of node.children) addEmbeds(child)
  node.embeds = node.children.map(embedOf)
}

function refuseAggregates({ select }: ReadPlan): void {
  if (select.some(({ aggregate }) => aggregate !== undefined)) throw aggregatesNotAllowed()
}
