import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import control from './control.module.css'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'
import css from './select.module.css'

/** The browser's own list of choices; give `<option>`s as children. */
export function Select({ label, hint, error, optional, aside, size = 'inside', labelHidden, id, className, ...rest }: FieldProps & Omit<ComponentProps<'select'>, 'size'>) {
  return (
    <Field {...{ label, hint, error, optional, aside, size, labelHidden, id }}>
      {(field) => (
        <span className={css.frame}>
          <select {...rest} {...field} className={classNames(control.control, control[size], css.select, className)} />
          <Icon name="chevron-down" size={14} className={css.icon} />
        </span>
      )}
    </Field>
  )
}
