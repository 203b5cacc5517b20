import { relationshipAmbiguous, relationshipNotFound } from '#services/rest/errors.ts'
import { findNearest, findSimilar } from '#services/rest/fuzzy.ts'
import type { Cardinality, KeyRelationship, Relationship } from '#services/rest/schema-cache/relationship.ts'
import type { SchemaCache } from '#services/rest/schema-cache/schema-cache.ts'

export interface RelationshipWanted {
  schema: string
  origin: string
  /** A relation, constraint, column or function. */
  target: string
  hint: string | undefined
}

const singleColumn = (cardinality: Cardinality): readonly [string, string] | undefined =>
  cardinality.kind !== 'many-to-many' && cardinality.columns.length === 1 ? cardinality.columns[0] : undefined

const isColumn = (name: string, cardinality: Cardinality): boolean => singleColumn(cardinality)?.[0] === name
const isForeignColumn = (name: string, cardinality: Cardinality): boolean => singleColumn(cardinality)?.[1] === name
const isConstraint = (name: string, cardinality: Cardinality): boolean => cardinality.kind !== 'many-to-many' && cardinality.constraint === name
const isJunction = (name: string, cardinality: Cardinality): boolean =>
  cardinality.kind === 'many-to-many' && cardinality.junction.table.name === name

// One key of a relation to itself reads both ways: by the relation's name it gives many rows, by the column's name one.
function matchesSelf({ foreignTable, cardinality }: KeyRelationship, { target, hint }: RelationshipWanted): boolean {
  const toMany = target === foreignTable.name && cardinality.kind === 'one-to-many'
  if (hint !== undefined) return toMany && isForeignColumn(hint, cardinality)
  return toMany || (isColumn(target, cardinality) && cardinality.kind === 'many-to-one')
}

function matchesOther({ foreignTable, cardinality, foreignTableIsView }: KeyRelationship, { target, hint }: RelationshipWanted): boolean {
  if (hint !== undefined) {
    const isHinted = [isConstraint, isColumn, isForeignColumn, isJunction].some((matches) => matches(hint, cardinality))
    return target === foreignTable.name && isHinted
  }
  if (target === foreignTable.name) return true
  return !foreignTableIsView && (isConstraint(target, cardinality) || isColumn(target, cardinality))
}

function matches(relationship: Relationship, wanted: RelationshipWanted): boolean {
  if (relationship.kind === 'computed') return wanted.target === relationship.function.name
  return relationship.isSelf ? matchesSelf(relationship, wanted) : matchesOther(relationship, wanted)
}

/** Finds the one relationship a request means. @throws PGRST200 (400) for none, PGRST201 (300) for several */
export function findRelationship(cache: SchemaCache, wanted: RelationshipWanted): Relationship {
  const { schema, origin, target, hint } = wanted
  const found = cache.listRelationships({ schema, name: origin }).filter((relationship) => matches(relationship, wanted))
  if (found.length === 1) return found[0]!
  if (found.length === 0) {
    const suggestion = suggest(cache, wanted)
    throw relationshipNotFound({ origin, target, schema, ...(hint === undefined ? {} : { hintGiven: hint }), ...(suggestion === undefined ? {} : { hint: suggestion }) })
  }
  const detected = found.filter((relationship) => relationship.kind === 'key')
  throw relationshipAmbiguous({ origin, target, candidates: detected.map(describe), hints: detected.map(hintFor) })
}

function suggest(cache: SchemaCache, { schema, origin, target }: RelationshipWanted): string | undefined {
  const related = cache.listRelationships({ schema, name: origin })
  if (!cache.hasRelationships({ schema, name: origin })) {
    const parent = findNearest(cache.listRelatedNames(schema), origin)
    return parent === undefined ? undefined : `Perhaps you meant '${parent}' instead of '${origin}'.`
  }
  const child = findSimilar(related.map(({ foreignTable }) => foreignTable.name), target).find(({ score }) => score < 1)
  return child && `Perhaps you meant '${child.name}' instead of '${target}'.`
}

const columnText = (names: readonly string[]): string => `(${names.join(', ')})`

function describe({ table, foreignTable, cardinality }: KeyRelationship): unknown {
  const embedding = `${table.name} with ${foreignTable.name}`
  if (cardinality.kind === 'many-to-many') {
    const { table: junction, constraint1, source, constraint2, target } = cardinality.junction
    const first = `${constraint1}${columnText(source.map(([, column]) => column))}`
    const second = `${constraint2}${columnText(target.map(([, column]) => column))}`
    return { embedding, cardinality: cardinality.kind, relationship: `${junction.name} using ${first} and ${second}` }
  }
  const { constraint, columns } = cardinality
  const own = `${table.name}${columnText(columns.map(([column]) => column))}`
  const foreign = `${foreignTable.name}${columnText(columns.map(([, column]) => column))}`
  return { embedding, cardinality: cardinality.kind, relationship: `${constraint} using ${own} and ${foreign}` }
}

function hintFor({ foreignTable, cardinality }: KeyRelationship): string {
  const hint = cardinality.kind === 'many-to-many' ? cardinality.junction.table.name : cardinality.constraint
  return `'${foreignTable.name}!${hint}'`
}
