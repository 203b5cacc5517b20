import { createHash } from 'node:crypto'

import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'

import { sameSecret } from '#services/auth/codes.ts'

/** What an ID token must be to be believed. */
export interface IdTokenDemands {
  /** As the token must spell it. */
  issuer: string
  keys: JWTVerifyGetKey
  /** One of them must be the token's audience. */
  audiences: readonly string[]
  /** What `nonce` must be; left out: it is not looked at. */
  nonce?: string
  /** Bound to the token by `at_hash`, if the token has one. */
  accessToken?: string
  now: Date
}

/** An ID token that is not believed. The message says why, without the token. */
export class BadIdToken extends Error {
  readonly claim: 'audience' | 'nonce' | 'other'

  constructor(why: string, claim: BadIdToken['claim'] = 'other', options?: ErrorOptions) {
    super(why, options)
    this.name = 'BadIdToken'
    this.claim = claim
  }
}

// Public keys only: a token "signed" with a public key as the secret of HS256 is as bad as one with `alg: none`.
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const hashOf: Readonly<Record<string, string>> = { 256: 'sha256', 384: 'sha384', 512: 'sha512' }

function requireAccessToken(alg: string, claims: JWTPayload, accessToken: string | undefined): void {
  if (accessToken === undefined || accessToken === '' || typeof claims.at_hash !== 'string' || claims.at_hash === '') return
  const digest = createHash(hashOf[alg.slice(-3)] ?? 'sha512').update(accessToken).digest()
  const expected = digest.subarray(0, digest.length / 2).toString('base64url')
  if (!sameSecret(claims.at_hash, expected)) throw new BadIdToken('the access token is not the one the ID token was issued with')
}

function requireParties(claims: JWTPayload, { audiences, nonce }: IdTokenDemands): void {
  const named = [claims.aud ?? []].flat()
  if (!named.some((one) => one !== '' && audiences.includes(one))) {
    throw new BadIdToken(`Unacceptable audience in id_token: [${named.join(' ')}]`, 'audience')
  }
  if (typeof claims.sub !== 'string' || claims.sub === '') throw new BadIdToken('Missing sub claim in id_token')
  if (nonce === undefined) return
  const given = typeof claims.nonce === 'string' ? claims.nonce : ''
  if (!sameSecret(given, nonce)) throw new BadIdToken('the nonce is not the one that was asked with', 'nonce')
}

/** The issuer a token names, unchecked; empty when it is no token. */
export function issuerOf(idToken: string): string {
  try {
    return decodeJwt(idToken).iss ?? ''
  } catch {
    return ''
  }
}

async function verify(idToken: string, demands: IdTokenDemands): Promise<JWTPayload> {
  const { issuer, keys, now } = demands
  const options = { issuer, algorithms, currentDate: now, clockTolerance: 30, requiredClaims: ['exp', 'iat'] }
  try {
    return (await jwtVerify(idToken, keys, options)).payload
  } catch (error) {
    // Keys without a `kid` to tell them apart are tried one by one, as OpenID allows.
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      const tried = await jwtVerify(idToken, key, options).catch((failure: unknown) => {
        if (failure instanceof errors.JWSSignatureVerificationFailed) return undefined
        throw failure
      })
      if (tried) return tried.payload
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** Longest ID token that is looked at, in characters. */
const longestToken = 64 * 1024

/**
 * The claims of an ID token that holds: signature, issuer, audience, time, nonce, access token.
 *
 * @throws BadIdToken.
 */
export async function readIdToken(idToken: string, demands: IdTokenDemands): Promise<JWTPayload> {
  if (idToken.length > longestToken) throw new BadIdToken('the token is too long')
  let claims: JWTPayload
  try {
    claims = await verify(idToken, demands)
  } catch (cause) {
    throw new BadIdToken(cause instanceof Error ? cause.message : 'not a token', 'other', { cause })
  }
  requireParties(claims, demands)
  requireAccessToken(String(decodeProtectedHeader(idToken).alg ?? ''), claims, demands.accessToken)
  return claims
}
