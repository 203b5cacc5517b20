import type { Transaction } from '#database/database.ts'

import { forgetAskingIn } from './asking.ts'
import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { pkcePrefix, sameSecret, tokenHash } from './codes.ts'
import { confirmEmail, verifyIdentities } from './confirm.ts'
import { confirmEmailChange } from './email-change.ts'
import { authError, invalidRequest } from './errors.ts'
import { isOlderThan } from './moments.ts'
import { reloadUser, syncProviders } from './new-user.ts'
import { deleteOneTimeTokens, findOneTimeToken, type OneTimeTokenKind } from './one-time-tokens.queries.ts'
import { forgetTries, spendTry } from './shared-limits.ts'
import { isBanned, isConfirmed, type User } from './user.ts'
import { findUserByEmail, lockUser, updateUser } from './users.queries.ts'
import type { PhoneProof } from './verify-phone.ts'

/** The `type` of a verification by mail. `email` stands for `signup` or `magiclink`, whichever fits. */
const mailTypes = ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'] as const
export type VerifyType = (typeof mailTypes)[number]

/** What a person shows: the hash of a link, or a typed code with the address it was sent to. */
export type Proof = { type: VerifyType; hash: string } | { type: VerifyType; email: string; code: string }

/** A proof that held: whose it is, and what it is for. */
interface Proven {
  user: User
  kind: OneTimeTokenKind
}

const kindsOf: Readonly<Record<VerifyType, readonly OneTimeTokenKind[]>> = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  magiclink: ['recovery_token'],
  recovery: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_current', 'email_change_token_new'],
}

/** @throws `validation_failed` (400) for a type that is no verification by mail. */
export function readVerifyType(type: string): VerifyType {
  const known = mailTypes.find((one) => one === type)
  if (!known) throw invalidRequest(type === '' ? 'Verify requires a verification type' : 'Invalid email verification type')
  return known
}

const sentMoment = (user: User, kind: OneTimeTokenKind): string | null => {
  if (kind === 'confirmation_token') return user.confirmationSentAt
  return kind === 'recovery_token' ? user.recoverySentAt : user.emailChangeSentAt
}

const isExpired = (auth: Auth, { user, kind }: Proven): boolean => {
  const sentAt = sentMoment(user, kind)
  return sentAt === null || isOlderThan(sentAt, auth.settings.email.otpExpirySeconds, auth.now().getTime())
}

const badLink = () => authError('otp_expired', { message: 'Email link is invalid or has expired' })
const badCode = () => authError('otp_expired')

async function proveByHash(auth: Auth, tx: Transaction, { type, hash }: { type: VerifyType; hash: string }): Promise<Proven> {
  const owner = await findOneTimeToken(tx, hash, kindsOf[type])
  const user = owner ? await lockUser(tx, owner.userId) : undefined
  // Read again under the lock: of two clicks at once, one finds the token gone.
  const token = user ? await findOneTimeToken(tx, hash, kindsOf[type]) : undefined
  if (!user || !token || isExpired(auth, { user, kind: token.kind })) throw badLink()
  if (isBanned(user, auth.now().getTime())) throw authError('user_banned')
  return { user, kind: token.kind }
}

const tokenOf = (user: User, kind: OneTimeTokenKind): string => {
  switch (kind) {
    case 'confirmation_token': return user.confirmationToken
    case 'recovery_token': return user.recoveryToken
    case 'email_change_token_current': return user.emailChangeTokenCurrent
    case 'email_change_token_new': return user.emailChangeTokenNew
    default: return ''
  }
}

async function findCodeOwner(tx: Transaction, asked: { type: VerifyType; email: string; hash: string }): Promise<User | undefined> {
  if (asked.type !== 'email_change') return findUserByEmail(tx, asked.email)
  const owner = (await findOneTimeToken(tx, asked.hash, kindsOf.email_change)) ?? (await findOneTimeToken(tx, pkcePrefix + asked.hash, kindsOf.email_change))
  return owner ? lockUser(tx, owner.userId) : undefined
}

