import type { ServiceError } from '#contract/service-error.ts'
import type { Transaction } from '#database/database.ts'
import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { authError } from '#services/auth/errors.ts'
import { momentMs } from '#services/auth/moments.ts'
import { grantBody, grantHeaders, type Grant } from '#services/auth/sessions.ts'

import { requireHolder, type Holder } from './factor-call.ts'
import { raiseSession } from './raise-session.ts'
import { recoveryCode, recoveryCodeHash } from './recovery-code.ts'
import { isUnusedCode, lockCodeSet, noteFailures, useCode, type RecoveryCodeSet } from './recovery-codes.queries.ts'
import { askVerificationHook } from './verification-hook.ts'
import { recoveryProofBody } from './wire.ts'

/** Failed tries until the codes are locked, and for how long. */
const mostFailures = 10
const lockSeconds = 900

const wrong = () => authError('mfa_verification_failed', { message: 'Invalid recovery code entered' })

/** @throws `mfa_factor_not_found` (404), `mfa_recovery_codes_locked` (429). */
async function requireOpenSet(auth: Auth, tx: Transaction, userId: string): Promise<RecoveryCodeSet> {
  const set = await lockCodeSet(tx, userId)
  if (!set) throw authError('mfa_factor_not_found')
  const leftMs = set.lockedUntil === null ? 0 : momentMs(set.lockedUntil) - auth.now().getTime()
  if (leftMs > 0) throw authError('mfa_recovery_codes_locked', { headers: { 'retry-after': String(Math.ceil(leftMs / 1000)) } })
  return set
}

async function noteFailure(auth: Auth, tx: Transaction, set: RecoveryCodeSet): Promise<void> {
  const at = auth.now()
  // A lock that is over begins a new count.
  const count = (set.lockedUntil === null ? set.failedCount : 0) + 1
  const lockedUntil = count >= mostFailures ? new Date(at.getTime() + lockSeconds * 1000) : null
  await noteFailures(tx, { id: set.id, count, lockedUntil, at })
}

// A failed try must be kept, so it is an outcome and not an exception inside the transaction.
async function redeem(auth: Auth, tx: Transaction, asked: { holder: Holder; code: string }): Promise<{ grant: Grant } | { failure: ServiceError }> {
  const { holder, code } = asked
  const set = await requireOpenSet(auth, tx, holder.user.id)
  const { factorId } = set
  if (!(await useCode(tx, { setId: set.id, hash: recoveryCodeHash(set.id, code), at: auth.now() }))) {
    await noteFailure(auth, tx, set)
    return { failure: wrong() }
  }
  await noteFailures(tx, { id: set.id, count: 0, lockedUntil: null, at: auth.now() })
  await recordAudit(auth, tx, { actor: holder.user, action: 'verification_attempted', traits: { factor_id: factorId, factor_type: recoveryCode } })
  return { grant: await raiseSession(auth, tx, { holder, factorId, factorType: recoveryCode }) }
}

/**
 * `POST /factors/recovery-codes/verify`: raises the session to aal2 by a code, which is used up. Case, blanks and dashes do not count.
 *
 * @throws `mfa_recovery_codes_verify_not_enabled`, `mfa_verification_failed` (422), `mfa_recovery_codes_locked` (429) for a quarter of an
 * hour after ten failed tries, `mfa_factor_not_found` (404), `mfa_verification_rejected` (403) by the project's hook.
 */
export async function verifyRecoveryCode(auth: Auth, call: Call): Promise<Response> {
  const holder = await requireHolder(auth, call)
  if (!auth.settings.factors.recoveryCodes.verify) throw authError('mfa_recovery_codes_verify_not_enabled')
  const { code } = await readBody(call, recoveryProofBody)
  const { set, isValid } = await auth.transact(async (tx) => {
    const set = await requireOpenSet(auth, tx, holder.user.id)
    return { set, isValid: await isUnusedCode(tx, { setId: set.id, hash: recoveryCodeHash(set.id, code) }) }
  })
  const outcome = await asToldToHook(auth, { holder, code, factorId: set.factorId, isValid })
  if ('failure' in outcome) throw outcome.failure
  return reply(call, grantBody(outcome.grant), { headers: grantHeaders(outcome.grant) })
}

async function asToldToHook(auth: Auth, tried: { holder: Holder; code: string; factorId: string; isValid: boolean }) {
  const { holder, code, factorId, isValid } = tried
  await askVerificationHook(auth, { user: holder.user, factor: { id: factorId, factorType: recoveryCode }, isValid })
  return auth.transact((tx) => redeem(auth, tx, { holder, code }))
}
