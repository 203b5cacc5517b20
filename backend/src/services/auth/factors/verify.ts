import type { Transaction } from '#database/database.ts'
import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { isUuid, sameSecret, tokenHash } from '#services/auth/codes.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { isOlderThan } from '#services/auth/moments.ts'
import { grantBody, grantHeaders, type Grant } from '#services/auth/sessions.ts'
import { forgetTries, spendTry } from '#services/auth/shared-limits.ts'
import { hasVerifiedFactor } from '#services/auth/user.ts'
import { isCheckedByProvider } from '#services/auth/verify-phone.ts'
import type { ServiceError } from '#contract/service-error.ts'
import type { z } from 'zod'

import { findChallenge, findUsedStep, useChallenge, type Challenge } from './challenges.queries.ts'
import { deleteUnverifiedFactors, lockFactor, verifyFactorRow, type EnrolledFactor } from './enrolled-factors.queries.ts'
import { addressOf, requireHolder, requireNamedFactor, type Holder } from './factor-call.ts'
import { sendFactorNotice } from './notices.ts'
import { raiseSession } from './raise-session.ts'
import { challengeLifeSeconds } from './settings.ts'
import { matchTotp } from './totp.ts'
import { askVerificationHook } from './verification-hook.ts'
import { judgeKey } from './webauthn-factor.ts'
import { keepCredential, type StoredCredential } from './webauthn-factor.queries.ts'
import { verifyBody } from './wire.ts'

/** What a person answers a challenge with: a code, or what their key made of it. */
interface Proof {
  code: string
  key: { type: string; response: unknown }
  /** Whether the provider that made a texted code up calls it right; undefined where the box makes them. */
  isApproved: boolean | undefined
}

interface Attempt {
  holder: Holder
  factor: EnrolledFactor
  challenge: Challenge
  proof: Proof
}

