import type { Transaction } from '#database/database.ts'

import { forgetAskingIn } from './asking.ts'
import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { sameSecret, tokenHash } from './codes.ts'
import { confirmPhone } from './confirm.ts'
import { authError } from './errors.ts'
import { isOlderThan } from './moments.ts'
import { reloadUser, syncProviders } from './new-user.ts'
import { completePhoneChange } from './phone-change.ts'
import { fixedCode, requireNotBanned } from './texts.ts'
import { isPhoneConfirmed, type User } from './user.ts'
import { findUserByPhone, listUsersAwaitingPhone, lockUser, updateUser } from './users.queries.ts'

/** A code with the number it was texted to. */
export interface PhoneProof {
  type: 'sms' | 'phone_change'
  /** Digits alone. */
  phone: string
  code: string
}

const stored = (user: User, type: PhoneProof['type']): { token: string; sentAt: string | null } =>
  type === 'sms' ? { token: user.confirmationToken, sentAt: user.confirmationSentAt } : { token: user.phoneChangeToken, sentAt: user.phoneChangeSentAt }

function isRight(auth: Auth, user: User, { type, phone, code }: PhoneProof): boolean {
  const { token, sentAt } = stored(user, type)
  const isLive = token !== '' && sentAt !== null && !isOlderThan(sentAt, auth.settings.sms.otpExpirySeconds, auth.now().getTime())
  return isLive && sameSecret(tokenHash(phone, code), token)
}

/** Whether the code is told apart by somebody else: the provider that made it up. */
export const isCheckedByProvider = (auth: Auth, phone: string): boolean => auth.texts.check !== undefined && !auth.settings.hooks.sendSms && fixedCode(auth, phone) === undefined

// A code is asked for before it is right, here as with the box's own codes: one that was never sent opens nothing.
const wasSent = (user: User, type: PhoneProof['type']): boolean => stored(user, type).sentAt !== null && stored(user, type).token !== ''

/**
 * Asks the provider whether a code is the one it sent; outside of any transaction, since it takes a while.
 *
 * @throws `otp_expired` (403).
 */
export async function requireApproval(auth: Auth, proof: PhoneProof): Promise<void> {
  const isApproved = await auth.texts.check?.({ to: proof.phone, code: proof.code }).catch((error: unknown) => {
    auth.logger.error('code could not be checked', { error })
    return false
  })
  if (isApproved !== true) throw authError('otp_expired')
}

// Several people may wait for one number: it goes to whoever got the code, not to whoever asked first.
async function findOwner(auth: Auth, tx: Transaction, proof: PhoneProof): Promise<User | undefined> {
  const isKnownRight = (user: User): boolean => {
    const fixed = fixedCode(auth, proof.phone)
    if (fixed !== undefined && sameSecret(proof.code, fixed)) return true
    return isCheckedByProvider(auth, proof.phone) ? wasSent(user, proof.type) : isRight(auth, user, proof)
  }
  const known = proof.type === 'sms' ? [await findUserByPhone(tx, proof.phone)] : await listUsersAwaitingPhone(tx, proof.phone)
  for (const candidate of known) {
    const user = candidate ? await lockUser(tx, candidate.id) : undefined
    if (user && isKnownRight(user)) return user
  }
  return undefined
}

async function acceptCode(auth: Auth, tx: Transaction, user: User): Promise<User> {
  const traits = { provider: 'phone' }
  await recordAudit(auth, tx, isPhoneConfirmed(user) ? { actor: user, action: 'login', traits } : { actor: user, action: 'user_signedup', traits })
  const confirmed = await confirmPhone(auth, tx, user)
  if (!user.isAnonymous) return confirmed
  await updateUser(tx, user.id, { is_anonymous: false, at: auth.now() })
  return reloadUser(tx, user.id)
}

/**
 * Uses a texted code up.
 *
 * @throws `otp_expired` (403) for a wrong, used, replaced or expired one, always in the same words; `user_banned` (403).
 * @see supabase/auth internal/api/verify.go, `verifyUserAndToken`, `smsVerify`
 */
export async function verifyPhoneProof(auth: Auth, tx: Transaction, proof: PhoneProof): Promise<User> {
  const owner = await findOwner(auth, tx, proof)
  if (!owner) throw authError('otp_expired')
  requireNotBanned(auth, owner)
  const user = proof.type === 'sms' ? await acceptCode(auth, tx, owner) : await completePhoneChange(auth, tx, { user: owner, phone: proof.phone })
  await syncProviders(auth, tx, user)
  await forgetAskingIn(tx, { phone: proof.phone })
  return user
}
