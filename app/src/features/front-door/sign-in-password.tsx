import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { findEmailFault, type EmailFault } from '#session/email-address.ts'
import { useClient } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { DoorDivider } from '#ui/door-layout.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { DoorLink } from './door-link.tsx'
import { EmailField } from './email-form.tsx'
import { FailureBanner } from './failure-banner.tsx'
import { GivenEmail } from './given-email.tsx'
import { RememberMe } from './remember-me.tsx'
import { sendMail } from './send-mail.ts'
import { useAttempt } from './use-attempt.ts'
import { useCaptcha } from './use-captcha.ts'
import { useFocusOn } from './use-focus-on.ts'
import { useMailLock, useMailParts } from './use-mail.ts'
import type { DoorStep } from './use-step.ts'

/** The second question of signing in: the password, or a mail instead. */
export function SignInPassword({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  return (
    <>
      <PasswordForm door={door} email={door.email} check={() => true}>
        <GivenEmail email={door.email} change={{ door, path: '/sign-in' }} />
      </PasswordForm>
      <DoorDivider>{words.or}</DoorDivider>
      <ByMail door={door} email={door.email} check={() => true} />
    </>
  )
}

/** Address and password at once, for operators who want it so. */
export function SignInWhole({ door, initial, withPasskeys }: { door: DoorStep; initial: string; withPasskeys: boolean }) {
  const [typed, setTyped] = useState(initial)
  const [fault, setFault] = useState<EmailFault>()
  const field = useRef<HTMLInputElement>(null)
  const check = () => {
    const found = findEmailFault(typed)
    setFault(found)
    if (found) field.current?.focus()
    return found === undefined
  }
  const change = (text: string) => {
    setTyped(text)
    if (fault && !findEmailFault(text)) setFault(undefined)
  }
  const email = typed.trim()
  return (
    <>
      <PasswordForm door={{ ...door, email }} email={email} check={check} isWhole>
        <EmailField ref={field} value={typed} fault={fault} withPasskeys={withPasskeys} autoFocus={initial === ''} onType={change} />
      </PasswordForm>
      <ByMail door={door} email={email} check={check} />
    </>
  )
}

interface AddressProps {
  door: DoorStep
  email: string
  /** Says whether the address can be used, and shows what is wrong with it. */
  check: () => boolean
}

interface PasswordFormProps extends AddressProps {
  /** Address and password stand on one page: it asks what the first of two pages would. */
  isWhole?: boolean
  children: ReactNode
}

function PasswordForm({ door, email, check, isWhole = false, children }: PasswordFormProps) {
  const { frontDoor: words } = useMessages()
  const { auth } = useClient()
  const { lastWay } = useDoorMemory()
  const captcha = useCaptcha()
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const signIn = useAttempt(async () => {
    lastWay.begin('password')
    return unwrap(auth.signInWithPassword({ email, password, options: await captcha() }))
  })
  useFocusOn(signIn.error, field)

  const send = (event: FormEvent) => {
    event.preventDefault()
    setMissing(password === '')
    if (!check()) return
    if (password === '') field.current?.focus()
    else signIn.run()
  }

  return (
    <form onSubmit={send} noValidate>
      {children}
      <PasswordField
        ref={field}
        label={words.password}
        size="door"
        name="password"
        autoComplete="current-password"
        autoFocus={!isWhole}
        required
        aside={
          <DoorLink door={door} to="/forgot-password">
            {words.signIn.forgot}
          </DoorLink>
        }
        value={password}
        error={missing && words.passwordMissing}
        onChange={(event) => {
          setPassword(event.target.value)
          setMissing(false)
        }}
      />
      {isWhole && <RememberMe />}
      <FailureBanner error={signIn.error} action={signIn.error?.code === 'email_not_confirmed' && <SendConfirmation door={door} email={email} />} />
      <Button type="submit" variant="primary" size="door" wide pending={signIn.pending}>
        {words.signIn.submit}
      </Button>
    </form>
  )
}

/** The password was right, only the address waits for its confirmation. */
function SendConfirmation({ door, email }: Omit<AddressProps, 'check'>) {
  const { frontDoor: words, errors } = useMessages()
  const mail = useMailParts()
  const { to } = door
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

function ByMail({ door, email, check }: AddressProps) {
  const { frontDoor: words } = useMessages()
  const mail = useMailParts()
  const { lastWay } = useDoorMemory()
  const { to } = door
  const seconds = useMailLock('email', email)
  const send = useAttempt(async () => {
    lastWay.begin('email')
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
        <Button size="door" wide icon="mail" pending={send.pending} disabled={seconds > 0} onClick={() => check() && send.run()}>
          {seconds > 0 ? words.signIn.byMailLocked(seconds) : words.signIn.byMail}
        </Button>
      )}
    </>
  )
}
