import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { toAppError } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { SaveOutcome } from '#features/account/save-outcome.tsx'
import { useSave } from '#features/account/use-save.ts'
import type { EnrolFormProps } from './enrol.tsx'
import css from './factors.module.css'

const digits = 6

interface CodeFormProps {
  label: string
  hint: string
  /** Said of a code that is not right. */
  wrongText: string
  name: 'totp' | 'texted-code'
  size: EnrolFormProps['size']
  autoFocus?: boolean
  /** How many digits it takes at most; six unless said otherwise. */
  longest?: number
  /** Proves that the code has arrived, and what follows from it. */
  verify: (code: string) => Promise<void>
  /** What else can be done here, below the button. */
  children?: ReactNode
}

/** The first code of a new factor: sent as soon as it is whole, selected when it was refused, so that the next one replaces it. */
export function CodeForm({ label, hint, wrongText, name, size, autoFocus = false, longest = digits, verify, children }: CodeFormProps) {
  const { enrol: words } = useMessages().factors
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const save = useSave(async (whole: string) => {
    try {
      await verify(whole)
    } catch (failure) {
      field.current?.select()
      throw toAppError(failure)
    }
  })
  const wrong = save.state.step === 'failed' && save.state.error.code === 'mfa_verification_failed'
  const send = (event: FormEvent) => {
    event.preventDefault()
    setMissing(code.length < digits)
    if (code.length < digits) field.current?.focus()
    else void save.run(code)
  }
  return (
    <form onSubmit={send} noValidate className={css.stack}>
      <CodeField
        ref={field}
        label={label}
        size={size}
        name={name}
        autoFocus={autoFocus}
        value={code}
        length={digits}
        longest={longest}
        hint={hint}
        error={missing ? words.codeMissing : wrong && wrongText}
        onChange={(next) => {
          setCode(next)
          setMissing(false)
          save.reset()
        }}
        onComplete={(whole) => void save.run(whole)}
      />
      {!wrong && <SaveOutcome state={save.state} />}
      <Button type="submit" variant="primary" size={size} wide pending={save.state.step === 'saving'}>
        {words.finish}
      </Button>
      {children}
    </form>
  )
}
