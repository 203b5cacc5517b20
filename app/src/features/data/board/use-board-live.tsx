import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { LiveOverlay, RowMark } from '#features/data/grid/live-overlay.ts'
import { Here, LiveState, useEnter } from '#features/data/live/here.tsx'
import { liveTableOf } from '#features/data/live/live-table.ts'
import { rowMarks } from '#features/data/live/row-marks.tsx'
import { usePeople, usePeopleOf, useTableFeed } from '#features/data/live/use-feeds.ts'
import type { Row } from '#features/data/rows/row.ts'
import { countQuery } from '#features/data/rows/rows-query.ts'
import { useWords } from '#features/data/words.ts'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import { useFormat } from '#messages/messages.tsx'
import type { BoardView } from './board-view.ts'

const noMarks = new Map<string, never>()

/** Keeps the board live: others' changes, and who else is here. Its cards are also those one goes through from an open record. */
export function useBoardLive(board: BoardView, onOverlay: (overlay: LiveOverlay | undefined) => void): BoardView {
  const { shared: { description, relation, source, view }, store } = board
  const table = useMemo(() => liveTableOf(description, relation), [description, relation])
  const feed = useTableFeed(table)
  const people = usePeople(relation)
  const here = usePeopleOf(people)
  useEnter(people)
  useEffect(() => feed?.listen((event) => (event.kind === 'change' ? store.take(event.change) : void store.catchUp())), [feed, store])

  const markOf = useMemo(() => rowMarks({ relation, people, here }), [relation, people, here])
  const overlay = useMemo((): LiveOverlay => {
    return {
      show: (rows) => ({ ...rows, loaded: store.loaded() }),
      markOf: (row) => markOf(row, noMarks),
      people: <Here people={here} />,
      notice: null,
      status: <><Total {...{ source, relation, view }} /><LiveState feed={feed} /></>,
    }
  }, [store, markOf, here, feed, source, relation, view])
  useEffect(() => onOverlay(overlay), [overlay, onOverlay])
  // The grid lays its own over its rows.
  useEffect(() => () => onOverlay(undefined), [onOverlay])
  return { ...board, peopleAt: (row: Row) => (markOf(row, noMarks) as RowMark | undefined)?.people }
}

/** How many rows all columns have together. */
function Total({ source, relation, view }: Pick<RelationView, 'source' | 'relation' | 'view'>) {
  const words = useWords()
  const format = useFormat()
  const count = useQuery(countQuery(source, { relation, view }))
  return <span role="status">{count.data && (count.data.exact ? words.rows(count.data.rows) : words.aboutRows(format.number(count.data.rows)))}</span>
}
