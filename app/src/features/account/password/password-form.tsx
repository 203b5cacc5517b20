import { useEffect, useRef, useState, type FormEvent } from 'react'
import { explain } from '#api/explain.ts'
import { unwrap } from '#api/unwrap.ts'
import css from '#features/account/account.module.css'
import { nameOf } from '#features/account/person.ts'
import { shownNumber } from '#features/account/phone-number.ts'
import { SaveOutcome } from '#features/account/save-outcome.tsx'
import { useSave } from '#features/account/use-save.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { useSecondsLeft } from '#session/send-lock.ts'
import { useClient, useUser } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { usePasswordChange, type PasswordForm as Form } from '#session/use-password-change.ts'
import { usePasswordGuidance } from '#session/use-password-guidance.ts'
import { Button } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { PasswordGuidance } from '#ui/password-guidance.tsx'
import { TextField } from '#ui/text-field.tsx'

const aboutNew = new Set(['weak_password', 'same_password'])
const aboutCurrent = new Set(['current_password_required', 'current_password_invalid'])
const aboutCode = new Set(['reauthentication_not_valid'])

/** The new password, and what the server asks for besides; its words are of the areas `account` and `ways`. */
export function PasswordForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { account: words, errors } = useMessages()
  const user = useUser()
  const form = usePasswordChange(onDone)
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set())
  const field = useRef<HTMLInputElement>(null)
  const stepUp = useStepUp()
  const guidance = usePasswordGuidance(form.password, [user.email ?? '', nameOf(user)])
  const refusal = (codes: ReadonlySet<string>) => {
    if (!form.error || !codes.has(form.error.code)) return ''
    const { title, whatToDo } = explain(form.error, errors)
    return errors.sentences(title, whatToDo)
  }
  const known = form.error !== null && [aboutNew, aboutCurrent, aboutCode].some((codes) => codes.has(form.error?.code ?? ''))

  const send = (event: FormEvent) => {
    event.preventDefault()
    const empty = [form.password === '' && 'password', form.needs.current && form.current === '' && 'current', form.needs.code && form.code === '' && 'code']
    const found = new Set(empty.filter((name) => name !== false))
    setMissing(found)
    if (found.has('password')) field.current?.focus()
    if (found.size === 0) void stepUp('password').then((isProven) => isProven && form.submit())
  }

  return (
    <form onSubmit={send} onChange={() => setMissing(new Set())} noValidate>
      <input type="email" name="username" autoComplete="username" value={user.email || user.phone || ''} readOnly hidden />
      {form.needs.current && <CurrentPassword form={form} error={missing.has('current') ? words.password.currentMissing : refusal(aboutCurrent)} />}
      <PasswordField
        ref={field}
        label={words.password.label}
        name="new-password"
        autoComplete="new-password"
        autoFocus
        required
        value={form.password}
        hint={words.password.hint}
        error={missing.has('password') ? words.password.missing : refusal(aboutNew)}
        onChange={(event) => form.set('password', event.target.value)}
      />
      <PasswordGuidance {...guidance} />
      {form.needs.code && <SentCode form={form} error={missing.has('code') ? (user.email ? words.password.codeMissing : words.phone.codeMissing) : refusal(aboutCode)} />}
      <SaveOutcome state={form.error && !known ? { step: 'failed', error: form.error } : { step: 'ready' }} />
      <div className={css.actions}>
        <Button type="submit" variant="primary" pending={form.pending}>
          {words.password.submit}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </div>
    </form>
  )
}

function CurrentPassword({ form, error }: { form: Form; error: string }) {
  const { account: words } = useMessages()
  return (
    <PasswordField
      label={words.password.current}
      name="current-password"
      autoComplete="current-password"
      autoFocus
      required
      aside={<Link href="/forgot-password">{words.password.forgot}</Link>}
      value={form.current}
      error={error}
      onChange={(event) => form.set('current', event.target.value)}
    />
  )
}

/** The server sends it to the address, and to the number of those who have none. */
function SentCode({ form, error }: { form: Form; error: string }) {
  const { account: words } = useMessages()
  const user = useUser()
  const { auth } = useClient()
  const { locks } = useDoorMemory()
  const address = user.email || shownNumber(user.phone ?? '')
  const seconds = useSecondsLeft(locks, 'reauthentication', address)
  const again = useSave(async () => {
    locks.lock('reauthentication', address)
    await unwrap(auth.reauthenticate())
  })
  // It was sent a moment ago, when the change was refused for the lack of it.
  useEffect(() => {
    if (locks.secondsLeft('reauthentication', address) === 0) locks.lock('reauthentication', address)
  }, [locks, address])
  return (
    <>
      <TextField
        label={user.email ? words.password.code : words.phone.code}
        hint={words.password.codeHint(address)}
        error={error}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        required
        aside={
          <Button variant="quiet" disabled={seconds > 0} pending={again.state.step === 'saving'} onClick={() => void again.run()}>
            {seconds > 0 ? words.password.sendAgainIn(seconds) : words.password.sendAgain}
          </Button>
        }
        value={form.code}
        onChange={(event) => form.set('code', event.target.value.trim())}
      />
      <SaveOutcome state={again.state} />
    </>
  )
}
