import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { appCode, askAs, enrollPerson, type TotpPerson } from './factors/testing.ts'
import { freshPhone, testPassword } from './open-test-auth.ts'
import { external, openProviderWorld, type ProviderWorld } from './providers/open-test-provider.ts'

let world: ProviderWorld
let person: TotpPerson
let thief: SupabaseClient
let identityId: string
beforeAll(async () => {
  world = await openProviderWorld(
    { enableManualLinking: true, sms: { enabled: true }, passkeys: { enabled: true, maxPerPerson: 10 } },
    { google: external() },
  )
  person = await enrollPerson(world.auth)
  thief = world.auth.client()
  await thief.auth.signInWithPassword({ email: person.email, password: testPassword })
  identityId = (await person.client.auth.getUserIdentities()).data?.identities[0]?.identity_id ?? ''
})
afterAll(() => world.close())

/** All that would let whoever holds a session come back without it, or keep its owner out. */
const ways: [string, () => { path: string; method?: string; body?: unknown }, status: number][] = [
  ['choose a password', () => ({ path: '/user', method: 'PUT', body: { password: 'a whole new password' } }), 401],
  ['change the address', () => ({ path: '/user', method: 'PUT', body: { email: 'mallory@example.com' } }), 401],
  ['add a phone', () => ({ path: '/user', method: 'PUT', body: { phone: freshPhone() } }), 401],
  ['link an identity by a visit', () => ({ path: '/user/identities/authorize?provider=google&skip_http_redirect=true', method: 'GET' }), 403],
  ['link an identity by an ID token', () => ({ path: '/token?grant_type=id_token', body: { provider: 'google', id_token: 'a.b.c', link_identity: true } }), 403],
  ['unlink an identity', () => ({ path: `/user/identities/${identityId}`, method: 'DELETE' }), 403],
  ['add a second factor', () => ({ path: '/factors', body: { factor_type: 'totp', friendly_name: 'mine' } }), 403],
  ['take the second factor away', () => ({ path: `/factors/${person.factorId}`, method: 'DELETE' }), 422],
  ['make recovery codes', () => ({ path: '/factors/recovery-codes' }), 403],
  ['add a passkey', () => ({ path: '/passkeys/registration/options' }), 403],
]

describe('a session without the second factor its person has', () => {
  it.each(ways)('cannot %s', async (_, asked, status) => {
    expect(await askAs(world.auth, thief, asked())).toMatchObject({ status, body: { code: 'insufficient_aal' } })
  })

  it('changes nothing that proves who one is, and still its own name', async () => {
    const { data } = await person.client.auth.getUser()
    expect(data.user).toMatchObject({ email: person.email, phone: '', identities: [{ id: data.user?.identities?.[0]?.id }], factors: [{ id: person.factorId }] })
    expect((await thief.auth.updateUser({ data: { name: 'Ada' } })).error).toBeNull()
  })

  it('may once it is given, and so may people who have none', async () => {
    expect((await thief.auth.mfa.challengeAndVerify({ factorId: person.factorId, code: appCode(world.auth, person.secret) })).error).toBeNull()
    for (const [what, asked] of ways.filter(([, asked]) => asked().path.includes('identit'))) {
      expect((await askAs(world.auth, thief, asked())).body.code, what).not.toBe('insufficient_aal')
    }
  })
})
