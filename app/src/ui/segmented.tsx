import { useId } from 'react'
import { Icon, type IconName } from './icon.tsx'
import css from './segmented.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface SegmentedProps<Value extends string> {
  label: string
  options: readonly { value: Value; label: string; icon?: IconName | undefined }[]
  value: Value
  onChange: (value: Value) => void
  /** Shows the drawings alone; the words are read out. */
  iconsOnly?: boolean | undefined
}

/** One of a few, all in sight. */
export function Segmented<Value extends string>({ label, options, value, onChange, iconsOnly }: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset className={css.segmented}>
      <legend className={css.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={css.option} title={iconsOnly ? option.label : undefined}>
          <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.icon && <Icon name={option.icon} size={14} />}
          {iconsOnly ? <VisuallyHidden>{option.label}</VisuallyHidden> : option.label}
        </label>
      ))}
    </fieldset>
  )
}
