import { memo, useRef, type PointerEvent } from 'react'
import { effectiveSort } from '#features/data/view/newest-first.ts'
import { nextSort } from '#features/data/view/view-state.ts'
import { useWords } from '#features/data/words.ts'
import { useLocale } from '#messages/messages.tsx'
import { IconButton } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { Menu, type MenuGroup } from '#ui/menu.tsx'
import { narrowest, widest } from './column-layout.ts'
import css from './grid.module.css'
import type { GridProps } from './grid.tsx'
import { pinnedStyle } from './grid-row.tsx'
import type { ShownColumn } from './shown-column.ts'
import type { CellPlace } from './use-grid-keys.ts'

export interface GridHeaderProps extends Pick<GridProps, 'relation' | 'columns' | 'view' | 'onView' | 'layout' | 'onFilter' | 'selected'> {
  lead: number
  /** How many rows are at hand to be ticked at once. */
  loaded: number
  /** The column that holds the grid's tab stop, -1 when a row does. */
  activeColumn: number
  onSettle: (place: CellPlace) => void
}

/** Names of the columns; a press sorts, the menu holds the rest. Scrolling does not draw it anew. */
export const GridHeader = memo(function GridHeader(props: GridHeaderProps) {
  const { columns, lead, activeColumn, selected, loaded, onSettle } = props
  const { relation, view, onView, layout, onFilter } = props
  return (
    <div role="rowgroup" className={css.head}>
      <div role="row" className={css.headRow} aria-rowindex={1}>
        {lead > 0 && <SelectAll {...{ selected, loaded, onSettle }} isActive={activeColumn === 0} />}
        {columns.map((shown, index) => (
          <HeadCell key={shown.column.name} {...{ shown, relation, columns, view, onView, layout, onFilter, onSettle }} position={index + lead} isActive={activeColumn === index + lead} />
        ))}
      </div>
    </div>
  )
})

function SelectAll({ selected, loaded, onSettle, isActive }: Pick<GridHeaderProps, 'selected' | 'loaded' | 'onSettle'> & { isActive: boolean }) {
  const words = useWords()
  return (
    <div role="columnheader" aria-colindex={1} aria-label={words.selection} className={classNames(css.headCell, css.leadCell)} data-cell="-1:0" tabIndex={isActive ? 0 : -1} onFocus={() => onSettle({ row: -1, column: 0 })}>
      <Checkbox
        label={words.selectLoaded(loaded)}
        labelHidden
        tabIndex={-1}
        checked={loaded > 0 && selected.count >= loaded}
        indeterminate={selected.count > 0 && selected.count < loaded}
        onChange={() => undefined}
        onClick={() => (selected.count > 0 ? selected.clear() : selected.selectLoaded())}
      />
    </div>
  )
}

interface HeadCellProps extends Pick<GridHeaderProps, 'relation' | 'columns' | 'view' | 'onView' | 'layout' | 'onFilter' | 'onSettle'> {
  shown: ShownColumn
  position: number
  isActive: boolean
}

const HeadCell = memo(function HeadCell(props: HeadCellProps) {
  const { shown, relation, position, isActive, view, onView, onSettle } = props
  const words = useWords()
  const { column, label } = shown
  const order = view.sort.findIndex((part) => part.column === column.name)
  const sort = effectiveSort(relation, view.sort).find((part) => part.column === column.name)
  return (
    <div
      role="columnheader"
      aria-colindex={position + 1}
      aria-sort={sort ? (sort.descending ? 'descending' : 'ascending') : 'none'}
      aria-label={label}
      className={classNames(css.headCell, shown.isNumber && css.number, shown.pinnedAt !== undefined && css.pinned)}
      style={pinnedStyle(shown.pinnedAt)}
      data-cell={`-1:${position}`}
      tabIndex={isActive ? 0 : -1}
      title={column.comment}
      onFocus={(event) => event.target === event.currentTarget && onSettle({ row: -1, column: position })}
      onClick={(event) => {
        if (!(event.target as HTMLElement).closest('button, [role=menu], [data-resizer]')) onView({ ...view, sort: nextSort(view.sort, column.name, event.shiftKey) })
      }}
    >
      <span className={css.headLabel}>{label}</span>
      {sort && (
        <span className={classNames(css.sorted, order < 0 && css.unasked)}>
          <Icon name={sort.descending ? 'sort-down' : 'sort-up'} size={12} />
          {view.sort.length > 1 && <span>{order + 1}</span>}
        </span>
      )}
      <Menu
        label={words.columnMenu(label)}
        placement="bottom end"
        trigger={<IconButton icon="chevron-down" size="small" label={words.columnMenu(label)} tabIndex={-1} className={css.headMenu} />}
        groups={useColumnMenu(props, order)}
      />
      <Resizer shown={shown} onResize={(width) => props.layout.resize(column.name, width)} />
    </div>
  )
})

