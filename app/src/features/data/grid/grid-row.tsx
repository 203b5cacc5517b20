import { memo, type CSSProperties, type MouseEvent, type ReactNode } from 'react'
import type { Row } from '#features/data/rows/row.ts'
import { useWords } from '#features/data/words.ts'
import { IconButton } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { classNames } from '#ui/class-names.ts'
import { CellLink } from './cell-link.tsx'
import { CellValue } from './cell-value.tsx'
import css from './grid.module.css'
import type { RowMark } from './live-overlay.ts'
import type { ShownColumn } from './shown-column.ts'
import type { CellPlace } from './use-grid-keys.ts'

/** What a row can have done to it; the same object for the grid's whole life, so that scrolling draws only what comes into sight. */
export interface RowActions {
  settle: (place: CellPlace) => void
  open: (row: Row, index: number) => void
  toggle: (index: number, extend: boolean) => void
  retry: () => void
}

export interface GridRowProps {
  index: number
  /** Pixels from the top of the body. */
  start: number
  row: Row | undefined
  columns: readonly ShownColumn[]
  lead: number
  href: string | undefined
  /** The column that holds the grid's tab stop, -1 when another row does. */
  activeColumn: number
  /** Undefined for a row that cannot be ticked. */
  isSelected: boolean | undefined
  failed: boolean
  /** What others do to it just now. */
  mark: RowMark | undefined
  actions: RowActions
}

/** One row; a row that is still on its way is drawn as an outline. */
export const GridRow = memo(function GridRow({ index, start, row, columns, lead, href, activeColumn, isSelected, failed, mark, actions }: GridRowProps) {
  return (
    <div
      role="row"
      className={classNames(css.row, isSelected === true && css.selected, mark?.kind === 'gone' && css.gone)}
      aria-rowindex={index + 2}
      aria-selected={lead ? isSelected === true : undefined}
      style={{ transform: `translateY(${start}px)` }}
      onDoubleClick={() => row && actions.open(row, index)}
    >
      {lead > 0 && <LeadCell {...{ index, row, isSelected, actions }} people={mark?.people} isActive={activeColumn === 0} />}
      {columns.map((shown, position) => (
        <Cell
          key={shown.column.name}
          {...{ index, row, shown, actions }}
          column={position + lead}
          href={shown.isWayIn ? href : undefined}
          isActive={activeColumn === position + lead}
          failed={failed && shown.isWayIn}
          isFresh={mark?.kind === 'changed' && mark.columns?.has(shown.column.name) !== false}
        />
      ))}
    </div>
  )
})

interface CellProps {
  index: number
  row: Row | undefined
  shown: ShownColumn
  column: number
  href: string | undefined
  isActive: boolean
  failed: boolean
  isFresh: boolean
  actions: RowActions
}

const Cell = memo(function Cell({ index, row, shown, column, href, isActive, failed, isFresh, actions }: CellProps) {
  const words = useWords()
  return (
    <div
      role="gridcell"
      aria-colindex={column + 1}
      className={classNames(css.cell, shown.isNumber && css.number, shown.pinnedAt !== undefined && css.pinned, shown.isTitle && css.title, isFresh && css.fresh)}
      style={pinnedStyle(shown.pinnedAt)}
      data-cell={`${index}:${column}`}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => actions.settle({ row: index, column })}
    >
      {failed ? <button type="button" className={css.retry} onClick={actions.retry}>{words.rowsFailed}</button> : row ? <Content {...{ row, shown, href }} /> : <span className={css.outline} />}
    </div>
  )
})

function Content({ row, shown, href }: { row: Row; shown: ShownColumn; href: string | undefined }) {
  const value = <CellValue column={shown.column} row={row} embed={shown.embed} isChoice={shown.isChoice} inGrid />
  if (href === undefined || shown.embed) return value
  return <CellLink href={href} className={css.open}>{value}</CellLink>
}

export const pinnedStyle = (pinnedAt: number | undefined): CSSProperties | undefined => (pinnedAt === undefined ? undefined : { insetInlineStart: pinnedAt })

/** The boxes before the first column: select, and open. */
function LeadCell({ index, row, isSelected, isActive, people, actions }: Pick<GridRowProps, 'index' | 'row' | 'isSelected' | 'actions'> & { isActive: boolean; people: ReactNode }) {
  const words = useWords()
  return (
    <div role="gridcell" aria-colindex={1} className={classNames(css.cell, css.leadCell)} data-cell={`${index}:0`} tabIndex={isActive ? 0 : -1} onFocus={() => actions.settle({ row: index, column: 0 })}>
      {row && isSelected !== undefined && (
        <>
          <Checkbox label={words.selectRow(index + 1)} labelHidden checked={isSelected} tabIndex={-1} onChange={() => undefined} onClick={(event: MouseEvent) => actions.toggle(index, event.shiftKey)} />
          <IconButton icon="expand" size="small" label={words.openRow(index + 1)} tabIndex={-1} className={css.openButton} onClick={() => actions.open(row, index)} />
          {people}
        </>
      )}
    </div>
  )
}
