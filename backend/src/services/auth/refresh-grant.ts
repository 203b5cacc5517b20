import { DatabaseError } from '#database/database-error.ts'
import type { Transaction } from '#database/database.ts'
import type { ServiceError } from '#contract/service-error.ts'

import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { readBody, reply, type Call } from './call.ts'
import { authError, oauthError } from './errors.ts'
import { isOlderThan, momentMs } from './moments.ts'
import {
  findActiveRefreshToken,
  findRefreshToken,
  insertRefreshToken,
  revokeRefreshToken,
  revokeRefreshTokens,
  type RefreshToken,
} from './refresh-tokens.queries.ts'
import { listOtherSessions, lockSession, touchSession, type Session } from './sessions.queries.ts'
import { deviceOf, grantBody, grantHeaders, sessionEnd, signAccessToken, type Grant } from './sessions.ts'
import { isBanned, type User } from './user.ts'
import { findUserWithSession } from './users.queries.ts'
import { refreshGrantBody } from './wire.ts'

/** Longest wait for another refresh of the same session. */
const longestWaitMs = 5000

type Outcome = { grant: Grant; reuse: string | undefined } | { failure: ServiceError }

/**
 * Which token a client gets for the one it sent. Called with the session locked, so nobody else decides meanwhile.
 *
 * - The active token is traded for a new one.
 * - Its parent gets the active one again: another tab traded it, or the answer was lost on the way.
 * - Any older one does too within the reuse interval, then it is taken for stolen and ends the family.
 */
async function nextToken(auth: Auth, tx: Transaction, held: { token: RefreshToken; session: Session }): Promise<{ token: string; reuse?: string } | undefined> {
  const { token, session } = held
  const at = auth.now()
  if (!token.isRevoked) {
    const next = auth.random.word(12)
    await revokeRefreshToken(tx, token.id, at)
    await insertRefreshToken(tx, { token: next, userId: session.userId, sessionId: session.id, parent: token.token, at })
    return { token: next }
  }
  const active = await findActiveRefreshToken(tx, session.id)
  if (active?.parent === token.token) return { token: active.token, reuse: 'fail-to-save' }
  const isRecent = !isOlderThan(token.updatedAt, auth.settings.refreshTokenReuseIntervalSeconds, at.getTime())
  return active && isRecent ? { token: active.token, reuse: 'concurrent-refresh' } : undefined
}

