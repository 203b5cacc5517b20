import { createHash, timingSafeEqual } from 'node:crypto'
import type { ProjectKeys } from '#contract/keys.ts'
import type { TokenVerdict } from '#contract/service.ts'
import { invalidJwt, missingAuthorization, notABearerToken } from './errors.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (given: string, key: string): boolean => timingSafeEqual(digest(given), digest(key))

/**
 * Tells which `Authorization` a function is given: the caller's own, or the JWT that the caller's key stands for.
 * Undefined when there is neither.
 *
 * @see supabase/cli internal/start/templates/kong.yml
 */
export function authorizationOf(headers: Headers, keys: ProjectKeys): string | undefined {
  const own = headers.get('authorization')
  if (own !== null && !own.startsWith('Bearer sb_')) return own
  const apiKey = headers.get('apikey')
  if (apiKey === null) return undefined
  if (isSame(apiKey, keys.secretKey)) return `Bearer ${keys.serviceRoleKey}`
  return isSame(apiKey, keys.publishableKey) ? `Bearer ${keys.anonKey}` : apiKey
}

// Who signed the token and whether it is still good is asked, its role and its issuer are not.
const passing = new Set(['wrong-issuer', 'unknown-role'])

/**
 * Checks that a request carries a token signed by this project. Any role will do, `anon` too. Judged is the text that the function is
 * given, whichever header it came in: the gateway has judged the request's own bearer alone, and only where it could read one.
 *
 * @throws 401 without a bearer token, or with one that is not ours or no longer good.
 */
export async function requireToken(authorization: string | undefined, verifyToken: (token: string) => Promise<TokenVerdict>): Promise<void> {
  if (authorization === undefined || authorization === '') throw missingAuthorization()
  const [scheme, token = ''] = authorization.split(' ')
  if (scheme !== 'Bearer') throw notABearerToken()
  const verdict = await verifyToken(token)
  if ('fault' in verdict && !passing.has(verdict.fault)) throw invalidJwt()
}
