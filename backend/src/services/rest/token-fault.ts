import type { TokenFault } from '#contract/service.ts'
import type { ServiceError } from '#contract/service-error.ts'
import { claimsNotAccepted, roleUnknown, tokenNotAccepted } from './errors.ts'

const noKey = (): ServiceError => tokenNotAccepted('No suitable key or wrong key type', 'None of the keys was able to decode the JWT')

const bearerOf = (request: Request): string => (request.headers.get('authorization') ?? '').replace(/^bearer\s*/i, '').trim()

// Only to say what is wrong with a token that was refused; nothing here is trusted.
function readClaims(token: string): Record<string, unknown> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function malformed(request: Request): ServiceError {
  const token = bearerOf(request)
  if (token === '') return tokenNotAccepted('Empty JWT is sent in Authorization header')
  const parts = token.split('.').length
  if (parts !== 3) return tokenNotAccepted(`Expected 3 parts in JWT; got ${parts}`)
  const claims = readClaims(token)
  const moment = ['exp', 'nbf', 'iat'].find((name) => claims[name] !== undefined && claims[name] !== null && typeof claims[name] !== 'number')
  return moment === undefined ? tokenNotAccepted('JWT cryptographic operation failed') : claimsNotAccepted(`The JWT '${moment}' claim must be a number`)
}

function claimedRole(request: Request): string {
  const { role } = readClaims(bearerOf(request))
  return typeof role === 'string' ? role : ''
}

// A token may be early by `nbf`, or by having been made in the future, most often by a machine whose clock is ahead.
function early(request: Request, nowMs: number): ServiceError {
  const { nbf } = readClaims(bearerOf(request))
  return claimsNotAccepted(typeof nbf === 'number' && nbf * 1000 > nowMs ? 'JWT not yet valid' : 'JWT issued at future')
}

const describe: Readonly<Record<TokenFault, (request: Request, nowMs: number) => ServiceError>> = {
  malformed,
  expired: () => claimsNotAccepted('JWT expired'),
  'not-yet-valid': early,
  'bad-signature': noKey,
  'unknown-key': noKey,
  'wrong-issuer': () => claimsNotAccepted('JWT issuer is not accepted'),
  'unknown-role': (request) => roleUnknown(claimedRole(request)),
}

/** A refused token in the data API's words. */
export const tokenFailure = (fault: TokenFault, request: Request, nowMs: number): ServiceError => describe[fault](request, nowMs)
