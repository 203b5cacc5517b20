import { lazy, Suspense, useState } from 'react'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import { findColumn, readableColumns } from '#features/data/description/relations.ts'
import { inputOf, isComplete, isOperator, operatorsFor, type Condition, type FilterPart } from '#features/data/view/filter.ts'
import { columnLabel, useWords } from '#features/data/words.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { Select } from '#ui/select.tsx'
import css from './filter.module.css'
import { isReference } from './filter-column.ts'
import { firstCondition } from './filter-bar.tsx'

// Lists to choose from and dates are large, and needed once a part is edited.
const ValueInput = lazy(async () => ({ default: (await import('./value-input.tsx')).ValueInput }))

/** Edits one part of the filter: a condition, or several of which one must hold. */
export function PartEditor({ shared, part, onApply, onRemove }: { shared: RelationView; part: FilterPart; onApply: (part: FilterPart) => void; onRemove: () => void }) {
  const words = useWords()
  const [any, setAny] = useState(part.any)
  const isReady = any.length > 0 && any.every(isComplete)
  const replace = (at: number, next: Condition | undefined) =>
    setAny(next ? any.map((held, index) => (index === at ? next : held)) : any.filter((_, index) => index !== at))
  const addAlternative = () => {
    const next = firstCondition(shared, any.at(-1)?.column ?? '')
    if (next) setAny([...any, next])
  }
  return (
    <form
      className={css.editor}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onApply({ any })
      }}
    >
      {any.map((condition, index) => (
        <fieldset key={index} className={css.condition}>
          {index > 0 && <legend className={css.legend}>{words.or}</legend>}
          <ConditionEditor shared={shared} condition={condition} autoFocus={index === any.length - 1} onChange={(next) => replace(index, next)} />
          {any.length > 1 && <IconButton icon="close" size="small" label={words.removeCondition} onClick={() => replace(index, undefined)} />}
        </fieldset>
      ))}
      <div className={css.actions}>
        <Button variant="quiet" icon="plus" onClick={addAlternative}>{words.orElse}</Button>
        <span className={css.space} />
        <Button variant="quiet" onClick={onRemove}>{words.removeFilter}</Button>
        <Button variant="primary" type="submit" disabled={!isReady}>{words.apply}</Button>
      </div>
    </form>
  )
}

function ConditionEditor({ shared, condition, autoFocus, onChange }: { shared: RelationView; condition: Condition; autoFocus: boolean; onChange: (condition: Condition) => void }) {
  const words = useWords()
  const { description, relation } = shared
  const column = findColumn(relation, condition.column)
  if (!column) return null
  const operators = operatorsFor(column, isReference(description, relation, column))
  const chooseColumn = (name: string) => {
    const first = firstCondition(shared, name)
    if (first) onChange(first)
  }
  const chooseOperator = (word: string) => {
    if (!isOperator(word)) return
    // What was entered is kept where the next operator asks for the same.
    onChange({ ...condition, operator: word, values: inputOf(word) === inputOf(condition.operator) ? condition.values : [] })
  }
  return (
    <div className={css.fields}>
      <Select label={words.column} labelHidden value={condition.column} onChange={(event) => chooseColumn(event.target.value)}>
        {readableColumns(relation).filter(({ name }) => firstCondition(shared, name)).map((candidate) => (
          <option key={candidate.name} value={candidate.name}>{columnLabel(relation, candidate)}</option>
        ))}
      </Select>
      <Select label={words.comparison} labelHidden value={condition.operator} onChange={(event) => chooseOperator(event.target.value)}>
        {/* An operator from a link may be one that is not offered. */}
        {(operators.includes(condition.operator) ? operators : [condition.operator, ...operators]).map((operator) => (
          <option key={operator} value={operator}>{words.operators[operator]}</option>
        ))}
      </Select>
      <Suspense>
        <ValueInput key={condition.operator} shared={shared} column={column} condition={condition} autoFocus={autoFocus} onChange={(values) => onChange({ ...condition, values })} />
      </Suspense>
    </div>
  )
}
