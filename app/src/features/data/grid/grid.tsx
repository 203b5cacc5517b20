import { useVirtualizer, defaultRangeExtractor } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react'
import type { Relation } from '#features/data/description/relations.ts'
import { keyOf } from '#features/data/rows/address.ts'
import { plainText, toTabs } from '#features/data/rows/csv.ts'
import type { Row } from '#features/data/rows/row.ts'
import { writeView, type ViewState } from '#features/data/view/view-state.ts'
import { relationLabel } from '#features/data/words.ts'
import { useLocale } from '#messages/messages.tsx'
import type { LayoutActions } from './column-layout.ts'
import { cellText } from './cell-text.ts'
import css from './grid.module.css'
import { GridHeader } from './grid-header.tsx'
import { GridRow, type RowActions } from './grid-row.tsx'
import type { LiveOverlay } from './live-overlay.ts'
import type { Selected } from './selected.ts'
import type { ShownColumn } from './shown-column.ts'
import { useGridKeys, type CellPlace } from './use-grid-keys.ts'
import { useMedia } from '#ui/use-media.ts'
import type { Rows } from './use-rows.ts'

export const leadWidth = 64

export interface GridProps {
  relation: Relation
  columns: readonly ShownColumn[]
  rows: Rows
  view: ViewState
  onView: (view: ViewState) => void
  layout: LayoutActions
  selected: Selected
  /** Opens the record of a row; undefined for rows that have no key. */
  onOpen: (row: Row, index: number) => void
  hrefOf: (row: Row) => string | undefined
  onFilter: ((column: string) => void) | undefined
  markOf: LiveOverlay['markOf'] | undefined
  /** Shown in place of rows: nothing there, or no answer. */
  instead: ReactNode
}

/** Rows as a grid that is scrolled, read by keyboard and never holds more than what is in sight. */
export function Grid(props: GridProps) {
  const { relation, columns, rows, selected } = props
  const lead = selected.isOffered ? 1 : 0
  const { scroller, virtual, keys, rowHeight } = useVirtualGrid(props, lead)
  const actions = useRowActions(props, keys.settle)
  const pinnedWidth = columns.reduce((sum, { pinnedAt, width }) => (pinnedAt === undefined ? sum : sum + width), lead * leadWidth)
  const style = {
    '--columns': [...(lead ? [`${leadWidth}px`] : []), ...columns.map(({ width }) => `${width}px`)].join(' '),
    '--row-height': `${rowHeight}px`,
    scrollPaddingInlineStart: pinnedWidth,
  } as CSSProperties
  return (
    <div
      ref={scroller}
      className={css.grid}
      style={style}
      role="grid"
      aria-label={relationLabel(relation)}
      aria-rowcount={rows.isExact ? rows.total + 1 : -1}
      aria-colcount={columns.length + lead}
      aria-multiselectable={selected.isOffered || undefined}
      aria-busy={rows.state.step === 'loading' || undefined}
      onKeyDown={keys.onKeyDown}
      onCopy={(event) => copyFrom(event, { props, place: keys.active, lead })}
    >
      <GridHeader
        {...{ relation, columns, lead, selected }}
        view={props.view}
        onView={props.onView}
        layout={props.layout}
        onFilter={props.onFilter}
        loaded={rows.loaded.length}
        activeColumn={keys.active.row === -1 ? keys.active.column : -1}
        onSettle={keys.settle}
      />
      {props.instead ? (
        <Instead columns={columns.length + lead}>{props.instead}</Instead>
      ) : (
        <div role="rowgroup" className={css.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows.rowAt(index)
            const key = row && keyOf(relation, row)
            return (
              <GridRow
                key={index}
                {...{ index, start, row, columns, lead, actions }}
                href={row && props.hrefOf(row)}
                mark={row && props.markOf?.(row)}
                activeColumn={keys.active.row === index ? keys.active.column : -1}
                isSelected={key && selected.has(key)}
                failed={row === undefined && rows.failureAt(index) !== undefined}
              />
            )
          })}
        </div>
      )}
    </div>
  )
}

// Whatever stands in a grid stands in a cell.
function Instead({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <div role="rowgroup" className={css.instead}>
      <div role="row">
        <div role="gridcell" aria-colspan={columns}>{children}</div>
      </div>
    </div>
  )
}

