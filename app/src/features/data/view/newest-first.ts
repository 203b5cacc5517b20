import type { ColumnDescription, RelationDescription } from '#features/data/description/description.ts'
import { isMoment, kindOf } from '#features/data/description/field-kind.ts'
import { canRead, findColumn, keyColumns } from '#features/data/description/relations.ts'
import type { Sort } from './view-state.ts'

const momentsOfBirth = ['created_at', 'inserted_at', 'created_on', 'created', 'inserted', 'createdat', 'insertedat', 'creation_date', 'date_created', 'sent_at', 'occurred_at']

// Beyond it an order that no index serves would keep the first rows waiting.
const sortedAtEase = 50_000

/** The order rows stand in: the one that was asked for, else newest first where the relation tells what is new. Empty: by the key. */
export const effectiveSort = (relation: RelationDescription, sort: readonly Sort[]): readonly Sort[] =>
  sort.length > 0 ? sort : newestFirst(relation)

/** By when rows were made, else by the number they were given as they came. */
export function newestFirst(relation: RelationDescription): Sort[] {
  const key = keyColumns(relation)
  const counter = key?.length === 1 ? findColumn(relation, key[0] ?? '') : undefined
  const column = momentOfBirth(relation) ?? (counter && isCounted(counter) ? counter : undefined)
  return column ? [{ column: column.name, descending: true }] : []
}

/** Whether the column says when its row came to be. */
export const isMomentOfBirth = (column: ColumnDescription): boolean =>
  momentsOfBirth.includes(column.name.toLowerCase()) && column.array !== true && isMoment(kindOf(column))

function momentOfBirth(relation: RelationDescription): ColumnDescription | undefined {
  const isLarge = (relation.approx_rows ?? 0) > sortedAtEase
  const rank = ({ name }: ColumnDescription) => momentsOfBirth.indexOf(name.toLowerCase())
  return relation.columns
    .filter((column) => isMomentOfBirth(column) && canRead(column) && (!isLarge || column.indexed === true))
    .toSorted((left, right) => rank(left) - rank(right))[0]
}

const isCounted = ({ identity, default: given }: ColumnDescription): boolean => identity !== undefined || given?.kind === 'sequence'
