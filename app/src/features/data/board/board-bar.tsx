import { navigate } from 'wouter/use-browser-location'
import { readableColumns } from '#features/data/description/relations.ts'
import { kindOf } from '#features/data/description/field-kind.ts'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import { newestFirst } from '#features/data/view/newest-first.ts'
import { columnLabel } from '#features/data/words.ts'
import { IconButton } from '#ui/button.tsx'
import { Select } from '#ui/select.tsx'
import css from './board.module.css'
import { useBoardWords } from './board-view.ts'
import { canMove, mostTargets, tooLargeGroupings, writeGrouping, type Grouping } from './grouping.ts'

const notSortable = new Set(['json', 'binary', 'search', 'composite', 'range'])

/** What the board is made of: the column its columns come from, and the order inside them. */
export function BoardBar({ shared, grouping }: { shared: RelationView; grouping: Grouping }) {
  const { description, relation, groupings, view, setView } = shared
  const words = useBoardWords()
  const [sort] = view.sort
  const sortable = readableColumns(relation).filter((column) => column.array !== true && !notSortable.has(kindOf(column)))
  const group = (name: string) => navigate(`${location.pathname}${writeGrouping(location.search, name)}`)
  const order = (name: string) => setView({ ...view, sort: name === '' ? [] : [{ column: name, descending: sort?.column === name && sort.descending }] })
  return (
    <div className={css.bar}>
      <label className={css.choice}>
        <span>{words.groupBy}</span>
        <Select label={words.groupBy} labelHidden value={grouping.column.name} onChange={(event) => group(event.target.value)}>
          {groupings.map(({ column }) => <option key={column.name} value={column.name}>{columnLabel(relation, column)}</option>)}
          {tooLargeGroupings(description, relation).map((column) => <option key={column.name} value={column.name} disabled>{words.tooManyToGroup(columnLabel(relation, column), mostTargets)}</option>)}
        </Select>
      </label>
      <label className={css.choice}>
        <span>{words.sortBy}</span>
        <Select label={words.sortBy} labelHidden value={sort?.column ?? ''} onChange={(event) => order(event.target.value)}>
          <option value="">{newestFirst(relation).length > 0 ? words.sortUsual : words.sortByKey}</option>
          {sortable.map((column) => <option key={column.name} value={column.name}>{columnLabel(relation, column)}</option>)}
        </Select>
      </label>
      {sort && (
        <IconButton
          icon={sort.descending ? 'sort-down' : 'sort-up'}
          label={sort.descending ? words.descending : words.ascending}
          aria-pressed={sort.descending}
          onClick={() => setView({ ...view, sort: [{ ...sort, descending: !sort.descending }] })}
        />
      )}
      {!canMove(relation, grouping) && <span className={css.readOnly}>{words.readOnlyHint}</span>}
    </div>
  )
}
