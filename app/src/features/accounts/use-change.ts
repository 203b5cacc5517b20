import { useState } from 'react'
import type { KeptAccount } from '#session/kept-accounts.ts'

export interface FailedChange {
  error: unknown
  /** Whose account it was about. */
  account: KeptAccount | undefined
}

export interface Change {
  /** What is under way: an account's id, or a word of the page; empty when nothing is. */
  pending: string
  failed: FailedChange | undefined
  run: (name: string, work: () => Promise<void>, account?: KeptAccount) => Promise<void>
}

/** One change of accounts at a time. */
export function useChange(): Change {
  const [pending, setPending] = useState('')
  const [failed, setFailed] = useState<FailedChange>()
  const run: Change['run'] = async (name, work, account) => {
    if (pending !== '') return
    setPending(name)
    setFailed(undefined)
    try {
      await work()
    } catch (error) {
      setFailed({ error, account })
    } finally {
      setPending('')
    }
  }
  return { pending, failed, run }
}
