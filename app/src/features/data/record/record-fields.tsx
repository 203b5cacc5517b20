import type { ColumnDescription, Description } from '#features/data/description/description.ts'
import { isLongText, kindOf } from '#features/data/description/field-kind.ts'
import { readableColumns, type Relation } from '#features/data/description/relations.ts'
import { titleOf } from '#features/data/description/title.ts'
import { CellValue, NotSet } from '#features/data/grid/cell-value.tsx'
import { isChoice } from '#features/data/grid/shown-column.ts'
import { plainText } from '#features/data/rows/csv.ts'
import type { Row } from '#features/data/rows/row.ts'
import type { Selection } from '#features/data/rows/selection.ts'
import { columnLabel, useWords } from '#features/data/words.ts'
import { classNames } from '#ui/class-names.ts'
import css from './record.module.css'

export interface RecordFieldsProps {
  description: Description
  relation: Relation
  row: Row
  selection: Selection
  /** Columns others have just changed. */
  fresh?: ReadonlySet<string> | undefined
}

/** A record's fields in two columns; long ones take both. */
export function RecordFields({ description, relation, row, selection, fresh }: RecordFieldsProps) {
  const title = titleOf(description, relation)
  const columns = readableColumns(relation).filter((column) => kindOf(column) !== 'search' && !(title.from === 'column' && title.column === column.name))
  return (
    <dl className={css.fields}>
      {columns.map((column) => (
        <div key={column.name} className={classNames(css.field, isWide(column, row[column.name]) && css.wide, fresh?.has(column.name) && css.fresh)}>
          <dt className={css.label} title={column.comment}>{columnLabel(relation, column)}</dt>
          <dd className={css.value}>
            <WholeValue column={column} row={row} embed={selection.embeds.get(column.name)} isChoice={isChoice(description, relation, column)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Whether a field needs the width of both columns. */
export const isWide = (column: ColumnDescription, value: unknown): boolean =>
  isLongText(column) || ['json', 'composite'].includes(kindOf(column)) || (typeof value === 'string' && value.length > 60) || (Array.isArray(value) && value.length > 3)

function WholeValue(props: Parameters<typeof CellValue>[0]) {
  const words = useWords()
  const { column, row } = props
  const value = row[column.name]
  if (value === null || value === undefined) return <NotSet />
  if (value === '') return <span className={css.empty}>{words.emptyText}</span>
  if (typeof value === 'boolean') return <>{value ? words.yes : words.no}</>
  if (Array.isArray(value) && value.length === 0) return <span className={css.empty}>{words.emptyList}</span>
  if (!props.embed && kindOf(column) === 'text' && !props.isChoice && column.array !== true) return <span className={css.text}>{plainText(value)}</span>
  if (typeof value === 'object' && !(Array.isArray(value) && value.every((item) => typeof item !== 'object'))) return <pre className={css.json} dir="ltr" tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
  return <CellValue {...props} />
}
