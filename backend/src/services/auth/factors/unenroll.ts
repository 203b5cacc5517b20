import type { Transaction } from '#database/database.ts'
import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { reply, type Call } from '#services/auth/call.ts'
import { authError } from '#services/auth/errors.ts'
import { lockUser } from '#services/auth/users.queries.ts'

import { deleteFactor, type EnrolledFactor } from './enrolled-factors.queries.ts'
import { requireHolder, requireNamedFactor } from './factor-call.ts'
import { sendFactorNotice } from './notices.ts'
import { lowerSessions } from './raise-session.queries.ts'
import { methodOf } from './raise-session.ts'
import { hasOtherFactor, recoveryCode } from './recovery-code.ts'

/** Takes a factor away, and from every session what it gave. */
export async function removeFactor(auth: Auth, tx: Transaction, { id, userId, factorType }: EnrolledFactor): Promise<void> {
  await deleteFactor(tx, id)
  await lowerSessions(tx, { userId, factorId: id, method: methodOf[factorType] ?? factorType, at: auth.now() })
}

// Recovery codes stand in for another factor: alone they would be all there is.
async function requireNotLast(tx: Transaction, factor: EnrolledFactor): Promise<void> {
  const user = await lockUser(tx, factor.userId)
  const hasCodes = user?.factors.some(({ factorType }) => factorType === recoveryCode) ?? false
  if (factor.status === 'verified' && hasCodes && user && !hasOtherFactor(user, factor.id)) {
    throw authError('mfa_recovery_codes_sole_factor', { message: 'Recovery codes cannot be the only verified factor: unenroll them first' })
  }
}

/**
 * `DELETE /factors/{id}`: takes a factor away. Sessions it raised fall back to aal1.
 *
 * @throws `mfa_factor_not_found` (404); `insufficient_aal` (422) for a verified one without a second factor in this session;
 * `mfa_recovery_codes_sole_factor` (422) for the last one beside recovery codes.
 * @see supabase/auth internal/api/mfa.go, `UnenrollFactor`
 */
export async function unenrollFactor(auth: Auth, call: Call): Promise<Response> {
  const { user, session } = await requireHolder(auth, call)
  const factor = await requireNamedFactor(auth, call, user.id)
  if (factor.factorType === recoveryCode) {
    throw authError('validation_failed', { status: 422, message: 'Recovery codes cannot be unenrolled with this endpoint, use DELETE /factors/recovery-codes' })
  }
  if (factor.status === 'verified' && session.aal !== 'aal2') {
    throw authError('insufficient_aal', { status: 422, message: 'AAL2 required to unenroll verified factor' })
  }
  await auth.transact(async (tx) => {
    await requireNotLast(tx, factor)
    await removeFactor(auth, tx, factor)
    const traits = { factor_id: factor.id, factor_status: factor.status, session_id: session.id }
    await recordAudit(auth, tx, { actor: user, action: 'factor_unenrolled', traits })
  })
  if (factor.status === 'verified') sendFactorNotice(auth, user, { kind: 'mfa_factor_unenrolled', factorType: factor.factorType })
  return reply(call, { id: factor.id })
}
