import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import type { MethodFormProps } from './challenge.tsx'
import { Refusal } from './refusal.tsx'
import { SendCode } from './send-code.tsx'
import { useAttempt } from './use-attempt.ts'
import { useTextedCode } from './use-texted-code.ts'

const digits = 6

/** A code by text message: sent on a press, so that nobody is texted for having opened a page. */
export function TextedCodeForm({ method, size, onDone }: MethodFormProps) {
  const { secondFactor: words } = useMessages()
  const texted = useTextedCode(method.id)
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const sending = useAttempt(texted.send)
  const checking = useAttempt(async (whole: string) => {
    if (await texted.verify(whole)) onDone()
    else setCode('')
  })
  const wrong = checking.error?.code === 'mfa_verification_failed'

  useEffect(() => {
    if (checking.error) field.current?.select()
  }, [checking.error])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(code.length < digits)
    if (code.length < digits) field.current?.focus()
    else checking.run(code)
  }
  const send = <SendCode sending={sending} seconds={texted.seconds} isSent={texted.isSent} label={words.sendCode} size={size} />
  if (!texted.isSent) return send
  return (
    <form onSubmit={submit} noValidate>
      {texted.renewed && <Banner>{words[texted.renewed]}</Banner>}
      <CodeField
        ref={field}
        label={words.textedCode}
        size={size}
        name="texted-code"
        autoFocus
        value={code}
        length={digits}
        longest={10}
        onChange={(next) => {
          setCode(next)
          setMissing(false)
          checking.forget()
        }}
        onComplete={(whole) => checking.run(whole)}
        hint={words.sent(method.name)}
        error={missing ? words.codeMissing : wrong && words.textedCodeWrong}
      />
      <Refusal error={wrong ? null : (checking.error ?? sending.error)} waitSeconds={checking.waitSeconds} />
      <Button type="submit" variant="primary" size={size} wide pending={checking.pending} disabled={checking.waitSeconds > 0}>
        {words.confirm}
      </Button>
      {send}
    </form>
  )
}
