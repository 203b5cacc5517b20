import { useCallback, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'

/** A cell by its row and column; row -1 is the header. */
export interface CellPlace {
  row: number
  column: number
}

export interface GridKeys {
  active: CellPlace
  /** Moves to a cell without taking the focus from elsewhere; the same function for the grid's whole life. */
  settle: (place: CellPlace) => void
  focus: (place: CellPlace) => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

interface GridShape {
  grid: RefObject<HTMLElement | null>
  rows: number
  columns: number
  rowHeight: number
  rightToLeft: boolean
  /** Brings a row that is not drawn into being. */
  reveal: (row: number) => void
  /** What the cell does on a key of its own; true when it took it. */
  act: (place: CellPlace, event: KeyboardEvent<HTMLElement>) => boolean
}

/** One tab stop for the whole grid; arrows, Home, End and the page keys move it from cell to cell. */
export function useGridKeys({ grid, rows, columns, rowHeight, rightToLeft, reveal, act }: GridShape): GridKeys {
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 })
  const wantsFocus = useRef(false)

  // The row may have come into being only with this draw.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`)
    if (!cell) return
    wantsFocus.current = false
    cell.focus({ preventScroll: true })
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })

  const within = ({ row, column }: CellPlace): CellPlace => ({
    row: Math.max(-1, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  })
  const focus = (place: CellPlace) => {
    const next = within(place)
    wantsFocus.current = true
    if (next.row >= 0) reveal(next.row)
    setActive({ ...next })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Keys inside a cell's menu or field are theirs.
    if (!(event.target as HTMLElement).hasAttribute('data-cell')) return
    const pageRows = Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeight) - 2)
    const next = act(active, event) ? undefined : step(event, active, { rows, columns, pageRows, rightToLeft })
    if (next) focus(next)
    if (next) event.preventDefault()
  }
  const settle = useCallback((place: CellPlace) => setActive((held) => (held.row === place.row && held.column === place.column ? held : place)), [])
  return { active: within(active), settle, focus, onKeyDown }
}

type Shape = Pick<GridShape, 'rows' | 'columns' | 'rightToLeft'> & { pageRows: number }

/** Where a key leads from a cell; undefined when it leads nowhere. */
export function step({ key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>, { row, column }: CellPlace, shape: Shape): CellPlace | undefined {
  if (altKey) return undefined
  const far = ctrlKey || metaKey
  const forward = shape.rightToLeft ? 'ArrowLeft' : 'ArrowRight'
  const back = shape.rightToLeft ? 'ArrowRight' : 'ArrowLeft'
  switch (key) {
    case 'ArrowDown': return { row: far ? shape.rows - 1 : row + 1, column }
    case 'ArrowUp': return { row: far ? 0 : row - 1, column }
    case forward: return { row, column: far ? shape.columns - 1 : column + 1 }
    case back: return { row, column: far ? 0 : column - 1 }
    case 'Home': return { row: far ? 0 : row, column: 0 }
    case 'End': return { row: far ? shape.rows - 1 : row, column: shape.columns - 1 }
    case 'PageDown': return { row: Math.max(0, row) + shape.pageRows, column }
    case 'PageUp': return { row: Math.max(0, row - shape.pageRows), column }
    default: return undefined
  }
}
