import { createHmac, createPrivateKey, sign, type JsonWebKey as NodeJwk } from 'node:crypto'

import type { ProjectKeys } from '#contract/keys.ts'

/** Signs claims into a JWT. */
export type SignToken = (claims: Readonly<Record<string, unknown>>) => string

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs with the project's key and its `kid`, or HS256 with the secret. All are synchronous: RS256 takes a millisecond, the others some 30 µs. */
export function createTokenSigner(keys: ProjectKeys): SignToken {
  const { signing } = keys
  if (signing.alg === 'HS256') {
    const head = encode({ alg: 'HS256', typ: 'JWT' })
    return (claims) => {
      const content = `${head}.${encode(claims)}`
      return `${content}.${createHmac('sha256', keys.jwtSecret).update(content).digest('base64url')}`
    }
  }
  const key = createPrivateKey({ key: signing.privateJwk as NodeJwk, format: 'jwk' })
  const head = encode({ alg: signing.alg, kid: signing.kid, typ: 'JWT' })
  // Ed25519 hashes by itself.
  const digest = signing.alg === 'EdDSA' ? null : 'sha256'
  return (claims) => {
    const content = `${head}.${encode(claims)}`
    return `${content}.${sign(digest, Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }
}
