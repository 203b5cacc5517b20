import { useState, type ComponentProps, type KeyboardEvent } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import control from './control.module.css'
import { Field, type FieldProps } from './field.tsx'
import css from './text-field.module.css'
import { useUi } from './ui-provider.tsx'

export type PasswordFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'size' | 'type'>

/** A password that can be shown; it says when Caps Lock is on. Give `autoComplete` `current-password` or `new-password`. */
export function PasswordField({ label, hint, error, optional, aside, size = 'inside', labelHidden, id, className, ...rest }: PasswordFieldProps) {
  const { words } = useUi()
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  // What a password manager fills in looks like keys that know nothing of locks.
  const look = (event: KeyboardEvent) => setCapsLock(event.getModifierState?.('CapsLock') ?? false)
  const note = capsLock && !shown ? <span role="status">{words.capsLock}</span> : hint
  return (
    <Field {...{ label, hint: note, error, optional, aside, size, labelHidden, id }}>
      {(field) => (
        <span className={css.frame}>
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...rest}
            {...field}
            onKeyDown={look}
            onKeyUp={look}
            onBlur={() => setCapsLock(false)}
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
