import { createPrivateKey, createPublicKey, type JsonWebKey as NodeJwk } from 'node:crypto'

export type Jwk = JsonWebKey & { kid?: string }

export type SigningAlg = 'ES256' | 'RS256' | 'EdDSA'

/** Shorter RSA keys can be broken. */
const leastRsaBits = 2048

/** How a key signs; undefined: in no way the hosted backend knows. */
export function algOf(jwk: Jwk): SigningAlg | undefined {
  if (jwk.kty === 'EC' && jwk.crv === 'P-256') return 'ES256'
  if (jwk.kty === 'RSA' && (jwk.alg === undefined || jwk.alg === 'RS256')) return 'RS256'
  if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519') return 'EdDSA'
  return undefined
}

const isPrivate = (jwk: Jwk): boolean => typeof jwk.d === 'string'
const maySign = (jwk: Jwk): boolean => isPrivate(jwk) && (jwk.key_ops === undefined || jwk.key_ops.includes('sign'))

/** The key of a list that signs: the one that says so, else the first that can. The others only check. */
export const signerOf = (jwks: readonly Jwk[]): Jwk | undefined =>
  jwks.find((jwk) => isPrivate(jwk) && jwk.key_ops?.includes('sign')) ?? jwks.find(maySign)

const publicMembers = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid'] as const

/** What anybody may know of a key. */
export function publicPart(jwk: Jwk): JsonWebKey {
  const shown = Object.fromEntries(publicMembers.flatMap((name) => (jwk[name] === undefined ? [] : [[name, jwk[name]]])))
  return { ...shown, alg: algOf(jwk) ?? '', use: 'sig', key_ops: ['verify'] }
}

function fault(jwk: Jwk): string | undefined {
  if (typeof jwk.kid !== 'string' || jwk.kid === '') return 'has no kid'
  if (algOf(jwk) === undefined) return 'is of no kind that signs here (EC P-256, RSA or Ed25519)'
  try {
    const key = isPrivate(jwk) ? createPrivateKey({ key: jwk as NodeJwk, format: 'jwk' }) : createPublicKey({ key: jwk as NodeJwk, format: 'jwk' })
    const bits = key.asymmetricKeyDetails?.modulusLength ?? leastRsaBits
    return bits < leastRsaBits ? `has ${bits} bits; at least ${leastRsaBits} are needed` : undefined
  } catch {
    return 'is not a whole key'
  }
}

/**
 * What is wrong with the keys of a `signing_keys_path`, by their place in the list and without any of their content.
 *
 * @see supabase/auth internal/conf/jwk.go, `Validate`
 */
export function signingKeyFaults(jwks: readonly unknown[]): string[] {
  const isObject = (value: unknown): value is Jwk => typeof value === 'object' && value !== null
  const faults = jwks.flatMap((jwk, index) => {
    const found = isObject(jwk) ? fault(jwk) : 'is no key'
    return found === undefined ? [] : [`key ${index + 1} ${found}`]
  })
  const known = jwks.filter(isObject)
  const named = known.filter((jwk) => jwk.key_ops?.includes('sign'))
  if (named.length > 1) faults.push('only one key may sign; take "sign" out of the key_ops of the others')
  if (jwks.length > 0 && signerOf(known) === undefined) faults.push('no key signs')
  if (new Set(known.map(({ kid }) => kid)).size < known.length) faults.push('two keys have the same kid')
  return faults
}
