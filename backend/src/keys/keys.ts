import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type { ProjectKeys } from '#contract/keys.ts'
import { signHs256 } from './jwt.ts'
import { makeOpaqueKey } from './opaque-key.ts'
import type { S3Keys } from './s3-keys.ts'
import { algOf, publicPart, signerOf, type Jwk } from './signing-keys.ts'

/** Keys an operator gives instead of the generated ones. */
export interface GivenKeys {
  publishableKey?: string
  secretKey?: string
  /** At least 32 bytes. Given without a signing key, access tokens become HS256, so that holders of the secret can check them. */
  jwtSecret?: string
  anonKey?: string
  serviceRoleKey?: string
  /** JWKs of the operator's own. One signs; the others, private or public, are those of before and after. */
  signingJwks?: readonly JsonWebKey[]
  /** For the S3 protocol. */
  s3?: S3Keys
  /** For the bucket elsewhere that files are kept in. */
  fileStore?: S3Keys & { sessionToken?: string }
}

/** What `keys.json` holds: everything that must outlive the process. */
export interface StoredKeys {
  publishableKey: string
  secretKey: string
  jwtSecret: string
  /** Unix seconds, part of the JWT keys, so that they stay the same from start to start. */
  issuedAt: number
  signingJwk: JsonWebKey
}

const tenYearsSeconds = 10 * 365 * 24 * 3600

/** Makes a fresh set, with the private parts that only `keys.json` (0600) may hold. */
export function makeStoredKeys(nowMs: number): StoredKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    publishableKey: makeOpaqueKey('sb_publishable_'),
    secretKey: makeOpaqueKey('sb_secret_'),
    jwtSecret: randomBytes(48).toString('base64url'),
    issuedAt: Math.floor(nowMs / 1000),
    signingJwk: { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' } as JsonWebKey,
  }
}

/** Joins stored and given keys. A given key always wins. */
export function resolveKeys(stored: StoredKeys, given: GivenKeys = {}): ProjectKeys {
  const jwtSecret = given.jwtSecret ?? stored.jwtSecret
  const jwtKey = (role: string) =>
    signHs256(jwtSecret, { iss: 'supabase', ref: 'portico', role, iat: stored.issuedAt, exp: stored.issuedAt + tenYearsSeconds })
  const own = (given.signingJwks ?? []) as readonly Jwk[]
  const signer = signerOf(own) ?? (stored.signingJwk as Jwk)
  const onlySecret = given.jwtSecret !== undefined && own.length === 0
  return {
    publishableKey: given.publishableKey ?? stored.publishableKey,
    secretKey: given.secretKey ?? stored.secretKey,
    jwtSecret,
    anonKey: given.anonKey ?? jwtKey('anon'),
    serviceRoleKey: given.serviceRoleKey ?? jwtKey('service_role'),
    signing: onlySecret ? { alg: 'HS256' } : { alg: algOf(signer) ?? 'ES256', kid: String(signer.kid), privateJwk: signer },
    // Tokens of before a switch to the operator's own keys stay good until they expire.
    publicJwks: [...own, stored.signingJwk as Jwk].map(publicPart),
  }
}
