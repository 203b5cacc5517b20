import type { ServiceError } from '#contract/service-error.ts'
import type { Auth } from '#services/auth/auth.ts'
import { isUuid } from '#services/auth/codes.ts'

import { isClientSecret } from './client-secret.ts'
import { findClient, type AuthMethod, type OAuthClient } from './clients.queries.ts'
import { tokenFailure } from './token-failure.ts'
import type { TokenRequest } from './wire.ts'

interface Credentials {
  clientId: string
  secret: string
  method: AuthMethod
}

const refused = (message: string): ServiceError => tokenFailure('invalid_credentials', message)

// RFC 6749, section 2.3.1: both parts come form-encoded, which many clients leave out; a stray `%` is then itself.
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return part
  }
}

function readBasic(encoded: string): Credentials {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) throw refused('Invalid client credentials: invalid basic auth encoding')
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const at = decoded.indexOf(':')
  if (at < 0) throw refused('Invalid client credentials: invalid basic auth format')
  return { clientId: decodePart(decoded.slice(0, at)), secret: decodePart(decoded.slice(at + 1)), method: 'client_secret_basic' }
}

function readCredentials(authorization: string, given: TokenRequest): Credentials {
  const basic = /^basic +(.*)$/i.exec(authorization.trim())
  if (basic) return readBasic(basic[1] ?? '')
  if (given.client_id === '') throw refused('Invalid client credentials: client_id is required')
  return { clientId: given.client_id, secret: given.client_secret, method: given.client_secret === '' ? 'none' : 'client_secret_post' }
}

/**
 * The application that asks at the token endpoint, once it has proven itself the way it is registered for.
 *
 * @throws `invalid_credentials` (400).
 * @see supabase/auth internal/api/middleware.go, `requireOAuthClientAuth`
 */
export async function requireClientProof(auth: Auth, authorization: string, given: TokenRequest): Promise<OAuthClient> {
  const { clientId, secret, method } = readCredentials(authorization, given)
  if (!isUuid(clientId)) throw refused('Invalid client_id format')
  const client = await auth.transact((tx) => findClient(tx, clientId), { readOnly: true })
  if (!client) throw refused('Invalid client credentials')
  const registered = client.tokenEndpointAuthMethod
  if (method !== registered) throw refused(`invalid authentication method: client is registered for '${registered}' but '${method}' was used`)
  if (client.clientType === 'public') return client
  if (secret === '') throw refused('confidential clients must provide client_secret')
  if (client.secretHash === null || !isClientSecret(secret, client.secretHash)) throw refused('invalid client credentials')
  return client
}