async function proveByCode(auth: Auth, tx: Transaction, asked: { type: VerifyType; email: string; code: string }): Promise<Proven> {
  const hash = tokenHash(asked.email, asked.code)
  const owner = await findCodeOwner(tx, { ...asked, hash })
  const user = owner ? await lockUser(tx, owner.id) : undefined
  const kind = user && kindsOf[asked.type].find((one) => {
    const stored = tokenOf(user, one).slice(tokenOf(user, one).startsWith(pkcePrefix) ? pkcePrefix.length : 0)
    return stored !== '' && sameSecret(hash, stored) && !isExpired(auth, { user, kind: one })
  })
  if (!user || !kind) throw badCode()
  if (isBanned(user, auth.now().getTime())) throw authError('user_banned')
  return { user, kind }
}

async function acceptSignUp(auth: Auth, tx: Transaction, user: User): Promise<User> {
  await recordAudit(auth, tx, { actor: user, action: 'user_signedup', traits: { provider: 'email' } })
  const confirmed = await confirmEmail(auth, tx, user)
  await verifyIdentities(tx, confirmed)
  return reloadUser(tx, user.id)
}

async function acceptRecovery(auth: Auth, tx: Transaction, user: User): Promise<User> {
  await updateUser(tx, user.id, { recovery_token: '', at: auth.now() })
  await deleteOneTimeTokens(tx, user.id)
  if (!isConfirmed(user)) {
    await recordAudit(auth, tx, { actor: user, action: 'user_signedup', traits: { provider: 'email' } })
    const confirmed = await confirmEmail(auth, tx, user)
    await verifyIdentities(tx, confirmed)
  } else await recordAudit(auth, tx, { actor: user, action: 'login' })
  return reloadUser(tx, user.id)
}

/** What a proof led to: a person who may come in, or the wait for the second of two confirmations. */
export type Verified = { user: User; type: Exclude<VerifyType, 'email'> } | 'other address must confirm'

async function act(auth: Auth, tx: Transaction, asked: { proven: Proven; type: VerifyType }): Promise<Verified> {
  const { user, kind } = asked.proven
  if (kind === 'confirmation_token') {
    const type = asked.type === 'invite' ? 'invite' : 'signup'
    return { type, user: await acceptSignUp(auth, tx, user) }
  }
  if (kind === 'recovery_token') return { type: asked.type === 'recovery' ? 'recovery' : 'magiclink', user: await acceptRecovery(auth, tx, user) }
  const changed = await confirmEmailChange(auth, tx, { user, kind })
  return changed ? { type: 'email_change', user: changed } : 'other address must confirm'
}

/**
 * Uses a proof up.
 *
 * @throws `otp_expired` (403) for a wrong, used, replaced or expired one, always in the same words; `user_banned` (403).
 * @see supabase/auth internal/api/verify.go
 */
export async function verifyProof(auth: Auth, tx: Transaction, proof: Proof): Promise<Verified> {
  const proven = 'hash' in proof ? await proveByHash(auth, tx, proof) : await proveByCode(auth, tx, proof)
  const verified = await act(auth, tx, { proven, type: proof.type })
  if (verified !== 'other address must confirm') {
    await syncProviders(auth, tx, verified.user)
    await forgetAskingIn(tx, { email: proven.user.email })
  }
  return verified
}

/**
 * Counts tried codes against an address until one is right, so that nobody can try them all from many machines. Counted before
 * they are looked at: past the limit a right one is not told from a wrong one, and many at once are counted too.
 *
 * @throws `over_request_rate_limit` (429).
 */
export async function countingTries<T>(auth: Auth, proof: Proof | PhoneProof, work: () => Promise<T>): Promise<T> {
  if ('hash' in proof) return work()
  const address = 'phone' in proof ? proof.phone : proof.email
  await spendTry(auth, 'code', address)
  const done = await work()
  await forgetTries(auth, 'code', address)
  return done
}
