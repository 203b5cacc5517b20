import type { Transaction } from '#database/database.ts'
import type { Auth } from '#services/auth/auth.ts'
import { authError } from '#services/auth/errors.ts'
import { replaceRefreshTokens } from '#services/auth/refresh-tokens.ts'
import { lockSession, recordMethod } from '#services/auth/sessions.queries.ts'
import { signAccessToken, type Grant } from '#services/auth/sessions.ts'
import { findUserWithSession } from '#services/auth/users.queries.ts'

import type { Holder } from './factor-call.ts'
import { deleteLowSessions, raiseToAal2 } from './raise-session.queries.ts'

/** The word in `amr` for each kind of factor. */
export const methodOf: Readonly<Record<string, string>> = {
  totp: 'totp',
  phone: 'mfa/phone',
  webauthn: 'mfa/webauthn',
  recovery_code: 'mfa/recovery_code',
}

/**
 * Raises a session to aal2 in place, and ends the person's sessions below it.
 *
 * The refresh tokens from before are void: whoever holds one got it without the second factor. They are unknown from then on,
 * so that another tab that was just refreshing is told so, and does not end the family.
 *
 * @throws `session_not_found` (403) when the session has ended meanwhile.
 * @see supabase/auth internal/api/token.go, `updateMFASessionAndClaims`
 */
export async function raiseSession(auth: Auth, tx: Transaction, raised: { holder: Holder; factorId: string; factorType: string }): Promise<Grant> {
  const { user, session } = raised.holder
  const method = methodOf[raised.factorType] ?? raised.factorType
  const at = auth.now()
  if (!(await lockSession(tx, session.id))) throw authError('session_not_found')
  await recordMethod(tx, { id: auth.random.uuid(), sessionId: session.id, method, at })
  await raiseToAal2(tx, { sessionId: session.id, factorId: raised.factorId, at })
  await deleteLowSessions(tx, user.id)
  const refreshToken = await replaceRefreshTokens(auth, tx, { userId: user.id, sessionId: session.id })
  const found = await findUserWithSession(tx, user.id, session.id)
  if (!found?.session) throw authError('session_not_found')
  const { session: raisedSession, ...fresh } = found
  const token = await signAccessToken(auth, tx, { user: fresh, session: raisedSession, method })
  return { user: fresh, sessionId: session.id, refreshToken, ...token }
}
