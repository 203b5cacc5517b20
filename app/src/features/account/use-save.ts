import { useRef, useState } from 'react'
import type { AppError } from '#api/app-error.ts'
import { toAppError } from '#api/unwrap.ts'

export type SaveState = { step: 'ready' } | { step: 'saving' } | { step: 'saved' } | { step: 'failed'; error: AppError }

export interface Save<A extends unknown[]> {
  state: SaveState
  /** Gives the failure, or null, when the answer is there; never rejects. */
  run: (...args: A) => Promise<AppError | null>
  /** Back to `ready`: something was edited, so that neither "saved" nor a refusal is true any more. */
  reset: () => void
}

/** One change sent to the server; a second press while it is on its way does nothing. */
export function useSave<A extends unknown[]>(work: (...args: A) => Promise<unknown>): Save<A> {
  const [state, setState] = useState<SaveState>({ step: 'ready' })
  const busy = useRef(false)
  const run = async (...args: A) => {
    if (busy.current) return null
    busy.current = true
    setState({ step: 'saving' })
    try {
      await work(...args)
      setState({ step: 'saved' })
      return null
    } catch (failure) {
      const error = toAppError(failure)
      setState({ step: 'failed', error })
      return error
    } finally {
      busy.current = false
    }
  }
  return { state, run, reset: () => setState({ step: 'ready' }) }
}
