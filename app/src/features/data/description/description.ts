/** What the project says about itself to the role that asks, as `portico_describe()` answers it. */
export interface Description {
  format: 1
  /** Changes whenever anything in the document does; sent back as `known`. Empty when learned another way. */
  fingerprint: string
  server: { version: number; role: string }
  types?: Record<string, TypeDescription>
  schemas?: SchemaDescription[]
}

export interface SchemaDescription {
  name: string
  comment?: string
  relations?: RelationDescription[]
  functions?: FunctionDescription[]
}

export interface TypeDescription {
  kind?: 'enum' | 'domain' | 'composite' | 'range' | 'multirange'
  comment?: string
  /** Of an enum, in its own order. */
  values?: string[]
  /** Of a domain; the checks speak of `VALUE`. */
  base?: string
  checks?: { name: string; expr: string }[]
  /** Of a composite. */
  fields?: { name: string; type: string }[]
}

export interface Rights {
  select: boolean
  insert: boolean
  update: boolean
  delete: boolean
}

export interface RelationDescription {
  name: string
  kind: 'table' | 'view' | 'matview' | 'foreign'
  partition?: true
  comment?: string
  /** Granted, updatable, and a policy for the role exists: some row may pass, not that one does. */
  can: Rights
  granted?: string
  rls?: { enabled: boolean; active: boolean; policies?: Partial<Record<keyof Rights, [permissive: number, restrictive: number]>> }
  live?: { insert: boolean; update: boolean; delete: boolean; old_record: 'full' | 'key' | 'none' }
  /** Only where row security does not apply to the caller. */
  approx_rows?: number
  primary_key?: string[]
  /** Of a view over one table: that table's key. */
  key_guess?: string[]
  based_on?: string
  unique?: string[][]
  checks?: CheckDescription[]
  fks?: (ForeignKey | HiddenForeignKey)[]
  referenced_by?: Reference[]
  columns: ColumnDescription[]
}

export interface CheckDescription {
  name: string
  columns: string[]
  expr: string
}

/** Absent: no action. */
export type OnDelete = 'restrict' | 'cascade' | 'set_null' | 'set_default'

export interface ForeignKey {
  hidden?: undefined
  name: string
  columns: string[]
  schema: string
  table: string
  to: string[]
  one_to_one?: true
  on_delete?: OnDelete
}

/** A foreign key whose target is not the caller's to see. */
export interface HiddenForeignKey {
  hidden: true
  columns: string[]
}

/** A foreign key seen from the table it points at: `columns` of `table` hold `to` of ours. */
export type Reference = Omit<ForeignKey, 'hidden'>

export interface ColumnDescription {
  name: string
  /** As declared: `character varying(40)`, `public.email_address`, `text[]`. */
  type: string
  /** Domains and arrays unwound: `varchar`, `text`, `int8`. */
  base: string
  class?: 'enum' | 'composite' | 'range' | 'multirange'
  /** Key into `types`. */
  enum?: string
  array?: true
  /** Of `s`, `i`, `u`. */
  can: string
  /** Not null, and nothing fills it by itself. */
  required?: true
  not_null?: true
  identity?: 'always' | 'by_default'
  generated?: 'stored' | 'virtual'
  default?: ColumnDefault
  max_length?: number
  precision?: number
  scale?: number
  indexed?: true
  comment?: string
}

export type ColumnDefault =
  | { kind: 'constant'; value: string }
  | { kind: 'now' | 'uuid' | 'caller' | 'expression' }
  | { kind: 'sequence'; usable?: boolean }

export interface FunctionDescription {
  name: string
  comment?: string
  method: 'GET' | 'POST'
  volatility: 'volatile' | 'stable' | 'immutable'
  args: ArgumentDescription[]
  returns: { set?: true; type: string; relation?: string; columns?: { name: string; type: string }[] }
  /** `schema.table`: a computed column of that relation. */
  computed_for?: string
}

export interface ArgumentDescription {
  name?: string
  type: string
  base: string
  enum?: string
  array?: true
  variadic?: true
  optional?: true
  default?: string
}

/** The answer when the document the browser holds is still right. */
export interface Unchanged {
  unchanged: true
  fingerprint: string
}

export const isUnchanged = (answer: unknown): answer is Unchanged => isObject(answer) && answer['unchanged'] === true

/** Checks the outline of a document before anything reads it; a stranger's function of the same name is not believed. */
export function isDescription(answer: unknown): answer is Description {
  if (!isObject(answer) || answer['format'] !== 1 || typeof answer['fingerprint'] !== 'string') return false
  if (!isObject(answer['server']) || typeof answer['server']['role'] !== 'string') return false
  return isListOf(answer['schemas'], (schema) =>
    typeof schema['name'] === 'string' && isListOf(schema['relations'], isRelation) && isListOf(schema['functions'], isFunction))
}

const isRelation = (relation: Record<string, unknown>): boolean =>
  typeof relation['name'] === 'string' && isObject(relation['can']) && Array.isArray(relation['columns']) &&
  isListOf(relation['columns'], (column) => typeof column['name'] === 'string' && typeof column['base'] === 'string' && typeof column['can'] === 'string')

const isFunction = (described: Record<string, unknown>): boolean =>
  typeof described['name'] === 'string' && Array.isArray(described['args']) && isObject(described['returns'])

const isListOf = (list: unknown, holds: (item: Record<string, unknown>) => boolean): boolean =>
  list === undefined || (Array.isArray(list) && list.every((item) => isObject(item) && holds(item)))

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
