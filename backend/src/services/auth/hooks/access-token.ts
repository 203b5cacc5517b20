import type { Transaction } from '#database/database.ts'
import type { Auth } from '#services/auth/auth.ts'
import { authError } from '#services/auth/errors.ts'

import { runHook } from './hooks.ts'

type Claims = Record<string, unknown>

const isInteger = (value: unknown): boolean => Number.isInteger(value)
const isText = (value: unknown): boolean => typeof value === 'string'
const isBag = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What claims must be, by the hosted backend's schema; a claim it does not know may be anything. */
const kinds: Readonly<Record<string, { word: string; holds: (value: unknown) => boolean }>> = {
  aud: { word: 'string,array', holds: (value) => isText(value) || Array.isArray(value) },
  exp: { word: 'integer', holds: isInteger },
  jti: { word: 'string', holds: isText },
  iat: { word: 'integer', holds: isInteger },
  iss: { word: 'string', holds: isText },
  nbf: { word: 'integer', holds: isInteger },
  sub: { word: 'string', holds: isText },
  email: { word: 'string', holds: isText },
  phone: { word: 'string', holds: isText },
  app_metadata: { word: 'object', holds: isBag },
  user_metadata: { word: 'object', holds: isBag },
  role: { word: 'string', holds: isText },
  aal: { word: 'string', holds: isText },
  amr: { word: 'array', holds: (value) => Array.isArray(value) && value.every((one) => isText(one) || isBag(one)) },
  session_id: { word: 'string', holds: isText },
  client_id: { word: 'string', holds: isText },
}

const required = ['aud', 'exp', 'iat', 'sub', 'email', 'phone', 'role', 'aal', 'session_id', 'is_anonymous']

/** @throws `unexpected_failure` (500) naming what the hook left out or changed the kind of. */
function requireClaims(claims: Claims): Claims {
  const missing = required.filter((name) => !(name in claims)).map((name) => `- (root): ${name} is required`)
  const wrong = Object.entries(kinds)
    .filter(([name, { holds }]) => name in claims && !holds(claims[name]))
    .map(([name, { word }]) => `- ${name}: Invalid type. Expected: ${word}`)
  const faults = [...missing, ...wrong]
  if (faults.length > 0) throw authError('unexpected_failure', { message: `output claims do not conform to the expected schema: \n${faults.join('\n')}\n` })
  return claims
}

/**
 * The claims of an access token as the project's hook wants them.
 *
 * @see supabase/auth internal/tokens/service.go, `MinimumViableTokenSchema`
 */
export async function hookedClaims(auth: Auth, tx: Transaction, asked: { userId: string; claims: Claims; method: string; ip?: string }): Promise<Claims> {
  const uri = auth.settings.hooks.customAccessToken
  if (!uri) return asked.claims
  const { userId, claims: own, method: authentication_method, ip } = asked
  const input = { user_id: userId, claims: own, authentication_method }
  const { claims } = await runHook(auth, tx, { uri, name: 'customize-access-token', input, ...(ip ? { ip } : {}) })
  if (claims === undefined) throw authError('unexpected_failure', { message: 'output claims field is missing' })
  if (!isBag(claims)) throw authError('unexpected_failure', { message: 'Error unmarshaling JSON output.' })
  return requireClaims(claims as Claims)
}
