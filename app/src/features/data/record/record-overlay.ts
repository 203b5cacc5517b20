import type { ReactNode } from 'react'

/** What the live connection lays over a record. */
export interface RecordOverlay {
  /** Columns others have just changed. */
  fresh: ReadonlySet<string>
  /** Who else is at it. */
  people: ReactNode
  /** Above the fields: it is gone. */
  banner: ReactNode
}
