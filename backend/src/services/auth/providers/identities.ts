import type { Transaction } from '#database/database.ts'

import type { Auth } from '#services/auth/auth.ts'
import { reply, type Call } from '#services/auth/call.ts'
import { requireOwnLevel, requireSignedIn } from '#services/auth/caller.ts'
import { isUuid } from '#services/auth/codes.ts'
import { confirmEmail } from '#services/auth/confirm.ts'
import { authError } from '#services/auth/errors.ts'
import { prepareLink, sendNotice } from '#services/auth/letters.ts'
import { recordAudit } from '#services/auth/audit-log.ts'
import { reloadUser, syncProviders } from '#services/auth/new-user.ts'
import { hasPassword, isBanned, type Identity, type User } from '#services/auth/user.ts'
import { lockUser, updateUser } from '#services/auth/users.queries.ts'

import { addIdentity, recordLink, type Arrival, type Outcome } from './accounts.ts'
import { deleteIdentity, findIdentity } from './accounts.queries.ts'
import { takeEmailFromIdentities } from './identity-emails.ts'
import { isKnownProvider } from './provider.ts'

/** Tells a person by mail, where the project wants it, that a way to sign in was added. */
export const noticeOfLink = (auth: Auth, user: User, provider: string): void =>
  sendNotice(auth, { kind: 'identity_linked', to: user.email, variables: { SiteURL: auth.settings.siteUrl, Email: user.email, Provider: provider, Data: user.userMetadata } })

async function requireTarget(auth: Auth, tx: Transaction, id: string): Promise<User> {
  const target = await lockUser(tx, id)
  if (!target || target.deletedAt !== null) throw authError('user_not_found', { status: 422, message: 'Linking target user not found' })
  if (isBanned(target, auth.now().getTime())) throw authError('user_banned')
  return target
}

async function confirmFirstEmail(auth: Auth, tx: Transaction, { user, arrival }: { user: User; arrival: Arrival }): Promise<Outcome> {
  const { provider, identity, redirectTo } = arrival
  await takeEmailFromIdentities(auth, tx, { user, conflict: () => authError('email_exists', { status: 400 }) })
  const named = await reloadUser(tx, user.id)
  if (named.email !== '' && identity.data.email_verified !== true) {
    const due = [await prepareLink(auth, tx, { user: named, type: 'signup', redirectTo, challenge: undefined })]
    const message = `Unverified email with ${provider}. A confirmation email has been sent to your ${provider} email`
    return { kind: 'refused', failure: authError('email_not_confirmed', { status: 422, message }), due }
  }
  const confirmed = named.email === '' ? named : await confirmEmail(auth, tx, named)
  if (confirmed.isAnonymous) await updateUser(tx, user.id, { is_anonymous: false, at: auth.now() })
  await syncProviders(auth, tx, await reloadUser(tx, user.id))
  return { kind: 'in', user: await reloadUser(tx, user.id), isNew: false }
}

/**
 * Adds an identity to the person who asked for it. Somebody without an address, an anonymous one for instance, gets that of the identity.
 *
 * @throws `identity_already_exists`, `user_not_found` (422), `user_banned` (403), `email_exists` (400).
 * @see supabase/auth internal/api/identity.go, `linkIdentityToUser`
 */
export async function linkIdentity(auth: Auth, tx: Transaction, arrival: Arrival & { targetId: string }): Promise<Outcome> {
  const { provider, identity } = arrival
  const target = await requireTarget(auth, tx, arrival.targetId)
  const known = await findIdentity(tx, provider, identity.subject)
  if (known) throw authError('identity_already_exists', known.userId === target.id ? {} : { message: 'Identity is already linked to another user' })
  const { user, identityId } = await addIdentity(auth, tx, { user: target, provider, identity })
  await recordLink(auth, tx, { user, identityId, provider, subject: identity.subject })
  if (user.email === '') return confirmFirstEmail(auth, tx, { user, arrival })
  await syncProviders(auth, tx, user)
  return { kind: 'in', user: await reloadUser(tx, user.id), isNew: false }
}

