import { Controller, type Control } from 'react-hook-form'
import { isLongText, isNumeric, kindOf } from '#features/data/description/field-kind.ts'
import type { Relation } from '#features/data/description/relations.ts'
import { useWords, type Words } from '#features/data/words.ts'
import { DateField, DateTimeField, TimeField } from '#ui/date-field.tsx'
import { Select } from '#ui/select.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { isHeldAsJson, isJsonText, isList, type FieldValue, type FieldValues } from './field-value.ts'
import css from './form.module.css'
import { referenceOf, settledBy, type FormField } from './form-fields.ts'
import { ListField } from './list-field.tsx'
import { ReferenceField } from './reference-field.tsx'

export interface FieldControlProps {
  relation: Relation
  field: FormField
  name: string
  control: Control<FieldValues>
  values: FieldValues
  isNew: boolean
  /** Sets another column too: a composite key is picked as one. */
  onSet: (column: string, value: FieldValue) => void
}

interface Bound {
  label: string
  hint: string | undefined
  error: string | undefined
  required: boolean
  optional: boolean
  placeholder: string
  value: FieldValue
  onChange: (value: FieldValue) => void
  onBlur: () => void
  /** It no longer holds what it opened with. */
  isChanged: boolean
}

/** The control that fits the column's type. */
export function FieldControl(props: FieldControlProps) {
  const { field, name, control, isNew } = props
  const words = useWords()
  const { column } = field
  return (
    <Controller
      name={name}
      control={control}
      render={({ field: held, fieldState }) => (
        <ByType
          {...props}
          bound={{
            label: field.label,
            // Isolated: the project's words keep their full stop in place within a page that reads the other way.
            hint: column.comment ? `\u2068${column.comment}\u2069` : sequenceHint(words, field, isNew),
            error: fieldState.error?.message,
            required: field.required,
            optional: isNew && !field.required,
            placeholder: placeholderFor(words, field, { value: held.value, isNew }),
            value: held.value,
            onChange: held.onChange,
            onBlur: held.onBlur,
            isChanged: fieldState.isDirty,
          }}
        />
      )}
    />
  )
}

// oxlint-disable-next-line max-lines-per-function -- one case a kind of control
function ByType(props: FieldControlProps & { bound: Bound }) {
  const { field, bound } = props
  const words = useWords()
  const { column } = field
  const { value, onChange, placeholder, isChanged: _changed, ...frame } = bound
  const text = typeof value === 'string' ? value : ''
  const kind = kindOf(column)
  if (field.picker && column.array !== true) return <Reference {...props} />
  if (isList(column) && !isHeldAsJson(column, value)) return <ListField {...frame} placeholder={placeholder} value={Array.isArray(value) ? value : null} choices={field.choices} nullable={column.not_null !== true} onChange={onChange} />
  if (isJsonText(column) || isHeldAsJson(column, value)) {
    return <TextArea {...frame} required={undefined} mono dir="ltr" rows={5} spellCheck={false} placeholder={placeholder} value={text} aside={<NullAside {...props} />} onChange={(event) => onChange(event.target.value === '' ? emptyFor(props) : event.target.value)} />
  }
  if (field.choices.length > 0) return <Choice {...props} choices={field.choices.map((choice) => [choice, choice])} />
  switch (kind) {
    case 'boolean': return <Choice {...props} choices={[['true', words.yes], ['false', words.no]]} />
    case 'date': return <DateField {...frame} value={text === '' ? null : text} onChange={(next) => onChange(next ?? emptyFor(props))} />
    case 'timestamptz': return <DateTimeField {...frame} hint={frame.hint ?? words.inYourZone(timeZone)} value={text === '' ? null : text} onChange={(next) => onChange(next ?? emptyFor(props))} />
    case 'timestamp': return <DateTimeField {...frame} hint={frame.hint ?? words.withoutZone} zoned={false} value={text === '' ? null : text} onChange={(next) => onChange(next ?? emptyFor(props))} />
    case 'time': return column.base === 'time'
      ? <TimeField {...frame} value={text === '' ? null : text} onChange={(next) => onChange(next ?? emptyFor(props))} />
      : <Text {...props} />
    default: return isLongText(column) || text.includes('\n') ? <Long {...props} /> : <Text {...props} />
  }
}

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** What "nothing" is: not given in a new row, not set in an old one. */
const emptyFor = ({ field: { column }, isNew }: FieldControlProps): FieldValue => (isNew ? (column.default === undefined && column.not_null !== true ? null : undefined) : null)

