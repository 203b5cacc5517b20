import type { Transaction } from '#database/database.ts'
import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { isUuid, sameSecret, tokenHash } from '#services/auth/codes.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { isOlderThan } from '#services/auth/moments.ts'
import { grantBody, grantHeaders, type Grant } from '#services/auth/sessions.ts'
import type { ServiceError } from '#contract/service-error.ts'

import { findChallenge, findUsedStep, useChallenge, type Challenge } from './challenges.queries.ts'
import { deleteUnverifiedFactors, lockFactor, verifyFactorRow, type EnrolledFactor } from './enrolled-factors.queries.ts'
import { addressOf, requireHolder, requireNamedFactor, type Holder } from './factor-call.ts'
import { sendFactorNotice } from './notices.ts'
import { raiseSession } from './raise-session.ts'
import { challengeLifeSeconds } from './settings.ts'
import { matchTotp } from './totp.ts'
import { askVerificationHook } from './verification-hook.ts'
import { verifyBody } from './wire.ts'

/** What a person answers a challenge with. */
export interface Attempt {
  holder: Holder
  factor: EnrolledFactor
  challenge: Challenge
  code: string
}

/** @throws `mfa_factor_not_found`, `mfa_ip_address_mismatch`, `mfa_challenge_expired` (422). */
export async function requireChallenge(auth: Auth, tx: Transaction, asked: { id: string; factorId: string; ip: string }): Promise<Challenge> {
  const challenge = isUuid(asked.id) ? await findChallenge(tx, asked) : undefined
  if (!challenge) throw authError('mfa_factor_not_found', { status: 422, message: 'MFA factor with the provided challenge ID not found' })
  if (challenge.verifiedAt !== null || !challenge.isSameAddress) throw authError('mfa_ip_address_mismatch')
  if (isOlderThan(challenge.createdAt, challengeLifeSeconds, auth.now().getTime())) {
    throw authError('mfa_challenge_expired', {
      message: `MFA challenge ${challenge.id} has expired, verify against another challenge or create a new challenge.`,
    })
  }
  return challenge
}

/** What is kept of a right answer; undefined: it is wrong. */
type Check = (auth: Auth, tx: Transaction, attempt: Attempt) => Promise<{ code: string | null } | undefined>

const checkTotp: Check = async (auth, tx, { factor, code }) => {
  const usedStep = await findUsedStep(tx, factor.id)
  const step = matchTotp(factor.secret ?? '', code, { nowMs: auth.now().getTime(), usedStep })
  return step === undefined ? undefined : { code: String(step) }
}

const checkPhone: Check = async (_auth, _tx, { factor, challenge, code }) => {
  const isRight = challenge.code !== null && sameSecret(tokenHash(factor.phone ?? '', code), challenge.code)
  return isRight ? { code: null } : undefined
}

const kinds = {
  totp: { off: 'mfa_totp_verify_not_enabled', wrong: 'Invalid TOTP code entered', check: checkTotp },
  phone: { off: 'mfa_phone_verify_not_enabled', wrong: 'Invalid MFA Phone code entered', check: checkPhone },
} as const

const isKind = (name: string): name is keyof typeof kinds => Object.hasOwn(kinds, name)

/** What follows from a right answer, in one transaction. */
export async function settle(auth: Auth, tx: Transaction, { holder, factor, challengeId }: { holder: Holder; factor: EnrolledFactor; challengeId: string }): Promise<Grant> {
  const { user } = holder
  const { id: factorId, factorType } = factor
  await recordAudit(auth, tx, { actor: user, action: 'verification_attempted', traits: { factor_id: factorId, challenge_id: challengeId, factor_type: factorType } })
  if (factor.status === 'unverified') await verifyFactorRow(tx, factorId, auth.now())
  await deleteUnverifiedFactors(tx, user.id, factorType)
  return raiseSession(auth, tx, { holder, factorId, factorType })
}

interface Answer {
  holder: Holder
  factorId: string
  challengeId: string
  ip: string
  code: string
}

// Asked twice: once to tell the hook, and again with the factor kept from others, so that of two who answer at once one is right.
async function judge(auth: Auth, tx: Transaction, answer: Answer): Promise<{ factor: EnrolledFactor; challenge: Challenge; kept: { code: string | null } | undefined }> {
  const factor = await lockFactor(tx, answer.holder.user.id, answer.factorId)
  if (!factor || !isKind(factor.factorType)) throw authError('mfa_factor_not_found')
  const challenge = await requireChallenge(auth, tx, { id: answer.challengeId, factorId: factor.id, ip: answer.ip })
  return { factor, challenge, kept: await kinds[factor.factorType].check(auth, tx, { ...answer, factor, challenge }) }
}

async function accept(auth: Auth, answer: Answer, wrong: () => ServiceError): Promise<Grant> {
  return auth.transact(async (tx) => {
    const { factor, challenge, kept } = await judge(auth, tx, answer)
    if (!kept || (await useChallenge(tx, { id: challenge.id, code: kept.code, at: auth.now() })) === 0) throw wrong()
    return settle(auth, tx, { holder: answer.holder, factor, challengeId: challenge.id })
  })
}

/**
 * `POST /factors/{id}/verify`: answers a challenge. The session is raised to aal2, the person's sessions below it end, and their
 * half-finished factors of this kind are gone. A code of an authenticator app is accepted once.
 *
 * @throws `mfa_verification_failed`, `mfa_challenge_expired`, `mfa_ip_address_mismatch`, `mfa_factor_not_found` (422),
 * `mfa_verification_rejected` (403) by the project's hook, `over_request_rate_limit` (429) past the tries of a person.
 * @see supabase/auth internal/api/mfa.go, `VerifyFactor`
 */
export async function verifyFactor(auth: Auth, call: Call): Promise<Response> {
  const holder = await requireHolder(auth, call)
  const factor = await requireNamedFactor(auth, call, holder.user.id)
  const { code, challenge_id: challengeId } = await readBody(call, verifyBody)
  const { factorType } = factor
  if (code === '') throw invalidRequest('Code needs to be non-empty')
  if (!isKind(factorType)) throw invalidRequest('factor_type needs to be totp, phone, or webauthn')
  if (!auth.settings.factors[factorType].verify) throw authError(kinds[factorType].off)
  const wrong = () => authError('mfa_verification_failed', { message: kinds[factorType].wrong })

  const answer = { holder, factorId: factor.id, challengeId, ip: addressOf(call), code }
  // Counted before it is looked at, for the person and not for the machine: six digits are soon tried through.
  auth.limits.spend('factor_code', holder.user.id)
  const { kept } = await auth.transact((tx) => judge(auth, tx, answer))
  await askVerificationHook(auth, { user: holder.user, factor, isValid: kept !== undefined })
  if (!kept) throw wrong()
  const grant = await accept(auth, answer, wrong)
  auth.limits.forget('factor_code', holder.user.id)
  if (factor.status === 'unverified') sendFactorNotice(auth, grant.user, { kind: 'mfa_factor_enrolled', factorType })
  return reply(call, grantBody(grant), { headers: grantHeaders(grant) })
}
