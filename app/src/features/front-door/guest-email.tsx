import { useRef, useState, type FormEvent } from 'react'
import { explain } from '#api/explain.ts'
import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { findEmailFault, type EmailFault } from '#session/email-address.ts'
import { home } from '#session/redirects.ts'
import { useClient, useSessionStore } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { DoorPage } from './door-page.tsx'
import { EmailField } from './email-form.tsx'
import { GuestRefused } from './guest-refused.tsx'
import type { SentTo } from './guest-confirm.tsx'
import { PasswordGuidance } from './password-guidance.tsx'
import { callbackAddress } from './send-mail.ts'
import { Agreement, OperatorFields } from './sign-up-fields.tsx'
import { useAttempt } from './use-attempt.ts'
import { useFocusOn } from './use-focus-on.ts'
import { useLockedSend } from './guest-send.ts'
import type { SignUpFields } from './use-sign-up-fields.ts'

export interface GuestAskProps {
  fields: SignUpFields
  onSent: (sent: SentTo) => void
  /** To the other way of saving; absent where the project has only this one. */
  onOther: (() => void) | undefined
}

function useSaving({ fields, onSent }: Omit<GuestAskProps, 'onOther'>) {
  const { auth } = useClient()
  const store = useSessionStore()
  const { locks, pending } = useDoorMemory()
  const locked = useLockedSend('email-change')
  return useAttempt(async (email: string, password: string) => {
    const { user } = await locked(email, () => unwrap(auth.updateUser({ email, password, data: fields.data() }, { emailRedirectTo: callbackAddress() })))
    if (user.email?.toLowerCase() === email.toLowerCase()) {
      // Where addresses need no confirmation it is done; the token still says "guest" until it is renewed.
      locks.unlock('email-change', email)
      await unwrap(auth.refreshSession())
    } else {
      pending.remember({ way: 'email_change', email, to: home })
      onSent({ way: 'email', address: email })
    }
    await store.settle()
  })
}

/** An address and a password, with what the operator asks at sign-up. */
export function GuestEmail({ fields, onSent, onOther }: GuestAskProps) {
  const { frontDoor: words, ways, errors } = useMessages()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState<{ email?: EmailFault | undefined; password?: boolean }>({})
  const addressField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const save = useSaving({ fields, onSent })
  const weak = save.error?.code === 'weak_password' ? explain(save.error, errors) : null
  const isTaken = save.error?.code === 'email_exists'
  useFocusOn(isTaken, addressField)
  useFocusOn(weak !== null, passwordField)

  const send = (event: FormEvent) => {
    event.preventDefault()
    const found = { email: findEmailFault(email), password: password === '' }
    setFaults(found)
    if (found.email) addressField.current?.focus()
    else if (found.password) passwordField.current?.focus()
    else if (fields.check()) save.run(email.trim(), password)
  }
  return (
    <DoorPage title={ways.keep.title} lead={ways.keep.lead} below={<Link href={home}>{ways.keep.later}</Link>}>
      <form onSubmit={send} noValidate>
        <EmailField ref={addressField} autoFocus value={email} fault={faults.email} onType={(text) => (setEmail(text), setFaults({}), save.forget())} />
        <PasswordField
          ref={passwordField}
          label={words.newPassword}
          size="door"
          name="new-password"
          autoComplete="new-password"
          required
          value={password}
          hint={words.newPasswordHint}
          error={faults.password ? words.newPasswordMissing : weak && errors.sentences(weak.title, weak.whatToDo)}
          onChange={(event) => (setPassword(event.target.value), setFaults({}), save.forget())}
        />
        <PasswordGuidance password={password} known={[email]} />
        <OperatorFields form={fields} />
        <Agreement form={fields} />
        <GuestRefused error={weak ? null : save.error} taken={isTaken ? { way: 'email', address: email.trim() } : undefined} />
        <Button type="submit" variant="primary" size="door" wide pending={save.pending}>
          {ways.keep.submit}
        </Button>
      </form>
      {onOther && (
        <Button variant="quiet" size="door" wide onClick={onOther}>
          {ways.keep.byPhone}
        </Button>
      )}
    </DoorPage>
  )
}
