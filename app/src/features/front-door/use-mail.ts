import { useDoorMemory } from '#session/door-memory.ts'
import { useSecondsLeft } from '#session/send-lock.ts'
import { useClient } from '#session/session.tsx'
import type { Way } from '#session/pending-entry.ts'
import { sentKindOf, type MailParts } from './send-mail.ts'
import { useCaptcha } from './use-captcha.ts'

/** What sending mail needs. */
export function useMailParts(): MailParts {
  const client = useClient()
  const { locks, pending } = useDoorMemory()
  return { client, locks, pending, captcha: useCaptcha() }
}

/** Seconds until this address may be sent another mail of this kind; 0 when it may. */
export function useMailLock(way: Way, email: string): number {
  const { locks } = useDoorMemory()
  return useSecondsLeft(locks, sentKindOf(way), email)
}