// Whether somebody could still come in by an identity once another one is gone.
function opensTheDoor(auth: Auth, user: User, { provider, identityData }: Identity): boolean {
  const { email, sms, providers } = auth.settings
  if (provider === 'email') return email.enabled && user.emailConfirmedAt !== null && (hasPassword(user) || email.enableMagicLink)
  if (provider === 'phone') return sms.enabled && user.phoneConfirmedAt !== null
  if (provider.startsWith('custom:')) return providers.customEnabled
  if (provider.startsWith('sso:') || provider.startsWith('web3')) return true
  return isKnownProvider(provider) && Object.hasOwn(providers.external, provider) && identityData.sub !== undefined
}

/** @throws `single_identity_not_deletable`, `identity_not_found` (422). */
function requireUnlinkable(auth: Auth, user: User, identityId: string): Identity {
  if (user.identities.length <= 1) throw authError('single_identity_not_deletable')
  const identity = user.identities.find((one) => one.id === identityId)
  if (!identity) throw authError('identity_not_found')
  const others = user.identities.filter((one) => one.id !== identityId)
  if (others.some((one) => opensTheDoor(auth, user, one))) return identity
  throw authError('single_identity_not_deletable', { message: 'Unlinking this identity would leave no way to sign in' })
}

async function unlink(auth: Auth, tx: Transaction, { userId, identityId }: { userId: string; identityId: string }): Promise<Identity> {
  const user = await lockUser(tx, userId)
  if (!user) throw authError('user_not_found', { status: 403, message: 'User from sub claim in JWT does not exist' })
  const identity = requireUnlinkable(auth, user, identityId)
  const traits = { identity_id: identity.id, provider: identity.provider, provider_id: identity.providerId }
  await recordAudit(auth, tx, { actor: user, action: 'identity_unlinked', traits })
  await deleteIdentity(tx, identity.id)
  const left = await reloadUser(tx, user.id)
  if (identity.provider === 'phone') await updateUser(tx, user.id, { phone: null, phone_confirmed_at: null, at: auth.now() })
  else await takeEmailFromIdentities(auth, tx, { user: left, conflict: () => authError('email_conflict_identity_not_deletable') })
  await syncProviders(auth, tx, await reloadUser(tx, user.id))
  return identity
}

/**
 * `DELETE /user/identities/{identity_id}`: takes a way to sign in away, unless no other one would be left that works.
 *
 * @throws `manual_linking_disabled` (404), `validation_failed` (404), `single_identity_not_deletable`, `identity_not_found`,
 * `email_conflict_identity_not_deletable` (422), `insufficient_aal` (403).
 * @see supabase/auth internal/api/identity.go, `DeleteIdentity`
 */
export async function deleteOwnIdentity(auth: Auth, call: Call): Promise<Response> {
  const signedIn = await requireSignedIn(auth, call)
  const { user } = signedIn
  if (!auth.settings.enableManualLinking) throw authError('manual_linking_disabled')
  const identityId = call.params.identity_id ?? ''
  if (!isUuid(identityId)) throw authError('validation_failed', { status: 404, message: 'identity_id must be an UUID' })
  if (user.aud !== auth.settings.audience) throw authError('unexpected_audience', { message: "Token audience doesn't match request audience" })
  requireOwnLevel(signedIn, 'unlink identities')
  const identity = await auth.transact((tx) => unlink(auth, tx, { userId: user.id, identityId: identityId.toLowerCase() }))
  // To the address the person had before: taking an identity away may give them another one.
  sendNotice(auth, { kind: 'identity_unlinked', to: user.email, variables: { SiteURL: auth.settings.siteUrl, Email: user.email, Provider: identity.provider, Data: user.userMetadata } })
  return reply(call, {})
}
