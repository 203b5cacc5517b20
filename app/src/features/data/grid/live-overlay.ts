import type { ReactNode } from 'react'
import type { Row } from '#features/data/rows/row.ts'
import type { Rows } from './use-rows.ts'

/** What happens to a row while one looks. */
export interface RowMark {
  kind: 'still' | 'changed' | 'gone'
  /** Which columns others have just changed; undefined: the whole row is new. */
  columns?: ReadonlySet<string> | undefined
  /** Who is at the record. */
  people?: ReactNode
}

/** What the live connection lays over a table's rows; comes after them, and is not there where nothing is live. */
export interface LiveOverlay {
  /** The rows as they are now: those that others deleted are left out. */
  show: (rows: Rows) => Rows
  /** The same object until the mark changes. */
  markOf: (row: Row) => RowMark | undefined
  /** Beside the heading: who else is here. */
  people: ReactNode
  /** Above the rows: what is new, to be shown when one wants it. */
  notice: ReactNode
  /** Below the rows: whether they are live. */
  status: ReactNode
}
