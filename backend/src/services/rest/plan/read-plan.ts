import type { RowRange } from '#services/rest/request/row-range.ts'
import type { AggregateFunction, Direction, Field, JoinType, JsonStep, NullsOrder, Operation } from '#services/rest/request/query.ts'
import type { Relationship } from '#services/rest/schema-cache/relationship.ts'
import type { QualifiedName } from '#services/rest/schema-cache/table.ts'

/** What is to be read, with every name resolved against the schema: a tree of relations, joined by embedding. */

/** A column in the place it is used at: what it is turned into, and how. */
export interface ResolvedField {
  name: string
  path: readonly JsonStep[]
  /** Whether the column must become jsonb before an arrow can be used on it. */
  toJson: boolean
  /** Set when the column is to be searched as text, with the configuration if one was given. */
  search?: { language?: string }
  /** Type at the database's side of a transformation; empty when unknown. */
  type: string
  /** Function (as SQL from the catalog) that turns the value into or from its outside form. */
  transform?: string
  default?: string
  /** The whole row instead of a column. */
  wholeRow?: boolean
}

export interface SelectField {
  field: ResolvedField
  aggregate?: AggregateFunction
  aggregateCast?: string
  cast?: string
  alias?: string
}

export type ResolvedLogic =
  | { kind: 'filter'; field: ResolvedField; negated: boolean; operation: Operation }
  /** Whether an embedded resource has rows. */
  | { kind: 'embed'; embed: string; isNull: boolean }
  | { kind: 'group'; negated: boolean; operator: 'and' | 'or'; members: readonly ResolvedLogic[] }

export interface ResolvedOrder {
  field: ResolvedField
  /** Alias of the embedded resource the field belongs to. */
  relation?: string
  direction?: Direction
  nulls?: NullsOrder
}

export interface JoinCondition {
  left: readonly [relation: QualifiedName, column: string]
  right: readonly [relation: QualifiedName, column: string]
}

export interface SpreadField {
  name: string
  aggregate?: AggregateFunction
  aggregateCast?: string
  alias?: string
}

/** What a parent selects of an embedded resource. */
export type EmbedSelect =
  | { kind: 'json'; name: string; aggregateAlias: string; toOne: boolean; isEmpty: boolean }
  | { kind: 'spread'; fields: readonly SpreadField[]; aggregateAlias: string }

export type Spread =
  | { kind: 'to-one' }
  | { kind: 'to-many'; extraFields: readonly { relation?: string; field: SelectField }[]; order: readonly ResolvedOrder[] }

export interface ReadPlan {
  select: SelectField[]
  from: QualifiedName
  fromAlias?: string
  where: ResolvedLogic[]
  order: ResolvedOrder[]
  range: RowRange
  /** As the request named it. */
  name: string
  alias?: string
  hint?: string
  join?: JoinType
  spread?: Spread
  relationship?: Relationship
  /** For a computed relationship: what the function's argument is called. */
  parentAlias?: string
  joinConditions: JoinCondition[]
  /** What the joined subquery is called. */
  aggregateAlias: string
  embeds: EmbedSelect[]
  depth: number
  children: ReadPlan[]
}

/** Schemaless: an alias or a CTE. */
export const aliasOf = (name: string): QualifiedName => ({ schema: '', name })

/** The CTE that a write's or a call's rows come from. */
export const sourceName = 'pgrst_source'

export const outsideName = (plan: ReadPlan): string => plan.alias ?? plan.name

export const plainField = (name: string, path: Field['path'] = []): ResolvedField => ({ name, path, toJson: false, type: '' })

/** Whether the plan selects nothing but `*` of one relation. */
export const isWholeSelect = ({ select, children }: ReadPlan): boolean =>
  children.length === 0 && select.length === 1 && select[0]!.field.name === '*'
