import { useState, type KeyboardEvent } from 'react'
import { useWords } from '#features/data/words.ts'
import { IconButton } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Chip } from '#ui/chip.tsx'
import control from '#ui/control.module.css'
import { classNames } from '#ui/class-names.ts'
import { Field, type FieldProps } from '#ui/field.tsx'
import type { FieldValue } from './field-value.ts'
import css from './form.module.css'

export interface ListFieldProps extends FieldProps {
  value: string[] | null
  /** The only elements there may be; none: anything typed. */
  choices: readonly string[]
  nullable: boolean
  placeholder: string
  onChange: (value: FieldValue) => void
  onBlur: () => void
}

/** An array: chips one adds by typing and takes away one by one, or boxes to tick where only some values may stand in it. */
export function ListField(props: ListFieldProps) {
  const { choices, ...typed } = props
  const { value, onChange } = props
  if (choices.length === 0) return <Typed {...typed} />
  const chosen = value ?? []
  return (
    <fieldset className={css.ticks} onBlur={props.onBlur}>
      <legend className={css.ticksLabel}>{props.label}</legend>
      {choices.map((choice) => (
        <Checkbox key={choice} label={choice} checked={chosen.includes(choice)} onChange={() => onChange(chosen.includes(choice) ? chosen.filter((other) => other !== choice) : [...chosen, choice])} />
      ))}
      {props.error && <p className={css.ticksError} role="alert">{props.error}</p>}
    </fieldset>
  )
}

function Typed({ value, nullable, placeholder, onChange, onBlur, ...frame }: Omit<ListFieldProps, 'choices'>) {
  const words = useWords()
  const [text, setText] = useState('')
  const items = value ?? []
  const add = (typed: string) => {
    if (typed.trim() === '') return
    onChange([...items, typed.trim()])
    setText('')
  }
  const remove = (at: number) => {
    const rest = items.filter((_item, index) => index !== at)
    onChange(rest)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey && text.trim() !== '') || event.key === ',') {
      event.preventDefault()
      add(text)
    }
    if (event.key === 'Backspace' && text === '' && items.length > 0) remove(items.length - 1)
  }
  const aside = nullable && value !== null && items.length === 0 ? <button type="button" className={css.aside} onClick={() => onChange(null)}>{words.makeNotSet}</button> : frame.aside
  return (
    <Field {...frame} aside={aside} hint={frame.hint ?? words.listHint}>
      {(field) => (
        <span className={classNames(control.control, css.list)} role="group" aria-label={typeof frame.label === 'string' ? frame.label : undefined}>
          {items.map((item, index) => (
            <span key={index} className={css.item}>
              <Chip value={item}>{item}</Chip>
              <IconButton icon="close" size="small" label={words.removeItem(item)} onClick={() => remove(index)} />
            </span>
          ))}
          <input
            {...field}
            className={css.listInput}
            value={text}
            placeholder={items.length === 0 ? (value === null ? placeholder : words.emptyList) : ''}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text').split(/[\n,\t]+/).map((item) => item.trim()).filter((item) => item !== '')
              if (pasted.length < 2) return
              event.preventDefault()
              onChange([...items, ...pasted])
            }}
            onBlur={() => {
              add(text)
              onBlur()
            }}
          />
        </span>
      )}
    </Field>
  )
}
