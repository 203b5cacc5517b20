import type { ColumnDescription, Description, ForeignKey, RelationDescription } from './description.ts'
import { kindOf } from './field-kind.ts'
import { findRelation, foreignKeys, keyColumns, readableColumns, type Relation } from './relations.ts'

/** Where a row's title comes from. */
export type Title =
  | { from: 'column'; column: string }
  /** Another row speaks for this one: a member is shown as its profile's name. */
  | { from: 'row'; fk: ForeignKey; target: Relation; title: Title & { from: 'column' } }
  | { from: 'key'; columns: string[] }

const preferred = [
  'title', 'name', 'full_name', 'fullname', 'display_name', 'displayname', 'label', 'subject', 'headline', 'caption', 'username', 'user_name', 'handle', 'email', 'slug', 'code', 'number', 'reference', 'sku',
]

/** Chooses the title of a relation's rows: a column that reads like a name, a unique text, another row's title, else the key. */
export function titleOf(description: Description, relation: Relation): Title {
  const column = titleColumn(relation)
  if (column) return { from: 'column', column: column.name }
  return titleThroughRow(description, relation) ?? firstText(relation) ?? { from: 'key', columns: keyColumns(relation) ?? [] }
}

/** Columns a search for a title looks through: the title itself, and other words that name a row. */
export function titleSearchColumns(relation: RelationDescription): string[] {
  const named = readableColumns(relation).filter((column) => isText(column) && rankOf(column) < Infinity)
  return named.sort((left, right) => rankOf(left) - rankOf(right)).slice(0, 3).map(({ name }) => name)
}

function titleColumn(relation: RelationDescription): ColumnDescription | undefined {
  const texts = readableColumns(relation).filter(isText)
  const ranked = texts.filter((column) => rankOf(column) < Infinity).sort((left, right) => rankOf(left) - rankOf(right))
  return ranked[0] ?? texts.find((column) => (relation.unique ?? []).some((key) => key.length === 1 && key[0] === column.name))
}

function titleThroughRow(description: Description, relation: Relation): Title | undefined {
  for (const fk of foreignKeys(relation)) {
    const target = fk.schema === relation.schema && fk.table !== relation.name ? findRelation(description, fk.schema, fk.table) : undefined
    const column = target?.can.select === true && speaksFor(relation, fk) ? titleColumn(target) : undefined
    if (target && column) return { from: 'row', fk, target, title: { from: 'column', column: column.name } }
  }
  return undefined
}

// Only a row that stands for a person or thing of its own (part of the key, or one to one) may lend its title.
const speaksFor = (relation: RelationDescription, fk: ForeignKey): boolean =>
  fk.one_to_one === true || (/user|profile|person|account|contact/i.test(fk.table) && (relation.primary_key ?? []).some((name) => fk.columns.includes(name)))

function firstText(relation: RelationDescription): Title | undefined {
  const text = readableColumns(relation).find((column) => isText(column) && column.not_null === true)
  return text && { from: 'column', column: text.name }
}

const isText = (column: ColumnDescription): boolean => kindOf(column) === 'text' && column.array !== true

function rankOf({ name }: ColumnDescription): number {
  const lower = name.toLowerCase()
  const exact = preferred.indexOf(lower)
  if (exact >= 0) return exact
  const ending = preferred.findIndex((word) => lower.endsWith(`_${word}`))
  return ending < 0 ? Infinity : preferred.length + ending
}
