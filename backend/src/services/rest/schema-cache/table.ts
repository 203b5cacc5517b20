/** A relation or function by schema and name. */
export interface QualifiedName {
  schema: string
  name: string
}

/** One text for a qualified name, as a map's key. */
export const keyOf = ({ schema, name }: QualifiedName): string => `${schema}\u0000${name}`

export interface Column {
  name: string
  /** Base type of a domain, else the type; without length: `character varying`. */
  type: string
  /** As declared: `character varying(20)`, a domain's own name. */
  nominalType: string
  /** SQL of the default. */
  default?: string
}

export interface Table extends QualifiedName {
  isView: boolean
  insertable: boolean
  updatable: boolean
  deletable: boolean
  /** In name order; for a view those it takes over from its tables. */
  primaryKey: readonly string[]
  /** In table order. Parsed on first use: a schema may have thousands of tables. */
  readonly columns: ReadonlyMap<string, Column>
}

type CompactColumn = readonly [name: string, type: string, nominalType: string | null, defaultSql: string | null]

interface TableFacts extends Omit<Table, 'columns'> {
  /** JSON array of compact columns. */
  columnsJson: string
}

function parseColumns(json: string): ReadonlyMap<string, Column> {
  const compact = JSON.parse(json) as readonly CompactColumn[]
  return new Map(
    compact.map(([name, type, nominalType, defaultSql]) => [
      name,
      { name, type, nominalType: nominalType ?? type, ...(defaultSql === null ? {} : { default: defaultSql }) },
    ]),
  )
}

export function makeTable({ columnsJson, ...facts }: TableFacts): Table {
  let parsed: ReadonlyMap<string, Column> | undefined
  return {
    ...facts,
    get columns() {
      return (parsed ??= parseColumns(columnsJson))
    },
  }
}
