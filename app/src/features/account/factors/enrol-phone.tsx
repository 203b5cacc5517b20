import { useRef, useState, type FormEvent } from 'react'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { createSendLocks, secondsInMessage, useSecondsLeft } from '#session/send-lock.ts'
import { useClient, useProject } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { SaveOutcome } from '#features/account/save-outcome.tsx'
import { useSave } from '#features/account/use-save.ts'
import { CodeForm } from './code-form.tsx'
import type { EnrolFormProps } from './enrol.tsx'
import { clearUnfinished, freeName } from './factor-list.ts'
import css from './factors.module.css'

/** A number that a text was sent to, and what answers it. */
interface Texted {
  factorId: string
  challengeId: string
  phone: string
}

/** `+49 (151) 23-45` as the server wants it: `+491512345`. */
const plainNumber = (typed: string) => typed.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')
const isWhole = (phone: string) => /^\+[1-9]\d{6,14}$/.test(phone)

/** Sends the text, locked for the server's interval: a second one too early is refused. */
function useTexting() {
  const client = useClient()
  const { id: projectId } = useProject()
  const { kinds } = useMessages().factors
  const [locks] = useState(() => createSendLocks(projectId, localStorage))
  const [texted, setTexted] = useState<Texted>()
  const seconds = useSecondsLeft(locks, 'factor-text', texted?.phone ?? '')
  const challenge = async (factorId: string, phone: string) => {
    locks.lock('factor-text', phone)
    try {
      const { id } = await unwrap(client.auth.mfa.challenge({ factorId }))
      setTexted({ factorId, challengeId: id, phone })
    } catch (failure) {
      const error = toAppError(failure)
      if (error.status === 429) locks.lock('factor-text', phone, secondsInMessage(error.message))
      else locks.unlock('factor-text', phone)
      throw error
    }
  }
  const enrol = async (phone: string) => {
    const taken = await clearUnfinished(client, 'phone')
    // Named for its last digits: enough to know it again, too little for others.
    const friendlyName = freeName(`${kinds.phone} ••${phone.slice(-4)}`, taken)
    const { id } = await unwrap(client.auth.mfa.enroll({ factorType: 'phone', phone, friendlyName }))
    await challenge(id, phone)
  }
  return { texted, seconds, enrol, again: (sent: Texted) => challenge(sent.factorId, sent.phone), forget: () => setTexted(undefined) }
}

/** A phone: its number, then the code texted to it. */
export function EnrolPhone({ size, onEnrolled }: EnrolFormProps) {
  const texting = useTexting()
  const [typed, setTyped] = useState('')
  if (texting.texted) return <TextedCode texting={texting} texted={texting.texted} size={size} onEnrolled={onEnrolled} />
  return <NumberForm texting={texting} size={size} typed={typed} onType={setTyped} />
}

interface NumberFormProps {
  texting: ReturnType<typeof useTexting>
  size: EnrolFormProps['size']
  /** Kept above, so that it is there after coming back to it. */
  typed: string
  onType: (typed: string) => void
}

function NumberForm({ texting, size, typed, onType }: NumberFormProps) {
  const { enrol: words } = useMessages().factors
  const [malformed, setMalformed] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const phone = plainNumber(typed)
  const send = useSave(() => texting.enrol(phone))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMalformed(!isWhole(phone))
    if (!isWhole(phone)) field.current?.focus()
    else void send.run()
  }
  return (
    <form onSubmit={submit} noValidate className={css.stack}>
      <TextField
        ref={field}
        label={words.phone}
        size={size}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        autoFocus
        dir="ltr"
        value={typed}
        hint={words.phoneHint}
        error={malformed && words.phoneMalformed}
        onChange={(event) => {
          onType(event.target.value)
          setMalformed(false)
          send.reset()
        }}
      />
      <SaveOutcome state={send.state} />
      <Button type="submit" variant="primary" size={size} wide pending={send.state.step === 'saving'}>
        {words.textMe}
      </Button>
    </form>
  )
}

function TextedCode({ texting, texted, size, onEnrolled }: EnrolFormProps & { texting: NumberFormProps['texting']; texted: Texted }) {
  const { enrol: words } = useMessages().factors
  const { auth } = useClient()
  const again = useSave(() => texting.again(texted))
  const verify = async (code: string) => {
    await unwrap(auth.mfa.verify({ factorId: texted.factorId, challengeId: texted.challengeId, code }))
    await onEnrolled()
  }
  return (
    <CodeForm label={words.textedCode} hint={words.textedHint(texted.phone)} wrongText={words.textedWrong} name="texted-code" size={size} autoFocus longest={10} verify={verify}>
      <SaveOutcome state={again.state} />
      <div className={css.row}>
        <Button variant="quiet" disabled={texting.seconds > 0} pending={again.state.step === 'saving'} onClick={() => void again.run()}>
          {texting.seconds > 0 ? words.sendAgainIn(texting.seconds) : words.sendAgain}
        </Button>
        <Button variant="quiet" onClick={texting.forget}>
          {words.otherNumber}
        </Button>
      </div>
    </CodeForm>
  )
}
