import { useMemo, useRef, useState, type FormEvent } from 'react'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { useLocale, useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { secondsInMessage, useSecondsLeft } from '#session/send-lock.ts'
import { useClient } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { DoorAnswer } from '#ui/door-layout.tsx'
import { Link } from '#ui/link.tsx'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import { CodeForm } from '#features/front-door/code-form.tsx'
import { DoorPage } from '#features/front-door/door-page.tsx'
import { useDoor } from '#features/front-door/door-ways.ts'
import { FailureBanner } from '#features/front-door/failure-banner.tsx'
import frontDoor from '#features/front-door/front-door.module.css'
import { useDoorSettings } from '#features/front-door/settings-store.ts'
import { useAttempt, type Attempt } from '#features/front-door/use-attempt.ts'
import { useCaptcha } from '#features/front-door/use-captcha.ts'
import type { DoorStep } from '#features/front-door/use-step.ts'
import { allRegions, readNumber, regionOf } from './phone-number.ts'
import css from './ways.module.css'

type Channel = 'sms' | 'whatsapp'

/** The number, then the code sent to it. */
export function PhoneWay({ door }: { door: DoorStep }) {
  return door.step === 'phone-code' ? <CodeSent door={door} /> : <AskNumber door={door} />
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
  const { data } = useDoorSettings()
  const [region, setRegion] = useState(() => regionOf(navigator.languages))
  const [typed, setTyped] = useState(door.phone)
  const [fault, setFault] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const { locks } = useDoorMemory()
  const send = useSendCode()
  const number = readNumber(typed, region)
  const seconds = useSecondsLeft(locks, 'phone', number ?? '')
  const go = (channel: Channel) => {
    setFault(number ? undefined : typed.trim() === '' ? ways.phone.missing : ways.phone.malformed)
    if (!number) field.current?.focus()
    // Sent a moment ago: the message is there, another would void its code.
    else if (seconds > 0) door.askPhone('phone-code', number)
    else send.run(number, channel, () => door.askPhone('phone-code', number))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    go('sms')
  }
  return (
    <DoorPage title={ways.phone.title} lead={ways.phone.lead} below={<Link href={door.pathOf('/sign-in')}>{words.backToSignIn}</Link>}>
      <form onSubmit={submit} noValidate>
        <div className={css.number}>
          <RegionSelect value={region} onChange={setRegion} />
          <TextField
            ref={field}
            label={ways.phone.number}
            size="door"
            type="tel"
            name="phone"
            inputMode="tel"
            autoComplete="tel"
            dir="ltr"
            autoFocus
            required
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setFault(undefined)
              send.forget()
            }}
            error={fault}
          />
        </div>
        {number && !fault && <p className={css.hint}>{ways.phone.sendTo(number)}</p>}
        <PhoneFailure attempt={send} />
        <Button type="submit" variant="primary" size="door" wide pending={send.pending}>
          {seconds > 0 ? words.signIn.enterSentCode : ways.phone.submit}
        </Button>
      </form>
      {data?.smsProvider.startsWith('twilio') && seconds === 0 && (
        <Button size="door" wide pending={send.pending} onClick={() => go('whatsapp')}>
          {ways.phone.whatsApp}
        </Button>
      )}
    </DoorPage>
  )
}

function RegionSelect({ value, onChange }: { value: string; onChange: (region: string) => void }) {
  const { ways } = useMessages()
  const { locale } = useLocale()
  const choices = useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
    const collator = new Intl.Collator(locale)
    return allRegions.map((region) => ({ ...region, name: names.of(region.code) ?? region.code })).sort((a, b) => collator.compare(a.name, b.name))
  }, [locale])
  return (
    <Select label={ways.phone.country} size="door" autoComplete="tel-country-code" value={value} onChange={(event) => onChange(event.target.value)}>
      {choices.map(({ code, calling, name }) => (
        <option key={code} value={code}>
          {`${name} (+${calling})`}
        </option>
      ))}
    </Select>
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
  const { locks } = useDoorMemory()
  const { phone } = door
  const verify = useAttempt(async (token: string) => unwrap(auth.verifyOtp({ phone, token, type: 'sms' })))
  const send = useSendCode()
  const seconds = useSecondsLeft(locks, 'phone', phone)
  const [isSent, setSent] = useState(false)
  return (
    <DoorPage title={ways.phone.codeTitle} lead={ways.phone.codeLead} below={<Link href={door.pathOf('/sign-in')}>{words.backToSignIn}</Link>}>
      <DoorAnswer
        action={
          <Button variant="quiet" aria-label={ways.phone.change(phone)} onClick={() => door.askPhone('phone', phone)}>
            {words.change}
          </Button>
        }
      >
        <bdi dir="ltr">{phone}</bdi>
      </DoorAnswer>
      <CodeForm attempt={verify} wrongCode={ways.phone.codeWrong} words={{ label: ways.phone.code, hint: ways.phone.codeHint, missing: ways.phone.codeMissing }} />
      <div className={frontDoor.again}>
        <p role="status">{isSent ? ways.phone.sentAgain : ways.phone.notThere}</p>
        <PhoneFailure attempt={send} />
        <Button variant="quiet" pending={send.pending} disabled={seconds > 0} onClick={() => send.run(phone, 'sms', () => setSent(true))}>
          {seconds > 0 ? words.checkMail.sendAgainIn(seconds) : words.checkMail.sendAgain}
        </Button>
      </div>
    </DoorPage>
  )
}
