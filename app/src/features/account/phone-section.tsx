import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { explain } from '#api/explain.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { secondsInMessage, useSecondsLeft } from '#session/send-lock.ts'
import { useClient, useUser } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { Section } from './account-frame.tsx'
import css from './account.module.css'
import { compactNumber, findNumberFault, shownNumber } from './phone-number.ts'
import { settingsQuery, useAccountSource } from './queries.ts'
import { SaveOutcome } from './save-outcome.tsx'
import { useSave } from './use-save.ts'

type Step = { step: 'shown' | 'number' | 'saved' } | { step: 'code'; phone: string }

/** The number, one that waits for its code, and the way to another; absent where the project sends no codes. */
export function PhoneSection() {
  const { phone: words } = useMessages().account
  const user = useUser()
  const { data: settings } = useQuery(settingsQuery(useAccountSource()))
  const [state, setState] = useState<Step>({ step: 'shown' })
  const phone = shownNumber(user.phone ?? '')
  const awaited = shownNumber(user.new_phone ?? '')
  if (!settings?.phone && phone === '') return null
  const isIdle = state.step === 'shown' || state.step === 'saved'
  return (
    <Section heading={words.heading} lead={words.lead}>
      <div className={css.value}>
        <bdi>{phone || words.none}</bdi>
        {isIdle && !awaited && <Button onClick={() => setState({ step: 'number' })}>{phone === '' ? words.add : words.change}</Button>}
      </div>
      {state.step === 'saved' && <Banner tone="success">{words.saved}</Banner>}
      {isIdle && awaited !== '' && awaited !== phone && (
        <Banner
          role="none"
          title={words.pending(awaited)}
          action={
            <>
              <Button onClick={() => setState({ step: 'code', phone: awaited })}>{words.enterCode}</Button>
              <Button variant="quiet" onClick={() => setState({ step: 'number' })}>
                {words.other}
              </Button>
            </>
          }
        />
      )}
      {state.step === 'number' && <NumberForm phone={phone} onSent={(next) => setState({ step: 'code', phone: next })} onCancel={() => setState({ step: 'shown' })} />}
      {state.step === 'code' && <CodeForm phone={state.phone} onDone={() => setState({ step: 'saved' })} onCancel={() => setState({ step: 'shown' })} />}
    </Section>
  )
}

/** Sends a code to a number, locked as at the door: a second code voids the first. */
function useSendCode(phone: string) {
  const { auth } = useClient()
  const { locks } = useDoorMemory()
  const seconds = useSecondsLeft(locks, 'phone', phone)
  const send = async () => {
    locks.lock('phone', phone)
    try {
      // Asking for the change again is the one way to another code that works without a number so far.
      await unwrap(auth.updateUser({ phone }))
    } catch (failure) {
      const error = toAppError(failure)
      if (error.status === 429) locks.lock('phone', phone, secondsInMessage(error.message))
      else locks.unlock('phone', phone)
      throw error
    }
  }
  return { seconds, send }
}

const aboutNumber = new Set(['phone_exists', 'validation_failed', 'sms_send_failed'])

function NumberForm({ phone, onSent, onCancel }: { phone: string; onSent: (phone: string) => void; onCancel: () => void }) {
  const { account, errors } = useMessages()
  const words = account.phone
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const number = compactNumber(typed)
  const { seconds, send } = useSendCode(number)
  const stepUp = useStepUp()
  const save = useSave(async () => {
    if (!(await stepUp('phone'))) return
    await send()
    onSent(number)
  })
  const refused = save.state.step === 'failed' && aboutNumber.has(save.state.error.code) ? explain(save.state.error, errors) : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = findNumberFault(typed)
    const said = found ? words[found] : number === phone ? words.same : ''
    setFault(said)
    if (said) field.current?.focus()
    else if (seconds > 0) onSent(number)
    else void save.run()
  }
  return (
    <form onSubmit={submit} noValidate>
      <TextField
        ref={field}
        label={words.label}
        hint={words.hint}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        dir="ltr"
        autoFocus
        required
        value={typed}
        error={fault || (refused && errors.sentences(refused.title, refused.whatToDo))}
        onChange={(event) => {
          setTyped(event.target.value)
          setFault('')
          save.reset()
        }}
      />
      {!refused && <SaveOutcome state={save.state} />}
      <div className={css.actions}>
        <Button type="submit" variant="primary" pending={save.state.step === 'saving'}>
          {words.submit}
        </Button>
        <Button onClick={onCancel}>{account.cancel}</Button>
      </div>
    </form>
  )
}

function CodeForm({ phone, onDone, onCancel }: { phone: string; onDone: () => void; onCancel: () => void }) {
  const { account, errors } = useMessages()
  const words = account.phone
  const { auth } = useClient()
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { seconds, send } = useSendCode(phone)
  const again = useSave(send)
  const verify = useSave(async (token: string) => {
    await unwrap(auth.verifyOtp({ phone, token, type: 'phone_change' }))
    onDone()
  })
  const refused = verify.state.step === 'failed' && verify.state.error.code === 'otp_expired' ? explain(verify.state.error, errors) : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(code === '')
    if (code !== '') void verify.run(code)
  }
  return (
    <form onSubmit={submit} noValidate>
      <CodeField
        label={words.code}
        hint={words.codeHint(phone)}
        autoFocus
        value={code}
        error={isMissing ? words.codeMissing : refused && errors.sentences(refused.title, refused.whatToDo)}
        onChange={(next) => {
          setCode(next)
          setMissing(false)
          verify.reset()
        }}
        onComplete={(next) => void verify.run(next)}
      />
      {!refused && <SaveOutcome state={verify.state} />}
      <SaveOutcome state={again.state} saved={words.sentAgain} />
      <div className={css.actions}>
        <Button type="submit" variant="primary" pending={verify.state.step === 'saving'}>
          {words.confirm}
        </Button>
        <Button disabled={seconds > 0} pending={again.state.step === 'saving'} onClick={() => void again.run()}>
          {seconds > 0 ? words.sendAgainIn(seconds) : words.sendAgain}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {account.cancel}
        </Button>
      </div>
    </form>
  )
}
