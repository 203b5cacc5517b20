import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { longestCode, shortestCode } from '#session/code-length.ts'
import { useDoorMemory } from '#session/door-memory.ts'
import { FailureBanner } from './failure-banner.tsx'
import type { Attempt } from './use-attempt.ts'

/** A person who types on does so within this. */
const pauseMs = 900

interface CodeFormProps {
  attempt: Attempt<[code: string]>
  wrongCode: string
  /** For a code that came otherwise than by mail. */
  words?: { label: string; hint: string; missing: string }
}

function useCodeWords(own: CodeFormProps['words']) {
  const { checkMail } = useMessages().frontDoor
  return { checkMail: own ?? { label: checkMail.code, hint: checkMail.codeHint, missing: checkMail.codeMissing }, submit: checkMail.submit }
}

/**
 * As many digits as the project is known to send, else six and more: the field grows when more come. A pasted code
 * is sent at once; one that is typed and of no known length, once the typing rests.
 */
export function CodeForm({ attempt, wrongCode, words: own }: CodeFormProps) {
  const { checkMail, submit } = useCodeWords(own)
  const [code, setCode] = useState('')
  const { codeLength } = useDoorMemory()
  const known = codeLength.known()
  const [missing, setMissing] = useState(false)
  const wrong = attempt.error?.code === 'otp_expired' ? attempt.error : null

  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(resting.current), [])

  const change = (next: string) => {
    clearTimeout(resting.current)
    setCode(next)
    setMissing(false)
    attempt.forget()
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    clearTimeout(resting.current)
    setMissing(code.length < shortestCode)
    if (code.length >= shortestCode) attempt.run(code)
  }
  const complete = (whole: string, isTyped: boolean) => {
    if (isTyped && whole.length !== known) resting.current = setTimeout(() => attempt.run(whole), pauseMs)
    else attempt.run(whole)
  }

  return (
    <form onSubmit={send} noValidate>
      <CodeField
        label={checkMail.label}
        size="door"
        name="code"
        autoFocus
        value={code}
        length={known ?? shortestCode}
        longest={longestCode}
        onChange={change}
        onComplete={complete}
        hint={checkMail.hint}
        error={missing ? checkMail.missing : wrong && wrongCode}
      />
      <FailureBanner error={wrong ? null : attempt.error} />
      <Button type="submit" variant="primary" size="door" wide pending={attempt.pending}>
        {submit}
      </Button>
    </form>
  )
}
