import { createHash } from 'node:crypto'

import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'

import type { Person } from './people.ts'

/** Signs ID tokens with a key of this run. */
export interface IdTokenSigner {
  publicKeys: { keys: readonly JWK[] }
  sign(facts: { issuer: string; clientId: string; person: Person; nonce: string; accessToken: string; issuedAt: number }): Promise<string>
}

export const idTokenLifetimeSeconds = 3600

const given = (full: string): { given_name?: string; family_name?: string } => {
  const parts = full.split(' ')
  return parts.length < 2 ? {} : { given_name: parts.slice(0, -1).join(' '), family_name: parts.at(-1) ?? '' }
}

/** What is told about somebody. */
export const claimsOf = ({ sub, name, email, isVerified }: Person) => ({
  sub,
  ...(name === '' ? {} : { name, ...given(name) }),
  email,
  email_verified: isVerified,
  preferred_username: email.split('@', 1)[0] ?? email,
})

export async function createIdTokenSigner(): Promise<IdTokenSigner> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return {
    publicKeys: { keys: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }] },
    sign({ issuer, clientId, person, nonce, accessToken, issuedAt }) {
      const digest = createHash('sha256').update(accessToken).digest()
      const claims = { ...claimsOf(person), ...(nonce === '' ? {} : { nonce }), at_hash: digest.subarray(0, 16).toString('base64url') }
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(clientId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + idTokenLifetimeSeconds)
        .sign(privateKey)
    },
  }
}
