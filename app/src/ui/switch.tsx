import { useId, type ComponentProps, type ReactNode } from 'react'
import { FieldNote } from './field.tsx'
import css from './switch.module.css'

export interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'size' | 'role'> {
  label: ReactNode
  hint?: ReactNode
}

/** On or off, in force at once. For an answer that is saved later, take `Checkbox`. */
export function Switch({ label, hint, id: given, ...rest }: SwitchProps) {
  const made = useId()
  const id = given ?? made
  return (
    <div className={css.switch}>
      <label className={css.line} htmlFor={id}>
        <span>{label}</span>
        <input {...rest} id={id} type="checkbox" role="switch" className={css.track} aria-describedby={hint ? `${id}-hint` : undefined} />
      </label>
      <FieldNote id={id} hint={hint} />
    </div>
  )
}
