import { useRef, useState, type FormEvent } from 'react'
import { explain } from '#api/explain.ts'
import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { DoorLink } from './door-link.tsx'
import { FailureBanner } from './failure-banner.tsx'
import { GivenEmail } from './given-email.tsx'
import { PasswordGuidance } from './password-guidance.tsx'
import { callbackAddress } from './send-mail.ts'
import { Agreement, OperatorFields } from './sign-up-fields.tsx'
import { useAttempt } from './use-attempt.ts'
import { useFocusOn } from './use-focus-on.ts'
import { useMailParts } from './use-mail.ts'
import { useSignUpFields } from './use-sign-up-fields.ts'
import type { DoorStep } from './use-step.ts'

/** The second question of signing up. What comes next is said in the same words whether or not the address has an account. */
export function SignUpPassword({ door }: { door: DoorStep }) {
  const { frontDoor: words, errors } = useMessages()
  const { client, locks, pending, captcha } = useMailParts()
  const { lastWay } = useDoorMemory()
  const fields = useSignUpFields()
  const { email, to } = door
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const signUp = useAttempt(async () => {
    lastWay.begin('password')
    const { session } = await unwrap(client.auth.signUp({ email, password, options: { emailRedirectTo: callbackAddress(), data: fields.data(), ...(await captcha()) } }))
    if (session) return
    locks.lock('confirmation', email)
    pending.remember({ way: 'signup', email, to })
    door.go('/sign-up', 'code', email)
  })
  const weak = signUp.error?.code === 'weak_password' ? explain(signUp.error, errors) : null

  useFocusOn(signUp.error, field)

  const send = (event: FormEvent) => {
    event.preventDefault()
    setMissing(password === '')
    if (password === '') field.current?.focus()
    else if (fields.check()) signUp.run()
  }

  return (
    <form onSubmit={send} noValidate>
      <GivenEmail email={email} change={{ door, path: '/sign-up' }} />
      <PasswordField
        ref={field}
        label={words.password}
        size="door"
        name="password"
        autoComplete="new-password"
        autoFocus
        required
        value={password}
        hint={words.newPasswordHint}
        error={missing ? words.newPasswordMissing : weak && errors.sentences(weak.title, weak.whatToDo)}
        onChange={(event) => {
          setPassword(event.target.value)
          setMissing(false)
          signUp.forget()
        }}
      />
      <PasswordGuidance password={password} known={[email]} />
      <OperatorFields form={fields} />
      <Agreement form={fields} />
      <FailureBanner
        error={weak ? null : signUp.error}
        action={signUp.error?.kind === 'conflict' && <DoorLink door={door} to="/sign-in">{words.signUp.signIn}</DoorLink>}
      />
      <Button type="submit" variant="primary" size="door" wide pending={signUp.pending}>
        {words.signUp.submit}
      </Button>
    </form>
  )
}
