import { createHmac, createPublicKey, timingSafeEqual, verify, type JsonWebKey as NodeJsonWebKey, type KeyObject } from 'node:crypto'
import type { Clock } from '#contract/clock.ts'
import type { ProjectKeys } from '#contract/keys.ts'
import type { TokenFault } from '#contract/service.ts'

export type Claims = Readonly<Record<string, unknown>>
export type Verdict = { claims: Claims } | { fault: TokenFault }

export interface TokenRules {
  keys: Pick<ProjectKeys, 'jwtSecret' | 'publicJwks'>
  clock: Clock
  /** Whether tokens of this issuer are ours. */
  isIssuer(issuer: string): boolean
}

interface Parts {
  header: Claims
  claims: Claims
  signed: Buffer
  signature: Buffer
}

// Clocks of two machines may differ by this much.
const skewMs = 30_000
const cacheLimit = 4096
// A person can grow their own token by their metadata; large ones are checked each time instead of kept.
const cachedLength = 8192

function parseObject(segment: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : undefined
  } catch {
    return undefined
  }
}

function splitToken(token: string): Parts | undefined {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined
  const [head = '', body = '', tail = ''] = token.split('.')
  const header = parseObject(head)
  const claims = parseObject(body)
  if (!header || !claims) return undefined
  return { header, claims, signed: Buffer.from(`${head}.${body}`), signature: Buffer.from(tail, 'base64url') }
}

const moment = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value * 1000 : undefined)
const isTime = (value: unknown): boolean => value === undefined || moment(value) !== undefined

function checkTimes(claims: Claims, nowMs: number): TokenFault | undefined {
  if (!isTime(claims.exp) || !isTime(claims.nbf) || !isTime(claims.iat)) return 'malformed'
  if ((moment(claims.exp) ?? Number.POSITIVE_INFINITY) <= nowMs) return 'expired'
  const notBefore = Math.max(moment(claims.nbf) ?? 0, moment(claims.iat) ?? 0)
  return notBefore > nowMs + skewMs ? 'not-yet-valid' : undefined
}

// Who somebody is, told to an application: it names the application and no session, and is signed with the same keys.
const isIdToken = (claims: Claims): boolean => claims.client_id !== undefined && claims.session_id === undefined && claims.role === undefined

interface PublicKey {
  alg: 'ES256' | 'RS256' | 'EdDSA'
  key: KeyObject
}

// Read from the key itself: what a token says of its own algorithm chooses nothing.
function algOf(jwk: JsonWebKey): PublicKey['alg'] | undefined {
  if (jwk.kty === 'EC' && jwk.crv === 'P-256') return 'ES256'
  if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519') return 'EdDSA'
  return jwk.kty === 'RSA' ? 'RS256' : undefined
}

function importKeys(jwks: readonly JsonWebKey[]): Map<string, PublicKey> {
  const imported = new Map<string, PublicKey>()
  for (const jwk of jwks) {
    const { kid } = jwk as { kid?: string }
    const alg = algOf(jwk)
    if (alg && typeof kid === 'string') imported.set(kid, { alg, key: createPublicKey({ key: jwk as NodeJsonWebKey, format: 'jwk' }) })
  }
  return imported
}

const checkedAlgs = new Set<unknown>(['ES256', 'RS256', 'EdDSA'])

function createSignatureCheck({ jwtSecret, publicJwks }: TokenRules['keys']): (parts: Parts) => TokenFault | undefined {
  const publicKeys = importKeys(publicJwks)
  return ({ header, signed, signature }) => {
    if (header.crit !== undefined) return 'malformed'
    // The key is chosen by the algorithm and fits no other: a public key never becomes an HMAC secret.
    if (header.alg === 'HS256') {
      if (typeof header.kid === 'string' && publicKeys.has(header.kid)) return 'bad-signature'
      const expected = createHmac('sha256', jwtSecret).update(signed).digest()
      return expected.length === signature.length && timingSafeEqual(expected, signature) ? undefined : 'bad-signature'
    }
    if (!checkedAlgs.has(header.alg)) return 'bad-signature'
    const known = typeof header.kid === 'string' ? publicKeys.get(header.kid) : undefined
    if (!known) return 'unknown-key'
    if (known.alg !== header.alg) return 'bad-signature'
    const digest = known.alg === 'EdDSA' ? null : 'sha256'
    return verify(digest, signed, { key: known.key, dsaEncoding: 'ieee-p1363' }, signature) ? undefined : 'bad-signature'
  }
}

/** Makes the function that checks a bearer token. Good ones are remembered by their text until they expire. */
export function createTokenCheck(rules: TokenRules): (token: string) => Verdict {
  const checkSignature = createSignatureCheck(rules.keys)
  const remembered = new Map<string, Claims>()

  const judge = (token: string): Verdict => {
    const parts = splitToken(token)
    if (!parts) return { fault: 'malformed' }
    const { claims } = parts
    const fault = checkSignature(parts) ?? checkTimes(claims, rules.clock.now())
    if (fault) return { fault }
    // Keys signed with the shared secret may name no issuer; what the auth service signs always does.
    const isOurs = typeof claims.iss === 'string' ? rules.isIssuer(claims.iss) : claims.iss === undefined && parts.header.alg === 'HS256'
    if (!isOurs) return { fault: 'wrong-issuer' }
    return isIdToken(claims) ? { fault: 'unknown-role' } : { claims }
  }

  return (token) => {
    const known = remembered.get(token)
    if (known) {
      const fault = checkTimes(known, rules.clock.now())
      if (!fault) return { claims: known }
      remembered.delete(token)
      return { fault }
    }
    const verdict = judge(token)
    if ('claims' in verdict && token.length <= cachedLength) {
      if (remembered.size >= cacheLimit) remembered.delete(remembered.keys().next().value ?? '')
      remembered.set(token, Object.freeze(verdict.claims))
    }
    return verdict
  }
}
