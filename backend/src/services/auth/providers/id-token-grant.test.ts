import { createHash, createHmac, generateKeyPairSync } from 'node:crypto'

import { exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { freshEmail, signUpPerson } from '#services/auth/open-test-auth.ts'

import { external, openProviderWorld, type ProviderWorld } from './open-test-provider.ts'

let world: ProviderWorld
beforeAll(async () => {
  world = await openProviderWorld({}, {
    google: external({ clientIds: ['client-1', 'android-app'] }),
    apple: external(),
    azure: external(),
    facebook: external(),
    keycloak: external({ url: 'https://sso.example.com/realms/staff/' }),
    kakao: external(),
    snapchat: external({ skipNonceCheck: true }),
  })
})
afterAll(() => world.close())

let count = 0
const claims = (more: Record<string, unknown> = {}) => ({ iss: 'https://accounts.google.com', aud: 'client-1', sub: `t-${(count += 1)}`, email: freshEmail(), email_verified: true, ...more })

const grant = async (body: Record<string, unknown>) => {
  const answer = await world.auth.ask('/token?grant_type=id_token', { method: 'POST', body: { provider: 'google', ...body } })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> & { user?: { email: string; app_metadata: object } } }
}
const refusal = async (body: Record<string, unknown>) => {
  const { status, body: told } = await grant(body)
  return [status, told.error ?? told.code, told.error_description ?? told.message]
}

