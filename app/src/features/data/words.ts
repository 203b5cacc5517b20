import { useMessages } from '#messages/messages.tsx'
import type { ColumnDescription, FunctionDescription, RelationDescription } from '#features/data/description/description.ts'
import { humanise, humaniseReference } from '#features/data/description/humanise.ts'
import { foreignKeyShownAt } from '#features/data/description/relations.ts'

/** The words of the workspace in the reader's language. */
export const useWords = () => useMessages().data

export type Words = ReturnType<typeof useWords>

/** A relation as a heading: "Ticket articles". */
export const relationLabel = ({ name }: Pick<RelationDescription | FunctionDescription, 'name'>): string => humanise(name)

/** A column as a heading; one that points at another row is named for that row. */
export const columnLabel = (relation: RelationDescription, column: Pick<ColumnDescription, 'name'>): string =>
  foreignKeyShownAt(relation, column.name) ? humaniseReference(column.name) : humanise(column.name)
