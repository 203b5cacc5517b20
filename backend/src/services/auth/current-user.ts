import type { TextChannel } from '#contract/text-sender.ts'
import type { Transaction } from '#database/database.ts'

import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { readBody, reply, type Call } from './call.ts'
import { requireSignedIn, requireSignedInOrClient, type SignedIn } from './caller.ts'
import { completeEmailChange, prepareEmailChange } from './email-change.ts'
import { readEmail, readPhone } from './email-address.ts'
import { authError, invalidRequest } from './errors.ts'
import { completePhoneChange } from './phone-change.ts'
import { prepareReauthentication, prepareTextedReauthentication } from './reauthenticate.ts'
import { requireInterval, sendDue, sendNotice, type DueLetter } from './letters.ts'
import { reloadUser } from './new-user.ts'
import { readNewPassword, writePassword, type PasswordUpdate } from './password-change.ts'
import { requireGoodPassword } from './password-rules.ts'
import { readChallenge, type PkceChallenge } from './pkce.ts'
import { prepareText, readChannel, requireTextInterval, sendText, type DueText } from './texts.ts'
import { hasVerifiedFactor, isConfirmed, isPhoneConfirmed, mergeMetadata, userBody, type User } from './user.ts'
import { lockSession } from './sessions.queries.ts'
import { findUserByPhone, findUserUsingEmail, lockUser, updateUser } from './users.queries.ts'
import { userUpdateBody } from './wire.ts'

// A header may say for whom the answer is meant.
function requireAudience(call: Call): void {
  const wanted = call.request.headers.get('x-jwt-aud') ?? ''
  const [audience] = [call.context.caller.claims.aud].flat()
  if (wanted !== '' && wanted !== audience) throw invalidRequest("Token audience doesn't match request audience")
}

/** `GET /user`: the person as the server knows them now. */
export async function getUser(auth: Auth, call: Call): Promise<Response> {
  requireAudience(call)
  const { user } = await requireSignedInOrClient(auth, call)
  return reply(call, userBody(user))
}

interface Update extends PasswordUpdate {
  email: string
  phone: string
  channel: TextChannel
  data: Readonly<Record<string, unknown>> | undefined
  challenge: PkceChallenge | undefined
  redirectTo: string
}

async function readUpdate(auth: Auth, call: Call): Promise<Update> {
  const given = await readBody(call, userUpdateBody)
  if (given.password !== undefined) await requireGoodPassword(auth, given.password)
  if (given.app_metadata) throw authError('not_admin', { message: 'Updating app_metadata requires admin privileges' })
  return {
    email: given.email === '' ? '' : readEmail(given.email),
    phone: given.phone === '' ? '' : readPhone(given.phone),
    channel: readChannel(auth, given.phone === '' ? '' : given.channel),
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

async function changeEmail(auth: Auth, tx: Transaction, { user, update }: { user: User; update: Update }): Promise<DueLetter[]> {
  if (update.email === '' || update.email === user.email) return []
  if (user.isAnonymous && !auth.settings.email.enableConfirmations) {
    await completeEmailChange(auth, tx, { ...user, emailChange: update.email })
    return []
  }
  return prepareEmailChange(auth, tx, { user, newEmail: update.email, redirectTo: update.redirectTo, challenge: update.challenge })
}

async function changePhone(auth: Auth, tx: Transaction, { user, update }: { user: User; update: Update }): Promise<DueText | undefined> {
  const { phone, channel } = update
  if (phone === '' || phone === user.phone) return undefined
  if (auth.settings.sms.enableConfirmations) return prepareText(auth, tx, { user, phone, kind: 'phone_change', channel })
  await completePhoneChange(auth, tx, { user, phone })
  return undefined
}

/** What a new password was allowed by has been looked at before the row was held: of many at once, one may use it up. @throws `reauthentication_not_valid` (422). */
function requireUnchangedProof(user: User, { signedIn, update }: { signedIn: SignedIn; update: Update }): void {
  const before = signedIn.user
  const isUsedUp = update.nonce !== '' && user.reauthenticationToken !== before.reauthenticationToken
  const isReplaced = update.currentPassword !== '' && user.encryptedPassword !== before.encryptedPassword
  if (isUsedUp) throw authError('reauthentication_not_valid')
  if (isReplaced) throw authError('current_password_invalid')
}

async function write(auth: Auth, tx: Transaction, asked: { signedIn: SignedIn; update: Update; hash: string | undefined }) {
  const { signedIn, update, hash } = asked
  const user = (await lockUser(tx, signedIn.user.id)) ?? signedIn.user
  if (signedIn.session && !(await lockSession(tx, signedIn.session.id))) throw authError('session_not_found')
  if (hash !== undefined) requireUnchangedProof(user, { signedIn, update })
  // Asked before the password is written, which would clear the moment of the last mail.
  if (update.email !== '' && update.email !== user.email) requireInterval(auth, user.emailChangeSentAt)
  if (update.phone !== '' && update.phone !== user.phone) requireTextInterval(auth, user.phoneChangeSentAt)
  if (hash !== undefined) await writePassword(auth, tx, { ...signedIn, user, hash })
  if (update.data) {
    await updateUser(tx, user.id, { raw_user_meta_data: mergeMetadata(user.userMetadata, update.data), at: auth.now() })
  }
  const due = await changeEmail(auth, tx, { user: await reloadUser(tx, user.id), update })
  const text = await changePhone(auth, tx, { user: await reloadUser(tx, user.id), update })
  await recordAudit(auth, tx, { actor: user, action: 'user_modified' })
  return { due, text, user: await reloadUser(tx, user.id) }
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
  if (update.phone !== '' && update.phone !== signedIn.user.phone && !auth.settings.sms.enabled) throw authError('phone_provider_disabled')
  await requireFree(auth, signedIn.user, update)
  const hash = await readNewPassword(auth, signedIn, update)
  const { due, text, user } = await auth.transact((tx) => write(auth, tx, { signedIn, update, hash }))
  await sendDue(auth, due)
  if (text) await sendText(auth, text)
  if (hash !== undefined) {
    sendNotice(auth, { kind: 'password_changed', to: user.email, variables: { SiteURL: auth.settings.siteUrl, Email: user.email, Data: user.userMetadata } })
  }
  return reply(call, userBody(user))
}

function requireReachable(user: User): void {
  if (user.email === '' && user.phone === '') throw invalidRequest('Reauthentication requires the user to have an email or a phone number')
  if (user.email !== '' && !isConfirmed(user)) throw authError('email_not_confirmed', { status: 422, message: 'Please verify your email first.' })
  if (user.email === '' && !isPhoneConfirmed(user)) throw authError('phone_not_confirmed', { status: 422, message: 'Please verify your phone first.' })
}

/** `GET /reauthenticate`: mails, or texts to who has no address, a code that a change of password asks for. @see supabase/auth internal/api/reauthenticate.go */
export async function reauthenticate(auth: Auth, call: Call): Promise<Response> {
  const { user } = await requireSignedIn(auth, call)
  requireReachable(user)
  if (user.email !== '') {
    await sendDue(auth, [await auth.transact((tx) => prepareReauthentication(auth, tx, user))])
    return reply(call, {})
  }
  const id = await sendText(auth, await auth.transact((tx) => prepareTextedReauthentication(auth, tx, user)))
  return reply(call, id === '' ? {} : { message_id: id })
}
