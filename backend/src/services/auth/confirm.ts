import type { Transaction } from '#database/database.ts'

import type { Auth } from './auth.ts'
import { mergeIdentityData } from './identities.queries.ts'
import { reloadUser } from './new-user.ts'
import { deleteOneTimeTokens } from './one-time-tokens.queries.ts'
import { mergeMetadata, type User } from './user.ts'
import { updateUser } from './users.queries.ts'

/** Counts a person's address as theirs. Every open token of theirs is void then. */
export async function confirmEmail(auth: Auth, tx: Transaction, user: User): Promise<User> {
  const at = auth.now()
  await updateUser(tx, user.id, {
    confirmation_token: '',
    email_confirmed_at: at,
    raw_user_meta_data: mergeMetadata(user.userMetadata, { email_verified: true }),
    at,
  })
  await deleteOneTimeTokens(tx, user.id)
  return reloadUser(tx, user.id)
}

/** Counts a person's phone number as theirs. */
export async function confirmPhone(auth: Auth, tx: Transaction, user: User): Promise<User> {
  const at = auth.now()
  await updateUser(tx, user.id, { confirmation_token: '', phone_confirmed_at: at, at })
  await deleteOneTimeTokens(tx, user.id)
  return reloadUser(tx, user.id)
}

/** Says on the person's identities of this address that it was verified. */
export async function verifyIdentities(tx: Transaction, user: User): Promise<void> {
  for (const identity of user.identities) {
    if (identity.email !== null && identity.email === user.email) await mergeIdentityData(tx, identity.id, { email_verified: true })
  }
}
