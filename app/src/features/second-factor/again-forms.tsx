import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useLocation } from 'wouter'
import type { User } from '#api/client.ts'
import { canUseKeys } from '#api/ceremony.ts'
import { useMessages } from '#messages/messages.tsx'
import { signInPath } from '#session/redirects.ts'
import { useClient, useConnection, useSessionStore } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { listProofs, provePasskey, provePassword, type Proof } from './again.ts'
import { MailedCodeForm } from './mailed-code-form.tsx'
import { Refusal } from './refusal.tsx'
import css from './second-factor.module.css'
import { useAttempt } from './use-attempt.ts'

export interface AgainProps {
  user: User
  onDone: () => void
}

/** For those without a second factor: their password, a code to their address, or a passkey they have. */
export function AgainForms({ user, onDone }: AgainProps) {
  const { stepUp: words } = useMessages().secondFactor
  const hasPasskey = useHasPasskey()
  const [chosen, choose] = useState<Proof>()
  const proofs = listProofs(user, hasPasskey)
  const proof = chosen ?? proofs[0]
  const labels = { password: words.byPassword, mail: words.byMail, phone: words.byPhone, passkey: words.byPasskey }
  return (
    <div className={css.stack}>
      {proof === 'passkey' && <PasskeyProof user={user} onDone={onDone} />}
      {proof === 'password' && <PasswordProof user={user} onDone={onDone} />}
      {(proof === 'mail' || proof === 'phone') && <MailedCodeForm user={user} onDone={onDone} isAskedFor={chosen !== undefined} />}
      <div className={css.others}>
        {proofs
          .filter((other) => other !== proof)
          .map((other) => (
            <Button key={other} wide onClick={() => choose(other)}>
              {labels[other]}
            </Button>
          ))}
        <SignInAgain isOnlyWay={proofs.length === 0} />
      </div>
    </div>
  )
}

function useHasPasskey(): boolean {
  const { auth } = useClient()
  const [has, setHas] = useState(false)
  useEffect(() => {
    if (!canUseKeys()) return
    // A project without passkeys says so with a 404: then there is none to offer.
    void auth.passkey.list().then(({ data }) => setHas((data ?? []).length > 0))
  }, [auth])
  return has
}

function PasswordProof({ user, onDone }: AgainProps) {
  const { stepUp: words } = useMessages().secondFactor
  const connection = useConnection()
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const attempt = useAttempt(async () => {
    await provePassword(connection, user, password)
    onDone()
  })
  const wrong = attempt.error?.code === 'invalid_credentials'
  useEffect(() => {
    if (attempt.error) field.current?.select()
  }, [attempt.error])

  const send = (event: FormEvent) => {
    event.preventDefault()
    setMissing(password === '')
    if (password === '') field.current?.focus()
    else attempt.run()
  }
  return (
    <form onSubmit={send} noValidate>
      <PasswordField
        ref={field}
        label={words.password}
        name="password"
        autoComplete="current-password"
        autoFocus
        value={password}
        error={missing ? words.passwordMissing : wrong && words.passwordWrong}
        onChange={(event) => {
          setPassword(event.target.value)
          setMissing(false)
          attempt.forget()
        }}
      />
      <Refusal error={wrong ? null : attempt.error} waitSeconds={attempt.waitSeconds} />
      <Button type="submit" variant="primary" wide pending={attempt.pending} disabled={attempt.waitSeconds > 0}>
        {words.confirm}
      </Button>
    </form>
  )
}

function PasskeyProof({ user, onDone }: AgainProps) {
  const { stepUp: words } = useMessages().secondFactor
  const connection = useConnection()
  const attempt = useAttempt(async () => {
    await provePasskey(connection, user)
    onDone()
  })
  return (
    <>
      <Refusal error={attempt.error} waitSeconds={attempt.waitSeconds} />
      <Button variant="primary" icon="key" wide pending={attempt.pending} disabled={attempt.waitSeconds > 0} onClick={() => attempt.run()}>
        {words.byPasskey}
      </Button>
    </>
  )
}

/** The way that always works: a new session is proof. Unsaved work stays in this tab. */
function SignInAgain({ isOnlyWay }: { isOnlyWay: boolean }) {
  const { stepUp: words } = useMessages().secondFactor
  const store = useSessionStore()
  const [, navigate] = useLocation()
  const leave = useAttempt(async () => {
    const place = `${location.pathname}${location.search}`
    const error = await store.signOut('local')
    if (error) throw error
    navigate(signInPath(place), { replace: true })
  })
  return (
    <>
      <Refusal error={leave.error} />
      <Button variant={isOnlyWay ? 'primary' : 'quiet'} wide pending={leave.pending} onClick={() => leave.run()}>
        {words.signInAgain}
      </Button>
    </>
  )
}
