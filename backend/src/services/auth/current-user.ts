import type { Transaction } from '#database/database.ts'

import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { readBody, reply, type Call } from './call.ts'
import { requireSignedIn, requireSignedInOrClient, type SignedIn } from './caller.ts'
import { sameSecret, tokenHash } from './codes.ts'
import { completeEmailChange, prepareEmailChange } from './email-change.ts'
import { readEmail, readPhone } from './email-address.ts'
import { authError, invalidRequest } from './errors.ts'
import { prepareReauthentication } from './reauthenticate.ts'
import { requireInterval, sendDue, sendNotice, type DueLetter } from './letters.ts'
import { isOlderThan } from './moments.ts'
import { reloadUser } from './new-user.ts'
import { deleteOneTimeTokens } from './one-time-tokens.queries.ts'
import { requireGoodPassword } from './password-rules.ts'
import { messageRefusal } from './phone-messages.ts'
import { readChallenge, type PkceChallenge } from './pkce.ts'
import { deleteOtherSessions, deleteSessionsOf } from './sessions.queries.ts'
import { hasPassword, hasVerifiedFactor, isConfirmed, mergeMetadata, userBody, type User } from './user.ts'
import { findUserByPhone, findUserUsingEmail, lockUser, updateUser } from './users.queries.ts'
import { userUpdateBody } from './wire.ts'

/** `GET /user`: the person as the server knows them now. */
export async function getUser(auth: Auth, call: Call): Promise<Response> {
  const { user } = await requireSignedInOrClient(auth, call)
  return reply(call, userBody(user))
}

interface Update {
  email: string
  phone: string
  password: string | undefined
  currentPassword: string
  nonce: string
  data: Readonly<Record<string, unknown>> | undefined
  challenge: PkceChallenge | undefined
  redirectTo: string
}

async function readUpdate(auth: Auth, call: Call): Promise<Update> {
  const given = await readBody(call, userUpdateBody)
  if (given.password !== undefined) requireGoodPassword(given.password, auth.settings.password)
  if (given.app_metadata) throw authError('not_admin', { message: 'Updating app_metadata requires admin privileges' })
  return {
    email: given.email === '' ? '' : readEmail(given.email),
    phone: given.phone === '' ? '' : readPhone(given.phone),
    password: given.password,
    currentPassword: given.current_password ?? '',
    nonce: given.nonce,
    data: given.data,
    challenge: readChallenge(given.code_challenge, given.code_challenge_method),
    redirectTo: auth.redirects.choose(call.request),
  }
}

function requirePermission({ user, session }: SignedIn, update: Update): void {
  const changesEmail = update.email !== '' && update.email !== user.email
  const changesPhone = update.phone !== '' && update.phone !== user.phone
  const changesSecurity = update.password !== undefined || changesEmail || changesPhone
  if (changesSecurity && hasVerifiedFactor(user) && session?.aal !== 'aal2') throw authError('insufficient_aal')
  if (user.isAnonymous && update.password !== undefined && update.email === '' && update.phone === '') {
    throw authError('validation_failed', {
      status: 422,
      message: 'Updating password of an anonymous user without an email or phone is not allowed',
    })
  }
  if (user.isSsoUser && (changesSecurity || update.nonce !== '')) throw authError('user_sso_managed')
}

async function requireFree(auth: Auth, user: User, { email, phone }: Update): Promise<void> {
  await auth.transact(
    async (tx) => {
      if (email !== '' && email !== user.email && (await findUserUsingEmail(tx, email, user.id))) throw authError('email_exists')
      if (phone !== '' && phone !== user.phone && (await findUserByPhone(tx, phone))) throw authError('phone_exists')
    },
    { readOnly: true },
  )
}

function requireNonce(auth: Auth, user: User, nonce: string): void {
  const { reauthenticationToken: stored, reauthenticationSentAt: sentAt } = user
  // Counted before it is looked at, for the person and not for the machine: six digits are soon tried through.
  auth.limits.spend('code', user.id)
  const isLive = stored !== '' && sentAt !== null && !isOlderThan(sentAt, auth.settings.email.otpExpirySeconds, auth.now().getTime())
  if (!isLive || !sameSecret(tokenHash(user.email, nonce), stored)) throw authError('reauthentication_not_valid')
  auth.limits.forget('code', user.id)
}

const passwordlessMethods = new Set(['otp', 'magiclink', 'recovery'])

