import { useMemo } from 'react'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { readCsv } from './csv.ts'
import css from './preview.module.css'

const shownRows = 500
const shownColumns = 60

/** Delimited text as a table; the first row names the columns. */
export function CsvTable({ text, name, isWhole }: { text: string; name: string; isWhole: boolean }) {
  const { files: words } = useMessages()
  const format = useFormat()
  const rows = useMemo(() => {
    const all = readCsv(text, { limit: shownRows + 2 })
    // The last row of a part may be cut in the middle.
    return isWhole || all.length > shownRows ? all : all.slice(0, -1)
  }, [text, isWhole])
  const [head = [], ...body] = rows
  const columns = [...head.slice(0, shownColumns).keys()]
  return (
    <>
      <div className={css.table} tabIndex={0} role="region" aria-label={name} data-scrolls>
        <table>
          <thead>
            <tr>{columns.map((column) => <th key={column} scope="col">{head[column]}</th>)}</tr>
          </thead>
          <tbody>
            {body.slice(0, shownRows).map((row, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows of a text have no other name
              <tr key={index}>{columns.map((column) => <td key={column}>{row[column]}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {body.length > shownRows && <p className={css.part}>{words.firstRows(format.number(shownRows))}</p>}
    </>
  )
}
