import { DatabaseError } from '#database/database-error.ts'
import type { Transaction } from '#database/database.ts'
import type { ServiceError } from '#contract/service-error.ts'

import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { readBody, reply, type Call } from './call.ts'
import { authError, invalidRequest, oauthError } from './errors.ts'
import { momentMs } from './moments.ts'
import { findPresented, nextRefreshToken, type Next, type Presented, type Refusal } from './refresh-tokens.ts'
import { listOtherSessions, lockSession, touchSession, type Session } from './sessions.queries.ts'
import { deviceOf, grantBody, grantHeaders, sessionEnd, signAccessToken, type Grant } from './sessions.ts'
import { isBanned, type User } from './user.ts'
import { findUserWithSession } from './users.queries.ts'
import { refreshGrantBody } from './wire.ts'

/** Longest wait for another refresh of the same session. */
const longestWaitMs = 5000

/** A trade that held. */
export interface Traded {
  grant: Grant
  next: Next
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

async function requireUsableSession(auth: Auth, tx: Transaction, asked: { presented: Presented | undefined; clientId: string | undefined }): Promise<{ user: User; session: Session }> {
  const { presented: token, clientId } = asked
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

const refused = (refusal: Refusal): ServiceError => {
  if (refusal === 'not ours') return invalidRequest('Invalid Refresh Token: Not Issued By This Server')
  return authError('refresh_token_already_used', refusal === 'session ended' ? { headers: { 'sb-auth-refresh-token-rotated': 'true' } } : {})
}

// A refusal ends what was stolen, which must be kept: it is an outcome and not an exception inside the transaction.
async function refresh(auth: Auth, tx: Transaction, asked: Refresh): Promise<Traded | { failure: ServiceError }> {
  const presented = await findPresented(tx, asked.given)
  const { user, session } = await requireUsableSession(auth, tx, { presented, clientId: asked.clientId })
  await requireNewestSession(auth, tx, { user, session })
  const next = presented && (await nextRefreshToken(auth, tx, { presented, session }))
  if (!next) throw authError('refresh_token_not_found')
  if (typeof next === 'string') return { failure: refused(next) }
  await recordAudit(auth, tx, { actor: user, action: 'token_refreshed' })
  if (!next.reuse && 'row' in presented) await recordAudit(auth, tx, { actor: user, action: 'token_revoked' })
  await touchSession(tx, session.id, { ...deviceOf(asked.call), at: auth.now() })
  const signed = await signAccessToken(auth, tx, { user, session, method: 'token_refresh', ip: asked.call.context.ip })
  return { grant: { user, sessionId: session.id, refreshToken: next.token, ...signed }, next }
}

const isLockWait = (error: unknown): boolean => error instanceof DatabaseError && ['55P03', '57014', '40P01'].includes(error.sqlstate)

/**
 * Trades a refresh token. Racing tabs all end with the same token; reuse of an older one ends the session's family.
 *
 * @throws `refresh_token_not_found`, `refresh_token_already_used`, `session_expired`, `session_not_found`, `user_banned`,
 * `validation_failed` (400) for a number that was never issued; `conflict` (409); `invalid_client` (400, as an OAuth error) for another
 * application's session.
 * @see supabase/auth internal/tokens/service.go, `RefreshTokenGrant`
 */
export async function tradeRefreshToken(auth: Auth, asked: Refresh): Promise<Traded> {
  const outcome = await auth
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
  const { grant, next } = await tradeRefreshToken(auth, { given, call })
  return reply(call, grantBody(grant), {
    headers: {
      ...grantHeaders(grant),
      ...(given.length === 12 ? { 'sb-auth-refresh-token-prefix': grant.refreshToken.slice(0, 5) } : {}),
      ...(next.counter === undefined ? {} : { 'sb-auth-refresh-token-counter': String(next.counter) }),
      'sb-auth-refresh-token-reuse': String(next.reuse !== undefined),
      ...(next.reuse ? { 'sb-auth-refresh-token-reuse-cause': next.reuse } : {}),
    },
  })
}
