import { useId, type ReactNode } from 'react'
import css from './field.module.css'
import { Icon } from './icon.tsx'
import { useUi } from './ui-provider.tsx'

export interface FieldProps {
  label: ReactNode
  /** Below the field, always there: what to enter, and why. */
  hint?: ReactNode
  /** Below the field in place of the hint: what is wrong and what to do. */
  error?: ReactNode
  /** Says "optional" beside the label. */
  optional?: boolean | undefined
  /** At the end of the label's line: a link such as "Forgot password?". */
  aside?: ReactNode
  /** 40 px at the `door`, 32 px `inside` (default). */
  size?: 'door' | 'inside' | undefined
  /** Keeps the label for those who listen only; the place must make it plain to those who look. */
  labelHidden?: boolean | undefined
}

/** What the control inside a field must carry so that label, hint and error are read with it. */
export interface FieldControl {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Label above, control, then hint or error: the frame of every field. */
export function Field({ id: given, children, ...props }: FieldProps & { id?: string | undefined; children: (control: FieldControl) => ReactNode }) {
  const made = useId()
  const id = given ?? made
  const note = props.error ? `${id}-error` : props.hint ? `${id}-hint` : undefined
  return (
    <div className={css.field}>
      <FieldLabel htmlFor={id} {...props} />
      {children({ id, 'aria-describedby': note, 'aria-invalid': props.error ? true : undefined })}
      <FieldNote id={id} {...props} />
    </div>
  )
}

export function FieldLabel({ htmlFor, label, optional, aside, labelHidden }: FieldProps & { htmlFor: string }) {
  const { words } = useUi()
  return (
    <div className={labelHidden ? css.hidden : css.top}>
      <label className={css.label} htmlFor={htmlFor}>
        {label}
        {optional && <span className={css.optional}> ({words.optional})</span>}
      </label>
      {aside && <span className={css.aside}>{aside}</span>}
    </div>
  )
}

export function FieldNote({ id, hint, error }: Pick<FieldProps, 'hint' | 'error'> & { id: string }) {
  if (error) {
    return (
      <p className={css.error} id={`${id}-error`}>
        <Icon name="danger" size={14} />
        <span>{error}</span>
      </p>
    )
  }
  return hint ? (
    <p className={css.hint} id={`${id}-hint`}>
      {hint}
    </p>
  ) : null
}
