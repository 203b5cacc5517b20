import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { navigate, useSearch } from 'wouter/use-browser-location'
import type { Description } from '#features/data/description/description.ts'
import { keyColumns, type Relation } from '#features/data/description/relations.ts'
import { titleOf, type Title } from '#features/data/description/title.ts'
import { DataFailure } from '#features/data/data-failure.tsx'
import { dataPath, keyOf } from '#features/data/rows/address.ts'
import type { Row } from '#features/data/rows/row.ts'
import { relationKey } from '#features/data/rows/rows-query.ts'
import { selectionOf, type Selection } from '#features/data/rows/selection.ts'
import { useSource, type Source } from '#features/data/source.ts'
import { readGrouping, type Grouping, groupingsOf } from '#features/data/board/grouping.ts'
import { useView } from '#features/data/view/use-view.ts'
import type { ViewState } from '#features/data/view/view-state.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { useColumns, type Columns } from './column-layout.ts'
import { Grid, leadWidth } from './grid.tsx'
import { LateLive } from './late-live.tsx'
import type { LiveOverlay } from './live-overlay.ts'
import { NothingThere } from './nothing-there.tsx'
import css from './relation-screen.module.css'
import { useSelected, type Selected } from './selected.ts'
import { shownColumns, type ShownColumn } from './shown-column.ts'
import { StatusBar } from './status-bar.tsx'
import { Toolbar } from './toolbar.tsx'
import { useMedia } from '#ui/use-media.ts'
import { useRows, type Rows } from './use-rows.ts'

// On small screens alone.
const RecordList = lazy(async () => ({ default: (await import('./record-list.tsx')).RecordList }))
const LateBoard = lazy(async () => ({ default: (await import('#features/data/board/late-board.tsx')).LateBoard }))
const FilterBar = lazy(async () => ({ default: (await import('#features/data/filter/filter-bar.tsx')).FilterBar }))

/** Everything the parts of one relation's screen share. */
export interface RelationView {
  source: Source
  description: Description
  relation: Relation
  view: ViewState
  setView: (view: ViewState, options?: { replace?: boolean }) => void
  columns: Columns
  shown: readonly ShownColumn[]
  select: string
  embeds: Selection['embeds']
  title: Title
  rows: Rows
  selected: Selected
  refresh: () => void
  /** The columns a board can be made of, and the one it is made of; undefined: a grid is shown. */
  groupings: readonly Grouping[]
  grouping: Grouping | undefined
  /** What others do meanwhile; comes after the rows. */
  live: LiveOverlay | undefined
}

/** One relation: its rows, and the tools to find some of them. `children` is the record that lies over it. */
export function RelationScreen({ description, relation, children }: { description: Description; relation: Relation; children?: ((view: RelationView) => ReactNode) | undefined }) {
  const [live, setLive] = useState<LiveOverlay>()
  const shared = useRelationView(description, relation, live)
  const words = useWords()
  // The filter whose editor is open; a column's name starts a new one.
  const [editing, setEditing] = useState<string | undefined>()
  const isNarrow = useMedia('(max-width: 639px)')
  const { view, rows } = shared

  return (
    <section className={css.screen} aria-label={relationLabel(relation)}>
      <Toolbar shared={shared} onFilter={() => setEditing('')} isNarrow={isNarrow} />
      {(view.filter.length > 0 || editing !== undefined) && (
        <Suspense fallback={<div className={css.filterPlace} />}>
          <FilterBar shared={shared} starting={editing} onStarted={() => setEditing(undefined)} />
        </Suspense>
      )}
      {live?.notice}
      {shared.grouping
        ? <Suspense fallback={<div className={css.listPlace} />}><LateBoard shared={shared} grouping={shared.grouping} onOverlay={setLive} /></Suspense>
        : isNarrow
        ? <Suspense fallback={<div className={css.listPlace} />}><RecordList shared={shared} instead={insteadOfRows(shared)} /></Suspense>
        : (
            <Grid
              relation={relation}
              columns={shared.shown}
              rows={rows}
              view={view}
              onView={shared.setView}
              layout={shared.columns.actions}
              selected={shared.selected}
              onOpen={(row, index) => openRow(relation, row, index)}
              hrefOf={(row) => rowHref(relation, row)}
              onFilter={setEditing}
              markOf={live?.markOf}
              instead={insteadOfRows(shared)}
            />
          )}
      <StatusBar shared={shared} label={words.statusOf(relationLabel(relation))} />
      {children?.(shared)}
      {!shared.grouping && <LateLive shared={shared} onOverlay={setLive} />}
    </section>
  )
}

function useRelationView(description: Description, relation: Relation, live: LiveOverlay | undefined): RelationView {
  const source = useSource()
  const queries = useQueryClient()
  const [view, setView] = useView()
  const columns = useColumns(source, description, relation)
  const selection = useMemo(() => selectionOf(description, relation, columns.shown.map(({ name }) => name)), [description, relation, columns.shown])
  const groupings = useMemo(() => groupingsOf(description, relation), [description, relation])
  const grouping = readGrouping(useSearch(), groupings)
  const read = useRows(source, { relation, view, select: selection.text }, grouping === undefined)
  const rows = live ? live.show(read) : read
  const selected = useSelected(relation, rows)
  const title = useMemo(() => titleOf(description, relation), [description, relation])
  const shown = useMemo(() => {
    const titleColumn = title.from === 'column' ? title.column : undefined
    // Where no title is shown, the first column that leads nowhere else leads to the record.
    const wayIn = columns.shown.find(({ name }) => name === titleColumn)?.name ?? columns.shown.find(({ name }) => !selection.embeds.has(name))?.name
    return shownColumns(description, relation, { columns, selection, titleColumn, wayIn, leadWidth: selected.isOffered ? leadWidth : 0 })
  }, [description, relation, title, columns, selection, selected.isOffered])
  const refresh = () => void queries.invalidateQueries({ queryKey: relationKey(source, relation) })
  return { source, description, relation, view, setView, columns, shown, select: selection.text, embeds: selection.embeds, title, rows, selected, refresh, groupings, grouping, live }
}

/** The address of a row's record, over the same view. */
export function rowHref(relation: Relation, row: Row): string | undefined {
  const key = keyOf(relation, row)
  return key && `${dataPath(relation.schema, relation.name, key)}${location.search}`
}

/** Opens a row; one that has no key is shown by its place in the view. */
export function openRow(relation: Relation, row: Row, index: number): void {
  const href = rowHref(relation, row)
  if (href !== undefined) return navigate(href)
  const search = new URLSearchParams(location.search)
  search.set('row', String(index))
  navigate(`${location.pathname}?${search.toString()}`)
}

function insteadOfRows(shared: RelationView): ReactNode {
  const { rows } = shared
  if (rows.state.step === 'failed') return <DataFailure error={rows.state.error} onRetry={rows.retry} retrying={rows.isRefreshing} />
  if (rows.state.step === 'ready' && rows.total === 0) return <NothingThere shared={shared} />
  return undefined
}

/** Whether rows can be told apart, and so be opened at an address, ticked and deleted. */
export const hasKey = (relation: Relation): boolean => keyColumns(relation) !== undefined
