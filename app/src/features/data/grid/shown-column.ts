import type { ColumnDescription, Description } from '#features/data/description/description.ts'
import { isNumeric, kindOf } from '#features/data/description/field-kind.ts'
import { foreignKeyShownAt, type Relation } from '#features/data/description/relations.ts'
import { rulesOf } from '#features/data/description/rules.ts'
import type { Embed, Selection } from '#features/data/rows/selection.ts'
import { columnLabel } from '#features/data/words.ts'
import type { Columns } from './column-layout.ts'

/** One column as the grid draws it. */
export interface ShownColumn {
  column: ColumnDescription
  label: string
  width: number
  /** Distance from the start edge while the others scroll; undefined when it scrolls along. */
  pinnedAt: number | undefined
  embed: Embed | undefined
  isChoice: boolean
  /** Numbers stand at the end of their cell. */
  isNumber: boolean
  isTitle: boolean
  /** Leads to the record. */
  isWayIn: boolean
}

/** Puts together what the grid needs of each shown column. `leadWidth` is taken by the boxes before the first. */
export function shownColumns(description: Description, relation: Relation, given: { columns: Columns; selection: Selection; titleColumn: string | undefined; wayIn: string | undefined; leadWidth: number }): ShownColumn[] {
  const { columns, selection, titleColumn, wayIn, leadWidth } = given
  let start = leadWidth
  return columns.shown.map((column) => {
    const width = columns.widthOf(column)
    const pinnedAt = columns.isPinned(column) ? start : undefined
    if (pinnedAt !== undefined) start += width
    const isReference = foreignKeyShownAt(relation, column.name) !== undefined
    return {
      column,
      label: columnLabel(relation, column),
      width,
      pinnedAt,
      embed: selection.embeds.get(column.name),
      isChoice: isChoice(description, relation, column),
      isNumber: !isReference && column.array !== true && isNumeric(kindOf(column)),
      isTitle: column.name === titleColumn,
      isWayIn: column.name === wayIn,
    }
  })
}

/** An enum, or a text that a check holds to a few values. */
export const isChoice = (description: Description, relation: Relation, column: ColumnDescription): boolean =>
  column.array !== true && (kindOf(column) === 'enum' || rulesOf(description, relation, column).some((rule) => rule.rule === 'one-of' && kindOf(column) === 'text'))
