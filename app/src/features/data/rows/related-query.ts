import { tableAt } from './table-at.ts'
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '#api/unwrap.ts'
import type { Reference } from '#features/data/description/description.ts'
import type { Relation } from '#features/data/description/relations.ts'
import type { Source } from '#features/data/source.ts'
import { applyClauses, applySort } from '#features/data/view/apply.ts'
import { pointingAt } from './record-query.ts'
import type { Row } from './row.ts'
import { countRows, relationKey } from './rows-query.ts'

export interface RelatedWanted {
  child: Relation
  reference: Reference
  /** The row they belong to. */
  row: Row
  select: string
}

const shownRows = 5

const keyFor = (source: Source, { child, reference, row }: RelatedWanted) =>
  [...relationKey(source, child), 'related', reference.columns, reference.to.map((column) => row[column])] as const

/** The latest few rows that point at a record. */
export const relatedRowsQuery = (source: Source, wanted: RelatedWanted) =>
  queryOptions({
    queryKey: [...keyFor(source, wanted), wanted.select] as const,
    queryFn: async ({ signal }) => {
      const { child, reference, row, select } = wanted
      const request = applyClauses(tableAt(source.client, child).select(select), pointingAt(reference, row))
      return (await unwrap(applySort(request, child, []).limit(shownRows).abortSignal(signal))) as unknown as Row[]
    },
  })

/** How many rows point at a record. */
export const relatedCountQuery = (source: Source, wanted: RelatedWanted) =>
  queryOptions({
    queryKey: [...keyFor(source, wanted), 'count'] as const,
    queryFn: ({ signal }) => countRows(source, { relation: wanted.child, clauses: pointingAt(wanted.reference, wanted.row), how: 'exact', signal }),
  })
