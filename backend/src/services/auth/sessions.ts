import { isIP } from 'node:net'

import type { Transaction } from '#database/database.ts'

import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import type { Call } from './call.ts'
import { authError } from './errors.ts'
import { hookedClaims } from './hooks/access-token.ts'
import { isOlderThan, momentMs } from './moments.ts'
import { issueRefreshToken } from './refresh-tokens.ts'
import { insertSession, recordMethod, type Session, type SessionClient } from './sessions.queries.ts'
import { hasVerifiedFactor, userBody, type User } from './user.ts'
import { findUserWithSession, updateUser } from './users.queries.ts'

/** The person, their session and their tokens, as `/token`, `/verify` and `/signup` answer. */
export interface Grant {
  user: User
  sessionId: string
  accessToken: string
  expiresAt: number
  expiresIn: number
  refreshToken: string
}

const secondFactorMethods = new Set(['totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code'])

/** One way a person proved who they are; `provider` is the organisation's identity provider, by its id. */
interface ProofClaim {
  method: string
  timestamp: number
  provider?: string
}

// Policies tell organisations apart by it. Such people have one identity; of several none is known to be the one that was used.
function organisationOf({ identities }: User): { provider?: string } {
  const [identity, ...others] = identities
  return identity?.provider.startsWith('sso:') && others.length === 0 ? { provider: identity.provider.slice('sso:'.length) } : {}
}

/** `aal` and `amr` of a session, the newest method first. @see supabase/auth internal/models/sessions.go, `CalculateAALAndAMR` */
function assurance(session: Session, user: User): { aal: string; amr: ProofClaim[] } {
  const amr = session.methods
    .map(({ method, at }) => ({ method, atMs: momentMs(at) }))
    .sort((left, right) => right.atMs - left.atMs)
    .map(({ method, atMs }) => ({ method, timestamp: Math.floor(atMs / 1000), ...(method === 'sso/saml' ? organisationOf(user) : {}) }))
  return { aal: amr.some(({ method }) => secondFactorMethods.has(method)) ? 'aal2' : 'aal1', amr }
}

/** Signs an access token for a session as it stands now, the project's hook included. */
export async function signAccessToken(auth: Auth, tx: Transaction, asked: { user: User; session: Session; method: string; ip?: string }) {
  const { user, session } = asked
  const issuedAt = Math.floor(auth.now().getTime() / 1000)
  const { aal, amr } = assurance(session, user)
  const expiresAt = Math.min(issuedAt + auth.settings.jwtExpirySeconds, aal === 'aal1' ? lowAssuranceEnd(auth, session, user) : Infinity)
  const claims = await hookedClaims(auth, tx, {
    userId: user.id,
    method: asked.method,
    ...(asked.ip ? { ip: asked.ip } : {}),
    claims: {
      iss: auth.issuer,
      sub: user.id,
      aud: user.aud,
      exp: expiresAt,
      iat: issuedAt,
      email: user.email,
      phone: user.phone,
      app_metadata: user.appMetadata,
      user_metadata: user.userMetadata,
      role: user.role,
      aal,
      amr,
      session_id: session.id,
      is_anonymous: user.isAnonymous,
      ...(session.oauthClientId ? { client_id: session.oauthClientId } : {}),
      ...(session.scopes ? { scope: session.scopes } : {}),
    },
  })
  return { accessToken: auth.signToken(claims), expiresAt, expiresIn: expiresAt - issuedAt }
}

/** What a session remembers of the device. */
export function deviceOf(call: Call): { userAgent: string | null; ip: string | null } {
  const ip = isIP(call.context.ip) === 0 ? null : call.context.ip
  return { userAgent: call.request.headers.get('user-agent')?.slice(0, 1024) ?? null, ip }
}

/**
 * Begins a session for a person who has proven who they are.
 *
 * @param method how, by its word in `amr`: `password`, `otp`, `recovery`.
 * @param client the application it is granted to; left out, the person's own.
 * @param id of the session; left out, a new one.
 */
export async function beginSession(
  auth: Auth,
  tx: Transaction,
  asked: { user: User; method: string; call: Call; client?: SessionClient; id?: string },
): Promise<Grant> {
  const { user, method, call, client } = asked
  const at = auth.now()
  const sessionId = asked.id ?? auth.random.uuid()
  await insertSession(tx, { id: sessionId, userId: user.id, client, ...deviceOf(call), at })
  await recordMethod(tx, { id: auth.random.uuid(), sessionId, method, at })
  const refreshToken = await issueRefreshToken(auth, tx, { userId: user.id, sessionId })
  await updateUser(tx, user.id, { last_sign_in_at: at, at })
  const begun = await findUserWithSession(tx, user.id, sessionId)
  if (!begun?.session) throw authError('session_not_found')
  const { session, ...fresh } = begun
  const token = await signAccessToken(auth, tx, { user: fresh, session, method, ip: call.context.ip })
  return { user: fresh, sessionId, refreshToken, ...token }
}

/** Begins a session and writes the sign-in down. */
export async function signIn(
  auth: Auth,
  tx: Transaction,
  asked: { user: User; method: string; call: Call; traits: Readonly<Record<string, unknown>>; client?: SessionClient; id?: string },
): Promise<Grant> {
  await recordAudit(auth, tx, { actor: asked.user, action: 'login', traits: asked.traits })
  return beginSession(auth, tx, asked)
}

/** The body of a token response. */
export function grantBody(grant: Grant, extra: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    access_token: grant.accessToken,
    token_type: 'bearer',
    expires_in: grant.expiresIn,
    expires_at: grant.expiresAt,
    refresh_token: grant.refreshToken,
    user: userBody(grant.user),
    ...extra,
  }
}

/** Headers of a token response; the hosted platform's logs read them. */
export const grantHeaders = (grant: Grant): Record<string, string> => ({
  'sb-auth-user-id': grant.user.id,
  'sb-auth-session-id': grant.sessionId,
  'cache-control': 'no-store',
})

/** Why a session must not be refreshed any more; undefined: it may. */
export function sessionEnd(auth: Auth, session: Session, user: User): string | undefined {
  const { timeboxSeconds, inactivitySeconds } = auth.settings.sessions
  const nowMs = auth.now().getTime()
  if (session.notAfter !== null && nowMs > momentMs(session.notAfter)) return ''
  if (timeboxSeconds > 0 && isOlderThan(session.createdAt, timeboxSeconds, nowMs)) return ''
  const seenAt = session.refreshedAt ?? session.createdAt
  if (inactivitySeconds > 0 && isOlderThan(seenAt, inactivitySeconds, nowMs)) return ' (Inactivity)'
  if (lowAssuranceEnds(auth, session, user)) return ' (Low AAL: User Needs MFA Verification)'
  return undefined
}

/** Until when a person with a second factor may do without it, in seconds; a token that lasted longer would be a way around. */
function lowAssuranceEnd(auth: Auth, session: Session, user: User): number {
  const seconds = auth.settings.sessions.lowAssuranceSeconds
  return seconds > 0 && hasVerifiedFactor(user) ? Math.floor(momentMs(session.createdAt) / 1000) + seconds : Infinity
}

const lowAssuranceEnds = (auth: Auth, session: Session, user: User): boolean =>
  session.aal === 'aal1' && auth.now().getTime() / 1000 > lowAssuranceEnd(auth, session, user)
