import { useRef, useState, type FormEvent } from 'react'
import type { User } from '#api/client.ts'
import { explain } from '#api/explain.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { findEmailFault } from '#session/email-address.ts'
import { secondsInMessage, useSecondsLeft } from '#session/send-lock.ts'
import { useClient, useUser } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from './account.module.css'
import { Section } from './account-frame.tsx'
import { SaveOutcome } from './save-outcome.tsx'
import { useSave } from './use-save.ts'

/** The address, a change under way, and the way to begin one. */
export function EmailSection() {
  const { account: words } = useMessages()
  const user = useUser()
  const [editing, setEditing] = useState(false)
  const { new_email: awaited } = user
  const confirmed = useConfirmed(user)
  return (
    <Section heading={words.email.heading} lead={words.email.lead}>
      <div className={css.value}>
        <span>{user.email || words.email.none}</span>
        {!editing && !awaited && <Button onClick={() => setEditing(true)}>{user.email ? words.email.change : words.email.add}</Button>}
      </div>
      {confirmed !== '' && !editing && <Banner tone="success">{words.email.confirmed(confirmed)}</Banner>}
      {awaited && !editing && <AwaitedEmail user={user} awaited={awaited} onOther={() => setEditing(true)} />}
      {editing && <EmailForm user={user} onDone={() => setEditing(false)} />}
    </Section>
  )
}

/** The address that was awaited while this page was open and has come about since: in another tab, or on another device. */
function useConfirmed({ email = '', new_email: awaited }: User): string {
  const [last, setLast] = useState(awaited)
  const [confirmed, setConfirmed] = useState('')
  if (awaited && awaited !== last) setLast(awaited)
  if (!awaited && last) {
    setLast(undefined)
    if (last.toLowerCase() === email.toLowerCase()) setConfirmed(email)
  }
  return confirmed
}

/** Runs a call that mails the new address, locked as at the door: a second mail voids the first. */
function useEmailChange(email: string) {
  const { locks, pending } = useDoorMemory()
  const seconds = useSecondsLeft(locks, 'email-change', email)
  const locked = async <T,>(call: () => Promise<T>): Promise<T> => {
    locks.lock('email-change', email)
    try {
      const answer = await call()
      pending.remember({ way: 'email_change', email, to: '/account' })
      return answer
    } catch (failure) {
      const error = toAppError(failure)
      if (error.status === 429) locks.lock('email-change', email, secondsInMessage(error.message))
      else locks.unlock('email-change', email)
      throw error
    }
  }
  return { seconds, locked }
}

/** Links in mails live a day at most; the server says only when they were sent. */
const longestLifeMs = 24 * 60 * 60_000

function AwaitedEmail({ user, awaited, onOther }: { user: User; awaited: string; onOther: () => void }) {
  const { account, errors } = useMessages()
  const words = account.email
  const { auth } = useClient()
  const { seconds, locked } = useEmailChange(awaited)
  const [openedAt] = useState(Date.now)
  const { email_change_sent_at: sentAt } = user
  const isStale = sentAt !== undefined && openedAt - Date.parse(sentAt) > longestLifeMs
  // Asking for the change again serves those without an address too, and needs no captcha.
  const resend = useSave(() => locked(() => unwrap(auth.updateUser({ email: awaited }, { emailRedirectTo: `${location.origin}/callback` }))))
  const sentWhere = user.email ? words.pendingBoth(user.email, awaited) : words.pendingOne(awaited)
  return (
    <>
      <Banner
        role="none"
        tone={isStale ? 'warning' : 'info'}
        title={isStale ? words.staleTitle(awaited) : words.pendingTitle(awaited)}
        action={
          <>
            <Button disabled={seconds > 0} pending={resend.state.step === 'saving'} onClick={() => void resend.run()}>
              {seconds > 0 ? words.sendAgainIn(seconds) : words.sendAgain}
            </Button>
            <Button variant="quiet" onClick={onOther}>
              {words.other}
            </Button>
          </>
        }
      >
        <p>{isStale ? words.stale : errors.sentences(sentWhere, words.elsewhere)}</p>
        {sentAt && (
          <p>
            {words.sent} <DateTime value={sentAt} show="relative" />
          </p>
        )}
      </Banner>
      <SaveOutcome state={resend.state} saved={words.sentAgain} />
    </>
  )
}

/** Refusals of the address itself, said at its field. */
const aboutAddress = new Set(['email_exists', 'email_address_invalid', 'email_address_not_authorized', 'validation_failed'])

function EmailForm({ user, onDone }: { user: User; onDone: () => void }) {
  const { account: words, errors } = useMessages()
  const { auth } = useClient()
  const [email, setEmail] = useState('')
  const [fault, setFault] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const address = email.trim()
  const { seconds, locked } = useEmailChange(address)
  const stepUp = useStepUp()
  const save = useSave(async () => {
    if (!(await stepUp('email'))) return
    await locked(() => unwrap(auth.updateUser({ email: address }, { emailRedirectTo: `${location.origin}/callback` })))
    onDone()
  })

  const refused = save.state.step === 'failed' && aboutAddress.has(save.state.error.code) ? explain(save.state.error, errors) : null
  const findFault = () => {
    const found = findEmailFault(address)
    if (found) return found === 'missing' ? words.email.missing : words.email.malformed
    return address.toLowerCase() === user.email?.toLowerCase() ? words.email.same : ''
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    const found = findFault()
    setFault(found)
    if (found) field.current?.focus()
    else if (seconds === 0) void save.run()
  }

  return (
    <form onSubmit={send} noValidate>
      <TextField
        ref={field}
        label={words.email.label}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        value={email}
        error={fault || (refused && errors.sentences(refused.title, refused.whatToDo))}
        onChange={(event) => {
          setEmail(event.target.value)
          setFault('')
          save.reset()
        }}
      />
      {!refused && <SaveOutcome state={save.state} />}
      <div className={css.actions}>
        <Button type="submit" variant="primary" disabled={seconds > 0} pending={save.state.step === 'saving'}>
          {seconds > 0 ? words.email.sendAgainIn(seconds) : words.email.submit}
        </Button>
        <Button onClick={onDone}>{words.cancel}</Button>
      </div>
    </form>
  )
}
