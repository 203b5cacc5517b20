import type { ServiceError } from '#contract/service-error.ts'
import type { Transaction } from '#database/database.ts'

import type { Auth } from '#services/auth/auth.ts'
import { deleteOneTimeTokens } from '#services/auth/one-time-tokens.queries.ts'
import { mergeMetadata, type Identity, type User } from '#services/auth/user.ts'
import { findUserByEmail, updateUser } from '#services/auth/users.queries.ts'

import { countsAsConfirmed } from './linking.ts'

const isVerified = ({ identityData }: Identity): boolean => identityData.email_verified === true

// Verified addresses first, then others, then identities without one; each by age.
function rank(identity: Identity): number {
  if (!identity.email) return 2
  return isVerified(identity) ? 0 : 1
}

async function isFree(tx: Transaction, user: User, email: string): Promise<boolean> {
  if (email === '') return true
  const owner = await findUserByEmail(tx, email)
  return !owner || owner.id === user.id
}

/**
 * Gives a person whose address is that of no identity any more the best address their identities have. Open tokens and changes, made
 * for the address before, are void. Nothing changes while an identity still has the person's address.
 *
 * @param conflict thrown when every address belongs to somebody else.
 * @see supabase/auth internal/models/user.go, `UpdateUserEmailFromIdentities`
 */
export async function takeEmailFromIdentities(auth: Auth, tx: Transaction, { user, conflict }: { user: User; conflict: () => ServiceError }): Promise<void> {
  const isKept = user.email === '' ? !user.identities.some((one) => one.email) : user.identities.some((one) => one.email === user.email)
  if (isKept) return
  const candidates = user.identities.toSorted((left, right) => rank(left) - rank(right))
  let chosen: Identity | undefined
  for (const one of candidates) chosen ??= (await isFree(tx, user, one.email ?? '')) ? one : undefined
  if (!chosen) throw conflict()
  const staysConfirmed = Boolean(chosen.email) && (isVerified(chosen) || countsAsConfirmed(auth))
  await updateUser(tx, user.id, {
    email: chosen.email || null,
    confirmation_token: '',
    confirmation_sent_at: null,
    recovery_token: '',
    recovery_sent_at: null,
    email_change: '',
    email_change_token_current: '',
    email_change_token_new: '',
    email_change_sent_at: null,
    email_change_confirm_status: 0,
    phone_change: '',
    phone_change_token: '',
    phone_change_sent_at: null,
    reauthentication_token: '',
    reauthentication_sent_at: null,
    ...(staysConfirmed ? {} : { email_confirmed_at: null, raw_user_meta_data: mergeMetadata(user.userMetadata, { email_verified: false }) }),
    at: auth.now(),
  })
  await deleteOneTimeTokens(tx, user.id)
}
