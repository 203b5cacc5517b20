import { useEffect, useState } from 'react'

/** Kinds of mail and of messages that the server counts together: a second one of a kind voids the first. */
export type SentKind = 'confirmation' | 'sign-in' | 'email-change' | 'reauthentication' | 'phone' | 'factor-text'

/** Asking again too early breaks the first mail's link; so nobody is let to, in any tab, reloads included. */
export interface SendLocks {
  /** Whole seconds until the next mail may be asked for; 0 when it may. */
  secondsLeft(kind: SentKind, address: string): number
  /** Locks for the server's interval; 60 seconds unless the server named another. */
  lock(kind: SentKind, address: string, seconds?: number): void
  /** The mail was not sent after all. */
  unlock(kind: SentKind, address: string): void
}

export const defaultIntervalSeconds = 60

/** The interval is told only in words: "you can only request this after 37 seconds." */
export function secondsInMessage(message: string): number | undefined {
  const found = /after (\d+) second/.exec(message)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Kept per project in `storage`, which tabs share. */
export function createSendLocks(projectId: string, storage: Storage, now: () => number = Date.now): SendLocks {
  const key = `portico.send-locks.${projectId}`
  const nameOf = (kind: SentKind, address: string) => `${kind}:${address.trim().toLowerCase()}`
  const read = (): Record<string, number> => {
    try {
      const value: unknown = JSON.parse(storage.getItem(key) ?? '{}')
      const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
      const held = entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > now())
      // Addresses stay in the browser no longer than they must.
      if (held.length === 0 && entries.length > 0) storage.removeItem(key)
      return Object.fromEntries(held)
    } catch {
      return {}
    }
  }
  const write = (locks: Record<string, number>) => storage.setItem(key, JSON.stringify(locks))

  return {
    secondsLeft(kind, address) {
      const until = read()[nameOf(kind, address)]
      return until === undefined ? 0 : Math.ceil((until - now()) / 1000)
    },
    lock: (kind, address, seconds = defaultIntervalSeconds) => write({ ...read(), [nameOf(kind, address)]: now() + seconds * 1000 }),
    unlock(kind, address) {
      const { [nameOf(kind, address)]: _unlocked, ...rest } = read()
      write(rest)
    },
  }
}

/** Counts down while locked, and follows the other tabs. */
export function useSecondsLeft(locks: SendLocks, kind: SentKind, address: string): number {
  const [seconds, setSeconds] = useState(() => locks.secondsLeft(kind, address))

  useEffect(() => {
    const look = () => setSeconds(locks.secondsLeft(kind, address))
    look()
    const timer = setInterval(look, 1000)
    addEventListener('storage', look)
    return () => {
      clearInterval(timer)
      removeEventListener('storage', look)
    }
  }, [locks, kind, address])

  return seconds
}
