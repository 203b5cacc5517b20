import { useState, type ChangeEvent, type ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import css from './code-field.module.css'
import { Field, type FieldProps } from './field.tsx'

export interface CodeFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'size' | 'value' | 'onChange' | 'maxLength'> {
  /** Digits only. */
  value: string
  onChange: (code: string) => void
  /** Called once the last digit is there, and for each beyond it; `isTyped` when it was typed, not pasted or filled in whole. */
  onComplete?: ((code: string, isTyped: boolean) => void) | undefined
  /** How many digits; 6 by default. */
  length?: number | undefined
  /** How many it takes when more come than were expected; `length` by default. The boxes grow with them. */
  longest?: number | undefined
}

/**
 * A code of digits, grouped. One real input lies over the drawn boxes, so that paste, autofill of a received code,
 * selection and undo work as in any field.
 */
export function CodeField({ label, hint, error, optional, aside, size, labelHidden, id, value, onChange, onComplete, length = 6, longest = length, ...rest }: CodeFieldProps) {
  const [focused, setFocused] = useState(false)
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const code = digits(event.target.value).slice(0, longest)
    if (code === value) return
    onChange(code)
    if (code.length >= length && code.length >= value.length) onComplete?.(code, code.length - value.length === 1)
  }
  const boxes = Math.max(length, value.length)
  return (
    <Field {...{ label, hint, error, optional, aside, size, labelHidden, id }}>
      {(field) => (
        <span className={css.frame} dir="ltr" data-invalid={field['aria-invalid']}>
          <span className={css.boxes} aria-hidden>
            {Array.from({ length: boxes }, (_, index) => (
              <span
                key={index}
                className={classNames(css.box, index > 0 && index * 2 === boxes && css.group)}
                data-current={(focused && index === Math.min(value.length, boxes - 1)) || undefined}
              >
                {value[index]}
              </span>
            ))}
          </span>
          <input
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoCorrect="off"
            spellCheck={false}
            {...rest}
            {...field}
            className={css.input}
            value={value}
            onChange={change}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
          />
        </span>
      )}
    </Field>
  )
}

/** Digits of any script as 0–9; everything else is dropped, so that "123 456" and "１２３" paste well. */
function digits(text: string): string {
  return text.normalize('NFKC').replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf)).replaceAll(/\D/g, '')
}
