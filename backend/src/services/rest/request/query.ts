/** What a query string may say, after parsing and before the schema is asked. */

/** `->'key'` or `->0`; the last step may be `->>` and then gives text. */
export interface JsonStep {
  asText: boolean
  key?: string
  /** With its sign: `+0`, `-1`. */
  index?: string
}

export interface Field {
  name: string
  path: readonly JsonStep[]
}

export type AggregateFunction = 'sum' | 'avg' | 'count' | 'max' | 'min'
export type JoinType = 'inner' | 'left'

export interface FieldItem {
  kind: 'field'
  field: Field
  aggregate?: AggregateFunction
  aggregateCast?: string
  cast?: string
  alias?: string
}

export interface EmbedItem {
  kind: 'embed'
  name: string
  spread: boolean
  alias?: string
  /** Constraint, column or junction that picks one of several relationships. */
  hint?: string
  join?: JoinType
  items: readonly SelectItem[]
}

export type SelectItem = FieldItem | EmbedItem

export type SimpleOperator = 'neq' | 'cs' | 'cd' | 'ov' | 'sl' | 'sr' | 'nxr' | 'nxl' | 'adj'
export type QuantifiableOperator = 'eq' | 'gte' | 'gt' | 'lte' | 'lt' | 'like' | 'ilike' | 'match' | 'imatch'
export type SearchOperator = 'fts' | 'plfts' | 'phfts' | 'wfts'
export type IsValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown'
export type Quantifier = 'any' | 'all'

/** A comparison. `value` is a parameter's text: a pattern with `%`, for `in` an array. */
export type Operation =
  | { kind: 'simple'; operator: SimpleOperator; value: string }
  | { kind: 'quantifiable'; operator: QuantifiableOperator; quantifier?: Quantifier; value: string }
  | { kind: 'in'; value: string }
  | { kind: 'is'; value: IsValue }
  | { kind: 'isdistinct'; value: string }
  | { kind: 'search'; operator: SearchOperator; language?: string; value: string }

export interface Filter {
  field: Field
  negated: boolean
  operation: Operation
}

export type Logic = { kind: 'filter'; filter: Filter } | { kind: 'group'; negated: boolean; operator: 'and' | 'or'; members: readonly Logic[] }

export type Direction = 'asc' | 'desc'
export type NullsOrder = 'nullsfirst' | 'nullslast'

export interface OrderTerm {
  field: Field
  /** Set for `order=clients(name)`: the embedded resource whose field orders. */
  relation?: string
  direction?: Direction
  nulls?: NullsOrder
}

/** Names of embedded resources from the root down; empty for the root. */
export type EmbedPath = readonly string[]

export interface At<T> {
  path: EmbedPath
  value: T
}
