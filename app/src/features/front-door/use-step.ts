import { useLocation, useSearchParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { home, safePath } from '#session/redirects.ts'
import { useDoorMemory } from '#session/door-memory.ts'

/** Which question of a page is asked now. */
export type Step = 'email' | 'password' | 'code'

export interface DoorStep {
  step: Step
  /** The address given so far; empty at the first question. */
  email: string
  /** Where the person goes once they are in. */
  to: string
  /** The address of a question, for links. */
  pathOf: (path: string, step?: Step) => string
  /** Goes to a question of `path`, keeping the answers given; the browser's back button returns. */
  go: (path: string, step: Step, email: string) => void
}

const isStep = (value: string | null): value is Step => value === 'password' || value === 'code'

function emailOf(state: unknown): string {
  const email = typeof state === 'object' && state !== null && 'email' in state ? state.email : ''
  return typeof email === 'string' ? email : ''
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
  const to = safePath(parameters.get('to'))
  const wanted = parameters.get('step')
  const given = emailOf(state)
  const email = given || (wanted === 'code' ? (pending.latest()?.email ?? '') : (parameters.get('email') ?? ''))

  const pathOf = (path: string, step: Step = 'email') => {
    const query = new URLSearchParams()
    if (step !== 'email') query.set('step', step)
    if (to !== home) query.set('to', to)
    return query.size > 0 ? `${path}?${query.toString()}` : path
  }
  return {
    step: isStep(wanted) && (wanted === 'code' || given !== '') && email !== '' ? wanted : 'email',
    email,
    to,
    pathOf,
    go: (path, step, address) => navigate(pathOf(path, step), { state: { email: address } }),
  }
}
