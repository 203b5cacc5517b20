import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SupabaseClient } from '@supabase/supabase-js'
import { sql } from '#database/sql.ts'
import { openTestAuth, signUpPerson, testPassword, type TestAuth } from '#services/auth/open-test-auth.ts'
import { createAuthenticator } from '#services/auth/webauthn/testing.ts'

import { defaultFactorSettings } from './settings.ts'
import { askAs, enrollPerson } from './testing.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { factors: { ...defaultFactorSettings, webauthn: { enroll: true, verify: true } } } })
})
afterAll(() => auth.close())

type Device = ReturnType<typeof createAuthenticator>
interface Asked {
  id: string
  webauthn: { type: 'create' | 'request'; credential_options: { publicKey: { challenge: string; rpId?: string; rp?: { id: string }; allowCredentials?: { id: string }[]; excludeCredentials?: { id: string }[]; user: { id: string } } } }
}

const challenge = async (client: SupabaseClient, factorId: string) => (await askAs(auth, client, { path: `/factors/${factorId}/challenge`, body: { webauthn: { rpId: 'localhost' } } })).body as unknown as Asked
const verify = (client: SupabaseClient, factorId: string, body: object) => askAs(auth, client, { path: `/factors/${factorId}/verify`, body })

async function answer(client: SupabaseClient, factorId: string, device: Device) {
  const asked = await challenge(client, factorId)
  const { type, credential_options: { publicKey } } = asked.webauthn
  const response = type === 'create' ? device.create(publicKey) : device.get(publicKey)
  const result = await verify(client, factorId, { challenge_id: asked.id, webauthn: { type, credential_response: response } })
  // What the official client does with the answer, whose own ceremony needs a browser.
  if (result.status === 200) await client.auth.setSession(result.body as never)
  return { ...result, asked, response }
}

async function personWithKey(device = createAuthenticator()) {
  const person = await signUpPerson(auth)
  const { data, error } = await person.client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'key' })
  if (error) throw error
  const { status } = await answer(person.client, data.id, device)
  if (status !== 200) throw new Error('the key was not accepted')
  return { ...person, device, factorId: data.id }
}

describe('a security key', () => {
  it.each(['ES256', 'RS256', 'EdDSA'] as const)('with a key of %s is enrolled, raises the session, and does so again at the next sign-in', async (algorithm) => {
    const { client, email, user, device, factorId } = await personWithKey(createAuthenticator({ algorithm }))
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/webauthn' }, { method: 'otp' }] })
    const next = auth.client()
    await next.auth.signInWithPassword({ email, password: testPassword })
    const { status, asked } = await answer(next, factorId, device)
    expect(status).toBe(200)
    expect(asked.webauthn).toMatchObject({ type: 'request', credential_options: { publicKey: { rpId: 'localhost', allowCredentials: [{ id: device.id }] } } })
    expect((await next.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2')
    expect((await next.auth.mfa.listFactors()).data?.webauthn).toMatchObject([{ id: factorId, status: 'verified' }])
    const { kept } = await auth.database.asAdmin('supabase_auth_admin', (tx) =>
      tx.one<{ kept: { id: string; authenticator: { signCount: number } } }>(sql`select web_authn_credential as kept from auth.mfa_factors where user_id = ${user.id}`),
    )
    expect(kept).toMatchObject({ id: Buffer.from(device.id, 'base64url').toString('base64'), authenticator: { signCount: 2 }, flags: { userPresent: true } })
  })

  it('is told of the keys a person has, so that none is enrolled twice', async () => {
    const { client, device } = await personWithKey()
    const { data } = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'second key' })
    const { asked, status } = await answer(client, data!.id, createAuthenticator())
    expect(asked.webauthn.credential_options.publicKey.excludeCredentials).toMatchObject([{ id: device.id }])
    expect(status).toBe(200)
    expect((await client.auth.mfa.listFactors()).data?.webauthn).toHaveLength(2)
  })

  it('is refused to replays, copies, foreign sites, other keys and other people, and stays usable', async () => {
    const { client, device, factorId } = await personWithKey()
    const failed = { code: 'mfa_verification_failed', message: 'Failed to validate WebAuthn MFA response' }
    const used = await answer(client, factorId, device)
    expect((await verify(client, factorId, { challenge_id: used.asked.id, webauthn: { type: 'request', credential_response: used.response } })).body.code).toBe('mfa_ip_address_mismatch')
    const fresh = await challenge(client, factorId)
    expect((await verify(client, factorId, { challenge_id: fresh.id, webauthn: { type: 'request', credential_response: used.response } })).body).toMatchObject(failed)

    const { counter, origin, rpId, userHandle } = { ...device.state }
    device.state.counter = counter - 1
    expect((await answer(client, factorId, device)).body, 'a copy').toMatchObject(failed)
    for (const [part, value] of [['origin', 'https://evil.example'], ['rpId', 'evil.example'], ['userHandle', 'AAAA']] as const) {
      Object.assign(device.state, { counter: counter + 10, [part]: value })
      expect((await answer(client, factorId, device)).body, part).toMatchObject(failed)
      Object.assign(device.state, { origin, rpId, userHandle })
    }
    const twin = createAuthenticator({ credentialId: Buffer.from(device.id, 'base64url') })
    twin.state.counter = 100
    expect((await answer(client, factorId, twin)).body, 'another key').toMatchObject(failed)
    expect((await answer(client, factorId, createAuthenticator())).body, 'another credential').toMatchObject(failed)
    auth.clock.advance(600)
    expect((await answer(client, factorId, device)).status).toBe(200)
  })

  it('makes no new credential for a factor that has one, and answers nothing it was not asked', async () => {
    const { client, device, factorId } = await personWithKey()
    const asked = await challenge(client, factorId)
    const swapped = createAuthenticator().create(asked.webauthn.credential_options.publicKey)
    expect((await verify(client, factorId, { challenge_id: asked.id, webauthn: { type: 'create', credential_response: swapped } })).body.code).toBe('mfa_verification_failed')
    const says = async (body: object) => (await verify(client, factorId, { challenge_id: asked.id, ...body })).body.message
    expect(await says({})).toBe('WebAuthn config required')
    expect(await says({ webauthn: { type: 'steal' } })).toBe('WebAuthn type must be create or request')
    expect(await says({ webauthn: { type: 'request' } })).toBe('credential_response required')
    expect(await says({ code: '123456', webauthn: { type: 'request', credential_response: { id: 'x', response: {} } } })).toBe('Failed to validate WebAuthn MFA response')
    auth.clock.advance(301)
    expect((await verify(client, factorId, { challenge_id: asked.id, webauthn: { type: 'request', credential_response: device.get(asked.webauthn.credential_options.publicKey) } })).body.code).toBe('mfa_challenge_expired')
    const { client: thief } = await enrollPerson(auth)
    expect((await askAs(auth, thief, { path: `/factors/${factorId}/challenge`, body: {} })).body.code).toBe('mfa_factor_not_found')
  })

  it('is not there where the project wants none', async () => {
    const off = await openTestAuth({ database: auth.database })
    const { client } = await signUpPerson(off)
    expect((await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'key' })).error).toMatchObject({ code: 'mfa_webauthn_enroll_not_enabled' })
  })
})
