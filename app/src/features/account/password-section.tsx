import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { useSecondsLeft } from '#session/send-lock.ts'
import { useClient, useUser } from '#session/session.tsx'
import { usePasswordChange, type PasswordForm as Form } from '#session/use-password-change.ts'
import { useStepUp } from '#session/step-up.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from './account.module.css'
import { Section } from './account-frame.tsx'
import { useAccountSource, usePack } from './queries.ts'
import { SaveOutcome } from './save-outcome.tsx'

/** The password is never shown; a change asks for what the project wants to see, when it wants it. */
export function PasswordSection() {
  const { account: words } = useMessages()
  const [step, setStep] = useState<'closed' | 'open' | 'saved' | 'set'>('closed')
  const user = useUser()
  const queries = useQueryClient()
  const source = useAccountSource()
  const isMissing = usePack()?.hasPassword === false
  const needsEmail = isMissing && !user.email
  const done = () => {
    setStep(isMissing ? 'set' : 'saved')
    void queries.invalidateQueries({ queryKey: source.scope })
  }
  const lead = needsEmail ? words.password.setNeedsEmail : isMissing ? words.password.setLead : words.password.lead
  return (
    <Section heading={words.password.heading} lead={lead}>
      {step === 'saved' && <Banner tone="success">{words.password.saved}</Banner>}
      {step === 'set' && <Banner tone="success">{words.password.isSet}</Banner>}
      {step === 'open' ? (
        <PasswordForm onDone={done} onCancel={() => setStep('closed')} />
      ) : (
        <div className={css.actions}>
          <Button disabled={needsEmail} onClick={() => setStep('open')}>
            {isMissing ? words.password.set : words.password.change}
          </Button>
        </div>
      )}
    </Section>
  )
}

const aboutNew = new Set(['weak_password', 'same_password'])
const aboutCurrent = new Set(['current_password_required', 'current_password_invalid'])
const aboutCode = new Set(['reauthentication_not_valid'])

function PasswordForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { account: words, errors } = useMessages()
  const user = useUser()
  const form = usePasswordChange(onDone)
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set())
  const field = useRef<HTMLInputElement>(null)
  const stepUp = useStepUp()
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
      <input type="email" name="username" autoComplete="username" value={user.email ?? ''} readOnly hidden />
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
      {form.needs.code && <MailedCode form={form} error={missing.has('code') ? words.password.codeMissing : refusal(aboutCode)} />}
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

function MailedCode({ form, error }: { form: Form; error: string }) {
  const { account: words } = useMessages()
  const user = useUser()
  const { auth } = useClient()
  const { locks } = useDoorMemory()
  const address = user.email ?? ''
  const seconds = useSecondsLeft(locks, 'reauthentication', address)
  const again = () => {
    locks.lock('reauthentication', address)
    void auth.reauthenticate()
  }
  return (
    <TextField
      label={words.password.code}
      hint={words.password.codeHint(address)}
      error={error}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
      required
      aside={
        <Button variant="quiet" disabled={seconds > 0} onClick={again}>
          {seconds > 0 ? words.password.sendAgainIn(seconds) : words.password.sendAgain}
        </Button>
      }
      value={form.code}
      onChange={(event) => form.set('code', event.target.value.trim())}
    />
  )
}
