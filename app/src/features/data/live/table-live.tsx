import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { LiveOverlay } from '#features/data/grid/live-overlay.ts'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import { readView, writeView } from '#features/data/view/view-state.ts'
import { useMessages } from '#messages/messages.tsx'
import { Icon } from '#ui/icon.tsx'
import { Here, LiveState, useEnter } from './here.tsx'
import { liveTableOf } from './live-table.ts'
import css from './live.module.css'
import { rowMarks } from './row-marks.tsx'
import { keepInSight, listBeside } from './scroll.ts'
import type { TableFeed } from './table-feed.ts'
import { TableWatch } from './table-watch.ts'
import { usePeople, usePeopleOf, useTableFeed } from './use-feeds.ts'

export interface TableLiveProps {
  shared: RelationView
  onOverlay: (overlay: LiveOverlay) => void
}

/** Keeps a table's rows live: others' changes, and who else is here. Draws through the overlay it hands up. */
export function TableLive({ shared, onOverlay }: TableLiveProps) {
  const { description, relation } = shared
  const table = useMemo(() => liveTableOf(description, relation), [description, relation])
  const feed = useTableFeed(table)
  const people = usePeople(relation)
  const here = usePeopleOf(people)
  const place = useRef<HTMLSpanElement>(null)
  const gone = useRef<readonly number[]>([])
  const watch = useWatch(shared, feed)
  useEnter(people)

  const state = useSyncExternalStore(watch.subscribe, watch.state)
  const markOf = useMemo(() => rowMarks({ relation, people, here }), [relation, people, here])
  const overlay = useMemo((): LiveOverlay => {
    // Read when it is drawn: `state` makes a new overlay, since what it shows is another.
    void state
    return {
      show: (rows) => watch.show(rows),
      markOf: (row) => markOf(row, state.marks),
      people: <Here people={here} />,
      notice: <Notice watch={watch} place={place} />,
      status: <LiveState feed={feed} />,
    }
  }, [watch, state, markOf, here, feed])
  // Rows that leave above what is in sight must not pull it up.
  useLayoutEffect(() => {
    const after = watch.gone()
    keepInSight(listBeside(place.current), { before: gone.current, after }, () => onOverlay(overlay))
    gone.current = after
  }, [overlay, onOverlay, watch])
  return <span ref={place} hidden />
}

/** The watch over the view at hand; another view has one of its own. */
function useWatch({ source, relation, view, select }: RelationView, feed: TableFeed | undefined): TableWatch {
  const queries = useQueryClient()
  const viewText = writeView(view)
  const watch = useMemo(() => new TableWatch({ queries, source, wanted: { relation, view: readView(viewText), select } }), [queries, source, relation, select, viewText])
  useEffect(() => watch.open(), [watch])
  useEffect(() => feed?.listen((event) => (event.kind === 'change' ? watch.take(event.change) : void watch.catchUp())), [feed, watch])
  return watch
}

/** What waits to be shown; nothing moves before it is asked for. */
function Notice({ watch, place }: { watch: TableWatch; place: React.RefObject<HTMLElement | null> }) {
  const { live } = useMessages()
  const { newRows, isOutOfOrder } = useSyncExternalStore(watch.subscribe, watch.state)
  const show = () => {
    const list = listBeside(place.current)
    void watch.showAll().then(() => list?.scrollTo({ top: 0 }))
    // The button goes with what it announced: the focus would be lost with it.
    list?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }
  return (
    <div className={css.notice} role="status">
      {(newRows > 0 || isOutOfOrder) && (
        <button type="button" className={css.pill} onClick={show}>
          <Icon name={newRows > 0 ? 'sort-up' : 'refresh'} size={14} />
          {newRows > 0 ? live.newRows(newRows) : live.rowsChanged}
          <span className={css.pillAction}>{newRows > 0 ? live.newRowsHint : live.rowsChangedHint}</span>
        </button>
      )}
    </div>
  )
}
