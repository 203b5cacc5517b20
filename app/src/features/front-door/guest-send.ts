import { useCallback } from 'react'
import { toAppError } from '#api/unwrap.ts'
import { useDoorMemory } from '#session/door-memory.ts'
import { secondsInMessage } from '#session/send-lock.ts'

/** Runs a call that sends a guest's code, with the address or number locked from before it: a second code voids the first. */
export function useLockedSend(kind: 'email-change' | 'phone') {
  const { locks } = useDoorMemory()
  return useCallback(
    async <T>(address: string, call: () => Promise<T>): Promise<T> => {
      locks.lock(kind, address)
      try {
        return await call()
      } catch (failure) {
        const error = toAppError(failure)
        if (error.status === 429) locks.lock(kind, address, secondsInMessage(error.message))
        else locks.unlock(kind, address)
        throw error
      }
    },
    [locks, kind],
  )
}
