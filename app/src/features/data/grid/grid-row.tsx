import { memo, type CSSProperties, type MouseEvent, type ReactNode } from 'react'
import type { Row } from '#features/data/rows/row.ts'
import type { Words } from '#features/data/words.ts'
import { useWords } from '#features/data/words.ts'
import { IconButton } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { classNames } from '#ui/class-names.ts'
import { Link } from '#ui/link.tsx'
import { CellValue } from './cell-value.tsx'
import css from './grid.module.css'
import type { ShownColumn } from './shown-column.ts'
import type { CellPlace } from './use-grid-keys.ts'

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
  isSelected: boolean
  failure: Error | undefined
  onRetry: () => void
  onSettle: (place: CellPlace) => void
  onOpen: (row: Row, index: number) => void
  leadCell: ReactNode
}

/** One row; a row that is still on its way is drawn as an outline. */
export function GridRow(props: GridRowProps) {
  const { index, start, row, columns, lead, isSelected, failure, onOpen } = props
  return (
    <div
      role="row"
      className={classNames(css.row, isSelected && css.selected)}
      aria-rowindex={index + 2}
      aria-selected={lead ? isSelected : undefined}
      style={{ transform: `translateY(${start}px)` }}
      onDoubleClick={() => row && onOpen(row, index)}
    >
      {lead > 0 && (props.leadCell ?? <div role="gridcell" aria-colindex={1} className={classNames(css.cell, css.leadCell)} data-cell={`${index}:0`} tabIndex={props.activeColumn === 0 ? 0 : -1} />)}
      {columns.map((shown, position) => (
        <Cell
          key={shown.column.name}
          {...{ index, row, shown }}
          column={position + lead}
          href={shown.isWayIn ? props.href : undefined}
          isActive={props.activeColumn === position + lead}
          failed={failure !== undefined && position === 0}
          onRetry={props.onRetry}
          onSettle={props.onSettle}
        />
      ))}
    </div>
  )
}

interface CellProps {
  index: number
  row: Row | undefined
  shown: ShownColumn
  column: number
  href: string | undefined
  isActive: boolean
  failed: boolean
  onRetry: () => void
  onSettle: (place: CellPlace) => void
}

const Cell = memo(function Cell({ index, row, shown, column, href, isActive, failed, onRetry, onSettle }: CellProps) {
  const words = useWords()
  return (
    <div
      role="gridcell"
      aria-colindex={column + 1}
      className={classNames(css.cell, shown.isNumber && css.number, shown.pinnedAt !== undefined && css.pinned, shown.isTitle && css.title)}
      style={pinnedStyle(shown.pinnedAt)}
      data-cell={`${index}:${column}`}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onSettle({ row: index, column })}
    >
      {failed ? <button type="button" className={css.retry} onClick={onRetry}>{words.rowsFailed}</button> : row ? <Content {...{ row, shown, href }} /> : <span className={css.outline} />}
    </div>
  )
})

function Content({ row, shown, href }: { row: Row; shown: ShownColumn; href: string | undefined }) {
  const value = <CellValue column={shown.column} row={row} embed={shown.embed} isChoice={shown.isChoice} inGrid />
  if (href === undefined || shown.embed) return value
  return (
    <Link href={href} variant="plain" className={css.open} tabIndex={-1}>
      {value}
    </Link>
  )
}

export const pinnedStyle = (pinnedAt: number | undefined): CSSProperties | undefined => (pinnedAt === undefined ? undefined : { insetInlineStart: pinnedAt })

/** The boxes before the first column: select, and open. */
export function LeadCell({ index, isSelected, isActive, onSettle, onToggle, onOpen, words }: {
  index: number
  isSelected: boolean
  isActive: boolean
  onSettle: (place: CellPlace) => void
  onToggle: (extend: boolean) => void
  onOpen: () => void
  words: Words
}) {
  return (
    <div role="gridcell" aria-colindex={1} className={classNames(css.cell, css.leadCell)} data-cell={`${index}:0`} tabIndex={isActive ? 0 : -1} onFocus={() => onSettle({ row: index, column: 0 })}>
      <Checkbox label={words.selectRow(index + 1)} labelHidden checked={isSelected} tabIndex={-1} onChange={() => undefined} onClick={(event: MouseEvent) => onToggle(event.shiftKey)} />
      <IconButton icon="expand" size="small" label={words.openRow(index + 1)} tabIndex={-1} className={css.openButton} onClick={onOpen} />
    </div>
  )
}
