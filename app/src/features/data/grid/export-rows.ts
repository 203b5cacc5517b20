import { toCsv } from '#features/data/rows/csv.ts'
import type { Row } from '#features/data/rows/row.ts'
import { readRows } from '#features/data/rows/rows-query.ts'
import { cellText } from './cell-text.ts'
import type { RelationView } from './relation-screen.tsx'

const mostRows = 50_000
const readAtOnce = 500

/** Saves what the view shows, all its rows in its columns and order, as a CSV file. `isWhole` is false past 50,000 rows. */
export async function exportRows({ source, relation, view, select, shown }: RelationView): Promise<{ rows: number; isWhole: boolean }> {
  const rows: Row[] = []
  let isWhole = false
  while (!isWhole && rows.length < mostRows) {
    // oxlint-disable-next-line no-await-in-loop -- each page starts where the last one ended
    const some = await readRows(source, { relation, view, select }, { from: rows.length, count: readAtOnce })
    rows.push(...some)
    // A project may hold pages shorter than what was asked for: only an empty one is the end.
    isWhole = some.length === 0
  }
  download(`${relation.name}.csv`, toCsv(shown.map(({ column }) => column.name), rows.map((row) => shown.map((column) => cellText(column, row)))))
  return { rows: rows.length, isWhole }
}

/** Copies rows as CSV. */
export const rowsAsCsv = ({ shown }: Pick<RelationView, 'shown'>, rows: readonly Row[]): string =>
  toCsv(shown.map(({ column }) => column.name), rows.map((row) => shown.map((column) => cellText(column, row))))

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
