import type { RequestContext, TokenFault } from '#contract/service.ts'
import type { ServiceError } from '#contract/service-error.ts'
import { claimsNotAccepted, roleUnknown, tokenNotAccepted } from './errors.ts'

const noKey = (): ServiceError => tokenNotAccepted('No suitable key or wrong key type', 'None of the keys was able to decode the JWT')

const bearerOf = (request: Request): string => (request.headers.get('authorization') ?? '').replace(/^bearer\s*/i, '').trim()

function malformed(request: Request): ServiceError {
  const token = bearerOf(request)
  const parts = token.split('.').length
  if (token === '') return tokenNotAccepted('Empty JWT is sent in Authorization header')
  return parts === 3 ? tokenNotAccepted('JWT cryptographic operation failed') : tokenNotAccepted(`Expected 3 parts in JWT; got ${parts}`)
}

function claimedRole(request: Request): string {
  try {
    const claims: unknown = JSON.parse(Buffer.from(bearerOf(request).split('.')[1] ?? '', 'base64url').toString('utf8'))
    return typeof claims === 'object' && claims !== null && 'role' in claims ? String(claims.role) : ''
  } catch {
    return ''
  }
}

const describe: Readonly<Record<TokenFault, (request: Request) => ServiceError>> = {
  malformed,
  expired: () => claimsNotAccepted('JWT expired'),
  'not-yet-valid': () => claimsNotAccepted('JWT not yet valid'),
  'bad-signature': noKey,
  'unknown-key': noKey,
  'wrong-issuer': () => claimsNotAccepted('JWT issuer is not accepted'),
  'unknown-role': (request) => roleUnknown(claimedRole(request)),
}

/** A refused token in the data API's words. */
export const tokenFailure = (fault: NonNullable<RequestContext['tokenFault']>, request: Request): ServiceError => describe[fault](request)
