import { useRef, useState } from 'react'
import type { SignUpField } from '#door.ts'
import { useMessages } from '#messages/messages.tsx'
import { useOperatorText } from './brand-text.ts'
import { useDoor } from './door-ways.ts'

export type Answers = Readonly<Record<string, string | boolean>>

export interface SignUpFields {
  fields: readonly SignUpField[]
  answers: Answers
  faults: Readonly<Record<string, string>>
  agreed: boolean
  agreeFault: boolean
  set: (key: string, answer: string | boolean) => void
  agree: (agreed: boolean) => void
  /** Says whether everything asked is answered, shows what is not, and puts the focus on the first of it. */
  check: () => boolean
  /** For `user_metadata`: numbers as numbers, what was left empty left out, and when the terms were agreed to. */
  data: () => Record<string, unknown>
  /** Where the focus goes by key; the agreement is `''`. */
  place: (key: string) => (element: HTMLElement | null) => void
}

/** What the operator asks at sign-up besides address and password. */
export function useSignUpFields(): SignUpFields {
  const { ways } = useMessages()
  const { signUp } = useDoor()
  const operatorText = useOperatorText()
  const [answers, setAnswers] = useState<Answers>({})
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [agreed, setAgreed] = useState(false)
  const [agreeFault, setAgreeFault] = useState(false)
  const places = useRef(new Map<string, HTMLElement>())

  const faultOf = ({ key, label, kind, required }: SignUpField): string | undefined => {
    const answer = answers[key]
    if (answer === undefined || answer === false || (typeof answer === 'string' && answer.trim() === '')) return required ? ways.signUp.missing(operatorText(label)) : undefined
    if (kind === 'number' && Number.isNaN(Number(answer))) return ways.signUp.malformedNumber
    if (kind === 'url' && !/^https?:\/\/[^\s/]+\.[^\s]+$/.test(String(answer))) return ways.signUp.malformedUrl
    return undefined
  }
  return {
    fields: signUp.fields,
    answers,
    faults,
    agreed,
    agreeFault,
    set: (key, answer) => {
      setAnswers((before) => ({ ...before, [key]: answer }))
      setFaults(({ [key]: _mended, ...rest }) => rest)
    },
    agree: (now) => {
      setAgreed(now)
      setAgreeFault(false)
    },
    check: () => {
      const found = Object.fromEntries(signUp.fields.flatMap((field) => (faultOf(field) === undefined ? [] : [[field.key, faultOf(field) ?? '']])))
      const lacksAgreement = signUp.agree && !agreed
      setFaults(found)
      setAgreeFault(lacksAgreement)
      const first = Object.keys(found)[0] ?? (lacksAgreement ? '' : undefined)
      if (first !== undefined) places.current.get(first)?.focus()
      return first === undefined
    },
    data: () => {
      const given = signUp.fields.flatMap(({ key, kind }): [string, unknown][] => {
        const answer = answers[key]
        if (kind === 'switch') return [[key, answer === true]]
        if (typeof answer !== 'string' || answer.trim() === '') return []
        return [[key, kind === 'number' ? Number(answer) : answer.trim()]]
      })
      return { ...Object.fromEntries(given), ...(signUp.agree && { terms_agreed_at: new Date().toISOString() }) }
    },
    place: (key) => (element) => void (element ? places.current.set(key, element) : places.current.delete(key)),
  }
}
