import type { SchemaCache } from '#services/rest/schema-cache/schema-cache.ts'
import type { Column, QualifiedName } from '#services/rest/schema-cache/table.ts'
import { sourceName, type ReadPlan, type SelectField } from './read-plan.ts'
import { resolveColumn, withOutputTransform } from './resolve-field.ts'

const isStar = ({ field, aggregate }: SelectField, isSpread: boolean): boolean =>
  field.name === '*' && (aggregate === undefined || (isSpread && aggregate === 'count'))

/**
 * Writes `*` out as columns where Postgres' own star would not do: beside an aggregate (for the grouping), in a spread of
 * many rows, and where a column has an outside form of its own.
 */
export function expandStars(cache: SchemaCache, root: ReadPlan, schema: string): void {
  expand(root, false)

  function expand(node: ReadPlan, parentAggregates: boolean): void {
    const aggregates = parentAggregates || node.spread?.kind === 'to-many' || node.select.some(({ aggregate }) => aggregate !== undefined)
    const isSpread = node.spread !== undefined
    if (node.select.some((item) => isStar(item, isSpread))) {
      const columns = [...(cache.findTable(tableOf(node))?.columns.values() ?? [])]
      const isTransformed = ({ nominalType }: Column): boolean => cache.findRepresentation(nominalType, 'json') !== undefined
      if (aggregates || columns.some(isTransformed)) node.select = node.select.flatMap((item) => expandStar(cache, item, { columns, isSpread }))
    }
    for (const child of node.children) expand(child, aggregates)
  }

  function tableOf(node: ReadPlan): QualifiedName {
    const isSource = node.from.schema === '' && node.from.name === sourceName
    return isSource && node.fromAlias !== undefined ? { schema, name: node.fromAlias } : node.from
  }
}

function expandStar(cache: SchemaCache, item: SelectField, { columns, isSpread }: { columns: readonly Column[]; isSpread: boolean }): SelectField[] {
  if (item.field.name !== '*' || item.field.path.length > 0) return [item]
  if (item.aggregate === undefined) return columns.map((column) => ({ ...item, field: withOutputTransform(cache, resolveColumn(column)) }))
  return isSpread && item.aggregate === 'count' ? [{ ...item, field: { ...item.field, wholeRow: true } }] : [item]
}

/** Names the fields Postgres would name otherwise: JSON paths by their last key, transformed columns by the column. */
export function addAliases(node: ReadPlan): void {
  node.select = node.select.map((item) => withAlias(item, node.spread !== undefined))
}

function withAlias(item: SelectField, isSpread: boolean): SelectField {
  if (item.alias !== undefined) return item
  // A parent that spreads an aggregate needs a name to select it by.
  if (item.aggregate !== undefined) return isSpread ? { ...item, alias: item.aggregate } : item
  const { path, name, transform } = item.field
  if (path.length > 0) return { ...item, alias: path.findLast(({ key }) => key !== undefined)?.key ?? name }
  return transform === undefined ? item : { ...item, alias: name }
}
