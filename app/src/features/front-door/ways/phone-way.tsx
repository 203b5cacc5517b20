import { useRef, useState, type FormEvent } from 'react'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { secondsInMessage, useSecondsLeft } from '#session/send-lock.ts'
import { useClient } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { DoorAnswer } from '#ui/door-layout.tsx'
import { Link } from '#ui/link.tsx'
import { CodeForm } from '#features/front-door/code-form.tsx'
import { DoorPage } from '#features/front-door/door-page.tsx'
import { useDoor } from '#features/front-door/door-ways.ts'
import { FailureBanner } from '#features/front-door/failure-banner.tsx'
import frontDoor from '#features/front-door/front-door.module.css'
import { useDoorSettings } from '#features/front-door/settings-store.ts'
import { useAttempt, type Attempt } from '#features/front-door/use-attempt.ts'
import { useCaptcha } from '#features/front-door/use-captcha.ts'
import type { DoorStep } from '#features/front-door/use-step.ts'
import { PhoneField } from './phone-field.tsx'
import { readNumber, regionOf, regionOfNumber } from './phone-number.ts'

type Channel = 'sms' | 'whatsapp'

/** The number, then the code sent to it. */
export function PhoneWay({ door }: { door: DoorStep }) {
  return door.step === 'phone-code' ? <CodeSent door={door} /> : <AskNumber door={door} />
}

/** Twilio alone sends by WhatsApp. */
function useHasWhatsApp(): boolean {
  const { data } = useDoorSettings()
  return data?.smsProvider.startsWith('twilio') ?? false
}

/** Sends a code, locked as mails are: the one before stops working as soon as another is asked for. */
function useSendCode(): Attempt<[phone: string, channel: Channel, then: () => void]> {
  const { auth } = useClient()
  const { locks, lastWay } = useDoorMemory()
  const captcha = useCaptcha()
  const { data } = useDoorSettings()
  const { signUp } = useDoor()
  // Whoever has to be asked something first signs up on the page that asks it.
  const mayCreate = data?.signUp === true && !signUp.agree && signUp.fields.every(({ required }) => !required)
  return useAttempt(async (phone, channel, then) => {
    lastWay.begin('phone')
    const option = await captcha()
    locks.lock('phone', phone)
    const { error } = await auth.signInWithOtp({ phone, options: { channel, shouldCreateUser: mayCreate, ...option } })
    if (!error) return then()
    const failure = toAppError(error)
    if (failure.status === 429) locks.lock('phone', phone, secondsInMessage(failure.message))
    else locks.unlock('phone', phone)
    throw failure
  })
}

function AskNumber({ door }: { door: DoorStep }) {
  const { frontDoor: words, ways } = useMessages()
  const hasWhatsApp = useHasWhatsApp()
  const [region, setRegion] = useState(() => regionOfNumber(door.phone, '') ?? regionOf(navigator.languages))
  const [typed, setTyped] = useState(door.phone)
  const [fault, setFault] = useState<string>()
  const [by, setBy] = useState<Channel>('sms')
  const field = useRef<HTMLInputElement>(null)
  const { locks } = useDoorMemory()
  const send = useSendCode()
  const number = readNumber(typed, region)
  const seconds = useSecondsLeft(locks, 'phone', number ?? '')
  const go = (channel: Channel) => {
    setBy(channel)
    setFault(number ? undefined : typed.trim() === '' ? ways.phone.missing : ways.phone.malformed)
    if (!number) field.current?.focus()
    // Sent a moment ago: the message is there, another would void its code.
    else if (seconds > 0) door.askPhone('phone-code', number, door.channel)
    else send.run(number, channel, () => door.askPhone('phone-code', number, channel))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    go('sms')
  }
  const forget = () => {
    setFault(undefined)
    send.forget()
  }
  return (
    <DoorPage title={ways.phone.title} lead={ways.phone.lead} below={<Link href={door.pathOf('/sign-in')}>{words.backToSignIn}</Link>}>
      <form onSubmit={submit} noValidate>
        <PhoneField
          ref={field}
          typed={typed}
          region={region}
          fault={fault}
          onType={(text) => {
            setTyped(text)
            forget()
          }}
          onRegion={(chosen) => {
            setRegion(chosen)
            forget()
          }}
        />
        <PhoneFailure attempt={send} />
        <Button type="submit" variant="primary" size="door" wide pending={send.pending && by === 'sms'}>
          {seconds > 0 ? words.signIn.enterSentCode : ways.phone.submit}
        </Button>
      </form>
      {hasWhatsApp && seconds === 0 && (
        <Button size="door" wide pending={send.pending && by === 'whatsapp'} onClick={() => go('whatsapp')}>
          {ways.phone.whatsApp}
        </Button>
      )}
    </DoorPage>
  )
}

