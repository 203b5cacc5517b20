import { keyOf } from '#features/data/rows/address.ts'
import type { Row } from '#features/data/rows/row.ts'
import { embeddedRow, titleText } from '#features/data/rows/selection.ts'
import type { ShownColumn } from './shown-column.ts'

/** What a cell says, for copies and exports: the other row's title where one is shown, else the value itself. */
export function cellText({ column, embed }: Pick<ShownColumn, 'column' | 'embed'>, row: Row): unknown {
  const target = embed && embeddedRow(row, embed)
  const title = target && titleText(embed.title, target, keyOf(embed.target, target))
  return title ?? row[column.name]
}
