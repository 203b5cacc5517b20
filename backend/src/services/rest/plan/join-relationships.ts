import { isToOne, type ColumnPair, type Relationship } from '#services/rest/schema-cache/relationship.ts'
import type { SchemaCache } from '#services/rest/schema-cache/schema-cache.ts'
import type { QualifiedName } from '#services/rest/schema-cache/table.ts'
import { findRelationship } from './find-relationship.ts'
import { aliasOf, sourceName, type JoinCondition, type ReadPlan } from './read-plan.ts'

export interface JoinScope {
  schema: string
  fromSource: boolean
}

/** Finds each embedded resource's relationship to its parent, and with it the relation, its alias and the join conditions. */
export function joinRelationships(cache: SchemaCache, root: ReadPlan, scope: JoinScope): void {
  if (scope.fromSource) {
    // The table's name as the CTE's alias lets relationships be found by it.
    root.fromAlias = root.from.name
    root.from = aliasOf(sourceName)
  }
  joinChildren(cache, root, scope)
}

function joinChildren(cache: SchemaCache, parent: ReadPlan, scope: JoinScope): void {
  const origin = parent.depth === 0 ? (parent.fromAlias ?? parent.from.name) : parent.from.name
  for (const child of parent.children) {
    const relationship = findRelationship(cache, { schema: scope.schema, origin, target: child.name, hint: child.hint })
    join(parent, child, relationship)
    joinChildren(cache, child, scope)
  }
}

function join(parent: ReadPlan, child: ReadPlan, relationship: Relationship): void {
  child.from = relationship.foreignTable
  child.relationship = relationship
  child.aggregateAlias = `${relationship.table.name}_${child.alias ?? child.name}_${child.depth}`
  if (child.spread && !isToOne(relationship)) child.spread = { kind: 'to-many', extraFields: [], order: [] }
  const isManyToMany = relationship.kind === 'key' && relationship.cardinality.kind === 'many-to-many'
  // A junction is joined beside the relation, whose own name then serves.
  if (!isManyToMany) child.fromAlias = `${relationship.foreignTable.name}_${child.depth}`
  child.joinConditions = joinConditions(relationship, child.fromAlias, parent.fromAlias)
  if (relationship.kind === 'computed' && parent.fromAlias !== undefined) child.parentAlias = parent.fromAlias
}

function joinConditions(relationship: Relationship, alias: string | undefined, parentAlias: string | undefined): JoinCondition[] {
  if (relationship.kind === 'computed') return []
  const { table, foreignTable, cardinality } = relationship
  const parent = parentAlias === undefined ? table : aliasOf(parentAlias)
  const condition = (near: QualifiedName, far: QualifiedName) => ([own, foreign]: ColumnPair): JoinCondition => ({ left: [far, foreign], right: [near, own] })
  if (cardinality.kind === 'many-to-many') {
    const { table: junction, source, target } = cardinality.junction
    return [...target.map(condition(foreignTable, junction)), ...source.map(condition(parent, junction))]
  }
  return cardinality.columns.map(condition(parent, alias === undefined ? foreignTable : aliasOf(alias)))
}
