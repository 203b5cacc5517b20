import type { Change } from '#api/channels.ts'
import type { Description } from '#features/data/description/description.ts'
import { canRead, findColumn, findRelation, foreignKeys, keyColumns, type Relation } from '#features/data/description/relations.ts'
import { keyOf } from '#features/data/rows/address.ts'

/** The table whose changes tell what happens to a relation's rows. */
export interface LiveTable {
  schema: string
  name: string
  /** What of a changed row is to be told: its key, and which rows it points at. Undefined: all that one may read. */
  columns: string[] | undefined
}

/**
 * Finds the table to listen to: the relation itself, or the one table behind a view. Undefined where the project sends no
 * changes of it. A description that was learned another way cannot say, so it is tried.
 */
export function liveTableOf(description: Description, relation: Relation): LiveTable | undefined {
  const key = keyColumns(relation)
  if (relation.kind === 'table') {
    const isSent = relation.live !== undefined || description.fingerprint === ''
    return isSent ? { schema: relation.schema, name: relation.name, columns: key && telling(relation, key) } : undefined
  }
  const [schema = '', name = ''] = relation.based_on?.split('.') ?? []
  const base = findRelation(description, schema, name)
  // Told of under the same names, or the view's rows could not be found again.
  return base?.live !== undefined && key !== undefined ? { schema, name, columns: telling(base, key) } : undefined
}

function telling(relation: Relation, key: readonly string[]): string[] {
  const names = new Set([...key, ...foreignKeys(relation).flatMap(({ columns }) => columns)])
  return [...names].filter((name) => {
    const column = findColumn(relation, name)
    return column !== undefined && canRead(column)
  }).sort()
}

/** The key of the row a change is about; undefined when the server did not tell it. */
export const changedKey = (relation: Relation, { type, record, before }: Pick<Change, 'type' | 'record' | 'before'>): string[] | undefined =>
  keyOf(relation, type === 'DELETE' ? before : record)
