import { useCallback, useRef, useState } from 'react'
import { toAppError } from '#api/unwrap.ts'
import type { AppError } from '#api/app-error.ts'

export interface Attempt<A extends unknown[]> {
  pending: boolean
  /** The latest failure; gone as soon as a new attempt starts. */
  error: AppError | null
  /** What the latest try was made with. */
  tried: A | undefined
  run: (...args: A) => void
  forget: () => void
}

/** One press of a button that asks the server: waiting, failed with a reason, or done. A second press while waiting does nothing. */
export function useAttempt<A extends unknown[]>(work: (...args: A) => Promise<unknown>): Attempt<A> {
  const [state, setState] = useState<{ pending: boolean; error: AppError | null }>({ pending: false, error: null })
  const [tried, setTried] = useState<A>()
  const busy = useRef(false)

  const run = (...args: A) => {
    if (busy.current) return
    busy.current = true
    setTried(args)
    setState({ pending: true, error: null })
    work(...args).then(
      () => {
        busy.current = false
        setState({ pending: false, error: null })
      },
      (failure: unknown) => {
        busy.current = false
        setState({ pending: false, error: toAppError(failure) })
      },
    )
  }

  const forget = useCallback(() => setState((before) => ({ ...before, error: null })), [])
  return { ...state, tried, run, forget }
}
