import { createHash } from 'node:crypto'

import type { Auth } from './auth.ts'

/** Longest wait for the service. */
const longestWaitMs = 5000

/**
 * Whether a password stands in the lists of Have I Been Pwned. Five digits of its hash leave this machine, and the answer is
 * padded, so that neither tells which password was asked about. Off unless the project wants it; without an answer it counts as good,
 * so that nobody is locked out by another's outage.
 *
 * @see supabase/auth internal/api/password.go; https://haveibeenpwned.com/API/v3#PwnedPasswords
 */
export async function isBreached(auth: Auth, password: string): Promise<boolean> {
  const { breachedUrl } = auth.settings.password
  if (breachedUrl === undefined) return false
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
  try {
    const answer = await auth.outbound('anywhere')(`${breachedUrl}/range/${digest.slice(0, 5)}`, {
      headers: { 'add-padding': 'true', 'user-agent': 'portico' },
      timeoutMs: longestWaitMs,
    })
    if (!answer.ok) throw new Error(`answered ${answer.status}`)
    // Padding comes as hashes that were seen no times.
    return (await answer.text()).split(/\r?\n/).some((line) => {
      const [suffix, count] = line.split(':')
      return suffix?.toUpperCase() === digest.slice(5) && Number(count) > 0
    })
  } catch (error) {
    auth.logger.warn('passwords could not be checked for breaches; they are let pass', { error })
    return false
  }
}
