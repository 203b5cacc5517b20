import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SupabaseClient } from '@supabase/supabase-js'
import { sql } from '#database/sql.ts'
import { askAs, enrollPerson } from '#services/auth/factors/testing.ts'
import { openTestAuth, signUpPerson, testPassword, type TestAuth } from '#services/auth/open-test-auth.ts'
import { createAuthenticator, type AuthenticatorOptions } from '#services/auth/webauthn/testing.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { passkeys: { enabled: true, maxPerPerson: 3 } } })
})
afterAll(() => auth.close())

type Device = ReturnType<typeof createAuthenticator>

async function register(client: SupabaseClient, device: Device) {
  const { data, error } = await client.auth.passkey.startRegistration()
  if (error) return { data: null, error }
  return client.auth.passkey.verifyRegistration({ challengeId: data.challenge_id, credential: device.create(data.options) as never })
}

async function signIn(device: Device, client = auth.client()) {
  const { data } = await client.auth.passkey.startAuthentication()
  const { data: session, error } = await client.auth.passkey.verifyAuthentication({ challengeId: data!.challenge_id, credential: device.get(data!.options) as never })
  return { client, session, error }
}

async function personWithPasskey(options: AuthenticatorOptions = {}) {
  const person = await signUpPerson(auth)
  const device = createAuthenticator(options)
  const { data, error } = await register(person.client, device)
  if (error) throw error
  return { ...person, device, passkeyId: data!.id }
}

describe('a passkey', () => {
  it.each(['ES256', 'RS256', 'EdDSA'] as const)('with a key of %s is made, signs in without a name, and is noted', async (algorithm) => {
    const { client, user, device, passkeyId } = await personWithPasskey({ algorithm })
    const { client: other, session, error } = await signIn(device)
    expect(error).toBeNull()
    expect(session?.user?.id).toBe(user.id)
    const { data: claims } = await other.auth.getClaims()
    expect(claims?.claims).toMatchObject({ sub: user.id, aal: 'aal1', amr: [{ method: 'passkey' }] })
    const { data: listed } = await client.auth.passkey.list()
    expect(listed).toMatchObject([{ id: passkeyId, friendly_name: 'Passkey' }])
    expect(Date.parse(listed![0]!.last_used_at!)).toBeGreaterThan(0)
  })

  it('is asked for with what a browser needs', async () => {
    const { client, email, user } = await signUpPerson(auth)
    const { data } = await client.auth.passkey.startRegistration()
    expect(data!.options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: email, id: Buffer.from(user.id).toString('base64url') },
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      attestation: 'none',
      timeout: 300_000,
      excludeCredentials: [],
    })
    expect(data!.expires_at).toBe(Math.floor(auth.clock.now() / 1000) + 300)
    const { data: request } = await auth.client().auth.passkey.startAuthentication()
    expect(request!.options).toMatchObject({ rpId: 'localhost', userVerification: 'preferred' })
    expect(request!.options.allowCredentials ?? []).toEqual([])
  })

  it('is called by its maker, renamed and taken away by its holder alone', async () => {
    const { client, device, passkeyId } = await personWithPasskey({ aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', isBackupEligible: true, counts: false })
    expect((await client.auth.passkey.list()).data).toMatchObject([{ friendly_name: 'Google Password Manager' }])
    const stranger = (await signUpPerson(auth)).client
    expect((await stranger.auth.passkey.update({ passkeyId, friendlyName: 'mine' })).error).toMatchObject({ status: 404 })
    expect((await stranger.auth.passkey.delete({ passkeyId })).error).toMatchObject({ status: 404, code: 'validation_failed' })
    expect((await client.auth.passkey.update({ passkeyId, friendlyName: 'Laptop' })).data).toMatchObject({ id: passkeyId, friendly_name: 'Laptop' })
    expect((await client.auth.passkey.update({ passkeyId, friendlyName: 'x'.repeat(121) })).error).toMatchObject({ status: 400 })
    expect([(await signIn(device)).error, (await signIn(device)).error]).toEqual([null, null])
    expect((await client.auth.passkey.delete({ passkeyId })).error).toBeNull()
    expect((await signIn(device)).error).toMatchObject({ code: 'webauthn_verification_failed', status: 400 })
    expect((await client.auth.passkey.delete({ passkeyId })).error).toMatchObject({ status: 404 })
  })

  it('is open to administrators', async () => {
    const { user, passkeyId, client } = await personWithPasskey()
    const admin = auth.admin().auth.admin.passkey
    expect((await admin.listPasskeys({ userId: user.id })).data).toMatchObject([{ id: passkeyId }])
    expect((await askAs(auth, client, { path: `/admin/users/${user.id}/passkeys`, method: 'GET' })).status).toBe(403)
    expect((await admin.deletePasskey({ userId: user.id, passkeyId })).error).toBeNull()
    expect((await admin.listPasskeys({ userId: user.id })).data).toEqual([])
  })

  it('goes with its person, also when their row stays', async () => {
    const { user, device } = await personWithPasskey()
    await auth.admin().auth.admin.deleteUser(user.id, true)
    expect((await signIn(device)).error).toMatchObject({ code: 'webauthn_verification_failed' })
  })
})

