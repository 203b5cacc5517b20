import { tableAt } from './table-at.ts'
import { queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapAnswer } from '#api/unwrap.ts'
import { readableColumns, type Relation } from '#features/data/description/relations.ts'
import type { Source } from '#features/data/source.ts'
import { applyClauses, applySort } from '#features/data/view/apply.ts'
import { clausesOf, searchClause, type Clause } from '#features/data/view/clause.ts'
import { weekStart } from '#features/data/view/day-range.ts'
import { writeView, type ViewState } from '#features/data/view/view-state.ts'
import { columnName } from '#features/data/view/wire-text.ts'
import type { Row } from './row.ts'

/** Rows are read a page at a time, whichever part of the grid is in sight. */
export const pageSize = 100

/** What a grid shows: which rows, and what of each. */
export interface RowsWanted {
  relation: Relation
  view: ViewState
  /** The `select` parameter. */
  select: string
}

/** Everything kept of one relation's rows, to be read anew after a write. */
export const relationKey = (source: Source, { schema, name }: { schema: string; name: string }) => [...source.scope, 'relation', schema, name] as const

/** Compiled when asked, since "today" and "past" move. */
export function clausesOfView(relation: Relation, view: ViewState): Clause[] {
  const clauses = clausesOf(relation, view.filter, { now: new Date(), weekStartsOn: weekStart(globalThis.navigator?.language ?? 'en') })
  const search = searchClause(relation, view.search)
  return search ? [...clauses, search] : clauses
}

/** One page of the view. A view that names none of its rows twice keeps its order from page to page. */
export const pageQuery = (source: Source, wanted: RowsWanted, page: number) =>
  queryOptions({
    queryKey: [...relationKey(source, wanted.relation), 'rows', wanted.select, writeView(wanted.view), page] as const,
    queryFn: ({ signal }) => readRows(source, wanted, { from: page * pageSize, count: pageSize, signal }),
    staleTime: 30_000,
  })

export async function readRows({ client }: Source, { relation, view, select }: RowsWanted, range: { from: number; count: number; signal?: AbortSignal }): Promise<Row[]> {
  const request = tableAt(client, relation).select(select)
  const ordered = applySort(applyClauses(request, clausesOfView(relation, view)), relation, view.sort)
  const limited = ordered.range(range.from, range.from + range.count - 1)
  return (await unwrap(range.signal ? limited.abortSignal(range.signal) : limited)) as unknown as Row[]
}

export interface RowCount {
  rows: number
  /** False: the planner's estimate, since counting took too long. */
  exact: boolean
}

/** How many rows the view has. Counted exactly unless the table is known to be large, or the count runs into its time limit. */
export const countQuery = (source: Source, { relation, view }: Pick<RowsWanted, 'relation' | 'view'>, exactly = false) =>
  queryOptions({
    queryKey: [...relationKey(source, relation), 'count', writeView({ ...view, sort: [] }), exactly] as const,
    queryFn: async ({ signal }): Promise<RowCount> => {
      const clauses = clausesOfView(relation, view)
      const isLarge = !exactly && clauses.length === 0 && (relation.approx_rows ?? 0) > 100_000
      if (isLarge) return { rows: await countRows(source, { relation, clauses, how: 'planned', signal }), exact: false }
      try {
        return { rows: await countRows(source, { relation, clauses, how: 'exact', signal }), exact: true }
      } catch (cause) {
        if (exactly || signal.aborted) throw cause
        return { rows: await countRows(source, { relation, clauses, how: 'planned', signal }), exact: false }
      }
    },
    retry: false,
    staleTime: 30_000,
  })

interface Counting {
  relation: Relation
  clauses: readonly Clause[]
  how: 'exact' | 'planned'
  signal?: AbortSignal
}

export async function countRows({ client }: Source, { relation, clauses, how, signal }: Counting): Promise<number> {
  // One readable column: `*` would be refused where a column is not granted.
  const column = columnName(readableColumns(relation)[0]?.name ?? '*')
  const request = applyClauses(tableAt(client, relation).select(column, { count: how, head: true }), clauses)
  const { count } = await unwrapAnswer(signal ? request.abortSignal(signal) : request)
  return count ?? 0
}
