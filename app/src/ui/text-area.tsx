import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import control from './control.module.css'
import { Field, type FieldProps } from './field.tsx'
import css from './text-area.module.css'

export interface TextAreaProps extends FieldProps, Omit<ComponentProps<'textarea'>, 'size'> {
  /** Sets the text in the mono face: JSON, code. */
  mono?: boolean | undefined
}

/** Several lines of text; grows with what is written, up to half the window. */
export function TextArea({ label, hint, error, optional, aside, size = 'inside', labelHidden, mono, id, className, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, hint, error, optional, aside, size, labelHidden, id }}>
      {(field) => <textarea rows={3} {...rest} {...field} className={classNames(control.control, control[size], css.area, mono && css.mono, className)} />}
    </Field>
  )
}
