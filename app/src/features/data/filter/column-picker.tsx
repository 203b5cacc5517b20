import { useState } from 'react'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import { readableColumns } from '#features/data/description/relations.ts'
import { columnLabel, useWords } from '#features/data/words.ts'
import { ListBox } from '#ui/list-box.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { firstCondition } from './filter-bar.tsx'
import css from './filter.module.css'

/** The column a new condition is about. */
export function ColumnPicker({ shared, onPick }: { shared: RelationView; onPick: (column: string) => void }) {
  const words = useWords()
  const [search, setSearch] = useState('')
  const { relation } = shared
  const options = readableColumns(relation)
    .filter(({ name }) => firstCondition(shared, name))
    .map((column) => ({ id: column.name, label: columnLabel(relation, column) }))
    .filter(({ id, label }) => `${id} ${label}`.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <div className={css.picker}>
      <SearchField
        autoFocus
        label={words.findColumn}
        value={search}
        onChange={setSearch}
        onKeyDown={(event) => {
          const [only] = options
          if (event.key === 'Enter' && only) onPick(only.id)
        }}
      />
      <div className={css.columns}>
        <ListBox label={words.columns} options={options} value={[]} onChange={([name]) => name !== undefined && onPick(name)} empty={words.noneFound} />
      </div>
    </div>
  )
}
