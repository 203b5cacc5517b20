import { useMemo } from 'react'
import { createCodeLength, type CodeLength } from './code-length.ts'
import { createLastWay, type LastWay } from './last-way.ts'
import { createPendingEntries, type PendingEntries } from './pending-entry.ts'
import { createSendLocks, type SendLocks } from './send-lock.ts'
import { useProject } from './session.tsx'

/** What this browser remembers at the door of the project in hand. */
export interface DoorMemory {
  pending: PendingEntries
  locks: SendLocks
  codeLength: CodeLength
  lastWay: LastWay
}

export function useDoorMemory(): DoorMemory {
  const { id } = useProject()
  return useMemo(
    () => ({
      pending: createPendingEntries(id, localStorage),
      locks: createSendLocks(id, localStorage),
      codeLength: createCodeLength(id, localStorage),
      lastWay: createLastWay(id, localStorage, sessionStorage),
    }),
    [id],
  )
}
