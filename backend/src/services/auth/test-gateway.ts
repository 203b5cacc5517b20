import { createHmac, createPublicKey, generateKeyPairSync, randomUUID, timingSafeEqual, verify, type JsonWebKey as NodeJwk } from 'node:crypto'

import type { Caller } from '#contract/caller.ts'
import type { ProjectKeys } from '#contract/keys.ts'
import type { RequestContext, TokenFault } from '#contract/service.ts'

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs a token as the older keys are. */
export function signHs256(claims: object, secret: string): string {
  const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

/** Fresh keys of a project that signs with `alg`. */
export function makeTestKeys(alg: 'ES256' | 'HS256'): ProjectKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = randomUUID()
  const jwtSecret = 'a-test-secret-of-at-least-32-characters'
  const inTenYears = Math.floor(Date.now() / 1000) + 315_360_000
  return {
    publishableKey: 'sb_publishable_test',
    secretKey: 'sb_secret_test',
    jwtSecret,
    anonKey: signHs256({ role: 'anon', exp: inTenYears }, jwtSecret),
    serviceRoleKey: signHs256({ role: 'service_role', exp: inTenYears }, jwtSecret),
    signing: alg === 'HS256' ? { alg } : { alg, kid, privateJwk: privateKey.export({ format: 'jwk' }) as JsonWebKey },
    publicJwks: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' } as JsonWebKey],
  }
}

function readClaims(token: string, keys: ProjectKeys, nowMs: number): Record<string, unknown> | TokenFault {
  const [head = '', body = '', signature = ''] = token.split('.')
  try {
    const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string }
    const content = Buffer.from(`${head}.${body}`)
    const given = Buffer.from(signature, 'base64url')
    const expected = createHmac('sha256', keys.jwtSecret).update(content).digest()
    const isRight =
      alg === 'HS256'
        ? given.length === expected.length && timingSafeEqual(given, expected)
        : verify('sha256', content, { key: createPublicKey({ key: keys.publicJwks[0] as NodeJwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }, given)
    if (!isRight) return 'bad-signature'
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
    return typeof claims.exp === 'number' && claims.exp * 1000 < nowMs ? 'expired' : claims
  } catch {
    return 'malformed'
  }
}

/** The few things a gateway does that this service counts on. */
export function identify(request: Request, keys: ProjectKeys, nowMs: number): Pick<RequestContext, 'caller' | 'token' | 'tokenFault'> {
  const role = request.headers.get('apikey') === keys.secretKey ? 'service_role' : 'anon'
  const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (!bearer || bearer.startsWith('sb_')) return { caller: { role, claims: { role } } }
  const claims = readClaims(bearer, keys, nowMs)
  if (typeof claims === 'string') return { caller: { role, claims: { role } }, tokenFault: claims }
  const caller: Caller = { role: String(claims.role ?? 'anon'), claims }
  return { caller, token: bearer }
}
