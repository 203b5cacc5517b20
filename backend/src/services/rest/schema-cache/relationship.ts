import type { QualifiedName } from './table.ts'

/** Column of the near side, column of the far side. */
export type ColumnPair = readonly [own: string, foreign: string]

export interface Junction {
  table: QualifiedName
  constraint1: string
  constraint2: string
  /** Near table's columns to the junction's. */
  source: readonly ColumnPair[]
  /** Far table's columns to the junction's. */
  target: readonly ColumnPair[]
}

export type Cardinality =
  | { kind: 'one-to-many' | 'many-to-one'; constraint: string; columns: readonly ColumnPair[] }
  | { kind: 'one-to-one'; constraint: string; columns: readonly ColumnPair[]; isParent: boolean }
  | { kind: 'many-to-many'; junction: Junction }

export interface KeyRelationship {
  kind: 'key'
  table: QualifiedName
  foreignTable: QualifiedName
  isSelf: boolean
  cardinality: Cardinality
  tableIsView: boolean
  foreignTableIsView: boolean
}

/** A function from a row of one relation to rows of another. */
export interface ComputedRelationship {
  kind: 'computed'
  function: QualifiedName
  table: QualifiedName
  foreignTable: QualifiedName
  toOne: boolean
}

export type Relationship = KeyRelationship | ComputedRelationship

export const isToOne = (relationship: Relationship): boolean =>
  relationship.kind === 'computed'
    ? relationship.toOne
    : relationship.cardinality.kind === 'many-to-one' || relationship.cardinality.kind === 'one-to-one'

// Upstream lists relationships sorted by their parts in this order; error details show it.
const kindOrder: readonly Cardinality['kind'][] = ['one-to-many', 'many-to-one', 'one-to-one', 'many-to-many']

function sortKey(relationship: KeyRelationship): string {
  const { foreignTable, cardinality, isSelf, tableIsView, foreignTableIsView } = relationship
  const rest =
    cardinality.kind === 'many-to-many'
      ? [cardinality.junction.table.schema, cardinality.junction.table.name, cardinality.junction.constraint1, cardinality.junction.constraint2]
      : [cardinality.constraint, ...cardinality.columns.flat()]
  return [
    foreignTable.schema, foreignTable.name, Number(isSelf), kindOrder.indexOf(cardinality.kind), ...rest, Number(tableIsView), Number(foreignTableIsView),
  ].join('\u0000')
}

export const sortRelationships = (relationships: readonly KeyRelationship[]): KeyRelationship[] =>
  relationships
    .map((relationship) => ({ relationship, key: sortKey(relationship) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ relationship }) => relationship)

/** What a view's columns stand for: a key of a table under it. */
export interface ViewKey {
  table: QualifiedName
  view: QualifiedName
  constraint: string
  role: 'primary' | 'foreign' | 'referenced'
  /** Each column of the key with the view's columns that show it, in key order. */
  columns: readonly (readonly [column: string, viewColumns: readonly string[]])[]
}
