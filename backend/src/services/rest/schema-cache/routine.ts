import type { QualifiedName } from './table.ts'

export interface Parameter {
  /** Empty for an unnamed parameter. */
  name: string
  type: string
  /** The type with no length limit: `character varying` for `character`. */
  widestType: string
  required: boolean
  variadic: boolean
}

/** A function clients may call. Overloads share the name. */
export interface Routine extends QualifiedName {
  parameters: readonly Parameter[]
  /** Type it gives, one row of it or a set. A composite type's name is its table's. */
  returns: { set: boolean; composite: boolean; type: QualifiedName }
  volatility: 'volatile' | 'stable' | 'immutable'
  variadic: boolean
  /** Settings that hold for the whole transaction. */
  settings: Readonly<Record<string, string>>
}

export const returnsScalar = ({ returns }: Routine): boolean => !returns.set && !returns.composite
export const returnsSetOfScalar = ({ returns }: Routine): boolean => returns.set && !returns.composite
export const returnsOneComposite = ({ returns }: Routine): boolean => !returns.set && returns.composite
export const returnsOne = ({ returns }: Routine): boolean => !returns.set
export const returnsVoid = ({ returns }: Routine): boolean => !returns.set && returns.type.schema === 'pg_catalog' && returns.type.name === 'void'

/** The relation whose rows the function gives, if it gives any relation's rows. */
export const returnedTable = ({ returns }: Routine): string | undefined => (returns.composite ? returns.type.name : undefined)
