import type { ColumnDescription, Description, ForeignKey, FunctionDescription, Reference, RelationDescription } from './description.ts'

/** One relation with the schema it lives in: what every screen below the navigation is given. */
export interface Relation extends RelationDescription {
  schema: string
}

export interface SchemaGroup {
  name: string
  comment?: string
  tables: Relation[]
  views: Relation[]
  functions: FunctionDescription[]
}

/** What there is to show, in schema order: relations the role may use in some way, functions that can be called by name. */
export function listGroups(description: Description): SchemaGroup[] {
  return (description.schemas ?? []).map((schema) => {
    const shown = (schema.relations ?? []).filter(isShown).map((relation) => ({ ...relation, schema: schema.name }))
    return {
      name: schema.name,
      ...(schema.comment === undefined ? {} : { comment: schema.comment }),
      tables: shown.filter(({ kind }) => kind === 'table' || kind === 'foreign'),
      views: shown.filter(({ kind }) => kind === 'view' || kind === 'matview'),
      functions: (schema.functions ?? []).filter(isCallable),
    }
  }).filter(({ tables, views, functions }) => tables.length + views.length + functions.length > 0)
}

// A partition is reached through its parent.
const isShown = (relation: RelationDescription): boolean =>
  relation.partition !== true && relation.columns.length > 0 && (relation.can.select || relation.can.insert)

const isCallable = (described: FunctionDescription): boolean =>
  described.computed_for === undefined && described.name !== 'portico_describe' && described.args.every(({ name }) => name !== undefined)

export function findRelation(description: Description, schema: string, name: string): Relation | undefined {
  const found = description.schemas?.find((candidate) => candidate.name === schema)?.relations?.find((relation) => relation.name === name)
  return found && { ...found, schema }
}

export function findFunction(description: Description, schema: string, name: string): FunctionDescription | undefined {
  return description.schemas?.find((candidate) => candidate.name === schema)?.functions?.find((described) => described.name === name)
}

export const findColumn = (relation: RelationDescription, name: string): ColumnDescription | undefined =>
  relation.columns.find((column) => column.name === name)

export const canRead = (column: ColumnDescription): boolean => column.can.includes('s')

/** Columns the role may read, in the table's order. */
export const readableColumns = (relation: RelationDescription): ColumnDescription[] => relation.columns.filter(canRead)

/**
 * The columns that tell rows apart: primary key, else a unique key that cannot be null, else the guessed key of a view.
 * Undefined when rows cannot be addressed; every column is readable otherwise.
 */
export function keyColumns(relation: RelationDescription): string[] | undefined {
  const readable = new Set(readableColumns(relation).map(({ name }) => name))
  const isUsable = (key: string[] | undefined): key is string[] => key !== undefined && key.length > 0 && key.every((name) => readable.has(name))
  const neverNull = (relation.unique ?? []).find((key) => isUsable(key) && key.every((name) => findColumn(relation, name)?.not_null === true))
  return [relation.primary_key, neverNull, relation.key_guess].find(isUsable)
}

/** Foreign keys whose target the role may see, each column in at most one: the narrowest key wins. */
export function foreignKeys(relation: RelationDescription): ForeignKey[] {
  const known = (relation.fks ?? []).filter((fk): fk is ForeignKey => fk.hidden !== true)
  return known.sort((left, right) => left.columns.length - right.columns.length)
}

/**
 * The foreign key shown in the column's place. A composite key is shown in its last column (`organisation_id, assignee`
 * is about the assignee), unless a key of that column alone says it better.
 */
export function foreignKeyShownAt(relation: RelationDescription, columnName: string): ForeignKey | undefined {
  return foreignKeys(relation).find(({ columns }) => columns.length === 1 && columns[0] === columnName) ??
    foreignKeys(relation).find((fk) => fk.columns.length > 1 && pivotColumn(relation, fk) === columnName)
}

// The column that no other, simpler foreign key claims; the last one when all or none are free.
function pivotColumn(relation: RelationDescription, fk: ForeignKey): string | undefined {
  const free = fk.columns.filter((name) => !foreignKeys(relation).some(({ columns }) => columns.length === 1 && columns[0] === name))
  return free.at(-1)
}

/** Lists of rows that point at this relation and can be read. */
export const references = (description: Description, relation: RelationDescription): Reference[] =>
  (relation.referenced_by ?? []).filter(({ schema, table }) => findRelation(description, schema, table)?.can.select === true)

/** What the columns' values are when the type is an enum. */
export const enumValues = (description: Description, column: Pick<ColumnDescription, 'enum'>): string[] =>
  (column.enum === undefined ? undefined : description.types?.[column.enum]?.values) ?? []