describe('registration', () => {
  it('takes each credential once, three a person, and none it cannot check', async () => {
    const { client, device } = await personWithPasskey()
    const other = (await signUpPerson(auth)).client
    expect((await register(other, createAuthenticator({ credentialId: Buffer.from(device.id, 'base64url') }))).error).toMatchObject({ code: 'webauthn_credential_exists', status: 422 })
    expect([(await register(client, createAuthenticator())).error, (await register(client, createAuthenticator())).error]).toEqual([null, null])
    expect((await register(client, createAuthenticator())).error).toMatchObject({ code: 'too_many_passkeys', status: 422 })
    for (const wrong of [createAuthenticator({ origin: 'https://evil.example' }), createAuthenticator({ origin: 'http://localhost:1' }), createAuthenticator({ rpId: 'evil.example' })]) {
      expect((await register(other, wrong)).error).toMatchObject({ code: 'webauthn_verification_failed', status: 400 })
    }
    const { data } = await other.auth.passkey.startRegistration()
    for (const credential of ['text', {}, { id: 'x', response: {} }, []]) {
      const { data: fresh } = await other.auth.passkey.startRegistration()
      expect((await askAs(auth, other, { path: '/passkeys/registration/verify', body: { challenge_id: fresh!.challenge_id, credential } })).body.code).toBe('webauthn_verification_failed')
    }
    expect((await askAs(auth, other, { path: '/passkeys/registration/verify', body: { challenge_id: data!.challenge_id } })).body.message).toBe('credential is required')
    expect((await other.auth.passkey.list()).data).toEqual([])
  })

  it('has challenges that are used once, by their person, for five minutes', async () => {
    const [first, second] = [(await signUpPerson(auth)).client, (await signUpPerson(auth)).client]
    const device = createAuthenticator()
    const { data } = await first.auth.passkey.startRegistration()
    const proof = { challengeId: data!.challenge_id, credential: device.create(data!.options) as never }
    expect((await second.auth.passkey.verifyRegistration(proof)).error).toMatchObject({ code: 'webauthn_challenge_not_found', status: 400 })
    expect((await first.auth.passkey.verifyRegistration(proof)).error).toBeNull()
    expect((await first.auth.passkey.verifyRegistration(proof)).error).toMatchObject({ code: 'webauthn_challenge_not_found' })
    const { data: late } = await first.auth.passkey.startRegistration()
    auth.clock.advance(301)
    expect((await first.auth.passkey.verifyRegistration({ challengeId: late!.challenge_id, credential: createAuthenticator().create(late!.options) as never })).error).toMatchObject({ code: 'webauthn_challenge_expired' })
    const { data: request } = await auth.client().auth.passkey.startAuthentication()
    expect((await first.auth.passkey.verifyRegistration({ ...proof, challengeId: request!.challenge_id })).error).toMatchObject({ code: 'webauthn_challenge_not_found' })
  })

  it('is for people, with their second factor where they have one', async () => {
    const guests = await openTestAuth({ database: auth.database, settings: { enableAnonymousSignIns: true, passkeys: { enabled: true, maxPerPerson: 3 } } })
    const guest = guests.client()
    await guest.auth.signInAnonymously()
    expect((await guest.auth.passkey.startRegistration()).error).toMatchObject({ code: 'no_authorization', status: 403 })
    const { client: strong, email } = await enrollPerson(auth)
    const device = createAuthenticator()
    expect((await register(strong, device)).error).toBeNull()
    const low = auth.client()
    await low.auth.signInWithPassword({ email, password: testPassword })
    expect((await low.auth.passkey.startRegistration()).error).toMatchObject({ code: 'insufficient_aal', status: 403 })
    const { data } = await low.auth.passkey.list()
    expect((await low.auth.passkey.delete({ passkeyId: data![0]!.id })).error).toMatchObject({ code: 'insufficient_aal' })
    const { client: byPasskey } = await signIn(device)
    expect((await byPasskey.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
    await auth.database.asAdmin('supabase_auth_admin', (tx) => tx.execute(sql`update auth.users set is_sso_user = true where email = ${email}`))
    expect((await strong.auth.passkey.startRegistration()).error).toMatchObject({ code: 'validation_failed', status: 422 })
  })
})

describe('signing in', () => {
  it('is refused to replays, copies, foreign sites and other challenges, in the same words', async () => {
    const { device } = await personWithPasskey()
    const client = auth.client()
    const start = async () => (await client.auth.passkey.startAuthentication()).data!
    const finish = async (challengeId: string, credential: unknown) => (await client.auth.passkey.verifyAuthentication({ challengeId, credential: credential as never })).error
    const failed = { code: 'webauthn_verification_failed', message: 'Credential verification failed', status: 400 }

    const used = await start()
    const proof = device.get(used.options)
    expect(await finish(used.challenge_id, proof)).toBeNull()
    expect(await finish(used.challenge_id, proof)).toMatchObject({ code: 'webauthn_challenge_not_found' })
    expect(await finish((await start()).challenge_id, proof)).toMatchObject(failed)

    const [counter, { origin, rpId, userHandle }] = [device.state.counter, { ...device.state }]
    device.state.counter = counter - 1
    let asked = await start()
    expect(await finish(asked.challenge_id, device.get(asked.options)), 'a copy that lags behind').toMatchObject(failed)
    device.state.counter = counter + 5
    for (const [part, value] of [['origin', 'https://evil.example'], ['origin', 'http://localhost:54321.evil.example'], ['rpId', 'evil.example'], ['userHandle', Buffer.from('00000000-0000-4000-8000-000000000000').toString('base64url')], ['userHandle', 'AAAA'], ['userHandle', '']] as const) {
      asked = await start()
      Object.assign(device.state, { [part]: value })
      expect(await finish(asked.challenge_id, device.get(asked.options)), `${part} ${value}`).toMatchObject(failed)
      Object.assign(device.state, { origin, rpId, userHandle })
    }
    asked = await start()
    const stranger = createAuthenticator({ credentialId: Buffer.from(device.id, 'base64url') })
    stranger.state.userHandle = userHandle
    stranger.state.counter = 100
    expect(await finish(asked.challenge_id, stranger.get(asked.options)), 'another key').toMatchObject(failed)
    asked = await start()
    auth.clock.advance(301)
    expect(await finish(asked.challenge_id, device.get(asked.options))).toMatchObject({ code: 'webauthn_challenge_expired' })
    expect((await signIn(device)).error).toBeNull()
  })

  it('lets one of many through who answer one challenge at once', async () => {
    const { device } = await personWithPasskey()
    const { data } = await auth.client().auth.passkey.startAuthentication()
    const body = { challenge_id: data!.challenge_id, credential: device.get(data!.options) }
    const answers = await Promise.all(Array.from({ length: 4 }, () => auth.ask('/passkeys/authentication/verify', { method: 'POST', body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  })

  it('is not for the banned, nor for whose address is not confirmed', async () => {
    const { user, device } = await personWithPasskey()
    await auth.admin().auth.admin.updateUserById(user.id, { ban_duration: '1h' })
    expect((await signIn(device)).error).toMatchObject({ code: 'user_banned', status: 403 })
    await auth.admin().auth.admin.updateUserById(user.id, { ban_duration: 'none' })
    await auth.database.asAdmin('supabase_auth_admin', (tx) => tx.execute(sql`update auth.users set email_confirmed_at = null where id = ${user.id}`))
    expect((await signIn(device)).error).toMatchObject({ code: 'email_not_confirmed', status: 403 })
  })

  it('is not there where passkeys are off, and settings say so', async () => {
    const off = await openTestAuth({ database: auth.database })
    for (const [path, method] of [['/passkeys/authentication/options', 'POST'], ['/passkeys/registration/options', 'POST'], ['/passkeys', 'GET']] as const) {
      const answer = await off.ask(path, { method, ...(method === 'POST' ? { body: {} } : {}) })
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'passkey_disabled'])
    }
    const enabled = async (box: TestAuth) => ((await (await box.ask('/settings')).json()) as { passkeys_enabled: boolean }).passkeys_enabled
    expect([await enabled(auth), await enabled(off)]).toEqual([true, false])
  })
})
