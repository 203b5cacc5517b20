import { useRef, useState, type FormEvent } from 'react'
import { Redirect, useLocation } from 'wouter'
import type { AppError } from '#api/app-error.ts'
import { explain } from '#api/explain.ts'
import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { findEmailFault, type EmailFault } from '#session/email-address.ts'
import { home, safePath } from '#session/redirects.ts'
import { useSecondsLeft } from '#session/send-lock.ts'
import { useClient, useProject, useSession, useSessionStore } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { CodeForm } from './code-form.tsx'
import { DoorPage } from './door-page.tsx'
import { EmailField } from './email-form.tsx'
import { FailureBanner } from './failure-banner.tsx'
import css from './front-door.module.css'
import { GivenEmail } from './given-email.tsx'
import { PasswordGuidance } from './password-guidance.tsx'
import { callbackAddress } from './send-mail.ts'
import { useAttempt } from './use-attempt.ts'
import { useCaptcha } from './use-captcha.ts'
import { useFocusOn } from './use-focus-on.ts'
import { Waiting } from './waiting.tsx'

/** `/save-account`: a guest becomes a person with an address and a password; the user, and all they did, stays the same. */
export function SaveAccountPage() {
  const session = useSession()
  const { ways } = useMessages()
  const [sentTo, setSentTo] = useState('')
  if (session.step === 'starting') return <Waiting title={ways.keep.title} />
  // Whoever has an account by now, by the mail's link perhaps, has nothing left to do here.
  if (session.step !== 'signed-in' || !session.user.is_anonymous) return <Redirect to={home} replace />
  const awaited = sentTo || (session.user.new_email ?? '')
  return awaited === '' ? <AskForBoth onSent={setSentTo} /> : <ConfirmAddress email={awaited} />
}

/** What the server counts as about the address or the password, said at its field. */
const aboutPassword = new Set(['weak_password'])

function AskForBoth({ onSent }: { onSent: (email: string) => void }) {
  const { frontDoor: words, ways, errors } = useMessages()
  const { auth } = useClient()
  const store = useSessionStore()
  const project = useProject()
  const { locks, pending } = useDoorMemory()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState<{ email?: EmailFault | undefined; password?: boolean }>({})
  const addressField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const save = useAttempt(async (address: string) => {
    const { user } = await unwrap(auth.updateUser({ email: address, password }, { emailRedirectTo: callbackAddress() }))
    locks.lock('email-change', address)
    pending.remember({ way: 'email_change', email: address, to: home })
    // Where addresses need no confirmation it is done; the token still says "guest" until it is renewed.
    if (user.email === address) await unwrap(auth.refreshSession())
    else onSent(address)
    await store.settle()
  })
  const weak = save.error && aboutPassword.has(save.error.code) ? explain(save.error, errors) : null
  const isTaken = save.error?.code === 'email_exists'
  useFocusOn(isTaken, addressField)

  const send = (event: FormEvent) => {
    event.preventDefault()
    const found = { email: findEmailFault(email), password: password === '' }
    setFaults(found)
    if (found.email) addressField.current?.focus()
    else if (found.password) passwordField.current?.focus()
    else save.run(email.trim())
  }
  return (
    <DoorPage title={ways.keep.title} lead={ways.keep.lead} below={<Link href={home}>{ways.keep.later}</Link>}>
      <form onSubmit={send} noValidate>
        <EmailField ref={addressField} autoFocus value={email} fault={faults.email} onType={(text) => (setEmail(text), setFaults({}), save.forget())} />
        <PasswordField
          ref={passwordField}
          label={words.newPassword}
          size="door"
          autoComplete="new-password"
          required
          value={password}
          hint={words.newPasswordHint}
          error={faults.password ? words.newPasswordMissing : weak && errors.sentences(weak.title, weak.whatToDo)}
          onChange={(event) => (setPassword(event.target.value), setFaults({}), save.forget())}
        />
        <PasswordGuidance password={password} known={[email, project.name]} />
        <SaveFailure error={weak ? null : save.error} isTaken={isTaken} email={email.trim()} />
        <Button type="submit" variant="primary" size="door" wide pending={save.pending}>
          {ways.keep.submit}
        </Button>
      </form>
    </DoorPage>
  )
}

function SaveFailure({ error, isTaken, email }: { error: AppError | null; isTaken: boolean; email: string }) {
  const { ways } = useMessages()
  const store = useSessionStore()
  const [, navigate] = useLocation()
  const leave = useAttempt(async () => {
    const failure = await store.signOut('local')
    if (failure) throw failure
    navigate('/sign-in?step=password', { replace: true, state: { email } })
  })
  if (!isTaken) return <FailureBanner error={error} />
  return (
    <>
      <Banner
        tone="warning"
        role="alert"
        title={ways.keep.takenTitle}
        action={
          <Button pending={leave.pending} onClick={() => leave.run()}>
            {ways.keep.signInInstead}
          </Button>
        }
      >
        {ways.keep.takenHint}
      </Banner>
      <FailureBanner error={leave.error} />
    </>
  )
}

function ConfirmAddress({ email }: { email: string }) {
  const { frontDoor: words, ways } = useMessages()
  const { auth } = useClient()
  const store = useSessionStore()
  const { locks, pending } = useDoorMemory()
  const captcha = useCaptcha()
  const seconds = useSecondsLeft(locks, 'email-change', email)
  const [isSent, setSent] = useState(false)
  const [, navigate] = useLocation()
  const verify = useAttempt(async (token: string) => {
    await unwrap(auth.verifyOtp({ email, token, type: 'email_change' }))
    const to = safePath(pending.latest()?.to)
    pending.forget()
    await store.settle()
    navigate(to, { replace: true })
  })
  const again = useAttempt(async () => {
    const option = await captcha()
    locks.lock('email-change', email)
    await unwrap(auth.resend({ type: 'email_change', email, options: { emailRedirectTo: callbackAddress(), ...option } }))
    setSent(true)
  })
  return (
    <DoorPage title={ways.keep.codeTitle} lead={ways.keep.codeLead} below={<Link href={home}>{ways.keep.later}</Link>}>
      <GivenEmail email={email} />
      <CodeForm attempt={verify} wrongCode={words.checkMail.codeWrong} />
      <div className={css.again}>
        <p role="status">{isSent ? words.checkMail.sentAgain : words.checkMail.notThere}</p>
        <FailureBanner error={again.error} />
        <Button variant="quiet" pending={again.pending} disabled={seconds > 0} onClick={() => again.run()}>
          {seconds > 0 ? words.checkMail.sendAgainIn(seconds) : words.checkMail.sendAgain}
        </Button>
      </div>
    </DoorPage>
  )
}
