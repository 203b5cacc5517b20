import type { Relation } from '#features/data/description/relations.ts'
import { humanise } from '#features/data/description/humanise.ts'
import { dataPath, keyOf } from '#features/data/rows/address.ts'
import { plainText } from '#features/data/rows/csv.ts'
import type { Row } from '#features/data/rows/row.ts'
import { NotSet } from '#features/data/grid/cell-value.tsx'
import { useWords } from '#features/data/words.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Link } from '#ui/link.tsx'
import css from './call.module.css'

const mostRows = 200

/** What a function gave back: rows as a table, one value as it is, anything else as JSON. */
export function CallResult({ value, relation }: { value: unknown; relation: Relation | undefined }) {
  const words = useWords()
  if (value === null || value === undefined || value === '') return <p className={css.none}>{words.noResult}</p>
  const rows = Array.isArray(value) ? value : [value]
  const areRows = rows.every(isRow)
  return (
    <>
      {areRows ? <Rows rows={rows} relation={relation} isSet={Array.isArray(value)} /> : <pre className={css.json} dir="ltr" tabIndex={0}>{typeof value === 'object' ? JSON.stringify(value, null, 2) : plainText(value)}</pre>}
      <CopyButton value={typeof value === 'object' ? JSON.stringify(value, null, 2) : plainText(value)} />
    </>
  )
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function Rows({ rows, relation, isSet }: { rows: readonly Row[]; relation: Relation | undefined; isSet: boolean }) {
  const words = useWords()
  const names = [...new Set(rows.flatMap(Object.keys))]
  if (rows.length === 0) return <p className={css.none}>{words.resultRows(0)}</p>
  return (
    <>
      {isSet && <p className={css.none}>{words.resultRows(rows.length)}</p>}
      {/* Scrolled sideways by keyboard too. */}
      <div className={css.tablePlace} tabIndex={0} role="region" aria-label={words.result}>
        <table className={css.table}>
          <thead>
            <tr>{names.map((name) => <th key={name} scope="col">{humanise(name)}</th>)}</tr>
          </thead>
          <tbody>
            {rows.slice(0, mostRows).map((row, index) => (
              <tr key={index}>{names.map((name, position) => <td key={name}><Cell row={row} name={name} relation={position === 0 ? relation : undefined} /></td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Cell({ row, name, relation }: { row: Row; name: string; relation: Relation | undefined }) {
  const value = row[name]
  if (value === null || value === undefined) return <NotSet />
  const key = relation?.can.select === true ? keyOf(relation, row) : undefined
  return relation && key ? <Link href={dataPath(relation.schema, relation.name, key)}>{plainText(value)}</Link> : <>{plainText(value)}</>
}
