import { DatabaseError } from '#database/database-error.ts'
import type { Transaction } from '#database/database.ts'
import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { readPhone } from '#services/auth/email-address.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { hasVerifiedFactor, type User } from '#services/auth/user.ts'
import { lockUser } from '#services/auth/users.queries.ts'
import type { ServiceError } from '#contract/service-error.ts'
import type { z } from 'zod'

import { deleteAbandonedFactors, deleteFactor, insertFactor, type NewFactor } from './enrolled-factors.queries.ts'
import { requireHolder, type Holder } from './factor-call.ts'
import { qrCodeSvg } from './qr-code.ts'
import { challengeLifeSeconds } from './settings.ts'
import { newTotpSecret, totpUri } from './totp.ts'
import { enrollBody } from './wire.ts'

type Enrolment = z.output<typeof enrollBody>

const nameConflict = (name: string, cause?: unknown): ServiceError =>
  authError('mfa_factor_name_conflict', { message: `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`, cause })

/**
 * Whether one more factor may be added, once those are gone that nobody finished.
 *
 * @throws `mfa_factor_name_conflict`, `too_many_enrolled_mfa_factors` (422), `insufficient_aal` (403).
 */
export function requireRoom(auth: Auth, { user, session }: Holder, name: string): void {
  if (user.factors.some((factor) => (factor.friendlyName ?? '') === name)) throw nameConflict(name)
  if (user.factors.length >= auth.settings.factors.maxEnrolled) throw authError('too_many_enrolled_mfa_factors')
  if (hasVerifiedFactor(user) && session.aal !== 'aal2') throw authError('insufficient_aal', { status: 403, message: 'AAL2 required to enroll a new factor' })
}

/** The person with their row kept from others, and without the factors they left unfinished. */
export async function lockEnroller(auth: Auth, tx: Transaction, user: User): Promise<User> {
  await lockUser(tx, user.id)
  await deleteAbandonedFactors(tx, user.id, new Date(auth.now().getTime() - challengeLifeSeconds * 1000))
  const fresh = await lockUser(tx, user.id)
  if (!fresh) throw authError('user_not_found', { status: 403, message: 'User from sub claim in JWT does not exist' })
  return fresh
}

type Draft = Pick<NewFactor, 'factorType' | 'secret' | 'phone'>

async function add(auth: Auth, tx: Transaction, asked: { holder: Holder; name: string; draft: Draft }): Promise<string> {
  const { name, draft } = asked
  let user = await lockEnroller(auth, tx, asked.holder.user)
  const unfinished = user.factors.filter((factor) => draft.phone !== undefined && factor.factorType === 'phone' && factor.phone === draft.phone)
  if (unfinished.some((factor) => factor.status === 'verified')) throw authError('mfa_verified_factor_exists')
  for (const factor of unfinished) await deleteFactor(tx, factor.id)
  user = { ...user, factors: user.factors.filter((factor) => !unfinished.includes(factor)) }
  requireRoom(auth, { ...asked.holder, user }, name)
  const id = auth.random.uuid()
  await insertFactor(tx, { id, userId: user.id, friendlyName: name, status: 'unverified', ...draft, at: auth.now() })
  await recordAudit(auth, tx, { actor: user, action: 'factor_in_progress', traits: { factor_id: id, factor_type: draft.factorType } })
  return id
}

async function enroll(auth: Auth, holder: Holder, asked: { name: string; draft: Draft }): Promise<string> {
  try {
    return await auth.transact((tx) => add(auth, tx, { holder, ...asked }))
  } catch (error) {
    // The index on names looks past blanks, and is asked last.
    if (error instanceof DatabaseError && error.sqlstate === '23505') throw nameConflict(asked.name, error)
    throw error
  }
}

const answer = (id: string, given: Enrolment) => ({ id, type: given.factor_type, friendly_name: given.friendly_name })

async function enrollTotp(auth: Auth, holder: Holder, given: Enrolment) {
  const { user } = holder
  const issuer = given.issuer || new URL(auth.settings.siteUrl).host
  const secret = newTotpSecret()
  const uri = totpUri({ issuer, account: user.email || user.phone || user.id, secret })
  const picture = qrCodeSvg(uri)
  if (picture === undefined) throw invalidRequest('The issuer is too long for a QR code')
  const id = await enroll(auth, holder, { name: given.friendly_name, draft: { factorType: 'totp', secret } })
  return { ...answer(id, given), totp: { qr_code: picture, secret, uri } }
}

async function enrollPhone(auth: Auth, holder: Holder, given: Enrolment) {
  if (given.phone === '') throw invalidRequest('Phone number required to enroll Phone factor')
  const phone = readPhone(given.phone)
  const id = await enroll(auth, holder, { name: given.friendly_name, draft: { factorType: 'phone', phone } })
  return { ...answer(id, given), phone: given.phone }
}

async function enrollWebauthn(auth: Auth, holder: Holder, given: Enrolment) {
  return answer(await enroll(auth, holder, { name: given.friendly_name, draft: { factorType: 'webauthn' } }), given)
}

const kinds = {
  totp: { refusal: 'mfa_totp_enroll_not_enabled', enroll: enrollTotp },
  phone: { refusal: 'mfa_phone_enroll_not_enabled', enroll: enrollPhone },
  webauthn: { refusal: 'mfa_webauthn_enroll_not_enabled', enroll: enrollWebauthn },
} as const

const isKind = (name: string): name is keyof typeof kinds => Object.hasOwn(kinds, name)

/**
 * `POST /factors`: begins a second factor. It counts once a challenge of it is answered, and is gone five minutes after nobody did.
 *
 * @throws `mfa_…_enroll_not_enabled`, `mfa_factor_name_conflict`, `too_many_enrolled_mfa_factors`, `mfa_verified_factor_exists` (422), `insufficient_aal` (403).
 * @see supabase/auth internal/api/mfa.go, `EnrollFactor`
 */
export async function enrollFactor(auth: Auth, call: Call): Promise<Response> {
  const holder = await requireHolder(auth, call)
  const given = await readBody(call, enrollBody)
  if (!isKind(given.factor_type)) throw invalidRequest('factor_type needs to be totp, phone, or webauthn')
  const kind = kinds[given.factor_type]
  if (!auth.settings.factors[given.factor_type].enroll) throw authError(kind.refusal)
  return reply(call, await kind.enroll(auth, holder, given), { headers: { 'cache-control': 'no-store' } })
}
