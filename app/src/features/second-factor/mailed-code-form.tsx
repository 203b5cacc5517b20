import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { User } from '#api/client.ts'
import { toAppError } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { longestCode, shortestCode } from '#session/code-length.ts'
import { useDoorMemory } from '#session/door-memory.ts'
import { secondsInMessage, useSecondsLeft } from '#session/send-lock.ts'
import { useConnection } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { proveCode, sendProofCode } from './again.ts'
import type { AgainProps } from './again-forms.tsx'
import { Refusal } from './refusal.tsx'
import { SendCode } from './send-code.tsx'
import { useAttempt } from './use-attempt.ts'

/** Sends the code, locked as at the door: a second mail voids the first. */
function useProofCode(user: User) {
  const connection = useConnection()
  const address = user.email || user.phone || ''
  const { locks, pending } = useDoorMemory()
  const seconds = useSecondsLeft(locks, 'sign-in', address)
  const [isSent, setSent] = useState(false)
  const sending = useAttempt(async () => {
    locks.lock('sign-in', address)
    try {
      await sendProofCode(connection, user)
    } catch (failure) {
      const error = toAppError(failure)
      if (error.status === 429) locks.lock('sign-in', address, secondsInMessage(error.message))
      else locks.unlock('sign-in', address)
      throw error
    }
    // The link of the mail leads back to where the question was asked.
    if (user.email) pending.remember({ way: 'email', email: user.email, to: `${location.pathname}${location.search}` })
    setSent(true)
  })
  return { address, seconds, isSent, sending, prove: (code: string) => proveCode(connection, user, code) }
}

interface MailedCodeFormProps extends AgainProps {
  /** The press that sends it was made already, on the choice of this way. */
  isAskedFor: boolean
}

/** A code to the person's own address or phone; sent on a press. */
export function MailedCodeForm({ user, onDone, isAskedFor }: MailedCodeFormProps) {
  const { secondFactor } = useMessages()
  const { stepUp: words } = secondFactor
  const { address, seconds, isSent, sending, prove } = useProofCode(user)
  const { codeLength } = useDoorMemory()
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const checking = useAttempt(async () => {
    await prove(code)
    onDone()
  })
  const wrong = checking.error?.code === 'otp_expired'
  const isBegun = useRef(false)
  useEffect(() => {
    if (!isAskedFor || isBegun.current) return
    isBegun.current = true
    if (seconds === 0) sending.run()
  }, [isAskedFor, seconds, sending])
  useEffect(() => {
    if (checking.error) field.current?.select()
  }, [checking.error])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(code.length < shortestCode)
    if (code.length < shortestCode) field.current?.focus()
    else checking.run()
  }
  const send = <SendCode sending={sending} seconds={seconds} isSent={isSent} label={user.email ? words.byMail : words.byPhone} />
  if (!isSent) return send
  return (
    <form onSubmit={submit} noValidate>
      <CodeField
        ref={field}
        label={user.email ? words.mailedCode : secondFactor.textedCode}
        name="code"
        autoFocus
        value={code}
        length={codeLength.known() ?? shortestCode}
        longest={longestCode}
        onChange={(next) => {
          setCode(next)
          setMissing(false)
          checking.forget()
        }}
        hint={user.email ? words.mailedHint(address) : words.textedHint(address)}
        error={missing ? words.mailedMissing : wrong && words.mailedWrong}
      />
      <Refusal error={wrong ? null : (checking.error ?? sending.error)} waitSeconds={checking.waitSeconds} />
      <Button type="submit" variant="primary" wide pending={checking.pending} disabled={checking.waitSeconds > 0}>
        {words.confirm}
      </Button>
      {send}
    </form>
  )
}
