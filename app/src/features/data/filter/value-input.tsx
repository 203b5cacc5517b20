import { lazy, Suspense } from 'react'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import type { ColumnDescription } from '#features/data/description/description.ts'
import { isMoment, isNumeric, kindOf } from '#features/data/description/field-kind.ts'
import { ReferenceField } from '#features/data/form/reference-field.tsx'
import { ReferenceTitle } from '#features/data/form/reference-title.tsx'
import type { Picker } from '#features/data/rows/choices-query.ts'
import { inputOf, type Condition } from '#features/data/view/filter.ts'
import { useWords } from '#features/data/words.ts'
import { Chip } from '#ui/chip.tsx'
import { IconButton } from '#ui/button.tsx'
import { ListBox } from '#ui/list-box.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from './filter.module.css'
import { choicesOf, filterPicker } from './filter-column.ts'

const DateField = lazy(async () => ({ default: (await import('#ui/date-field.tsx')).DateField }))

interface ValueInputProps {
  shared: RelationView
  column: ColumnDescription
  condition: Condition
  autoFocus: boolean
  onChange: (values: string[]) => void
}

/** Asks for what the comparison needs, the way the column's values are entered. */
export function ValueInput(props: ValueInputProps) {
  const { shared, column, condition, onChange } = props
  const words = useWords()
  const { description, relation } = shared
  const [first = '', second = ''] = condition.values
  switch (inputOf(condition.operator)) {
    case 'none': return null
    case 'path': return <One {...props} label={words.jsonPath} value={first} onChange={(path) => onChange([path])} />
    case 'path-and-one': return (
      <>
        <One {...props} label={words.jsonPath} value={first} onChange={(path) => onChange([path, second])} />
        <One {...props} autoFocus={false} label={words.value} value={second} onChange={(value) => onChange([first, value])} />
      </>
    )
    case 'two': return (
      <>
        <One {...props} label={words.from} value={first} onChange={(value) => onChange([value, second])} />
        <One {...props} autoFocus={false} label={words.until} value={second} onChange={(value) => onChange([first, value])} />
      </>
    )
    case 'one': return <One {...props} label={words.value} value={first} onChange={(value) => onChange([value])} />
    case 'many': {
      const picker = filterPicker(description, relation, column)
      if (picker) return <References picker={picker} values={condition.values} autoFocus={props.autoFocus} onChange={onChange} />
      const choices = choicesOf(description, relation, column)
      if (choices.length > 0) return (
        <div className={css.choices}>
          <ListBox label={words.value} multiple options={choices.map((choice) => ({ id: choice, label: choice }))} value={condition.values} onChange={onChange} />
        </div>
      )
      return <TextArea label={words.onePerLine} autoFocus={props.autoFocus} rows={4} value={condition.values.join('\n')} onChange={(event) => onChange(event.target.value.split('\n'))} />
    }
  }
}

function One({ column, label, value, autoFocus, onChange }: Omit<ValueInputProps, 'onChange'> & { label: string; value: string; onChange: (value: string) => void }) {
  const kind = kindOf(column)
  if (isMoment(kind)) {
    return (
      <Suspense>
        <DateField label={label} value={value === '' ? null : value} autoFocus={autoFocus} onChange={(day) => onChange(day ?? '')} />
      </Suspense>
    )
  }
  return (
    <TextField
      label={label}
      value={value}
      autoFocus={autoFocus}
      inputMode={kind === 'integer' ? 'numeric' : isNumeric(kind) ? 'decimal' : undefined}
      type={kind === 'time' ? 'time' : 'text'}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function References({ picker, values, autoFocus, onChange }: { picker: Picker; values: string[]; autoFocus: boolean; onChange: (values: string[]) => void }) {
  const words = useWords()
  return (
    <div className={css.references}>
      {values.length > 0 && (
        <ul className={css.chosen}>
          {values.map((value) => (
            <li key={value} className={css.chosenOne}>
              <Chip tone="neutral"><ReferenceTitle picker={picker} value={value} /></Chip>
              <IconButton icon="close" size="small" label={words.removeValue} onClick={() => onChange(values.filter((other) => other !== value))} />
            </li>
          ))}
        </ul>
      )}
      {/* Emptied for the next one after each pick. */}
      <ReferenceField key={values.length} label={words.value} picker={picker} value={null} autoFocus={autoFocus} onChange={(choice) => choice?.values[0] !== undefined && onChange([...new Set([...values, choice.values[0]])])} />
    </div>
  )
}
