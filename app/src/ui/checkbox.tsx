import { useId, type ComponentProps, type ReactNode } from 'react'
import css from './checkbox.module.css'
import { FieldNote } from './field.tsx'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** Neither yes nor no: some of the rows are chosen. */
  indeterminate?: boolean | undefined
  /** Keeps the label for those who listen only: in a grid's first column. */
  labelHidden?: boolean | undefined
}

/** A box to tick, with its label to the right. */
export function Checkbox({ label, hint, error, indeterminate, labelHidden, id: given, ref, ...rest }: CheckboxProps) {
  const made = useId()
  const id = given ?? made
  const take = (input: HTMLInputElement | null) => {
    if (input) input.indeterminate = indeterminate ?? false
    if (typeof ref === 'function') ref(input)
    else if (ref) ref.current = input
  }
  return (
    <div className={css.checkbox}>
      <label className={css.line}>
        <input
          {...rest}
          ref={take}
          id={id}
          type="checkbox"
          className={css.box}
          aria-label={labelHidden && typeof label === 'string' ? label : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : hint ? `${id}-hint` : undefined}
        />
        {!labelHidden && <span>{label}</span>}
      </label>
      {(hint || error) && (
        <div className={css.note}>
          <FieldNote id={id} hint={hint} error={error} />
        </div>
      )}
    </div>
  )
}
