import { useCallback, useEffect, useRef, useState } from 'react'
import type { AppError } from '#api/app-error.ts'
import { toAppError } from '#api/unwrap.ts'
import { secondsInMessage } from '#session/send-lock.ts'

export interface Attempt<A extends unknown[]> {
  pending: boolean
  error: AppError | null
  /** Seconds until the server listens again, after it said it was asked too often; else 0. */
  waitSeconds: number
  /** A second press while waiting does nothing. */
  run: (...args: A) => void
  forget: () => void
}

/** How long the server's limit for codes lasts; it names no number itself. */
const limitSeconds = 60
/** A lock of its own, whose end the server keeps to itself. */
const isLimit = ({ status, code }: AppError) => status === 429 && code !== 'mfa_recovery_codes_locked'

/** One try to prove something: waiting, refused, held back for a while, or done. */
export function useAttempt<A extends unknown[]>(work: (...args: A) => Promise<unknown>): Attempt<A> {
  const [state, setState] = useState<{ pending: boolean; error: AppError | null }>({ pending: false, error: null })
  const [waitSeconds, setWait] = useState(0)
  const busy = useRef(false)

  useEffect(() => {
    if (waitSeconds === 0) return
    const timer = setTimeout(() => setWait(waitSeconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [waitSeconds])

  const run = async (...args: A) => {
    if (busy.current || waitSeconds > 0) return
    busy.current = true
    setState({ pending: true, error: null })
    try {
      await work(...args)
      setState({ pending: false, error: null })
    } catch (failure) {
      const error = toAppError(failure)
      if (isLimit(error)) setWait(secondsInMessage(error.message) ?? limitSeconds)
      setState({ pending: false, error })
    } finally {
      busy.current = false
    }
  }
  const forget = useCallback(() => setState((before) => ({ ...before, error: null })), [])
  return { ...state, waitSeconds, run: (...args) => void run(...args), forget }
}
