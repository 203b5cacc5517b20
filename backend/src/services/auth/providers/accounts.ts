import { ServiceError } from '#contract/service-error.ts'
import { DatabaseError } from '#database/database-error.ts'
import type { Transaction } from '#database/database.ts'

import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { confirmEmail } from '#services/auth/confirm.ts'
import { authError } from '#services/auth/errors.ts'
import { insertIdentity } from '#services/auth/identities.queries.ts'
import { prepareLink, type DueLetter } from '#services/auth/letters.ts'
import { createUser, reloadUser, syncProviders } from '#services/auth/new-user.ts'
import { deleteSessionsOf } from '#services/auth/sessions.queries.ts'
import { isBanned, isConfirmed, mergeMetadata, type User } from '#services/auth/user.ts'
import { updateUser } from '#services/auth/users.queries.ts'

import { deleteOtherIdentities, refreshIdentity } from './accounts.queries.ts'
import { countsAsConfirmed, decideAccount, mainEmail, type Decision } from './linking.ts'
import type { ProvidedIdentity } from './profile.ts'

/** Somebody who comes from a provider. */
export interface Arrival {
  provider: string
  identity: ProvidedIdentity
  emailOptional: boolean
  /** Where a confirmation mail leads to. */
  redirectTo: string
}

/** What becomes of an arrival. A refusal is kept in the database too: the person, and the mail that is due to them. */
export type Outcome = { kind: 'in'; user: User; isNew: boolean } | { kind: 'refused'; failure: ServiceError; due: readonly DueLetter[] }

/** Adds an identity to a person, and gives both. */
export async function addIdentity(auth: Auth, tx: Transaction, asked: { user: User; provider: string; identity: ProvidedIdentity }): Promise<{ user: User; identityId: string }> {
  const { provider, identity } = asked
  await insertIdentity(tx, { userId: asked.user.id, provider, data: identity.data, at: auth.now() })
  const user = await reloadUser(tx, asked.user.id)
  const added = user.identities.find((one) => one.provider === provider && one.providerId === identity.subject)
  // Somebody else has it since a moment ago; asked again, they are found.
  if (!added) throw authError('identity_already_exists')
  return { user, identityId: added.id }
}

export const recordLink = (auth: Auth, tx: Transaction, asked: { user: User; identityId: string; provider: string; subject: string }): Promise<number> =>
  recordAudit(auth, tx, {
    actor: asked.user,
    action: 'identity_linked',
    traits: { identity_id: asked.identityId, provider: asked.provider, provider_id: asked.subject },
  })

async function settle(auth: Auth, tx: Transaction, { decision, arrival }: { decision: Decision; arrival: Arrival }): Promise<{ user: User; identityId: string }> {
  const { provider, identity } = arrival
  if (decision.kind === 'new') {
    if (!auth.settings.enableSignup) throw authError('signup_disabled')
    const person = { provider, email: decision.email, encryptedPassword: '', data: identity.data, isSsoUser: decision.isSsoUser }
    return addIdentity(auth, tx, { user: await createUser(auth, tx, person), provider, identity })
  }
  const { user } = decision
  if (decision.kind === 'known') await refreshIdentity(tx, { id: decision.identityId, data: identity.data, at: auth.now() })
  const settled = decision.kind === 'known' ? { user, identityId: decision.identityId } : await addIdentity(auth, tx, { user, provider, identity })
  await updateUser(tx, user.id, { raw_user_meta_data: mergeMetadata(user.userMetadata, identity.data), at: auth.now() })
  await syncProviders(auth, tx, await reloadUser(tx, user.id))
  if (decision.kind === 'link') await recordLink(auth, tx, { ...settled, provider, subject: identity.subject })
  return { ...settled, user: await reloadUser(tx, user.id) }
}

/**
 * Takes away what others may have left in an account nobody has confirmed: password, other identities, sessions, metadata. Whoever
 * signed somebody's address up before them must not come in with them.
 *
 * @see supabase/auth internal/models/user.go, `RemoveUnconfirmedIdentities`
 */
export async function clearUnconfirmed(auth: Auth, tx: Transaction, asked: { user: User; identityId: string; identity: ProvidedIdentity }): Promise<User> {
  const { user, identity } = asked
  await updateUser(tx, user.id, { encrypted_password: null, raw_user_meta_data: identity.data, at: auth.now() })
  await deleteOtherIdentities(tx, user.id, asked.identityId)
  await deleteSessionsOf(tx, user.id)
  await syncProviders(auth, tx, await reloadUser(tx, user.id))
  return reloadUser(tx, user.id)
}

// What the provider has verified must be the person's own address, and not another one they have there.
function isVerifiedFor(auth: Auth, user: User, identity: ProvidedIdentity): boolean {
  if (countsAsConfirmed(auth) && user.email !== '') return true
  if (user.email === '') return mainEmail(identity.emails)?.isVerified ?? false
  return identity.emails.some((one) => one.isVerified && one.email === user.email.toLowerCase())
}

async function refuseUnverified(auth: Auth, tx: Transaction, { user, arrival }: { user: User; arrival: Arrival }): Promise<Outcome> {
  const { provider, redirectTo } = arrival
  const say = (rest: string) => authError('provider_email_needs_verification', { message: `Unverified email with ${provider}. ${rest}` })
  if (user.email === '') return { kind: 'refused', failure: say(`Verify the email with ${provider} in order to sign in`), due: [] }
  const due = [await prepareLink(auth, tx, { user, type: 'signup', redirectTo, challenge: undefined })]
  return { kind: 'refused', failure: say(`A confirmation email has been sent to your ${provider} email`), due }
}

/**
 * Lets somebody in who comes from a provider: as who they are, as somebody new, or into the account their verified address has.
 *
 * @throws `signup_disabled` (422), `user_banned` (403), `over_email_send_rate_limit` (429), what a hook refuses with.
 * @see supabase/auth internal/api/external.go, `createAccountFromExternalIdentity`
 */
export async function admit(auth: Auth, tx: Transaction, arrival: Arrival): Promise<Outcome> {
  const { provider, identity } = arrival
  const decision = await decideAccount(tx, arrival)
  if (decision.kind !== 'new' && isBanned(decision.user, auth.now().getTime())) throw authError('user_banned')
  const settled = await settle(auth, tx, { decision, arrival })
  const isNew = decision.kind === 'new'
  const needsEmail = !(arrival.emailOptional && settled.user.email === '')
  if (!needsEmail || isConfirmed(settled.user)) {
    await recordAudit(auth, tx, { actor: settled.user, action: 'login', traits: { provider } })
    return { kind: 'in', user: settled.user, isNew }
  }
  const user = await clearUnconfirmed(auth, tx, { ...settled, identity })
  if (!isVerifiedFor(auth, user, identity)) return refuseUnverified(auth, tx, { user, arrival })
  await recordAudit(auth, tx, { actor: user, action: 'user_signedup', traits: { provider } })
  return { kind: 'in', user: await confirmEmail(auth, tx, user), isNew }
}

const racedConstraints = new Set(['users_email_partial_key', 'identities_provider_id_provider_unique'])

function isRace(error: unknown): boolean {
  if (error instanceof ServiceError && error.code === 'identity_already_exists') return true
  const cause = error instanceof ServiceError ? error.cause : error
  return cause instanceof DatabaseError && racedConstraints.has(cause.facts.constraint ?? '')
}

/** Does it again when another request has just added the same person. */
export async function onceMoreAfterRace<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRace(error)) return work()
    throw error
  }
}