/** @throws `mfa_factor_not_found`, `mfa_ip_address_mismatch`, `mfa_challenge_expired` (422). */
async function requireChallenge(auth: Auth, tx: Transaction, asked: { id: string; factorId: string; ip: string }): Promise<Challenge> {
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
type Check = (auth: Auth, tx: Transaction, attempt: Attempt) => Promise<Kept | undefined>

interface Kept {
  /** The step of an authenticator app's code. */
  code: string | null
  key?: { credential: StoredCredential; aaguid: string | null }
}

const checkTotp: Check = async (auth, tx, { factor, proof: { code } }) => {
  const usedStep = await findUsedStep(tx, factor.id)
  const step = matchTotp(factor.secret ?? '', code, { nowMs: auth.now().getTime(), usedStep })
  return step === undefined ? undefined : { code: String(step) }
}

const checkPhone: Check = async (_auth, _tx, { factor, challenge, proof: { code, isApproved } }) => {
  const isRight = isApproved ?? (challenge.code !== null && sameSecret(tokenHash(factor.phone ?? '', code), challenge.code))
  return isRight ? { code: null } : undefined
}

const checkKey: Check = async (auth, _tx, { holder, factor, challenge, proof }) => {
  const key = await judgeKey(auth, { user: holder.user, factor, sessionData: challenge.sessionData, proof: proof.key })
  return key && { code: null, key }
}

const kinds = {
  totp: { off: 'mfa_totp_verify_not_enabled', wrong: 'Invalid TOTP code entered', check: checkTotp },
  phone: { off: 'mfa_phone_verify_not_enabled', wrong: 'Invalid MFA Phone code entered', check: checkPhone },
  webauthn: { off: 'mfa_webauthn_verify_not_enabled', wrong: 'Failed to validate WebAuthn MFA response', check: checkKey },
} as const

const isKind = (name: string): name is keyof typeof kinds => Object.hasOwn(kinds, name)

/** What follows from a right answer, in one transaction. */
async function settle(auth: Auth, tx: Transaction, { holder, factor, challengeId, kept }: { holder: Holder; factor: EnrolledFactor; challengeId: string; kept: Kept }): Promise<Grant> {
  const { user } = holder
  const { id: factorId, factorType } = factor
  await recordAudit(auth, tx, { actor: user, action: 'verification_attempted', traits: { factor_id: factorId, challenge_id: challengeId, factor_type: factorType } })
  if (kept.key) await keepCredential(tx, factorId, { ...kept.key, at: auth.now() })
  if (factor.status === 'unverified') await verifyFactorRow(tx, factorId, auth.now())
  await deleteUnverifiedFactors(tx, user.id, factorType)
  return raiseSession(auth, tx, { holder, factorId, factorType })
}

// Begun before the person had a second factor, it would be a way around the one they have now.
function requireMayFinish({ user, session }: Holder, factor: EnrolledFactor): void {
  if (factor.status === 'verified' || session.aal === 'aal2' || !hasVerifiedFactor(user)) return
  throw authError('insufficient_aal', { status: 403, message: 'AAL2 required to verify a new factor' })
}

interface Answer {
  holder: Holder
  factorId: string
  challengeId: string
  ip: string
  proof: Proof
}

// Asked twice: once to tell the hook, and again with the factor kept from others, so that of two who answer at once one is right.
async function judge(auth: Auth, tx: Transaction, answer: Answer): Promise<{ factor: EnrolledFactor; challenge: Challenge; kept: Kept | undefined }> {
  const factor = await lockFactor(tx, answer.holder.user.id, answer.factorId)
  if (!factor || !isKind(factor.factorType)) throw authError('mfa_factor_not_found')
  requireMayFinish(answer.holder, factor)
  const challenge = await requireChallenge(auth, tx, { id: answer.challengeId, factorId: factor.id, ip: answer.ip })
  return { factor, challenge, kept: await kinds[factor.factorType].check(auth, tx, { ...answer, factor, challenge }) }
}

async function accept(auth: Auth, answer: Answer, wrong: () => ServiceError): Promise<Grant> {
  return auth.transact(async (tx) => {
    const { factor, challenge, kept } = await judge(auth, tx, answer)
    if (!kept || (await useChallenge(tx, { id: challenge.id, code: kept.code, at: auth.now() })) === 0) throw wrong()
    return settle(auth, tx, { holder: answer.holder, factor, challengeId: challenge.id, kept })
  })
}

// Outside of any transaction, since it takes a while; and only about a challenge that stands.
async function askProvider(auth: Auth, asked: { factor: EnrolledFactor; challengeId: string; ip: string; code: string }): Promise<boolean | undefined> {
  const { factor, code } = asked
  const to = factor.phone ?? ''
  if (factor.factorType !== 'phone' || !isCheckedByProvider(auth, to)) return undefined
  await auth.transact((tx) => requireChallenge(auth, tx, { id: asked.challengeId, factorId: factor.id, ip: asked.ip }), { readOnly: true })
  return auth.texts.check?.({ to, code }).catch((error: unknown) => {
    auth.logger.error('code could not be checked', { error })
    return false
  })
}

function requireProof(factorType: string, given: z.output<typeof verifyBody>): void {
  if (factorType !== 'webauthn') {
    if (given.code === '') throw invalidRequest('Code needs to be non-empty')
    return
  }
  const { webauthn } = given
  if (!webauthn) throw invalidRequest('WebAuthn config required')
  if (webauthn.type !== 'create' && webauthn.type !== 'request') throw invalidRequest('WebAuthn type must be create or request')
  if (webauthn.credential_response === undefined || webauthn.credential_response === null) throw invalidRequest('credential_response required')
}

/**
 * `POST /factors/{id}/verify`: answers a challenge. The session is raised to aal2, the person's sessions below it end, and their
 * half-finished factors of this kind are gone. A code of an authenticator app is accepted once.
 *
 * @throws `mfa_verification_failed`, `mfa_challenge_expired`, `mfa_ip_address_mismatch`, `mfa_factor_not_found` (422),
 * `insufficient_aal` (403) for a new one without the second factor the person has,
 * `mfa_verification_rejected` (403) by the project's hook, `over_request_rate_limit` (429) past the tries of a person.
 * @see supabase/auth internal/api/mfa.go, `VerifyFactor`
 */
export async function verifyFactor(auth: Auth, call: Call): Promise<Response> {
  const holder = await requireHolder(auth, call)
  const factor = await requireNamedFactor(auth, call, holder.user.id)
  const given = await readBody(call, verifyBody)
  const { factorType } = factor
  if (!isKind(factorType)) throw invalidRequest('factor_type needs to be totp, phone, or webauthn')
  requireProof(factorType, given)
  if (!auth.settings.factors[factorType].verify) throw authError(kinds[factorType].off)
  const wrong = () => authError('mfa_verification_failed', { message: kinds[factorType].wrong })

  const key = { type: given.webauthn?.type ?? '', response: given.webauthn?.credential_response }
  const asked = { holder, factorId: factor.id, challengeId: given.challenge_id, ip: addressOf(call) }
  // Counted before it is looked at, for the person and not for the machine: six digits are soon tried through.
  await spendTry(auth, 'factor_code', holder.user.id)
  const answer = { ...asked, proof: { code: given.code, key, isApproved: await askProvider(auth, { ...asked, factor, code: given.code }) } }
  const { kept } = await auth.transact((tx) => judge(auth, tx, answer))
  await askVerificationHook(auth, { user: holder.user, factor, isValid: kept !== undefined })
  if (!kept) throw wrong()
  const grant = await accept(auth, answer, wrong)
  await forgetTries(auth, 'factor_code', holder.user.id)
  if (factor.status === 'unverified') sendFactorNotice(auth, grant.user, { kind: 'mfa_factor_enrolled', factorType })
  return reply(call, grantBody(grant), { headers: grantHeaders(grant) })
}
