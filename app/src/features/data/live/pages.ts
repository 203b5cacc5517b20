import type { Row } from '#features/data/rows/row.ts'
import { pageSize } from '#features/data/rows/rows-query.ts'
import type { Rows } from '#features/data/grid/use-rows.ts'

/** One page of a view that has been read. */
export interface Page {
  page: number
  rows: readonly Row[]
}

/** The rows of these pages with the place of each in the whole view. */
export const placeOf = (pages: readonly Page[]): { index: number; row: Row }[] =>
  pages.flatMap(({ page, rows }) => rows.map((row, index) => ({ index: page * pageSize + index, row })))

/** Which columns hold something else now; embedded rows count under their own names. */
export function differing(before: Row, now: Row): Set<string> {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return new Set([...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name])))
}

/** Where a shown row stands among all rows, of which those at `gone` (ascending) are left out. */
export function placeBehind(gone: readonly number[], index: number): number {
  let place = index
  for (const left of gone) {
    if (left > place) break
    place += 1
  }
  return place
}

/** The rows without those at these places: what follows moves up. */
export function rowsWithout(rows: Rows, gone: readonly number[], stays: (row: Row) => boolean): Rows {
  if (gone.length === 0) return rows
  return {
    ...rows,
    total: Math.max(0, rows.total - gone.length),
    rowAt: (index) => rows.rowAt(placeBehind(gone, index)),
    failureAt: (index) => rows.failureAt(placeBehind(gone, index)),
    loaded: rows.loaded.filter(stays),
    show: (from, until) => rows.show(placeBehind(gone, Math.max(0, from)), placeBehind(gone, Math.max(0, until))),
  }
}
