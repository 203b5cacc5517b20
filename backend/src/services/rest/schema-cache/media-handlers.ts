import type { QualifiedName } from './table.ts'

/** An aggregate or function of the project that renders rows as a media type. */
export interface MediaHandler {
  function: QualifiedName
  /** The relation or function whose rows it renders; undefined: any rows. */
  target: QualifiedName | undefined
  /** As requests name it: `text/csv`, or any type at all. */
  media: string
  /** As replies name it. */
  answered: string
}