describe('an ID token', () => {
  it('signs in through the official client, for each of the project\'s clients', async () => {
    for (const aud of ['client-1', 'android-app', ['other', 'android-app']]) {
      const mine = claims({ aud, name: 'Grace' })
      const { data, error } = await world.auth.client().auth.signInWithIdToken({ provider: 'google', token: await world.provider.sign(mine) })
      expect(error).toBeNull()
      expect(data.user).toMatchObject({ email: mine.email, app_metadata: { provider: 'google' }, user_metadata: { full_name: 'Grace' } })
      expect((await world.auth.client().auth.getClaims(data.session!.access_token)).data?.claims.amr).toMatchObject([{ method: 'oauth' }])
    }
  })

  it('links into the account its verified address has, and only then', async () => {
    const { email, user } = await signUpPerson(world.auth)
    const unverified = await grant({ id_token: await world.provider.sign(claims({ email, email_verified: false })) })
    expect(unverified.body.code).toBe('provider_email_needs_verification')
    const { body } = await grant({ id_token: await world.provider.sign(claims({ email })) })
    expect(body.user).toMatchObject({ id: user.id })
  })

  it('comes with the nonce whose hash it holds, or both come without', async () => {
    const nonce = 'raw nonce'
    const hashed = createHash('sha256').update(nonce).digest('hex')
    expect((await grant({ id_token: await world.provider.sign(claims({ nonce: hashed })), nonce })).status).toBe(200)
    expect(await refusal({ id_token: await world.provider.sign(claims({ nonce: hashed })), nonce: 'another' })).toEqual([400, 'invalid nonce', 'Nonces mismatch'])
    expect(await refusal({ id_token: await world.provider.sign(claims({ nonce: hashed })), nonce: hashed })).toEqual([400, 'invalid nonce', 'Nonces mismatch'])
    const either = [400, 'invalid request', 'Passed nonce and nonce in id_token should either both exist or not.']
    expect(await refusal({ id_token: await world.provider.sign(claims({ nonce: hashed })) })).toEqual(either)
    expect(await refusal({ id_token: await world.provider.sign(claims()), nonce })).toEqual(either)
  })

  it('is bound to the access token it was issued with', async () => {
    const at_hash = createHash('sha256').update('the access token').digest().subarray(0, 16).toString('base64url')
    expect((await grant({ id_token: await world.provider.sign(claims({ at_hash })), access_token: 'the access token' })).status).toBe(200)
    expect(await refusal({ id_token: await world.provider.sign(claims({ at_hash })), access_token: 'another' })).toEqual([400, 'invalid request', 'Bad ID token'])
  })

  it('for somebody else, of somebody else, too old or too new is refused', async () => {
    const now = Math.floor(Date.now() / 1000)
    expect(await refusal({ id_token: await world.provider.sign(claims({ aud: 'evil' })) })).toEqual([400, 'invalid request', 'Unacceptable audience in id_token: [evil]'])
    expect(await refusal({ id_token: await world.provider.sign(claims({ aud: '' })) })).toEqual([400, 'invalid request', 'Unacceptable audience in id_token: []'])
    const bad = [400, 'invalid request', 'Bad ID token']
    expect(await refusal({ id_token: await world.provider.sign(claims({ iss: 'https://evil.example' })) })).toEqual(bad)
    expect(await refusal({ id_token: await world.provider.sign(claims({ iss: 'https://accounts.google.com/' })) })).toEqual(bad)
    expect(await refusal({ id_token: await world.provider.sign(claims({ exp: now - 60 })) })).toEqual(bad)
    expect(await refusal({ id_token: await world.provider.sign(claims({ nbf: now + 600 })) })).toEqual(bad)
    expect(await refusal({ id_token: await world.provider.sign(claims({ sub: '' })) })).toEqual(bad)
    expect(await refusal({ id_token: await world.provider.sign(claims({ exp: undefined })) })).toEqual(bad)
  })

  it('that no key of the issuer has signed is refused, however it says it was signed', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const now = Math.floor(Date.now() / 1000)
    const body = encode({ ...claims(), iat: now, exp: now + 300 })
    const jwks = (await (await world.provider.outbound('https://accounts.google.com/jwks')).json()) as { keys: Record<string, string>[] }
    const publicPem = await exportSPKI((await importJWK(jwks.keys[0]!, 'RS256')) as never)
    const hmac = (header: object, secret: string) => {
      const content = `${encode(header)}.${body}`
      return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
    }
    const stranger = await generateKeyPair('RS256')
    const byStranger = (header: object) => new SignJWT({ ...claims(), iat: now, exp: now + 300 }).setProtectedHeader({ alg: 'RS256', ...header }).sign(stranger.privateKey)
    const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
    const forged = [
      `${encode({ alg: 'none' })}.${body}.`,
      `${encode({ alg: 'None', kid: 'test-key' })}.${body}.`,
      `${encode({ alg: 'RS256', kid: 'test-key' })}.${body}.`,
      hmac({ alg: 'HS256', kid: 'test-key' }, publicPem),
      hmac({ alg: 'HS256', kid: 'test-key' }, JSON.stringify(jwks.keys[0])),
      hmac({ alg: 'HS256' }, ''),
      await byStranger({ kid: 'test-key' }),
      await byStranger({ kid: 'another' }),
      await byStranger({ kid: '../../etc/passwd' }),
      await byStranger({ kid: 'test-key', jwk: own }),
      await byStranger({ kid: 'test-key', jku: 'https://evil.example/jwks' }),
      await byStranger({}),
      'not a token', 'a.b.c', '..', `${'a'.repeat(70_000)}.b.c`,
    ]
    for (const id_token of forged) expect(await refusal({ id_token })).toEqual([400, 'invalid request', 'Bad ID token'])
    expect(world.provider.asked.some(({ url }) => url.host === 'evil.example')).toBe(false)
  })

  it('is taken of providers that are on and issue them', async () => {
    const id_token = await world.provider.sign(claims())
    expect(await refusal({ id_token: '' })).toEqual([400, 'invalid request', 'id_token required'])
    expect(await refusal({ id_token, provider: '' })).toEqual([400, 'invalid request', 'provider or client_id and issuer required'])
    expect(await refusal({ id_token, provider: 'vercel_marketplace' })).toEqual([400, 'provider_disabled', 'Provider (issuer "https://marketplace.vercel.com") is not enabled'])
    for (const provider of ['github', 'evil', '__proto__', 'constructor']) expect((await refusal({ id_token, provider }))[1]).toBe('validation_failed')
    expect((await refusal({ id_token, provider: '', client_id: 'client-1', issuer: 'https://evil.example' }))[1]).toBe('validation_failed')
    expect((await grant({ id_token, provider: '', client_id: 'client-1', issuer: 'https://accounts.google.com' })).status).toBe(200)
  })

  it('of Apple names Apple, of Microsoft a tenant of theirs, of Keycloak the realm of the project', async () => {
    const apple = await grant({ provider: 'apple', id_token: await world.provider.sign(claims({ iss: 'https://appleid.apple.com', email_verified: undefined })) })
    expect(apple.body.user?.app_metadata).toMatchObject({ provider: 'apple' })
    expect((await refusal({ provider: 'apple', id_token: await world.provider.sign(claims()) }))[2]).toBe('Detected ID token issuer is not an Apple ID token issuer')
    const tenant = 'https://login.microsoftonline.com/6babcaad-604b-40ac-a9d7-9fd97c0b779f/v2.0'
    const azure = await grant({ provider: 'azure', id_token: await world.provider.sign(claims({ iss: tenant, xms_edov: '1', oid: 'o' })) })
    expect(azure.body.user).toMatchObject({ user_metadata: { custom_claims: { oid: 'o' } } })
    expect((await grant({ provider: 'azure', id_token: await world.provider.sign(claims({ iss: tenant, xms_edov: false })) })).body.code).toBe('provider_email_needs_verification')
    expect((await refusal({ provider: 'azure', id_token: await world.provider.sign(claims({ iss: 'https://evil.example' })) }))[2]).toBe('Detected ID token issuer is not an Azure ID token issuer')
    const realm = 'https://sso.example.com/realms/staff'
    expect((await grant({ provider: 'keycloak', id_token: await world.provider.sign(claims({ iss: realm })) })).status).toBe(200)
    expect((await refusal({ provider: 'keycloak', id_token: await world.provider.sign(claims({ iss: 'https://sso.example.com/realms/other' })) }))[2]).toBe('Bad ID token')
  })

  it('of Facebook, Kakao and Snapchat is read as they write it, verified by their word', async () => {
    const facebook = await grant({ provider: 'facebook', nonce: 'ignored', id_token: await world.provider.sign(claims({ iss: 'https://www.facebook.com', email_verified: undefined, nonce: 'theirs' })) })
    expect(facebook.body.user?.app_metadata).toMatchObject({ provider: 'facebook' })
    const kakao = await grant({ provider: 'kakao', id_token: await world.provider.sign(claims({ iss: 'https://kauth.kakao.com', email_verified: undefined, nickname: 'K' })) })
    expect(kakao.body.user).toMatchObject({ user_metadata: { preferred_username: 'K' } })
    const iss = 'https://accounts.snapchat.com/accounts/oauth2/token'
    expect((await grant({ provider: 'snapchat', id_token: await world.provider.sign(claims({ iss, email_verified: undefined, nonce: 'x' })) })).status).toBe(200)
  })

  it('is not written into the log', () => {
    expect(world.auth.logged.join('\n')).not.toMatch(/eyJ[\w-]+\.eyJ/)
  })
})
