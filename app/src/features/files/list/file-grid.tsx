import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import type { Sort, SortColumn } from '#features/files/address.ts'
import type { Entry } from '#features/files/names/entry.ts'
import { useMedia } from '#ui/use-media.ts'
import { useMessages } from '#messages/messages.tsx'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import css from './file-grid.module.css'
import { FileRow, type RowDeeds } from './file-row.tsx'
import { readKey, type KeyDeeds } from './grid-keys.ts'
import type { FileSelection } from './use-selection.ts'

export interface FileGridProps {
  label: string
  entries: readonly Entry[]
  selection: FileSelection
  sort: Sort
  onSort: (sort: Sort) => void
  deeds: RowDeeds & KeyDeeds
  /** True while there are entries that have not been read. */
  hasMore: boolean
  onMore: () => void
  isBusy: boolean
  /** The focus goes to the row of the keys as soon as it is drawn. */
  takesFocus: boolean
  /** Shown in place of rows. */
  instead: ReactNode
}

/** A folder's entries as a grid of rows: one tab stop, drawn only as far as it is in sight. */
export function FileGrid(props: FileGridProps) {
  const { files: words } = useMessages()
  const { label, entries, selection, sort, deeds, instead } = props
  const { scroller, virtual, onKeyDown } = useVirtualRows(props)
  const first = entries[selection.focused]
  return (
    <div
      ref={scroller}
      className={classNames(css.grid, selection.chosen.size > 0 && css.selecting)}
      role="grid"
      aria-label={label}
      aria-multiselectable
      aria-rowcount={props.hasMore ? -1 : entries.length + 1}
      aria-busy={props.isBusy || undefined}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className={css.head}>
        <div role="row" aria-rowindex={1} className={css.headRow}>
          <span role="columnheader"><VisuallyHidden>{words.selected}</VisuallyHidden></span>
          <SortHeader label={words.name} column="name" sort={sort} onSort={props.onSort} />
          <span role="columnheader" className={css.size}>{words.size}</span>
          <span role="columnheader" className={css.type}>{words.type}</span>
          <SortHeader label={words.modified} column="updated_at" sort={sort} onSort={props.onSort} className={css.date} />
          <span role="columnheader"><VisuallyHidden>{words.actions}</VisuallyHidden></span>
        </div>
      </div>
      {instead ? (
        <div role="rowgroup" className={css.instead}>
          <div role="row">
            <div role="gridcell" aria-colspan={6}>{instead}</div>
          </div>
        </div>
      ) : (
        <div role="rowgroup" className={css.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const entry = entries[index]
            return entry && (
              <FileRow
                key={entry.path}
                {...{ entry, index, start, height: size, deeds }}
                isChosen={selection.chosen.has(entry.path)}
                isFocusable={entry === first}
              />
            )
          })}
        </div>
      )}
    </div>
  )
}

function SortHeader({ label, column, sort, onSort, className }: { label: string; column: SortColumn; sort: Sort; onSort: (sort: Sort) => void; className?: string | undefined }) {
  const isSorted = sort.column === column
  // Names from A, dates from the newest: what one looks for first.
  const next = { column, isDescending: isSorted ? !sort.isDescending : column !== 'name' }
  return (
    <span role="columnheader" className={className} aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className={css.sort} onClick={() => onSort(next)}>
        {label}
        {isSorted && <Icon name={sort.isDescending ? 'sort-down' : 'sort-up'} size={12} />}
      </button>
    </span>
  )
}

function useVirtualRows({ entries, selection, deeds, hasMore, onMore, isBusy, takesFocus, instead }: FileGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const isNarrow = useMedia('(max-width: 639px)')
  const isCoarse = useMedia('(pointer: coarse)')
  const rowHeight = isNarrow ? 60 : isCoarse ? 48 : 38
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({ count: instead ? 0 : entries.length, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 12, scrollPaddingStart: 34 })
  useEffect(() => virtual.measure(), [virtual, rowHeight])
  const last = virtual.range?.endIndex ?? 0
  // The next page is asked for before its place comes into sight.
  useEffect(() => {
    if (hasMore && !isBusy && last > entries.length - 150) onMore()
  }, [hasMore, isBusy, last, entries.length, onMore])

  // Keys move the focus to a row that may be drawn only after this.
  const wantsFocus = useRef(takesFocus)
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${selection.focused}"]`)
    if (!row) return
    wantsFocus.current = false
    row.focus({ preventScroll: true })
  })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Keys inside a menu or on a button are theirs.
    const { index } = (event.target as HTMLElement).dataset
    if (index === undefined) return
    const pageRows = Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeight) - 2)
    const moved = readKey(event, { entries, selection, deeds, pageRows, at: Number(index) })
    if (moved === undefined) return
    event.preventDefault()
    if (moved < 0) return
    wantsFocus.current = true
    virtual.scrollToIndex(moved)
  }
  return { scroller, virtual, onKeyDown }
}