async function requireNewestSession(auth: Auth, tx: Transaction, { user, session }: { user: User; session: Session }): Promise<void> {
  if (!auth.settings.sessions.singlePerUser) return
  const seenMs = (one: Session) => momentMs(one.refreshedAt ?? one.createdAt)
  const others = await listOtherSessions(tx, user.id, session.id)
  const isOverruled = others.some((other) => sessionEnd(auth, other, user) === undefined && seenMs(other) > seenMs(session))
  if (isOverruled) throw authError('session_expired', { message: 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)' })
}

/** A session granted to an application is refreshed by that application, and a person's own by none. */
function requireItsClient({ oauthClientId }: Session, clientId: string | undefined): void {
  if (oauthClientId === (clientId ?? null)) return
  if (oauthClientId === null) throw oauthError('invalid_client', 'Client authentication not allowed for non-OAuth session')
  const words = clientId === undefined ? 'Client authentication required for OAuth session' : "Client does not match the session's OAuth client"
  throw oauthError('invalid_client', words)
}

async function requireUsableSession(auth: Auth, tx: Transaction, asked: { token: RefreshToken | undefined; clientId: string | undefined }): Promise<{ user: User; session: Session }> {
  const { token, clientId } = asked
  if (!token) throw authError('refresh_token_not_found')
  if (!token.sessionId || !(await lockSession(tx, token.sessionId))) {
    throw authError('session_not_found', { status: 400, message: 'Invalid Refresh Token: No Valid Session Found' })
  }
  const found = await findUserWithSession(tx, token.userId, token.sessionId)
  if (!found?.session) throw authError('refresh_token_not_found')
  const { session, ...user } = found
  if (isBanned(user, auth.now().getTime())) {
    throw authError('user_banned', { status: 400, message: 'Invalid Refresh Token: User Banned' })
  }
  const end = sessionEnd(auth, session, user)
  if (end !== undefined) throw authError('session_expired', { message: `Invalid Refresh Token: Session Expired${end}` })
  requireItsClient(session, clientId)
  return { user, session }
}

/** A refresh token, and the application that proved to be the one it was given to; none: a person's own session. */
interface Refresh {
  given: string
  clientId?: string
  call: Call
}

async function refresh(auth: Auth, tx: Transaction, asked: Refresh): Promise<Outcome> {
  const { user, session } = await requireUsableSession(auth, tx, { token: await findRefreshToken(tx, asked.given), clientId: asked.clientId })
  await requireNewestSession(auth, tx, { user, session })
  // Read again: whoever held the session before us may have traded it meanwhile.
  const token = await findRefreshToken(tx, asked.given)
  if (!token) throw authError('refresh_token_not_found')
  const next = await nextToken(auth, tx, { token, session })
  if (!next) {
    if (auth.settings.refreshTokenRotation) await revokeRefreshTokens(tx, session.id, auth.now())
    return { failure: authError('refresh_token_already_used') }
  }
  await recordAudit(auth, tx, { actor: user, action: 'token_refreshed' })
  if (!next.reuse) await recordAudit(auth, tx, { actor: user, action: 'token_revoked' })
  await touchSession(tx, session.id, { ...deviceOf(asked.call), at: auth.now() })
  const signed = await signAccessToken(auth, tx, { user, session, method: 'token_refresh', ip: asked.call.context.ip })
  return { grant: { user, sessionId: session.id, refreshToken: next.token, ...signed }, reuse: next.reuse }
}

const isLockWait = (error: unknown): boolean => error instanceof DatabaseError && ['55P03', '57014', '40P01'].includes(error.sqlstate)

/**
 * Trades a refresh token. Racing tabs all end with the same token; reuse of an older one ends the session's family.
 *
 * @throws `refresh_token_not_found`, `refresh_token_already_used`, `session_expired`, `session_not_found`, `user_banned` (400); `conflict` (409);
 * `invalid_client` (400, as an OAuth error) for another application's session.
 * @see supabase/auth internal/tokens/service.go, `RefreshTokenGrant`
 */
export async function tradeRefreshToken(auth: Auth, asked: Refresh): Promise<{ grant: Grant; reuse: string | undefined }> {
  if (asked.given.length !== 12) throw authError('refresh_token_not_found')
  const outcome = await auth
    // The end of a family must be kept, so it is an outcome and not an exception inside the transaction.
    .transact((tx) => refresh(auth, tx, asked), { timeoutMs: longestWaitMs })
    .catch((error: unknown) => {
      throw isLockWait(error) ? authError('conflict', { cause: error }) : error
    })
  if ('failure' in outcome) throw outcome.failure
  return outcome
}

/** `POST /token?grant_type=refresh_token`: `tradeRefreshToken` for a person's own session. */
export async function refreshGrant(auth: Auth, call: Call): Promise<Response> {
  const { refresh_token: given } = await readBody(call, refreshGrantBody)
  if (given === '') throw oauthError('invalid_request', 'refresh_token required')
  const { grant, reuse } = await tradeRefreshToken(auth, { given, call })
  return reply(call, grantBody(grant), {
    headers: {
      ...grantHeaders(grant),
      'sb-auth-refresh-token-prefix': grant.refreshToken.slice(0, 5),
      'sb-auth-refresh-token-reuse': String(reuse !== undefined),
      ...(reuse ? { 'sb-auth-refresh-token-reuse-cause': reuse } : {}),
    },
  })
}