function Text(props: FieldControlProps & { bound: Bound }) {
  const { field: { column }, bound } = props
  const { value, onChange, required: _required, isChanged: _changed, ...frame } = bound
  const kind = kindOf(column)
  return (
    <TextField
      {...frame}
      value={typeof value === 'string' ? value : ''}
      maxLength={column.max_length === undefined ? undefined : column.max_length * 2}
      inputMode={kind === 'integer' ? 'numeric' : isNumeric(kind) ? 'decimal' : undefined}
      autoComplete="off"
      spellCheck={kind === 'text'}
      className={kind === 'uuid' ? css.mono : undefined}
      aria-required={bound.required || undefined}
      aside={<NullAside {...props} />}
      onChange={(event) => onChange(typedText(props, event.target.value))}
    />
  )
}

function Long(props: FieldControlProps & { bound: Bound }) {
  const { value, onChange, required, isChanged: _changed, ...frame } = props.bound
  return (
    <TextArea
      {...frame}
      rows={4}
      value={typeof value === 'string' ? value : ''}
      aria-required={required || undefined}
      aside={<NullAside {...props} />}
      onChange={(event) => onChange(typedText(props, event.target.value))}
    />
  )
}

/** Emptied, a text that may be missing becomes missing; "keep as empty text" is one press away. */
function typedText(props: FieldControlProps, typed: string): FieldValue {
  const { field: { column } } = props
  if (typed !== '') return typed
  return kindOf(column) === 'text' && column.not_null === true && !props.isNew ? '' : emptyFor(props)
}

/** Not set and empty are two things: says which it is, and changes it. */
function NullAside({ field: { column }, bound }: FieldControlProps & { bound: Bound }) {
  const words = useWords()
  if (kindOf(column) !== 'text' || column.not_null === true) return null
  if (bound.value === '') return <button type="button" className={css.aside} onClick={() => bound.onChange(null)}>{words.makeNotSet}</button>
  // Said only to whoever has just emptied the field.
  if (bound.value === null && bound.isChanged) return <button type="button" className={css.aside} onClick={() => bound.onChange('')}>{words.makeEmpty}</button>
  return null
}

function Choice(props: FieldControlProps & { bound: Bound; choices: readonly (readonly [string, string])[] }) {
  const { field: { column }, bound, choices } = props
  const { value, onChange, required, placeholder, isChanged: _changed, ...frame } = bound
  const isBoolean = kindOf(column) === 'boolean'
  const mayBeEmpty = column.not_null !== true || (props.isNew && !required) || value === undefined || value === null
  const read = (text: string): FieldValue => (text === '' ? emptyFor(props) : isBoolean ? text === 'true' : text)
  return (
    <Select {...frame} aria-required={required || undefined} value={value === null || value === undefined ? '' : String(value)} onChange={(event) => onChange(read(event.target.value))}>
      {mayBeEmpty && <option value="">{placeholder}</option>}
      {typeof value === 'string' && !choices.some(([choice]) => choice === value) && <option value={value}>{value}</option>}
      {choices.map(([choice, label]) => <option key={choice} value={choice}>{label}</option>)}
    </Select>
  )
}

function Reference(props: FieldControlProps & { bound: Bound }) {
  const { relation, field, values, bound, onSet } = props
  const { value: _value, onChange: _onChange, isChanged: _changed, required, ...frame } = bound
  const { picker } = field
  if (!picker) return null
  return (
    <ReferenceField
      {...frame}
      required={required}
      picker={picker}
      value={referenceOf(field, values)}
      fixed={settledBy(relation, field, values)}
      clearable={field.column.not_null !== true || props.isNew}
      onChange={(choice) => {
        if (!choice) return onSet(field.column.name, emptyFor(props))
        picker.fk.columns.forEach((column, index) => onSet(column, choice.values[index] ?? null))
      }}
    />
  )
}

/** Stands where nothing is: what the project will put there, or that there is nothing. */
function placeholderFor(words: Words, { column, required, picker, choices }: FormField, { value, isNew }: { value: FieldValue; isNew: boolean }): string {
  if (value === '') return words.emptyText
  if (value === null || !isNew) return words.notSet
  const { default: fills } = column
  const isPicked = picker !== undefined || choices.length > 0 || kindOf(column) === 'boolean'
  if (column.identity !== undefined) return words.defaults.sequence
  if (fills === undefined) return !required ? words.notSet : isPicked ? words.choose : ''
  if (fills.kind !== 'constant') return words.defaults[fills.kind]
  if (kindOf(column) === 'boolean') return words.defaults.constant(fills.value === 'true' ? words.yes : words.no)
  return words.defaults.constant(column.array === true && fills.value === '{}' ? words.emptyList : fills.value)
}

const sequenceHint = (words: Words, { column }: FormField, isNew: boolean): string | undefined =>
  isNew && column.default?.kind === 'sequence' && column.default.usable === false ? words.sequenceUnusable : undefined

/** Whether a field needs both columns of the form. */
export const isWideField = ({ column, isTitle }: FormField, value: FieldValue): boolean =>
  isTitle || isLongText(column) || isJsonText(column) || isList(column) || (typeof value === 'string' && value.length > 60)
