import { useEffect, useRef, useState, type FormEvent } from 'react'
import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useClient } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { DoorDivider } from '#ui/door-layout.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { DoorLink } from './door-link.tsx'
import { FailureBanner } from './failure-banner.tsx'
import { GivenEmail } from './given-email.tsx'
import { sendMail } from './send-mail.ts'
import { useAttempt } from './use-attempt.ts'
import { useMailLock, useMailParts } from './use-mail.ts'
import type { DoorStep } from './use-step.ts'

/** The second question of signing in: the password, or a mail instead. */
export function SignInPassword({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  return (
    <>
      <PasswordForm door={door} />
      <DoorDivider>{words.or}</DoorDivider>
      <ByMail door={door} />
    </>
  )
}

function PasswordForm({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const { auth } = useClient()
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const signIn = useAttempt(() => unwrap(auth.signInWithPassword({ email: door.email, password })))

  // A refused password is the field to go back to, with what was typed still in it.
  useEffect(() => {
    if (signIn.error) field.current?.focus()
  }, [signIn.error])

  const send = (event: FormEvent) => {
    event.preventDefault()
    setMissing(password === '')
    if (password === '') field.current?.focus()
    else signIn.run()
  }
  const change = (typed: string) => {
    setPassword(typed)
    setMissing(false)
  }

  return (
    <form onSubmit={send} noValidate>
      <GivenEmail email={door.email} change={{ door, path: '/sign-in' }} />
      <PasswordField
        ref={field}
        label={words.password}
        size="door"
        name="password"
        autoComplete="current-password"
        autoFocus
        required
        aside={
          <DoorLink door={door} to="/forgot-password">
            {words.signIn.forgot}
          </DoorLink>
        }
        value={password}
        error={missing && words.passwordMissing}
        onChange={(event) => change(event.target.value)}
      />
      <FailureBanner error={signIn.error} action={signIn.error?.code === 'email_not_confirmed' && <SendConfirmation door={door} />} />
      <Button type="submit" variant="primary" size="door" wide pending={signIn.pending}>
        {words.signIn.submit}
      </Button>
    </form>
  )
}

/** The password was right, only the address waits for its confirmation. */
function SendConfirmation({ door }: { door: DoorStep }) {
  const { frontDoor: words, errors } = useMessages()
  const mail = useMailParts()
  const { email, to } = door
  const seconds = useMailLock('signup', email)
  const send = useAttempt(async () => {
    if (mail.locks.secondsLeft('confirmation', email) === 0) await sendMail(mail, { way: 'signup', email, to })
    else mail.pending.remember({ way: 'signup', email, to })
    door.go('/sign-up', 'code', email)
  })
  return (
    <>
      <Button pending={send.pending} onClick={() => send.run()}>
        {seconds > 0 ? words.signIn.enterSentCode : words.signIn.sendConfirmation}
      </Button>
      {send.error && <span role="alert">{errors.byKind[send.error.kind].title}</span>}
    </>
  )
}

function ByMail({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const mail = useMailParts()
  const { email, to } = door
  const seconds = useMailLock('email', email)
  const send = useAttempt(async () => {
    await sendMail(mail, { way: 'email', email, to })
    door.go('/sign-in', 'code', email)
  })
  const latest = mail.pending.latest()
  const sentAlready = seconds > 0 && latest?.way === 'email' && latest.email === email

  return (
    <>
      <FailureBanner error={send.error} />
      {sentAlready ? (
        <Button size="door" wide icon="mail" onClick={() => door.go('/sign-in', 'code', email)}>
          {words.signIn.enterSentCode}
        </Button>
      ) : (
        <Button size="door" wide icon="mail" pending={send.pending} disabled={seconds > 0} onClick={() => send.run()}>
          {seconds > 0 ? words.signIn.byMailLocked(seconds) : words.signIn.byMail}
        </Button>
      )}
    </>
  )
}
