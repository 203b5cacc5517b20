import type { Auth } from '#services/auth/auth.ts'
import { momentMs } from '#services/auth/moments.ts'
import type { User } from '#services/auth/user.ts'

import { idTokenClaims } from './person-claims.ts'
import { readScopes } from './scopes.ts'

const lifetimeSeconds = 3600

export interface IdTokenFacts {
  user: User
  clientId: string
  scope: string
  nonce: string | null
  /** When the person proved who they are, as Postgres writes it. */
  provenAt: string
}

/**
 * Signs an ID token: who the person is, for the application alone.
 *
 * @see supabase/auth internal/tokens/service.go, `GenerateIDToken`
 */
export function signIdToken(auth: Auth, { user, clientId, scope, nonce, provenAt }: IdTokenFacts): string {
  const issuedAt = Math.floor(auth.now().getTime() / 1000)
  return auth.signToken({
    iss: auth.issuer,
    sub: user.id,
    aud: clientId,
    exp: issuedAt + lifetimeSeconds,
    iat: issuedAt,
    ...(nonce ? { nonce } : {}),
    auth_time: Math.floor(momentMs(provenAt) / 1000),
    client_id: clientId,
    ...idTokenClaims(user, readScopes(scope)),
  })
}
