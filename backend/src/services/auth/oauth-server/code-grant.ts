import type { ServiceError } from '#contract/service-error.ts'
import type { Transaction } from '#database/database.ts'
import type { Auth } from '#services/auth/auth.ts'
import type { Call } from '#services/auth/call.ts'
import { oauthError } from '#services/auth/errors.ts'
import { isOlderThan } from '#services/auth/moments.ts'
import { isVerifier } from '#services/auth/pkce.ts'
import { signIn, type Grant } from '#services/auth/sessions.ts'
import { isBanned, type User } from '#services/auth/user.ts'
import { findUserById } from '#services/auth/users.queries.ts'

import { deleteAuthorization, lockAuthorizationByCode, type Authorization } from './authorizations.queries.ts'
import type { OAuthClient } from './clients.queries.ts'
import { sessionIdOfCode } from './code-session.ts'
import { endSessionOfCode, findLastProof } from './code-session.queries.ts'
import { signIdToken } from './id-token.ts'
import { readScopes } from './scopes.ts'
import type { TokenRequest } from './wire.ts'

/** What an application gets for a code. */
export interface CodeGrant {
  grant: Grant
  /** Only where `openid` was granted. */
  idToken: string | undefined
}

const invalidGrant = (message: string): ServiceError => oauthError('invalid_grant', message)

function verifierFault({ codeChallenge, codeChallengeMethod }: Authorization, verifier: string): string | undefined {
  if (!codeChallenge || !codeChallengeMethod) return undefined
  if (verifier === '') return 'code_verifier is required when PKCE challenge is present'
  const isRight = isVerifier({ challenge: codeChallenge, method: codeChallengeMethod }, verifier)
  return isRight ? undefined : 'code challenge does not match previously saved code verifier'
}

/** None of these uses the code up: a wrong guess of somebody else takes nothing from whom it was meant for. */
function requireMatch(auth: Auth, authorization: Authorization, { client, given }: { client: OAuthClient; given: TokenRequest }): void {
  if (isOlderThan(authorization.expiresAt, 0, auth.now().getTime())) throw invalidGrant('Authorization code has expired')
  if (authorization.clientId !== client.id) throw invalidGrant('Authorization code was not issued for this client')
  if (given.resource !== '' && given.resource !== (authorization.resource ?? '')) {
    throw invalidGrant('Authorization code resource does not match the resource parameter')
  }
  if (given.redirect_uri !== '' && given.redirect_uri !== authorization.redirectUri) throw invalidGrant('Invalid redirect_uri')
  const fault = verifierFault(authorization, given.code_verifier)
  if (fault !== undefined) throw invalidGrant(`PKCE verification failed: ${fault}`)
}

async function requireUser(auth: Auth, tx: Transaction, userId: string | null): Promise<User> {
  if (userId === null) throw invalidGrant('Authorization code has no associated user')
  const user = await findUserById(tx, userId)
  if (!user) throw invalidGrant('User not found for authorization code')
  if (isBanned(user, auth.now().getTime())) throw oauthError('access_denied', 'User is banned')
  return user
}

// A client that sends its request twice is only refused; past the interval in which that happens, a second use means that the
// code was stolen, from the client or by it, and what the first use opened ends.
function endReplayed(auth: Auth, tx: Transaction, asked: { code: string; clientId: string }): Promise<number> {
  const openedBefore = new Date(auth.now().getTime() - auth.settings.refreshTokenReuseIntervalSeconds * 1000)
  return endSessionOfCode(tx, { sessionId: sessionIdOfCode(asked.code), clientId: asked.clientId, openedBefore })
}

async function trade(auth: Auth, tx: Transaction, asked: { call: Call; client: OAuthClient; given: TokenRequest }): Promise<CodeGrant | undefined> {
  const { call, client, given } = asked
  const authorization = await lockAuthorizationByCode(tx, given.code)
  if (!authorization) {
    await endReplayed(auth, tx, { code: given.code, clientId: client.id })
    return undefined
  }
  requireMatch(auth, authorization, { client, given })
  const user = await requireUser(auth, tx, authorization.userId)
  const provenAt = (await findLastProof(tx, user.id)) ?? user.lastSignInAt ?? auth.now().toISOString()
  await deleteAuthorization(tx, authorization.id)
  const grant = await signIn(auth, tx, {
    user,
    method: 'oauth_provider/authorization_code',
    call,
    traits: { provider_type: 'oauth_provider_authorization_code', client_id: client.id },
    client: { clientId: client.id, scopes: authorization.scope },
    id: sessionIdOfCode(given.code),
  })
  const { scope, nonce } = authorization
  const idToken = readScopes(scope).includes('openid') ? signIdToken(auth, { user, clientId: client.id, scope, nonce, provenAt }) : undefined
  return { grant, idToken }
}

/**
 * Trades a code for tokens, once.
 *
 * @throws `invalid_request`, `invalid_grant`, `access_denied` (400, as OAuth errors).
 * @see supabase/auth internal/api/oauthserver/handlers.go, `handleAuthorizationCodeGrant`
 */
export async function tradeCode(auth: Auth, asked: { call: Call; client: OAuthClient; given: TokenRequest }): Promise<CodeGrant> {
  if (asked.given.code === '') throw oauthError('invalid_request', 'code is required for authorization_code grant')
  const traded = await auth.transact((tx) => trade(auth, tx, asked))
  if (!traded) throw invalidGrant('Invalid authorization code')
  return traded
}
