import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { AppError } from '#api/app-error.ts'
import { unwrapAnswer } from '#api/unwrap.ts'
import { readChoices, type Choice, type Picker } from '#features/data/rows/choices-query.ts'
import { clausesOfView, relationKey, type RowsWanted } from '#features/data/rows/rows-query.ts'
import type { Row } from '#features/data/rows/row.ts'
import { tableAt } from '#features/data/rows/table-at.ts'
import type { Source } from '#features/data/source.ts'
import { applyClauses, applySort } from '#features/data/view/apply.ts'
import { writeView } from '#features/data/view/view-state.ts'
import { nextStart, type CardPage } from './cards.ts'
import { mostTargets, type Grouping } from './grouping.ts'
import type { Group } from './groups.ts'

/** Cards are read so many at a time. */
export const cardsAtOnce = 30

export interface BoardWanted extends RowsWanted {
  grouping: Grouping
}

/** Everything read for one board. */
export const boardKey = (source: Source, { relation, grouping, select, view }: BoardWanted) =>
  [...relationKey(source, relation), 'board', grouping.column.name, select, writeView(view)] as const

/** One column of the board, a page at a time; its count comes with the first. */
export const cardsQuery = (source: Source, wanted: BoardWanted, group: Group) =>
  infiniteQueryOptions({
    queryKey: [...boardKey(source, wanted), group.id] as const,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => readCards(source, wanted, { group, from: pageParam, signal }),
    getNextPageParam: (_, pages) => nextStart(pages),
    staleTime: 30_000,
  })

interface Asked {
  group: Group
  from: number
  signal: AbortSignal
  isCounted?: boolean
}

async function readCards(source: Source, wanted: BoardWanted, { group, from, signal, isCounted = from === 0 }: Asked): Promise<CardPage> {
  const { relation, view, select } = wanted
  const request = tableAt(source.client, relation).select(select, isCounted ? { count: 'exact' } : {})
  const narrowed = applyClauses(request, [...clausesOfView(relation, view), group.clause])
  try {
    const { data, count } = await unwrapAnswer(applySort(narrowed, relation, view.sort).range(from, from + cardsAtOnce - 1).abortSignal(signal))
    const rows = data as unknown as Row[]
    return { rows, isFull: rows.length === cardsAtOnce, placed: 0, ...(isCounted && count !== null ? { count } : {}) }
  } catch (cause) {
    // Counting may run into its time limit where the first rows do not.
    if (isCounted && cause instanceof AppError && cause.code === '57014') return readCards(source, wanted, { group, from, signal, isCounted: false })
    throw cause
  }
}

/** The rows a foreign key can point at, by title: the columns of a board. One more than is shown tells that there are too many. */
export const targetsQuery = (source: Source, picker: Picker) =>
  queryOptions({
    queryKey: [...relationKey(source, picker.target), 'choices', picker.fk.to, 'board'] as const,
    queryFn: ({ signal }): Promise<Choice[]> => readChoices(source, picker, { clauses: [], search: '', signal, limit: mostTargets + 1 }),
    staleTime: 30_000,
  })
