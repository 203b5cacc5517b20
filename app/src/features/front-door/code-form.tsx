import { useState, type ClipboardEvent, type FormEvent, type KeyboardEvent } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { FailureBanner } from './failure-banner.tsx'
import type { Attempt } from './use-attempt.ts'

const shortest = 6
const longest = 10

/** Six digits unless the project sends more: the field grows when more are typed or pasted. */
export function CodeForm({ attempt }: { attempt: Attempt<[code: string]> }) {
  const { frontDoor: words } = useMessages()
  const [code, setCode] = useState('')
  const [length, setLength] = useState(shortest)
  const [missing, setMissing] = useState(false)
  const wrong = attempt.error?.code === 'otp_expired' ? attempt.error : null

  const change = (next: string) => {
    setCode(next)
    setMissing(false)
    attempt.forget()
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    setMissing(code.length < shortest)
    if (code.length >= shortest) attempt.run(code)
  }
  const grow = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!/^\d$/.test(event.key) || event.ctrlKey || event.metaKey || code.length !== length || length === longest) return
    if (event.currentTarget.selectionStart !== event.currentTarget.selectionEnd) return
    event.preventDefault()
    setLength(length + 1)
    change(code + event.key)
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const digits = event.clipboardData.getData('text').normalize('NFKC').replaceAll(/\D/g, '')
    if (digits.length <= length || digits.length > longest) return
    event.preventDefault()
    setLength(digits.length)
    change(digits)
    attempt.run(digits)
  }

  return (
    <form onSubmit={send} noValidate>
      <CodeField
        label={words.checkMail.code}
        size="door"
        name="code"
        autoFocus
        value={code}
        length={length}
        onChange={change}
        onComplete={attempt.run}
        onKeyDown={grow}
        onPaste={paste}
        hint={words.checkMail.codeHint}
        error={missing ? words.checkMail.codeMissing : wrong && words.checkMail.codeWrong}
      />
      <FailureBanner error={wrong ? null : attempt.error} />
      <Button type="submit" variant="primary" size="door" wide pending={attempt.pending}>
        {words.checkMail.submit}
      </Button>
    </form>
  )
}
