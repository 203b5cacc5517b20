import { lazy, Suspense, useState } from 'react'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import { readableColumns } from '#features/data/description/relations.ts'
import { operatorsFor, type Condition, type FilterPart } from '#features/data/view/filter.ts'
import { useWords } from '#features/data/words.ts'
import { Button } from '#ui/button.tsx'
import { Popover } from '#ui/popover.tsx'
import css from './filter.module.css'
import { isReference } from './filter-column.ts'
import { PartEditor } from './part-editor.tsx'
import { PartWords } from './part-words.tsx'

// Lists to choose from are large.
const ColumnPicker = lazy(async () => ({ default: (await import('./column-picker.tsx')).ColumnPicker }))

/** The filter as a sentence; each part of it is a button. `starting`: a new part, of that column when one is named. */
export function FilterBar({ shared, starting, onStarted }: { shared: RelationView; starting: string | undefined; onStarted: () => void }) {
  const words = useWords()
  const { view, setView } = shared
  const [open, setOpen] = useState<number>()
  const replacePart = (at: number, part: FilterPart | undefined) => {
    setView({ ...view, filter: part ? view.filter.map((held, index) => (index === at ? part : held)) : view.filter.filter((_, index) => index !== at) })
    setOpen(undefined)
  }
  return (
    <div className={css.bar} role="group" aria-label={words.filter}>
      <span className={css.word}>{words.where}</span>
      {view.filter.map((part, index) => (
        <span key={index} className={css.part}>
          {index > 0 && <span className={css.word}>{words.and}</span>}
          <Popover
            label={words.editFilter}
            open={open === index}
            onOpenChange={(isOpen) => setOpen(isOpen ? index : undefined)}
            trigger={<Button className={css.partButton}><PartWords part={part} shared={shared} /></Button>}
          >
            <PartEditor shared={shared} part={part} onApply={(next) => replacePart(index, next)} onRemove={() => replacePart(index, undefined)} />
          </Popover>
        </span>
      ))}
      <NewPart
        key={starting}
        shared={shared}
        starting={starting}
        onClose={onStarted}
        onAdd={(part) => {
          setView({ ...view, filter: [...view.filter, part] })
          onStarted()
        }}
      />
      {view.filter.length > 0 && <Button variant="quiet" onClick={() => setView({ ...view, filter: [] })}>{words.clearFilter}</Button>}
    </div>
  )
}

function NewPart({ shared, starting, onAdd, onClose }: { shared: RelationView; starting: string | undefined; onAdd: (part: FilterPart) => void; onClose: () => void }) {
  const words = useWords()
  const [open, setOpen] = useState(starting !== undefined)
  const [column, setColumn] = useState(starting === '' ? undefined : starting)
  const first = column === undefined ? undefined : firstCondition(shared, column)
  const change = (isOpen: boolean) => {
    setOpen(isOpen)
    setColumn(undefined)
    if (!isOpen) onClose()
  }
  return (
    <Popover label={words.addFilter} open={open} onOpenChange={change} trigger={<Button variant="quiet" icon="plus">{words.addFilter}</Button>}>
      {first
        ? <PartEditor key={column} shared={shared} part={{ any: [first] }} onApply={(part) => {
            change(false)
            onAdd(part)
          }} onRemove={() => change(false)} />
        : <Suspense fallback={<div className={css.picker} />}><ColumnPicker shared={shared} onPick={setColumn} /></Suspense>}
    </Popover>
  )
}

/** The condition a column starts with. */
export function firstCondition({ relation, description }: RelationView, name: string): Condition | undefined {
  const column = readableColumns(relation).find((candidate) => candidate.name === name)
  const operator = column && operatorsFor(column, isReference(description, relation, column))[0]
  return operator && { column: name, operator, values: [] }
}
