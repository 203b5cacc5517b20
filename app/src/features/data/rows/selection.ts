import type { ColumnDescription, Description, ForeignKey } from '#features/data/description/description.ts'
import { isReadAsText, kindOf } from '#features/data/description/field-kind.ts'
import { canRead, findColumn, findRelation, foreignKeyShownAt, keyColumns, readableColumns, type Relation } from '#features/data/description/relations.ts'
import { titleOf, type Title } from '#features/data/description/title.ts'
import { columnName } from '#features/data/view/wire-text.ts'
import type { Row } from './row.ts'

/** A row of another relation read along with ours, to show its title in the foreign key's place. */
export interface Embed {
  /** The member of our row that holds it. */
  alias: string
  fk: ForeignKey
  target: Relation
  title: Title
}

/** What is asked for in one request. */
export interface Selection {
  /** The `select` parameter. */
  text: string
  /** By the column each is shown in. */
  embeds: ReadonlyMap<string, Embed>
}

/** Builds the request for the named columns: the key always, and the title of each row they point at. */
export function selectionOf(description: Description, relation: Relation, shown: readonly string[]): Selection {
  const embeds = new Map(shown.flatMap((name) => {
    const embed = embedAt(description, relation, name)
    return embed ? [[name, embed] as const] : []
  }))
  const names = new Set([...(keyColumns(relation) ?? []), ...shown, ...[...embeds.values()].flatMap(({ fk }) => fk.columns)])
  const columns = [...names].flatMap((name) => {
    const column = findColumn(relation, name)
    return column && canRead(column) ? [columnText(column)] : []
  })
  return { text: [...columns, ...[...embeds.values()].map((embed) => embedText(relation, embed))].join(','), embeds }
}

function embedAt(description: Description, relation: Relation, columnNamed: string): Embed | undefined {
  // The data API joins relations of one schema only; a view's foreign keys are those of the table behind it.
  const fk = foreignKeyShownAt(relation, columnNamed)
  if (!fk || fk.schema !== relation.schema) return undefined
  if (fk.table === relation.name && fk.columns.length > 1) return undefined
  const target = findRelation(description, fk.schema, fk.table)
  if (target?.can.select !== true || readableColumns(target).length === 0) return undefined
  return { alias: aliasFor(relation, columnNamed), fk, target, title: titleOf(description, target) }
}

function aliasFor(relation: Relation, column: string): string {
  const position = relation.columns.findIndex(({ name }) => name === column)
  const taken = new Set(relation.columns.map(({ name }) => name))
  let alias = `row_of_${position}`
  while (taken.has(alias)) alias = `${alias}_`
  return alias
}

function embedText(own: Relation, { alias, fk, target, title }: Embed): string {
  // Within one table the data API takes the table's name for the rows that point here, the column's for the row pointed at.
  const place = target.name === own.name || fk.name === '' ? columnName(fk.columns[0] ?? '') : `${columnName(target.name)}!${columnName(fk.name)}`
  return `${alias}:${place}(${titleColumns(target, title)})`
}

/** The select list that a relation's titles and keys need: `id,name`. */
export function titleColumns(target: Relation, title: Title): string {
  const names = new Set([...(keyColumns(target) ?? []), ...(title.from === 'column' ? [title.column] : []), ...(title.from === 'key' ? title.columns : [])])
  // A relation with neither key nor title still has to be asked for something.
  if (names.size === 0) for (const { name } of readableColumns(target).slice(0, 1)) names.add(name)
  const own = [...names].flatMap((name) => {
    const column = findColumn(target, name)
    return column ? [columnText(column)] : []
  })
  return [...own, ...(title.from === 'row' ? [`spoken_for:${columnName(title.target.name)}!${columnName(title.fk.name)}(${columnName(title.title.column)})`] : [])].join(',')
}

const columnText = (column: ColumnDescription): string => `${columnName(column.name)}${isReadAsText(column) ? '::text' : ''}`

/** The title of a row; falls back to its key, and to undefined when it has neither. */
export function titleText(title: Title, row: Row, key: readonly string[] | undefined): string | undefined {
  const own = title.from === 'column' ? row[title.column] : title.from === 'row' ? spokenFor(row)?.[title.title.column] : undefined
  if (own !== null && own !== undefined && own !== '') return String(own)
  return key === undefined || key.length === 0 ? undefined : key.join(', ')
}

const spokenFor = (row: Row): Row | undefined => readRow(row['spoken_for'])

/** The embedded row, when the policies let it through. */
export const embeddedRow = (row: Row, embed: Embed): Row | undefined => readRow(row[embed.alias])

const readRow = (value: unknown): Row | undefined => {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === 'object' && one !== null ? (one as Row) : undefined
}

const heavy = new Set(['binary', 'search'])

/** The columns a grid opens with: all but those nobody reads in a cell, at most twenty. */
export const openingColumns = (relation: Relation): string[] =>
  readableColumns(relation).filter((column) => !heavy.has(kindOf(column))).slice(0, 20).map(({ name }) => name)