async function requireKnownPassword(auth: Auth, { user, session }: SignedIn, current: string): Promise<void> {
  const camePasswordless = session?.methods.some(({ method }) => passwordlessMethods.has(method)) ?? false
  if (!auth.settings.password.requireCurrentPassword || camePasswordless) return
  if (current === '') throw authError('current_password_required')
  if (!(await auth.passwords.matches(current, user.encryptedPassword))) throw authError('current_password_invalid')
}

/** Checks a new password against what the project asks for, and hashes it. Undefined: the password stays. */
async function readNewPassword(auth: Auth, signedIn: SignedIn, update: Update): Promise<string | undefined> {
  const { user, session } = signedIn
  if (update.password === undefined) return undefined
  const isStale = !session || isOlderThan(session.createdAt, 24 * 3600, auth.now().getTime())
  if (auth.settings.password.requireReauthentication && isStale) {
    if (update.nonce === '') throw authError('reauthentication_needed')
    requireNonce(auth, user, update.nonce)
  }
  if (hasPassword(user)) {
    await requireKnownPassword(auth, signedIn, update.currentPassword)
    if (await auth.passwords.matches(update.password, user.encryptedPassword)) throw authError('same_password')
  }
  return auth.passwords.hash(update.password)
}

// A new password says that what the old one opened is not trusted any more: every token and every other session ends.
async function writePassword(auth: Auth, tx: Transaction, { user, session, hash }: SignedIn & { hash: string }): Promise<void> {
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

async function changeEmail(auth: Auth, tx: Transaction, { user, update }: { user: User; update: Update }): Promise<DueLetter[]> {
  if (update.email === '' || update.email === user.email) return []
  if (user.isAnonymous && !auth.settings.email.enableConfirmations) {
    await completeEmailChange(auth, tx, { ...user, emailChange: update.email })
    return []
  }
  return prepareEmailChange(auth, tx, { user, newEmail: update.email, redirectTo: update.redirectTo, challenge: update.challenge })
}

async function write(auth: Auth, tx: Transaction, asked: { signedIn: SignedIn; update: Update; hash: string | undefined }) {
  const { signedIn, update, hash } = asked
  const user = (await lockUser(tx, signedIn.user.id)) ?? signedIn.user
  // Asked before the password is written, which would clear the moment of the last mail.
  if (update.email !== '' && update.email !== user.email) requireInterval(auth, user.emailChangeSentAt)
  if (hash !== undefined) await writePassword(auth, tx, { ...signedIn, user, hash })
  if (update.data) {
    await updateUser(tx, user.id, { raw_user_meta_data: mergeMetadata(user.userMetadata, update.data), at: auth.now() })
  }
  const due = await changeEmail(auth, tx, { user: await reloadUser(tx, user.id), update })
  await recordAudit(auth, tx, { actor: user, action: 'user_modified' })
  return { due, user: await reloadUser(tx, user.id) }
}

/**
 * `PUT /user`: changes name and other metadata, password, or e-mail address (which must then be confirmed by mail).
 *
 * @throws `insufficient_aal` (401), `email_exists`, `same_password`, `weak_password`, `user_sso_managed`, `reauthentication_not_valid` (422),
 * `reauthentication_needed`, `current_password_required`, `current_password_invalid` (400).
 * @see supabase/auth internal/api/user.go, `UserUpdate`
 */
export async function updateCurrentUser(auth: Auth, call: Call): Promise<Response> {
  const signedIn = await requireSignedIn(auth, call)
  auth.limits.spend('user', call.context.ip)
  const update = await readUpdate(auth, call)
  requirePermission(signedIn, update)
  if (update.phone !== '' && update.phone !== signedIn.user.phone) throw messageRefusal(auth)
  await requireFree(auth, signedIn.user, update)
  const hash = await readNewPassword(auth, signedIn, update)
  const { due, user } = await auth.transact((tx) => write(auth, tx, { signedIn, update, hash }))
  await sendDue(auth, due)
  if (hash !== undefined) {
    sendNotice(auth, { kind: 'password_changed', to: user.email, variables: { SiteURL: auth.settings.siteUrl, Email: user.email, Data: user.userMetadata } })
  }
  return reply(call, userBody(user))
}

/** `GET /reauthenticate`: mails a code that a change of password asks for. @see supabase/auth internal/api/reauthenticate.go */
export async function reauthenticate(auth: Auth, call: Call): Promise<Response> {
  const { user } = await requireSignedIn(auth, call)
  if (user.email === '') throw invalidRequest('Reauthentication requires the user to have an email or a phone number')
  if (!isConfirmed(user)) throw authError('email_not_confirmed', { status: 422, message: 'Please verify your email first.' })
  await sendDue(auth, [await auth.transact((tx) => prepareReauthentication(auth, tx, user))])
  return reply(call, {})
}
