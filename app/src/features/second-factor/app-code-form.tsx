import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useClient } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import type { MethodFormProps } from './challenge.tsx'
import { Refusal } from './refusal.tsx'
import { useAttempt } from './use-attempt.ts'
import { verifyTotp } from './verify-factor.ts'

const digits = 6

/** The six digits an authenticator app shows; sent as soon as the last one is there. */
export function AppCodeForm({ method, size, onDone }: MethodFormProps) {
  const { secondFactor: words } = useMessages()
  const client = useClient()
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const attempt = useAttempt(async (whole: string) => {
    await verifyTotp(client, method.id, whole)
    onDone()
  })
  const wrong = attempt.error?.code === 'mfa_verification_failed'

  // The next code replaces the refused one by typing.
  useEffect(() => {
    if (attempt.error) field.current?.select()
  }, [attempt.error])

  const send = (event: FormEvent) => {
    event.preventDefault()
    setMissing(code.length < digits)
    if (code.length < digits) field.current?.focus()
    else attempt.run(code)
  }
  return (
    <form onSubmit={send} noValidate>
      <CodeField
        ref={field}
        label={words.code}
        size={size}
        name="totp"
        autoFocus
        value={code}
        length={digits}
        onChange={(next) => {
          setCode(next)
          setMissing(false)
          attempt.forget()
        }}
        onComplete={(whole) => attempt.run(whole)}
        error={missing ? words.codeMissing : wrong && words.codeWrong}
      />
      <Refusal error={wrong ? null : attempt.error} waitSeconds={attempt.waitSeconds} />
      <Button type="submit" variant="primary" size={size} wide pending={attempt.pending} disabled={attempt.waitSeconds > 0}>
        {words.confirm}
      </Button>
    </form>
  )
}
