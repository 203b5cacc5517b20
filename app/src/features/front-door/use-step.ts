import { useLocation, useSearchParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { readReturn } from '#session/read-return.ts'
import { home } from '#session/redirects.ts'
import { useDoorMemory } from '#session/door-memory.ts'

/** Which question of a page is asked now. */
export type Step = 'email' | 'password' | 'code' | 'phone' | 'phone-code' | 'sso'

export interface DoorStep {
  step: Step
  /** The address given so far; empty at the first question. */
  email: string
  /** The number given so far: `+491711234567`. */
  phone: string
  /** How the code was sent to it; empty means as a text. */
  channel: string
  /** Where the person goes once they are in. */
  to: string
  /** The address of a question, for links. */
  pathOf: (path: string, step?: Step) => string
  /** Goes to a question of `path`, keeping the answers given; the browser's back button returns. */
  go: (path: string, step: Step, email: string) => void
  /** The same for the questions about a phone. */
  askPhone: (step: 'phone' | 'phone-code', phone: string, channel?: string) => void
}

/** What is kept beside the entry of the browser's history. */
function answerOf(state: unknown, name: 'email' | 'phone' | 'channel'): string {
  const answer: unknown = typeof state === 'object' && state !== null ? (state as Record<string, unknown>)[name] : ''
  return typeof answer === 'string' ? answer : ''
}

/** The question an address names, if those before it have been answered. */
function stepOf(wanted: string | null, { given, email, phone }: Record<'given' | 'email' | 'phone', string>): Step {
  if (wanted === 'phone' || wanted === 'sso') return wanted
  if (wanted === 'phone-code') return phone === '' ? 'phone' : wanted
  if (wanted === 'code') return email === '' ? 'email' : wanted
  return wanted === 'password' && given !== '' ? wanted : 'email'
}

/**
 * The step stands in the address, the answers beside it in the browser's history: back, forward and reload work,
 * and no e-mail address gets into logs or is sent on as a referrer.
 */
export function useStep(): DoorStep {
  const [parameters] = useSearchParams()
  const [, navigate] = useLocation()
  const state: unknown = useHistoryState()
  const { pending } = useDoorMemory()
  const to = readReturn(parameters)
  const wanted = parameters.get('step')
  const given = answerOf(state, 'email')
  const phone = answerOf(state, 'phone')
  const email = given || (wanted === 'code' ? (pending.latest()?.email ?? '') : (parameters.get('email') ?? ''))

  const pathOf = (path: string, step: Step = 'email') => {
    const query = new URLSearchParams()
    if (step !== 'email') query.set('step', step)
    if (to !== home) query.set('to', to)
    return query.size > 0 ? `${path}?${query.toString()}` : path
  }
  return {
    step: stepOf(wanted, { given, email, phone }),
    email,
    phone,
    channel: answerOf(state, 'channel'),
    to,
    pathOf,
    go: (path, step, address) => navigate(pathOf(path, step), { state: { email: address } }),
    askPhone: (step, number, channel) => navigate(pathOf('/sign-in', step), { state: { email: given, phone: number, channel } }),
  }
}
