import type { Transaction } from '#database/database.ts'
import type { Auth } from '#services/auth/auth.ts'
import { authError } from '#services/auth/errors.ts'
import { whenKept } from '#services/auth/transactions.ts'
import { userBody, type User } from '#services/auth/user.ts'
import type { NewUser } from '#services/auth/users.queries.ts'

import { runHook } from './hooks.ts'

/** Asks whether a person may be added. @throws what the hook refuses with. */
export async function askBeforeUserCreated(auth: Auth, tx: Transaction, user: NewUser): Promise<void> {
  const uri = auth.settings.hooks.beforeUserCreated
  if (!uri) return
  const asked = {
    id: user.id,
    aud: user.aud,
    role: '',
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.appMetadata,
    user_metadata: user.userMetadata,
    identities: [],
    is_anonymous: user.isAnonymous,
    created_at: user.at.toISOString(),
    updated_at: user.at.toISOString(),
  }
  await runHook(auth, tx, { uri, name: 'before-user-created', input: { user: asked } })
}

/**
 * Tells the project of a person once their row is kept; the answer to the request waits for it.
 *
 * @throws `unexpected_failure` (500) "Error invoking hook"; the person is there all the same.
 */
export function tellAfterUserCreated(auth: Auth, tx: Transaction, user: User): void {
  const uri = auth.settings.hooks.afterUserCreated
  if (!uri) return
  whenKept(tx, async () => {
    try {
      await auth.transact((later) => runHook(auth, later, { uri, name: 'after-user-created', input: { user: userBody(user) } }))
    } catch (error) {
      throw authError('unexpected_failure', { message: 'Error invoking hook', cause: error })
    }
  })
}
