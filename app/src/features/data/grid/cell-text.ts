import { keyOf } from '#features/data/rows/address.ts'
import type { Row } from '#features/data/rows/row.ts'
import { plainText } from '#features/data/rows/csv.ts'
import { embeddedRow, titleText, type Embed, type Selection } from '#features/data/rows/selection.ts'
import type { Title } from '#features/data/description/title.ts'

/** What a cell says, for copies and exports: the other row's title where one is shown, else the value itself. */
export function cellText({ column, embed }: { column: { name: string }; embed: Embed | undefined }, row: Row): unknown {
  const target = embed && embeddedRow(row, embed)
  const title = target && titleText(embed.title, target, keyOf(embed.target, target))
  return title ?? row[column.name]
}

/** What a record is called. One that is known by its key alone is called by the rows its key points at: "Harbor Coffee, urgent". */
export function recordTitle(title: Title, row: Row, { key, embeds }: { key: readonly string[]; embeds: Selection['embeds'] }): string | undefined {
  const said = (name: string) => plainText(cellText({ column: { name }, embed: embeds.get(name) }, row))
  if (title.from === 'key') return title.columns.map(said).join(', ')
  const speaker = title.from === 'row' ? [...embeds].find(([, { fk }]) => fk.name === title.fk.name && fk.name !== '')?.[0] : undefined
  return speaker === undefined ? titleText(title, row, key) : said(speaker)
}
