import type { Transaction } from '#database/database.ts'
import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { readOptionalBody, reply, type Call } from '#services/auth/call.ts'
import { authError } from '#services/auth/errors.ts'
import { lockUser } from '#services/auth/users.queries.ts'

import { findFactor, insertFactor } from './enrolled-factors.queries.ts'
import { lockEnroller, requireRoom } from './enroll.ts'
import { requireHolder, type Holder } from './factor-call.ts'
import { sendFactorNotice } from './notices.ts'
import { hasOtherFactor, recoveryCode, recoveryCodeHash } from './recovery-code.ts'
import { findCodeSet, insertCodeSet, lockCodeSet, replaceCodes, type RecoveryCodeSet } from './recovery-codes.queries.ts'
import { removeFactor } from './unenroll.ts'
import { recoveryCodesBody } from './wire.ts'

const codesOfSet = 10
/** Of 32 letters and digits: 80 bits, so that a plain hash keeps them. */
const codeLength = 16
const usualName = 'Recovery codes'

function requireEnabled(auth: Auth): void {
  if (!auth.settings.factors.recoveryCodes.enroll) throw authError('mfa_recovery_codes_enroll_not_enabled')
}

/** @throws `insufficient_aal` (403). */
function requireSecondFactor({ session }: Holder, what: string): void {
  if (session.aal !== 'aal2') throw authError('insufficient_aal', { status: 403, message: `AAL2 required to ${what} recovery codes` })
}

async function issue(auth: Auth, tx: Transaction, setId: string): Promise<string[]> {
  const codes = Array.from({ length: codesOfSet }, () => auth.random.word(codeLength))
  await replaceCodes(tx, { id: setId, codes: codes.map((code) => ({ id: auth.random.uuid(), hash: recoveryCodeHash(setId, code) })), at: auth.now() })
  return codes
}

const secret = { headers: { 'cache-control': 'no-store' } }

const answer = (set: { factorId: string; friendlyName: string | null }, codes: readonly string[]) => ({
  id: set.factorId,
  type: recoveryCode,
  friendly_name: set.friendlyName ?? usualName,
  total: codes.length,
  codes,
})

/**
 * `GET /factors/recovery-codes`: how many there are and how many are left; at any level.
 *
 * @throws `mfa_factor_not_found` (404) when there are none.
 * @see supabase/auth 2.197 internal/api/recovery_codes.go
 */
export async function getRecoveryCodes(auth: Auth, call: Call): Promise<Response> {
  const { user } = await requireHolder(auth, call)
  const set = await auth.transact((tx) => findCodeSet(tx, user.id), { readOnly: true })
  if (!set) throw authError('mfa_factor_not_found')
  return reply(call, { id: set.factorId, type: recoveryCode, total: set.total, remaining: set.remaining })
}

async function generate(auth: Auth, tx: Transaction, asked: { holder: Holder; name: string }) {
  const { holder, name } = asked
  const user = await lockEnroller(auth, tx, holder.user)
  if (user.factors.some(({ factorType }) => factorType === recoveryCode)) {
    throw authError('mfa_verified_factor_exists', { message: 'Recovery codes already exist, regenerate them to replace them' })
  }
  if (!hasOtherFactor(user)) throw authError('mfa_recovery_codes_sole_factor')
  requireRoom(auth, { ...holder, user }, name)
  const [factorId, setId, at] = [auth.random.uuid(), auth.random.uuid(), auth.now()]
  await insertFactor(tx, { id: factorId, userId: user.id, friendlyName: name, factorType: recoveryCode, status: 'verified', at })
  await insertCodeSet(tx, { id: setId, factorId, at })
  await recordAudit(auth, tx, { actor: user, action: 'factor_in_progress', traits: { factor_id: factorId, factor_type: recoveryCode } })
  return answer({ factorId, friendlyName: name }, await issue(auth, tx, setId))
}

/**
 * `POST /factors/recovery-codes`: ten codes, shown this once.
 *
 * @throws `mfa_recovery_codes_enroll_not_enabled`, `mfa_recovery_codes_sole_factor`, `mfa_verified_factor_exists`, `mfa_factor_name_conflict`,
 * `too_many_enrolled_mfa_factors` (422), `insufficient_aal` (403).
 */
export async function generateRecoveryCodes(auth: Auth, call: Call): Promise<Response> {
  const holder = await requireHolder(auth, call)
  requireEnabled(auth)
  const given = await readOptionalBody(call, recoveryCodesBody)
  requireSecondFactor(holder, 'generate')
  const made = await auth.transact((tx) => generate(auth, tx, { holder, name: given.friendly_name.trim() || usualName }))
  sendFactorNotice(auth, holder.user, { kind: 'mfa_factor_enrolled', factorType: recoveryCode })
  return reply(call, made, secret)
}

const requireSet = (set: RecoveryCodeSet | undefined): RecoveryCodeSet => {
  if (!set) throw authError('mfa_factor_not_found')
  return set
}

/**
 * `POST /factors/recovery-codes/regenerate`: ten new codes; the old ones and a lock-out are over.
 *
 * @throws `mfa_recovery_codes_enroll_not_enabled` (422), `insufficient_aal` (403), `mfa_factor_not_found` (404).
 */
export async function regenerateRecoveryCodes(auth: Auth, call: Call): Promise<Response> {
  const holder = await requireHolder(auth, call)
  requireEnabled(auth)
  requireSecondFactor(holder, 'regenerate')
  const made = await auth.transact(async (tx) => {
    const set = requireSet(await lockCodeSet(tx, holder.user.id))
    await recordAudit(auth, tx, { actor: holder.user, action: 'factor_updated', traits: { factor_id: set.factorId, factor_type: recoveryCode } })
    return answer(set, await issue(auth, tx, set.id))
  })
  return reply(call, made, secret)
}

/** Takes a person's recovery codes away, if they have any. Sessions they raised fall back to aal1. */
export async function removeRecoveryCodes(auth: Auth, tx: Transaction, userId: string): Promise<string | undefined> {
  const set = await lockCodeSet(tx, userId)
  const factor = set && (await findFactor(tx, userId, set.factorId))
  if (factor) await removeFactor(auth, tx, factor)
  return factor?.id
}

/**
 * `DELETE /factors/recovery-codes`.
 *
 * @throws `insufficient_aal` (403), `mfa_factor_not_found` (404).
 */
export async function deleteRecoveryCodes(auth: Auth, call: Call): Promise<Response> {
  const holder = await requireHolder(auth, call)
  requireSecondFactor(holder, 'unenroll')
  const { user, session } = holder
  const id = await auth.transact(async (tx) => {
    await lockUser(tx, user.id)
    const removed = await removeRecoveryCodes(auth, tx, user.id)
    if (removed === undefined) throw authError('mfa_factor_not_found')
    await recordAudit(auth, tx, { actor: user, action: 'factor_unenrolled', traits: { factor_id: removed, factor_status: 'verified', session_id: session.id } })
    return removed
  })
  sendFactorNotice(auth, user, { kind: 'mfa_factor_unenrolled', factorType: recoveryCode })
  return reply(call, { id })
}
