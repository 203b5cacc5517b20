import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import control from './control.module.css'
import { Field, type FieldProps } from './field.tsx'
import { Icon, type IconName } from './icon.tsx'
import css from './text-field.module.css'

export interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'size'> {
  /** A drawing at the start of the field. */
  icon?: IconName | undefined
}

/** One line of text. Takes every attribute of an input, and its ref. */
export function TextField({ label, hint, error, optional, aside, size = 'inside', labelHidden, icon, id, className, ...rest }: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, optional, aside, size, labelHidden, id }}>
      {(field) => (
        <span className={css.frame}>
          {icon && <Icon name={icon} className={css.icon} />}
          <input type="text" {...rest} {...field} className={classNames(control.control, control[size], icon && css.indented, className)} />
        </span>
      )}
    </Field>
  )
}