function useColumnMenu({ shown, view, onView, layout, columns, onFilter }: HeadCellProps, order: number): MenuGroup[] {
  const words = useWords()
  const name = shown.column.name
  const others = view.sort.filter((part) => part.column !== name)
  const sortBy = (descending: boolean, add: boolean) => onView({ ...view, sort: [...(add ? others : []), { column: name, descending }] })
  const names = columns.map(({ column }) => column.name)
  return [
    {
      items: [
        { id: 'up', icon: 'sort-up', label: words.sortUp, onSelect: () => sortBy(false, false) },
        { id: 'down', icon: 'sort-down', label: words.sortDown, onSelect: () => sortBy(true, false) },
        ...(others.length > 0 ? [{ id: 'also', icon: 'sort' as const, label: words.sortAlso, onSelect: () => sortBy(false, true) }] : []),
        ...(order >= 0 ? [{ id: 'unsorted', icon: 'close' as const, label: words.sortNot, onSelect: () => onView({ ...view, sort: others }) }] : []),
      ],
    },
    ...(onFilter ? [{ items: [{ id: 'filter', icon: 'filter' as const, label: words.filterBy, onSelect: () => onFilter(name) }] }] : []),
    {
      items: [
        { id: 'pin', icon: 'pin', label: shown.pinnedAt === undefined ? words.pin : words.unpin, onSelect: () => layout.pin(name, shown.pinnedAt === undefined) },
        { id: 'before', icon: 'arrow-left', label: words.moveBefore, disabled: names[0] === name, onSelect: () => layout.move(name, -1) },
        { id: 'after', icon: 'arrow-right', label: words.moveAfter, disabled: names.at(-1) === name, onSelect: () => layout.move(name, 1) },
        { id: 'wider', icon: 'expand', label: words.wider, onSelect: () => layout.resize(name, shown.width + 60) },
        { id: 'narrower', icon: 'collapse', label: words.narrower, onSelect: () => layout.resize(name, shown.width - 60) },
        { id: 'hide', icon: 'eye-off', label: words.hideColumn, disabled: names.length === 1, onSelect: () => layout.show(names.filter((other) => other !== name)) },
      ],
    },
  ]
}

// The keyboard's way is the menu's "wider" and "narrower".
function Resizer({ shown, onResize }: { shown: ShownColumn; onResize: (width: number) => void }) {
  const { direction } = useLocale()
  const from = useRef<number | undefined>(undefined)
  const widthAt = (event: PointerEvent) => {
    const moved = (event.clientX - (from.current ?? event.clientX)) * (direction === 'rtl' ? -1 : 1)
    return Math.min(widest, Math.max(narrowest, shown.width + moved))
  }
  const preview = (event: PointerEvent<HTMLElement>, width: number | undefined) => {
    event.currentTarget.style.setProperty('--drag', width === undefined ? '0px' : `${(width - shown.width) * (direction === 'rtl' ? -1 : 1)}px`)
  }
  return (
    <span
      data-resizer
      className={css.resizer}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = event.clientX
      }}
      onPointerMove={(event) => from.current !== undefined && preview(event, widthAt(event))}
      onPointerUp={(event) => {
        const width = widthAt(event)
        preview(event, undefined)
        if (from.current !== undefined && width !== shown.width) onResize(width)
        from.current = undefined
      }}
    />
  )
}
