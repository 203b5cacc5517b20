import { useRef, useState, type FormEvent } from 'react'
import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { home } from '#session/redirects.ts'
import { useClient, useSessionStore } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { DoorPage } from './door-page.tsx'
import type { GuestAskProps } from './guest-email.tsx'
import { GuestRefused } from './guest-refused.tsx'
import { useLockedSend } from './guest-send.ts'
import { Agreement, OperatorFields } from './sign-up-fields.tsx'
import { useAttempt } from './use-attempt.ts'
import { useFocusOn } from './use-focus-on.ts'
import { PhoneField } from './ways/phone-field.tsx'
import { readNumber, regionOf } from './ways/phone-number.ts'

/** A number, to sign in with by a code, and what the operator asks at sign-up. */
export function GuestPhone({ fields, onSent, onOther }: GuestAskProps) {
  const { ways } = useMessages()
  const { auth } = useClient()
  const store = useSessionStore()
  const { locks } = useDoorMemory()
  const locked = useLockedSend('phone')
  const [region, setRegion] = useState(() => regionOf(navigator.languages))
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const number = readNumber(typed, region)
  const save = useAttempt(async (phone: string) => {
    const { user } = await locked(phone, () => unwrap(auth.updateUser({ phone, data: fields.data() })))
    if (user.phone === phone.slice(1)) {
      locks.unlock('phone', phone)
      await unwrap(auth.refreshSession())
    } else onSent({ way: 'phone', address: phone })
    await store.settle()
  })
  const forget = () => (setFault(undefined), save.forget())
  const isTaken = save.error?.code === 'phone_exists'
  useFocusOn(isTaken, field)

  const send = (event: FormEvent) => {
    event.preventDefault()
    setFault(number ? undefined : typed.trim() === '' ? ways.phone.missing : ways.phone.malformed)
    if (!number) field.current?.focus()
    else if (fields.check()) save.run(number)
  }
  return (
    <DoorPage title={ways.keep.title} lead={ways.keep.leadPhone} below={<Link href={home}>{ways.keep.later}</Link>}>
      <form onSubmit={send} noValidate>
        <PhoneField ref={field} typed={typed} region={region} fault={fault} onType={(text) => (setTyped(text), forget())} onRegion={(chosen) => (setRegion(chosen), forget())} />
        <OperatorFields form={fields} />
        <Agreement form={fields} />
        <GuestRefused error={save.error} taken={isTaken && number ? { way: 'phone', address: number } : undefined} />
        <Button type="submit" variant="primary" size="door" wide pending={save.pending}>
          {ways.keep.submit}
        </Button>
      </form>
      {onOther && (
        <Button variant="quiet" size="door" wide onClick={onOther}>
          {ways.keep.byEmail}
        </Button>
      )}
    </DoorPage>
  )
}
