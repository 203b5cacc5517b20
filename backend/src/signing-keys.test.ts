import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey as NodeJwk } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { signingKeyFaults, type Jwk } from './keys/signing-keys.ts'
import { openTestBox, type TestBox } from './open-test-box.ts'

const make = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
} as const

const keyOf = (alg: keyof typeof make, kid: string, operations: readonly string[] = ['sign', 'verify']): Jwk =>
  ({ ...make[alg]().privateKey.export({ format: 'jwk' }), kid, alg, key_ops: [...operations] }) as Jwk

const configToml = '[auth.email]\nenable_confirmations = false'
let boxes: TestBox[] = []
const openWith = async (signingJwks: readonly Jwk[]): Promise<TestBox> => {
  const box = await openTestBox({ configToml, options: { keys: { signingJwks } } })
  boxes.push(box)
  return box
}
afterEach(async () => {
  for (const box of boxes) await box.close()
  boxes = []
})

const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function signUp(box: TestBox): Promise<string> {
  const { data, error } = await box.client().auth.signUp({ email: 'ada@example.com', password: 'correct horse battery' })
  if (error || !data.session) throw error ?? new Error('no session')
  return data.session.access_token
}

const statusOf = async (box: TestBox, token: string): Promise<number> =>
  (await fetch(`${box.url}/auth/v1/user`, { headers: { apikey: box.backend.keys.publishableKey, authorization: `Bearer ${token}` } })).status

describe('signing keys of the operator', () => {
  test.each(['RS256', 'ES256', 'EdDSA'] as const)('%s signs access tokens that the box and the official client check', async (alg) => {
    // The client keeps keys it has seen, by their kid.
    const kid = `mine-${alg}`
    const box = await openWith([keyOf(alg, kid)])
    const token = await signUp(box)
    expect(decode(token.split('.')[0])).toEqual({ alg, kid, typ: 'JWT' })
    expect(await statusOf(box, token)).toBe(200)
    // The official client knows no EdDSA.
    if (alg !== 'EdDSA') expect((await box.client().auth.getClaims(token)).data?.claims).toMatchObject({ role: 'authenticated', aal: 'aal1' })
    const { keys } = (await (await fetch(`${box.url}/auth/v1/.well-known/jwks.json`)).json()) as { keys: Jwk[] }
    expect(keys[0]).toMatchObject({ kid, alg, use: 'sig', key_ops: ['verify'] })
    expect(JSON.stringify(keys)).not.toMatch(/"(d|p|q|dp|dq|qi|k)":/)
  })

  test('are rotated: the new one signs, and tokens of the old one stay good', async () => {
    const [old, next] = [keyOf('ES256', 'old'), keyOf('RS256', 'next')]
    const token = await signUp(await openWith([old]))
    const after = await openWith([{ ...old, key_ops: ['verify'] }, next])
    const rest = await fetch(`${after.url}/rest/v1/`, { headers: { apikey: after.backend.keys.publishableKey, authorization: `Bearer ${token}` } })
    expect(rest.status).not.toBe(401)
    expect(decode((await signUp(after)).split('.')[0]).kid).toBe('next')
    const without = await openWith([next])
    expect((await fetch(`${without.url}/rest/v1/`, { headers: { apikey: without.backend.keys.publishableKey, authorization: `Bearer ${token}` } })).status).toBe(401)
  })

  test('are not confused: no token passes by naming another algorithm, another key or none', async () => {
    const rsa = keyOf('RS256', 'rsa')
    const box = await openWith([rsa, keyOf('ES256', 'ec', ['verify'])])
    const token = await signUp(box)
    const [head, body = '', signature = ''] = token.split('.')
    const pem = createPublicKey({ key: rsa as NodeJwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const hmac = (header: object, secret: string | Buffer) => {
      const content = `${encode(header)}.${body}`
      return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
    }
    const forged = {
      'alg none': `${encode({ alg: 'none', kid: 'rsa' })}.${body}.`,
      'alg none, with a signature': `${encode({ alg: 'none', kid: 'rsa' })}.${body}.${signature}`,
      'alg nOnE': `${encode({ alg: 'nOnE' })}.${body}.${signature}`,
      'the public key as a secret': hmac({ alg: 'HS256', kid: 'rsa', typ: 'JWT' }, pem),
      'the public key as a secret, without kid': hmac({ alg: 'HS256', typ: 'JWT' }, pem),
      'the other key': `${encode({ ...decode(head), kid: 'ec' })}.${body}.${signature}`,
      'the other algorithm': `${encode({ ...decode(head), alg: 'ES256' })}.${body}.${signature}`,
      'a key nobody has': `${encode({ ...decode(head), kid: 'nobody' })}.${body}.${signature}`,
      'no key': `${encode({ alg: 'RS256' })}.${body}.${signature}`,
      'a key of its own': `${encode({ ...decode(head), jwk: rsa })}.${body}.${signature}`,
      'an empty signature': `${head}.${body}.`,
    }
    for (const [name, one] of Object.entries(forged)) expect(await statusOf(box, one), name).toBe(403)
    expect(await statusOf(box, token)).toBe(200)
  })

  test('that cannot be used are named by their place, without what is in them', () => {
    expect(signingKeyFaults([keyOf('ES256', 'a'), keyOf('RS256', 'b', ['verify'])])).toEqual([])
    expect(signingKeyFaults([keyOf('ES256', 'a'), keyOf('ES256', 'b')])).toEqual([expect.stringContaining('only one key may sign')])
    expect(signingKeyFaults([{ ...keyOf('ES256', 'a'), d: undefined }])).toEqual(['no key signs'])
    expect(signingKeyFaults([keyOf('ES256', '')])).toEqual(['key 1 has no kid'])
    const short = { ...generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ format: 'jwk' }), kid: 'short' } as Jwk
    expect(signingKeyFaults([short])).toEqual(['key 1 has 1024 bits; at least 2048 are needed'])
    const torn = signingKeyFaults([{ ...keyOf('ES256', 'a'), x: 'AAAA' }])
    expect(torn).toEqual(['key 1 is not a whole key'])
    expect(signingKeyFaults([{ kty: 'oct', k: 'secret', kid: 'a' }]).join()).not.toContain('secret')
  })
})
