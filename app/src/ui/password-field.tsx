import { useState, type ComponentProps } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import control from './control.module.css'
import { Field, type FieldProps } from './field.tsx'
import css from './text-field.module.css'
import { useUi } from './ui-provider.tsx'

export type PasswordFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'size' | 'type'>

/** A password that can be shown. Give `autoComplete` `current-password` or `new-password`. */
export function PasswordField({ label, hint, error, optional, aside, size = 'inside', labelHidden, id, className, ...rest }: PasswordFieldProps) {
  const { words } = useUi()
  const [shown, setShown] = useState(false)
  return (
    <Field {...{ label, hint, error, optional, aside, size, labelHidden, id }}>
      {(field) => (
        <span className={css.frame}>
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...rest}
            {...field}
            type={shown ? 'text' : 'password'}
            className={classNames(control.control, control[size], css.beforeButton, className)}
          />
          <IconButton
            className={css.button}
            size={size === 'door' ? 'inside' : 'small'}
            icon={shown ? 'eye-off' : 'eye'}
            label={shown ? words.hidePassword : words.showPassword}
            aria-controls={field.id}
            onClick={() => setShown(!shown)}
          />
        </span>
      )}
    </Field>
  )
}
