import { DatabaseError } from '#database/database-error.ts'
import type { Transaction } from '#database/database.ts'

import type { Auth } from './auth.ts'
import { authError, databaseFailure } from './errors.ts'
import { askBeforeUserCreated, tellAfterUserCreated } from './hooks/user-created.ts'
import { insertIdentity } from './identities.queries.ts'
import { mergeMetadata, providersOf, type User } from './user.ts'
import { findUserById, insertUser, updateUser, type NewUser } from './users.queries.ts'

/** Reads a person that a statement of this transaction must have left there. */
export async function reloadUser(tx: Transaction, id: string): Promise<User> {
  const user = await findUserById(tx, id)
  if (!user) throw authError('unexpected_failure', { message: 'Database error loading user' })
  return user
}

/** The facts of an identity of the kind `email` or `phone`, as the hosted backend writes them. */
export const ownIdentityData = (userId: string, facts: { email?: string; phone?: string; emailVerified?: boolean; phoneVerified?: boolean }) => ({
  sub: userId,
  ...(facts.email ? { email: facts.email } : {}),
  email_verified: facts.emailVerified ?? false,
  ...(facts.phone ? { phone: facts.phone } : {}),
  phone_verified: facts.phoneVerified ?? false,
})

/** What a sign-up, an invitation, an administrator or a provider gives. */
export interface NewPerson {
  /** `email`, `phone`, `anonymous`, or the provider the person came from. */
  provider: string
  email?: string
  phone?: string
  /** Empty: the person cannot sign in with a password. */
  encryptedPassword: string
  data: Readonly<Record<string, unknown>>
  /** Default false. */
  isSsoUser?: boolean
}

/**
 * Adds a person. Triggers of the project may refuse or add to it.
 *
 * @throws `unexpected_failure` (500) "Database error saving new user".
 */
export async function createUser(auth: Auth, tx: Transaction, person: NewPerson & { id?: string; role?: string; aud?: string }): Promise<User> {
  const user: NewUser = {
    id: person.id ?? auth.random.uuid(),
    aud: person.aud ?? auth.settings.audience,
    role: person.role ?? 'authenticated',
    email: person.email || null,
    phone: person.phone || null,
    encryptedPassword: person.encryptedPassword,
    appMetadata: person.provider === 'anonymous' ? {} : { provider: person.provider, providers: [person.provider] },
    userMetadata: person.data,
    isAnonymous: person.provider === 'anonymous',
    isSsoUser: person.isSsoUser ?? false,
    at: auth.now(),
  }
  await askBeforeUserCreated(auth, tx, user)
  try {
    await insertUser(tx, user)
  } catch (error) {
    if (error instanceof DatabaseError) throw databaseFailure('Database error saving new user', error)
    throw error
  }
  const created = await reloadUser(tx, user.id)
  tellAfterUserCreated(auth, tx, created)
  return created
}

/** Gives a new person the identity their e-mail address or phone number is. */
export async function addOwnIdentity(
  auth: Auth,
  tx: Transaction,
  { user, provider, data = {} }: { user: User; provider: 'email' | 'phone'; data?: Readonly<Record<string, unknown>> },
): Promise<User> {
  const facts = ownIdentityData(user.id, provider === 'email' ? { email: user.email } : { phone: user.phone })
  await insertIdentity(tx, { userId: user.id, provider, data: { ...data, ...facts }, at: auth.now() })
  return reloadUser(tx, user.id)
}

/** Lets `app_metadata` name the providers of the person's identities. */
export async function syncProviders(auth: Auth, tx: Transaction, user: User): Promise<void> {
  const providers = providersOf(user.identities)
  const known = user.appMetadata
  const isSame = JSON.stringify(known.providers) === JSON.stringify(providers) && known.provider === (providers[0] ?? known.provider)
  if (isSame) return
  const facts = { providers, ...(providers[0] ? { provider: providers[0] } : {}) }
  await updateUser(tx, user.id, { raw_app_meta_data: mergeMetadata(known, facts), at: auth.now() })
}
