import type { Transaction } from '#database/database.ts'

import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import type { SignedIn } from './caller.ts'
import { sameSecret, tokenHash } from './codes.ts'
import { authError } from './errors.ts'
import { isOlderThan } from './moments.ts'
import { deleteOneTimeTokens } from './one-time-tokens.queries.ts'
import { deleteOtherSessions, deleteSessionsOf } from './sessions.queries.ts'
import { forgetTries, spendTry } from './shared-limits.ts'
import { hasPassword, type User } from './user.ts'
import { updateUser } from './users.queries.ts'
import { isCheckedByProvider } from './verify-phone.ts'

/** The part of `PUT /user` that is about the password. */
export interface PasswordUpdate {
  /** Undefined: it stays. */
  password: string | undefined
  currentPassword: string
  /** The code of `GET /reauthenticate`. */
  nonce: string
}

async function isRightNonce(auth: Auth, user: User, nonce: string): Promise<boolean> {
  const { reauthenticationToken: stored, reauthenticationSentAt: sentAt, email, phone } = user
  const lifeSeconds = email === '' ? auth.settings.sms.otpExpirySeconds : auth.settings.email.otpExpirySeconds
  if (stored === '' || sentAt === null || isOlderThan(sentAt, lifeSeconds, auth.now().getTime())) return false
  if (email === '' && auth.texts.check && isCheckedByProvider(auth, phone)) return auth.texts.check({ to: phone, code: nonce })
  return sameSecret(tokenHash(email || phone, nonce), stored)
}

async function requireNonce(auth: Auth, user: User, nonce: string): Promise<void> {
  // Counted before it is looked at, for the person and not for the machine: six digits are soon tried through.
  await spendTry(auth, 'code', user.id)
  if (!(await isRightNonce(auth, user, nonce))) throw authError('reauthentication_not_valid')
  await forgetTries(auth, 'code', user.id)
}

const passwordlessMethods = new Set(['otp', 'magiclink', 'recovery'])

async function requireKnownPassword(auth: Auth, { user, session }: SignedIn, current: string): Promise<void> {
  const camePasswordless = session?.methods.some(({ method }) => passwordlessMethods.has(method)) ?? false
  if (!auth.settings.password.requireCurrentPassword || camePasswordless) return
  if (current === '') throw authError('current_password_required')
  if (!(await auth.passwords.matches(current, user.encryptedPassword))) throw authError('current_password_invalid')
}

/** Checks a new password against what the project asks for, and hashes it. Undefined: the password stays. */
export async function readNewPassword(auth: Auth, signedIn: SignedIn, update: PasswordUpdate): Promise<string | undefined> {
  const { user, session } = signedIn
  if (update.password === undefined) return undefined
  const isStale = !session || isOlderThan(session.createdAt, 24 * 3600, auth.now().getTime())
  if (auth.settings.password.requireReauthentication && isStale) {
    if (update.nonce === '') throw authError('reauthentication_needed')
    await requireNonce(auth, user, update.nonce)
  }
  if (hasPassword(user)) {
    await requireKnownPassword(auth, signedIn, update.currentPassword)
    if (await auth.passwords.matches(update.password, user.encryptedPassword)) throw authError('same_password')
  }
  return auth.passwords.hash(update.password)
}

/** Writes a new password. What the old one opened is not trusted any more: every token and every other session ends. */
export async function writePassword(auth: Auth, tx: Transaction, { user, session, hash }: SignedIn & { hash: string }): Promise<void> {
  await updateUser(tx, user.id, {
    encrypted_password: hash,
    confirmation_token: '',
    confirmation_sent_at: null,
    recovery_token: '',
    recovery_sent_at: null,
    email_change_token_current: '',
    email_change_token_new: '',
    email_change_sent_at: null,
    phone_change_token: '',
    phone_change_sent_at: null,
    reauthentication_token: '',
    reauthentication_sent_at: null,
    at: auth.now(),
  })
  await deleteOneTimeTokens(tx, user.id)
  if (session) await deleteOtherSessions(tx, user.id, session.id)
  else await deleteSessionsOf(tx, user.id)
  await recordAudit(auth, tx, { actor: user, action: 'user_updated_password' })
}