function PhoneFailure({ attempt: { error } }: { attempt: Pick<Attempt<never>, 'error'> }) {
  const { ways } = useMessages()
  if (error?.code === 'otp_disabled' || error?.code === 'signup_disabled') {
    return (
      <Banner tone="danger" title={ways.phone.unknown}>
        {ways.phone.unknownHint}
      </Banner>
    )
  }
  return <FailureBanner error={error} />
}

function CodeSent({ door }: { door: DoorStep }) {
  const { frontDoor: words, ways } = useMessages()
  const { auth } = useClient()
  const { phone } = door
  const verify = useAttempt(async (token: string) => unwrap(auth.verifyOtp({ phone, token, type: 'sms' })))
  const [channel, setChannel] = useState<Channel>(door.channel === 'whatsapp' ? 'whatsapp' : 'sms')
  return (
    <DoorPage title={ways.phone.codeTitle} lead={channel === 'whatsapp' ? ways.phone.codeLeadWhatsApp : ways.phone.codeLead} below={<Link href={door.pathOf('/sign-in')}>{words.backToSignIn}</Link>}>
      <DoorAnswer action={<ChangeNumber door={door} />}>
        <bdi dir="ltr">{phone}</bdi>
      </DoorAnswer>
      <CodeForm attempt={verify} wrongCode={ways.phone.codeWrong} words={{ label: ways.phone.code, hint: ways.phone.codeHint, missing: ways.phone.codeMissing }} />
      <SendAgain phone={phone} channel={channel} onSent={setChannel} />
    </DoorPage>
  )
}

function ChangeNumber({ door }: { door: DoorStep }) {
  const { frontDoor: words, ways } = useMessages()
  return (
    <Link
      href={door.pathOf('/sign-in', 'phone')}
      aria-label={ways.phone.change(door.phone)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        door.askPhone('phone', door.phone)
      }}
    >
      {words.change}
    </Link>
  )
}

/** The same way once more, or the other one. */
function SendAgain({ phone, channel, onSent }: { phone: string; channel: Channel; onSent: (channel: Channel) => void }) {
  const { frontDoor: words, ways } = useMessages()
  const { locks } = useDoorMemory()
  const hasWhatsApp = useHasWhatsApp()
  const send = useSendCode()
  const seconds = useSecondsLeft(locks, 'phone', phone)
  const [isSent, setSent] = useState(false)
  const other: Channel = channel === 'sms' ? 'whatsapp' : 'sms'
  const again = (by: Channel) =>
    send.run(phone, by, () => {
      setSent(true)
      onSent(by)
    })
  return (
    <div className={frontDoor.again}>
      <p role="status">{isSent ? ways.phone.sentAgain : ways.phone.notThere}</p>
      <PhoneFailure attempt={send} />
      <Button variant="quiet" pending={send.pending} disabled={seconds > 0} onClick={() => again(channel)}>
        {seconds > 0 ? words.checkMail.sendAgainIn(seconds) : words.checkMail.sendAgain}
      </Button>
      {hasWhatsApp && seconds === 0 && (
        <Button variant="quiet" disabled={send.pending} onClick={() => again(other)}>
          {other === 'whatsapp' ? ways.phone.whatsApp : ways.phone.bySms}
        </Button>
      )}
    </div>
  )
}
