import { useMemo, useState } from 'react'
import type { ColumnDescription, Description } from '#features/data/description/description.ts'
import { isLongText, isNumeric, kindOf } from '#features/data/description/field-kind.ts'
import { findColumn, foreignKeyShownAt, keyColumns, readableColumns, type Relation } from '#features/data/description/relations.ts'
import { titleOf } from '#features/data/description/title.ts'
import { openingColumns } from '#features/data/rows/selection.ts'
import type { Source } from '#features/data/source.ts'

/** How one person wants one table's columns; kept on their machine. */
export interface ColumnLayout {
  /** Shown columns in their order; undefined: as they open. */
  shown?: string[]
  /** In pixels. */
  widths: Record<string, number>
  /** Stay in sight while the others scroll. */
  pinned: string[]
}

const untouched: ColumnLayout = { widths: {}, pinned: [] }

export const narrowest = 64
export const widest = 800

export interface LayoutActions {
  resize: (column: string, width: number) => void
  show: (columns: string[]) => void
  move: (column: string, by: -1 | 1) => void
  pin: (column: string, pinned: boolean) => void
  reset: () => void
}

export interface Columns {
  shown: ColumnDescription[]
  widthOf: (column: ColumnDescription) => number
  isPinned: (column: ColumnDescription) => boolean
  isUntouched: boolean
  actions: LayoutActions
}

/** The columns of one relation's grid as the person left them. */
export function useColumns(source: Source, description: Description, relation: Relation): Columns {
  const key = `portico.columns.${source.project.id}.${relation.schema}.${relation.name}`
  const [layout, setLayout] = useState(() => readLayout(key))
  const opening = useMemo(() => orderForReading(description, relation), [description, relation])

  return useMemo(() => {
    const names = shownNames(layout, relation, opening)
    const change = (next: ColumnLayout) => {
      setLayout(next)
      writeLayout(key, next)
    }
    const shown = names.flatMap((name) => findColumn(relation, name) ?? [])
    return {
      shown,
      widthOf: (column) => layout.widths[column.name] ?? openingWidth(description, relation, column),
      isPinned: (column) => layout.pinned.includes(column.name),
      isUntouched: layout.shown === undefined && layout.pinned.length === 0 && Object.keys(layout.widths).length === 0,
      actions: {
        resize: (column, width) => change({ ...layout, widths: { ...layout.widths, [column]: Math.round(Math.min(widest, Math.max(narrowest, width))) } }),
        show: (columns) => change({ ...layout, shown: columns }),
        move: (column, by) => change({ ...layout, shown: moved(names, column, by) }),
        pin: (column, pinned) => change({ ...layout, pinned: pinned ? [...layout.pinned, column] : layout.pinned.filter((name) => name !== column) }),
        reset: () => change(untouched),
      },
    }
  }, [layout, relation, opening, key, description])
}

function shownNames(layout: ColumnLayout, relation: Relation, opening: string[]): string[] {
  const readable = new Set(readableColumns(relation).map(({ name }) => name))
  const chosen = (layout.shown ?? opening).filter((name) => readable.has(name))
  const names = chosen.length > 0 ? chosen : opening
  return [...names.filter((name) => layout.pinned.includes(name)), ...names.filter((name) => !layout.pinned.includes(name))]
}

export function moved(names: readonly string[], name: string, by: -1 | 1): string[] {
  const from = names.indexOf(name)
  const to = from + by
  const other = names[to]
  if (from < 0 || other === undefined) return [...names]
  return names.map((current, index) => (index === from ? other : index === to ? name : current))
}

/** A number people call rows by, then the title, then the rest as the table has them; long texts and opaque keys last. */
export function orderForReading(description: Description, relation: Relation): string[] {
  const keys = new Set(keyColumns(relation) ?? [])
  const title = titleOf(description, relation)
  const rank = (name: string): number => {
    const column = findColumn(relation, name)
    if (!column) return 3
    if (title.from === 'column' && title.column === name) return 1
    if (isLongText(column) || kindOf(column) === 'json') return 3
    if (!keys.has(name) || foreignKeyShownAt(relation, name)) return 2
    return isNumeric(kindOf(column)) ? 0 : kindOf(column) === 'uuid' ? 4 : 2
  }
  return openingColumns(relation).toSorted((left, right) => rank(left) - rank(right))
}

function openingWidth(description: Description, relation: Relation, column: ColumnDescription): number {
  const title = titleOf(description, relation)
  if (title.from === 'column' && title.column === column.name) return 320
  if (foreignKeyShownAt(relation, column.name)) return 180
  if (column.array === true) return 200
  if (isLongText(column)) return 280
  switch (kindOf(column)) {
    case 'integer': return relation.primary_key?.includes(column.name) === true ? 80 : 104
    case 'boolean': return 104
    case 'decimal': case 'float': case 'date': case 'time': case 'enum': return 128
    case 'timestamp': case 'timestamptz': return 180
    case 'uuid': return 152
    case 'json': return 220
    default: return 190
  }
}

function readLayout(key: string): ColumnLayout {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isLayout(stored) ? stored : untouched
  } catch {
    return untouched
  }
}

function writeLayout(key: string, layout: ColumnLayout): void {
  try {
    if (layout === untouched) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(layout))
  } catch {
    return
  }
}

const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string')

function isLayout(value: unknown): value is ColumnLayout {
  if (typeof value !== 'object' || value === null) return false
  const { shown, widths, pinned } = value as Partial<ColumnLayout>
  return (shown === undefined || isTextList(shown)) && isTextList(pinned) && typeof widths === 'object' && widths !== null &&
    Object.values(widths).every((width) => typeof width === 'number')
}
