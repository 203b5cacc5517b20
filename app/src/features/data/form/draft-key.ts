import type { Relation } from '#features/data/description/relations.ts'

/** Where the unsaved work on one row, or on a new one, is kept. */
export const draftKeyOf = ({ schema, name }: Relation, record: readonly string[] | 'new'): string =>
  `${schema}.${name}:${record === 'new' ? 'new' : record.join()}`
