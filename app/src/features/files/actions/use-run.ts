import { useCallback, useEffect, useRef, useState } from 'react'
import type { AppError } from '#api/app-error.ts'
import { toAppError } from '#api/unwrap.ts'
import type { BatchProgress, BatchResult } from './batch.ts'
import type { Running } from './deeds.ts'

/** Where something over many files stands. */
export type Run =
  | { step: 'ready' }
  | { step: 'running'; progress: BatchProgress; isStopping: boolean }
  /** It could not even begin, or broke off as a whole. */
  | { step: 'failed'; error: AppError }
  | { step: 'over'; result: BatchResult }

export interface Runner {
  run: Run
  /** Starts it; gives the result, undefined when it failed as a whole. */
  start: (work: (running: Running) => Promise<BatchResult>) => Promise<BatchResult | undefined>
  stop: () => void
}

/** Runs something over many files with its progress to be seen, and the way to stop it. */
export function useRun(): Runner {
  const [run, setRun] = useState<Run>({ step: 'ready' })
  const control = useRef<AbortController>(undefined)
  useEffect(() => () => control.current?.abort(), [])

  const start = useCallback(async (work: (running: Running) => Promise<BatchResult>) => {
    const controller = new AbortController()
    control.current = controller
    setRun({ step: 'running', progress: { done: 0, total: undefined, failures: [] }, isStopping: false })
    try {
      const result = await work({ signal: controller.signal, onProgress: (progress) => setRun({ step: 'running', progress, isStopping: controller.signal.aborted }) })
      setRun({ step: 'over', result })
      return result
    } catch (cause) {
      setRun({ step: 'failed', error: toAppError(cause) })
      return undefined
    }
  }, [])
  const stop = useCallback(() => {
    control.current?.abort()
    setRun((held) => (held.step === 'running' ? { ...held, isStopping: true } : held))
  }, [])
  return { run, start, stop }
}
