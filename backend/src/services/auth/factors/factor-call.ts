import { isIP } from 'node:net'

import type { Auth } from '#services/auth/auth.ts'
import type { Call } from '#services/auth/call.ts'
import { requireSignedIn } from '#services/auth/caller.ts'
import { isUuid } from '#services/auth/codes.ts'
import { authError } from '#services/auth/errors.ts'
import type { Session } from '#services/auth/sessions.queries.ts'
import type { User } from '#services/auth/user.ts'

import { findFactor, type EnrolledFactor } from './enrolled-factors.queries.ts'

/** A person in a session that can be raised. */
export interface Holder {
  user: User
  session: Session
}

/**
 * The person behind a request, in a session, and not anonymous.
 *
 * @throws as `requireSignedIn`; `no_authorization` (403) for somebody anonymous, `session_not_found` (403) for a token without a session.
 */
export async function requireHolder(auth: Auth, call: Call): Promise<Holder> {
  const { user, session } = await requireSignedIn(auth, call)
  if (user.isAnonymous) throw authError('no_authorization', { status: 403, message: 'Anonymous user not allowed to perform these actions' })
  if (!session) throw authError('session_not_found', { message: 'A second factor needs a token with a session' })
  return { user, session }
}

/**
 * A factor the path names, if it is the person's.
 *
 * @throws `validation_failed` (404) for what is no id, `mfa_factor_not_found` (404).
 */
export async function requireNamedFactor(auth: Auth, call: Call, userId: string): Promise<EnrolledFactor> {
  const id = call.params.factor_id ?? ''
  if (!isUuid(id)) throw authError('validation_failed', { status: 404, message: 'factor_id must be an UUID' })
  const factor = await auth.transact((tx) => findFactor(tx, userId, id), { readOnly: true })
  if (!factor) throw authError('mfa_factor_not_found')
  return factor
}

/** The caller's address as it is compared. This machine is one address, by whichever of its names it was reached. */
export function addressOf({ context: { ip } }: Call): string {
  const bare = ip.replace(/^::ffff:/i, '')
  if (bare === '::1' || isIP(bare) === 0) return '127.0.0.1'
  return bare
}
