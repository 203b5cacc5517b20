import type { Transaction } from '#database/database.ts'

import type { Auth } from '#services/auth/auth.ts'
import { authError } from '#services/auth/errors.ts'
import { reloadUser } from '#services/auth/new-user.ts'
import type { User } from '#services/auth/user.ts'
import { findUserUsingEmail } from '#services/auth/users.queries.ts'

import { findIdentity, listIdentitiesByEmail, listUserIdsByEmail } from './accounts.queries.ts'
import type { ProfileEmail, ProvidedIdentity } from './profile.ts'

/** Whose account an identity opens. */
export type Decision =
  | { kind: 'known'; user: User; identityId: string }
  | { kind: 'link'; user: User }
  /** `email` is empty when the provider tells none, or one that it has not verified and somebody else has. */
  | { kind: 'new'; email: string; isSsoUser: boolean }

// Each SSO provider's people are a world of their own; everybody else meets by verified address.
const linkingDomain = (provider: string): string => (provider.startsWith('sso:') ? provider : 'default')

/** Whether addresses count as confirmed in this project, whoever tells them. */
export const countsAsConfirmed = (auth: Auth): boolean => !auth.settings.email.enableConfirmations

/** The address an identity stands for. */
export const mainEmail = (emails: readonly ProfileEmail[]): ProfileEmail | undefined => emails.find((one) => one.isPrimary) ?? emails.at(-1)

async function findByVerifiedEmail(tx: Transaction, provider: string, emails: readonly string[]): Promise<User | undefined> {
  const domain = linkingDomain(provider)
  const identities = (await listIdentitiesByEmail(tx, emails)).filter((one) => linkingDomain(one.provider) === domain)
  const people = domain === 'default' && identities.length === 0 ? await listUserIdsByEmail(tx, emails) : []
  const owners = new Set([...identities.map((one) => one.userId), ...people.map((one) => one.id)])
  if (owners.size > 1) {
    throw authError('unexpected_failure', { message: `Multiple accounts with the same email address in the same linking domain detected: ${domain}` })
  }
  const [owner] = owners
  return owner === undefined ? undefined : reloadUser(tx, owner)
}

/**
 * Decides by what a provider tells whether somebody is known, new, or known by their address.
 *
 * @throws `unexpected_failure` (500) when the addresses belong to several people.
 * @see supabase/auth internal/models/linking.go, `DetermineAccountLinking`
 */
export async function decideAccount(tx: Transaction, asked: { provider: string; identity: ProvidedIdentity }): Promise<Decision> {
  const { provider, identity } = asked
  const known = await findIdentity(tx, provider, identity.subject)
  if (known) return { kind: 'known', user: await reloadUser(tx, known.userId), identityId: known.id }

  const isSsoUser = linkingDomain(provider) !== 'default'
  const main = mainEmail(identity.emails)
  // Also where addresses count as confirmed by being typed: what one types opens nobody else's account.
  const verified = identity.emails.filter((one) => one.isVerified).map((one) => one.email)
  if (verified.length > 0) {
    const user = await findByVerifiedEmail(tx, provider, verified)
    return user ? { kind: 'link', user } : { kind: 'new', email: main?.email ?? '', isSsoUser }
  }
  const isTaken = main !== undefined && (await findUserUsingEmail(tx, main.email, null)) !== undefined
  return { kind: 'new', email: isTaken ? '' : (main?.email ?? ''), isSsoUser }
}
