import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useClient } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { MethodFormProps } from './challenge.tsx'
import { Refusal } from './refusal.tsx'
import css from './second-factor.module.css'
import { useAttempt } from './use-attempt.ts'
import { verifyRecoveryCode } from './verify-factor.ts'

/** One of the codes kept for the day the factor is lost. */
export function RecoveryCodeForm({ size, onDone }: MethodFormProps) {
  const { secondFactor: words } = useMessages()
  const client = useClient()
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const attempt = useAttempt(async () => {
    await verifyRecoveryCode(client, code)
    onDone()
  })
  const wrong = attempt.error?.code === 'mfa_verification_failed' || attempt.error?.code === 'validation_failed'

  useEffect(() => {
    if (attempt.error) field.current?.select()
  }, [attempt.error])

  const send = (event: FormEvent) => {
    event.preventDefault()
    setMissing(code.trim() === '')
    if (code.trim() === '') field.current?.focus()
    else attempt.run()
  }
  return (
    <form onSubmit={send} noValidate>
      <TextField
        ref={field}
        label={words.recoveryCode}
        size={size}
        className={css.code}
        name="recovery-code"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        autoFocus
        dir="ltr"
        value={code}
        hint={words.recoveryCodeHint}
        error={missing ? words.recoveryCodeMissing : wrong && words.recoveryCodeWrong}
        onChange={(event) => {
          setCode(event.target.value)
          setMissing(false)
          attempt.forget()
        }}
      />
      <Refusal error={wrong ? null : attempt.error} waitSeconds={attempt.waitSeconds} />
      <Button type="submit" variant="primary" size={size} wide pending={attempt.pending} disabled={attempt.waitSeconds > 0}>
        {words.confirm}
      </Button>
    </form>
  )
}
