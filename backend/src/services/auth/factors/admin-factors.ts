import { DatabaseError } from '#database/database-error.ts'
import { requireNamedUser } from '#services/auth/admin-users.ts'
import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { requireAdmin } from '#services/auth/caller.ts'
import { readPhone } from '#services/auth/email-address.ts'
import { authError } from '#services/auth/errors.ts'
import { factorBody } from '#services/auth/user.ts'

import { renameFactor } from './enrolled-factors.queries.ts'
import { requireNamedFactor } from './factor-call.ts'
import { hasOtherFactor } from './recovery-code.ts'
import { removeRecoveryCodes } from './recovery-codes.ts'
import { removeFactor } from './unenroll.ts'
import { adminFactorBody } from './wire.ts'

/** `GET /admin/users/{id}/factors`. @see supabase/auth internal/api/admin.go, `adminUserGetFactors` */
export async function listAdminFactors(auth: Auth, call: Call): Promise<Response> {
  await requireAdmin(auth, call)
  const { factors } = await requireNamedUser(auth, call)
  return reply(call, factors.map(factorBody))
}

/**
 * `PUT /admin/users/{id}/factors/{fid}`: another name, or for a phone another number.
 *
 * @throws `mfa_factor_not_found`, `user_not_found` (404), `mfa_factor_name_conflict` (422).
 */
export async function updateAdminFactor(auth: Auth, call: Call): Promise<Response> {
  const actor = await requireAdmin(auth, call)
  const user = await requireNamedUser(auth, call)
  const factor = await requireNamedFactor(auth, call, user.id)
  const given = await readBody(call, adminFactorBody)
  const friendlyName = given.friendly_name || (factor.friendlyName ?? '')
  const phone = given.phone !== '' && factor.factorType === 'phone' ? readPhone(given.phone) : factor.phone
  try {
    await auth.transact(async (tx) => {
      await renameFactor(tx, factor.id, { friendlyName, phone, at: auth.now() })
      const traits = { user_id: user.id, factor_id: factor.id, factor_type: factor.factorType }
      await recordAudit(auth, tx, { actor, action: 'factor_updated', traits })
    })
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.sqlstate !== '23505') throw error
    throw authError('mfa_factor_name_conflict', { message: 'Another factor of this user has that name or number', cause: error })
  }
  return reply(call, factorBody({ ...factor, friendlyName, phone, updatedAt: auth.now().toISOString() }))
}

/** `DELETE /admin/users/{id}/factors/{fid}`: for somebody who lost theirs. Sessions it raised fall back to aal1. */
export async function deleteAdminFactor(auth: Auth, call: Call): Promise<Response> {
  const actor = await requireAdmin(auth, call)
  const user = await requireNamedUser(auth, call)
  const factor = await requireNamedFactor(auth, call, user.id)
  await auth.transact(async (tx) => {
    await recordAudit(auth, tx, { actor, action: 'factor_deleted', traits: { user_id: user.id, factor_id: factor.id } })
    await removeFactor(auth, tx, factor)
    // Codes alone would keep asking for a second factor of somebody who has none.
    if (!hasOtherFactor(user, factor.id)) await removeRecoveryCodes(auth, tx, user.id)
  })
  return reply(call, factorBody(factor))
}
