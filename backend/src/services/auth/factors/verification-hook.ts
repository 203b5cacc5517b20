import type { Auth } from '#services/auth/auth.ts'
import { authError } from '#services/auth/errors.ts'
import { runHook } from '#services/auth/hooks/hooks.ts'
import { deleteSessionsOf } from '#services/auth/sessions.queries.ts'
import type { Factor, User } from '#services/auth/user.ts'

/**
 * Tells the project's hook of a try, right or wrong.
 *
 * @throws `mfa_verification_rejected` (403) when it refuses; the person is signed out everywhere then.
 * @see supabase/auth internal/hooks/v0hooks, `MFAVerificationAttemptInput`
 */
export async function askVerificationHook(auth: Auth, tried: { user: User; factor: Pick<Factor, 'id' | 'factorType'>; isValid: boolean }): Promise<void> {
  const uri = auth.settings.hooks.mfaVerificationAttempt
  if (!uri) return
  const { user, factor, isValid } = tried
  const input = { user_id: user.id, factor_id: factor.id, factor_type: factor.factorType, valid: isValid }
  const answer = await auth.transact((tx) => runHook(auth, tx, { uri, name: 'mfa-verification', input }))
  if (answer.decision !== 'reject') return
  await auth.transact((tx) => deleteSessionsOf(tx, user.id))
  const { message } = answer
  throw authError('mfa_verification_rejected', typeof message === 'string' && message !== '' ? { message } : {})
}
