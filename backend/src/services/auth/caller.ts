import { callerUserId } from '#contract/caller.ts'
import type { TokenFault } from '#contract/service.ts'
import type { Transaction } from '#database/database.ts'

import { adminActor, type Actor } from './audit-log.ts'
import type { Auth } from './auth.ts'
import type { Call } from './call.ts'
import { isUuid } from './codes.ts'
import { authError } from './errors.ts'
import type { Session } from './sessions.queries.ts'
import { hasVerifiedFactor, isBanned, type User } from './user.ts'
import { findUserWithSession } from './users.queries.ts'

/** The person whose token a request carries. */
export interface SignedIn {
  user: User
  /** Missing for tokens the project signed itself, without a session. */
  session: Session | undefined
}

const faultWords: Readonly<Record<TokenFault, string>> = {
  malformed: 'token is malformed: token contains an invalid number of segments',
  expired: 'token has invalid claims: token is expired',
  'not-yet-valid': 'token has invalid claims: token is not valid yet',
  'bad-signature': 'token signature is invalid: signature is invalid',
  'unknown-key': 'token is unverifiable: unrecognized JWT kid',
  'wrong-issuer': 'token has invalid claims: token has invalid issuer',
  'unknown-role': 'token has invalid claims: unknown role',
}

/** Roles that may administrate. */
const adminRoles = new Set(['service_role', 'supabase_admin'])

function requireToken({ context }: Call): void {
  if (context.tokenFault) {
    throw authError('bad_jwt', { message: `invalid JWT: unable to parse or verify signature, ${faultWords[context.tokenFault]}` })
  }
  if (context.token === undefined) throw authError('no_authorization')
}

async function readSignedIn(tx: Transaction, call: Call): Promise<SignedIn> {
  const { claims } = call.context.caller
  const userId = callerUserId(call.context.caller)
  if (!userId) throw authError('bad_jwt', { message: 'invalid claim: missing sub claim' })
  if (!isUuid(userId)) throw authError('bad_jwt', { status: 400, message: 'invalid claim: sub claim must be a UUID' })
  const sessionId = typeof claims.session_id === 'string' && claims.session_id !== '' ? claims.session_id : null
  if (sessionId !== null && !isUuid(sessionId)) throw authError('bad_jwt', { message: 'invalid claim: session_id claim must be a UUID' })
  // An ID token of the OAuth server tells an application who somebody is, and acts for nobody.
  if (sessionId === null && claims.client_id !== undefined) throw authError('bad_jwt', { message: 'invalid claim: missing session_id claim' })
  const found = await findUserWithSession(tx, userId, sessionId)
  if (!found) throw authError('user_not_found', { status: 403, message: 'User from sub claim in JWT does not exist' })
  const { session, ...user } = found
  if (sessionId !== null && !session) throw authError('session_not_found')
  return { user, session: session ?? undefined }
}

/**
 * The person behind a request, or an application acting for them with a token of the OAuth server.
 *
 * @throws as `requireSignedIn`, except that applications pass.
 */
export async function requireSignedInOrClient(auth: Auth, call: Call): Promise<SignedIn> {
  requireToken(call)
  const signedIn = await auth.transact((tx) => readSignedIn(tx, call), { readOnly: true })
  if (isBanned(signedIn.user, auth.now().getTime())) throw authError('user_banned')
  return signedIn
}

/**
 * The person behind a request, their session looked up: a token outlives its session, but not here. An application they let
 * in is not them: it changes no password, adds no factor and consents to nothing.
 *
 * @throws `no_authorization` (401, an application's token 403); `bad_jwt`, `user_not_found`, `session_not_found`, `user_banned` (403).
 * @see supabase/auth internal/api/auth.go, `requireAuthentication`
 */
export async function requireSignedIn(auth: Auth, call: Call): Promise<SignedIn> {
  const signedIn = await requireSignedInOrClient(auth, call)
  if (signedIn.session?.oauthClientId) throw authError('no_authorization', { status: 403, message: 'This endpoint takes no token of an OAuth client' })
  return signedIn
}

/**
 * Keeps what opens an account for good from a session that lacks the second factor its person has: a stolen one could come back by it.
 *
 * @param what completes "AAL2 session is required to … when MFA is enabled".
 * @throws `insufficient_aal` (403); a token without a session never has enough.
 * @see supabase/auth internal/api/passkey_webauthn.go, `requirePasskeyManagementAAL`
 */
export function requireOwnLevel({ user, session }: SignedIn, what: string): void {
  if (!hasVerifiedFactor(user) || session?.aal === 'aal2') return
  throw authError('insufficient_aal', { status: 403, message: `AAL2 session is required to ${what} when MFA is enabled` })
}

/**
 * Lets administrators pass: the secret key, or a token of such a role whose session, if it has one, lives.
 *
 * @throws `no_authorization` (401), `bad_jwt`, `not_admin` (403).
 */
export async function requireAdmin(auth: Auth, call: Call): Promise<Actor> {
  const { context } = call
  if (context.tokenFault) requireToken(call)
  if (!adminRoles.has(context.caller.role)) {
    requireToken(call)
    throw authError('not_admin')
  }
  if (typeof context.caller.claims.session_id === 'string') await requireSignedIn(auth, call)
  return adminActor(context.caller.role)
}