function useRowActions({ rows, selected, onOpen }: GridProps, settle: RowActions['settle']): RowActions {
  const latest = useRef({ rows, selected, onOpen })
  useEffect(() => {
    latest.current = { rows, selected, onOpen }
  })
  return useMemo(() => ({
    settle,
    open: (row, index) => latest.current.onOpen(row, index),
    toggle: (index, extend) => latest.current.selected.toggle(index, extend),
    retry: () => latest.current.rows.retry(),
  }), [settle])
}

/** What is drawn of the rows, and which cell holds the focus: the two keep each other in sight. */
function useVirtualGrid(props: GridProps, lead: number) {
  const { columns, rows } = props
  const { direction } = useLocale()
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useMedia('(pointer: coarse)') ? 44 : 34
  const shown = props.instead ? 0 : rows.total

  // The cell that holds the focus stays drawn wherever one scrolls.
  const activeRow = useRef(0)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({
    count: shown,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), Math.min(Math.max(activeRow.current, 0), shown - 1)])].sort((a, b) => a - b),
  })
  const inSight = virtual.range
  const { show, total } = rows
  // What comes next is read before it is in sight; nothing is, before the first rows are there.
  useEffect(() => {
    if (inSight) show(inSight.startIndex - 50, Math.min(inSight.endIndex + 100, total - 1))
  }, [show, inSight, total])

  const viewKey = writeView(props.view)
  useEffect(() => {
    if (viewKey !== undefined) scroller.current?.scrollTo({ top: 0 })
  }, [viewKey])

  const keys = useGridKeys({
    grid: scroller,
    rows: shown,
    columns: columns.length + lead,
    rowHeight,
    rightToLeft: direction === 'rtl',
    reveal: (row) => {
      activeRow.current = row
      if (!virtual.getVirtualItems().some(({ index }) => index === row)) virtual.scrollToIndex(row)
    },
    act: (place, event) => actOnKey(place, event, { props, lead, scroller: scroller.current }),
  })
  useEffect(() => {
    activeRow.current = keys.active.row
  })
  return { scroller, virtual, keys, rowHeight }
}

interface Acting {
  props: GridProps
  lead: number
  scroller: HTMLElement | null
}

/** What keys do beside moving: Enter opens or sorts, Space selects, Alt+Enter follows a reference, Alt+Down opens a column's menu. */
function actOnKey({ row, column }: CellPlace, event: KeyboardEvent<HTMLElement>, { props, lead, scroller }: Acting): boolean {
  const cell = scroller?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
  const take = (done: () => void): true => {
    event.preventDefault()
    done()
    return true
  }
  if (row < 0) {
    if (event.key === 'ArrowDown' && event.altKey) return take(() => cell?.querySelector('button')?.click())
    return event.key === 'Enter' || event.key === ' ' ? take(() => cell?.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: event.shiftKey }))) : false
  }
  if (event.key === 'Enter' && event.altKey) return take(() => cell?.querySelector('a')?.click())
  const held = props.rows.rowAt(row)
  if (event.key === 'Enter' && held) return take(() => props.onOpen(held, row))
  if (event.key === ' ' && lead) return take(() => props.selected.toggle(row, event.shiftKey))
  if (event.key === 'Escape' && props.selected.count > 0) return take(props.selected.clear)
  if (event.key === 'a' && (event.ctrlKey || event.metaKey) && lead) return take(props.selected.selectLoaded)
  return false
}

/** Copies the selected rows as a spreadsheet takes them, else the cell. Marked text is left to the browser. */
function copyFrom(event: React.ClipboardEvent, { props, place, lead }: { props: GridProps; place: CellPlace; lead: number }): void {
  const { columns, rows, selected } = props
  if (getSelection()?.isCollapsed === false) return
  const column = columns[place.column - lead]
  const row = rows.rowAt(place.row)
  const chosen = selected.rows()
  if (chosen.length === 0 && (!column || !row)) return
  const text = chosen.length > 0
    ? toTabs([columns.map(({ label }) => label), ...chosen.map((one) => columns.map((shown) => cellText(shown, one)))])
    : plainText(column && row ? cellText(column, row) : '')
  event.clipboardData.setData('text/plain', text)
  event.preventDefault()
}
