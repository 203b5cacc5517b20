import { sql } from '#database/sql.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { openTestAuth } from '#services/auth/open-test-auth.ts'

import { openProviderWorld, type ProviderWorld } from './open-test-provider.ts'

let world: ProviderWorld
beforeAll(async () => {
  world = await openProviderWorld({ enableManualLinking: true }, {})
})
afterAll(() => world.close())
afterEach(() => world.auth.database.asAdmin('supabase_auth_admin', (tx) => tx.execute(sql`delete from auth.custom_oauth_providers`)))

const oidc = { provider_type: 'oidc' as const, identifier: 'custom:work' as const, name: 'Work', client_id: 'work-client', client_secret: 'work-secret', issuer: 'https://id.work.example', scopes: ['email', 'profile'] }
const oauth2 = {
  provider_type: 'oauth2' as const, identifier: 'custom:club' as const, name: 'Club', client_id: 'club-client', client_secret: 'club-secret', scopes: ['me'],
  authorization_url: 'https://club.example/authorize', token_url: 'https://club.example/trade', userinfo_url: 'https://club.example/me',
}

const api = () => world.auth.admin().auth.admin.customProviders
const raw = async (path: string, init: { method?: string; body?: unknown } = {}) => {
  const answer = await world.auth.ask(`/admin/custom-providers${path}`, { ...init, headers: { authorization: `Bearer ${world.auth.keys.serviceRoleKey}` } })
  return { status: answer.status, body: answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>) }
}
const userOf = async (end: URL) => (await world.auth.client().auth.getUser(new URLSearchParams(end.hash.slice(1)).get('access_token') ?? '')).data.user

describe('providers an administrator adds', () => {
  it('are added, listed, changed and removed through the official client, and never show their secret', async () => {
    const { data: made, error } = await api().createProvider(oidc)
    expect(error).toBeNull()
    expect(made).toMatchObject({ identifier: 'custom:work', scopes: ['openid', 'email', 'profile'], pkce_enabled: true, enabled: true, discovery_document: { issuer: 'https://id.work.example' } })
    await api().createProvider(oauth2)
    expect((await api().listProviders()).data?.providers.map(({ identifier }) => identifier).toSorted()).toEqual(['custom:club', 'custom:work'])
    expect((await api().listProviders({ type: 'oidc' })).data?.providers).toHaveLength(1)
    const { data: changed } = await api().updateProvider('custom:work', { name: 'Labour', enabled: false })
    expect(changed).toMatchObject({ name: 'Labour', enabled: false, client_id: 'work-client' })
    expect((await api().getProvider('custom:work')).data?.name).toBe('Labour')
    expect(JSON.stringify((await raw('')).body)).not.toContain('secret')
    expect((await api().deleteProvider('custom:work')).error).toBeNull()
    expect((await api().getProvider('custom:work')).error?.code).toBe('custom_provider_not_found')
  })

  it('are an administrator\'s business alone', async () => {
    const answer = await world.auth.ask('/admin/custom-providers')
    expect(answer.status).toBe(401)
  })

  it('are told what is wrong with them', async () => {
    const words = async (changes: object, base: object = oidc) => {
      const { status, body } = await raw('', { method: 'POST', body: { ...base, ...changes } })
      return status === 400 ? body.message : status
    }
    expect(await words({ provider_type: 'saml' })).toBe("provider_type must be either 'oauth2' or 'oidc'")
    expect(await words({ identifier: 'work' })).toBe("identifier must start with 'custom:' prefix, e.g. 'custom:work'")
    expect(await words({ client_secret: '' })).toBe('client_secret is required')
    expect(await words({ issuer: '' })).toBe('issuer is required for OIDC providers')
    expect(await words({ token_url: '' }, oauth2)).toBe('token_url is required for OAuth2 providers')
    expect(await words({ authorization_params: { state: 'x' } })).toBe('Cannot override reserved OAuth parameter: state')
    expect(await words({ authorization_params: { a: 1 } })).toBe('Authorization parameter "a" must be a string')
    expect(await words({ attribute_mapping: { role: 'x' } })).toBe('Cannot map to protected system field: role')
    expect(await words({ custom_claims_allowlist: [' '] })).toBe('custom_claims_allowlist entries must be non-empty strings')
    expect(await words({ identifier: 'custom:No Spaces' })).toBe('Invalid value: identifier format')
    expect(await words({ name: 'x'.repeat(101) })).toBe('Invalid value: name length')
    world.provider.answers.set('id.work.example/.well-known/openid-configuration', () => ({ issuer: 'https://evil.example', authorization_endpoint: 'https://e', token_endpoint: 'https://e', jwks_uri: 'https://e' }))
    expect(await words({})).toContain('OIDC discovery from "https://id.work.example/.well-known/openid-configuration" failed')
    world.provider.answers.set('id.work.example/.well-known/openid-configuration', () => ({ issuer: 'https://id.work.example' }))
    expect(await words({})).toBe('OIDC discovery document is missing required fields: authorization_endpoint, token_endpoint, jwks_uri')
    world.provider.answers.clear()
    await raw('', { method: 'POST', body: oidc })
    expect(await words({})).toBe('A custom OAuth provider with this identifier already exists')
  })

  it('are not so many as one likes, where there is a bound', async () => {
    const few = await openTestAuth({ database: world.auth.database, outbound: () => world.provider.outbound, settings: { providers: { external: {}, customEnabled: true, mostCustom: 1 } } })
    const admin = few.admin().auth.admin.customProviders
    expect((await admin.createProvider(oauth2)).error).toBeNull()
    expect((await admin.createProvider({ ...oauth2, identifier: 'custom:second' })).error?.code).toBe('over_custom_provider_quota')
  })

  it('are not inside this network', async () => {
    const real = await openTestAuth({ database: world.auth.database })
    for (const issuer of ['http://id.work.example', 'https://localhost', 'https://a.localhost/x', 'https://127.0.0.1', 'https://[::1]', 'https://10.1.2.3', 'https://169.254.169.254', 'https://0x7f000001', 'not a url']) {
      const { error } = await real.admin().auth.admin.customProviders.createProvider({ ...oidc, issuer })
      expect(error?.code, issuer).toBe('validation_failed')
    }
    expect((await real.admin().auth.admin.customProviders.createProvider({ ...oauth2, authorization_url: 'https://192.168.0.1/me' })).error?.message).toBe('URL cannot resolve to private network addresses')
  })
})

describe('signing in with one', () => {
  it('of OpenID checks its token as any other, keeps the claims that are allowed, and maps others', async () => {
    await api().createProvider({ ...oidc, custom_claims_allowlist: ['groups'], attribute_mapping: { nickname: 'name' }, authorization_params: { prompt: 'login' }, acceptable_client_ids: ['mobile'] })
    const { to, state } = await world.leave({ provider: 'custom:work' })
    expect(to.href.startsWith('https://id.work.example/authorize?')).toBe(true)
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ prompt: 'login', scope: 'openid email profile', code_challenge_method: 'S256', client_id: 'work-client' })
    world.provider.claims = { iss: 'https://id.work.example', aud: 'mobile', sub: 'w1', email: 'worker@x.io', email_verified: true, name: 'Wor Ker', groups: ['staff'], secret_thing: 1, nonce: to.searchParams.get('nonce') }
    const user = await userOf(await world.comeBack({ state, code: 'good' }))
    expect(user).toMatchObject({ email: 'worker@x.io', app_metadata: { provider: 'custom:work' }, user_metadata: { nickname: 'Wor Ker', name: 'Wor Ker', custom_claims: { groups: ['staff'] } } })
    expect(user?.user_metadata).not.toHaveProperty('secret_thing')
    const forged = await world.leave({ provider: 'custom:work' })
    world.provider.claims = { ...world.provider.claims, aud: 'another', nonce: forged.to.searchParams.get('nonce') }
    expect((await world.comeBack({ state: forged.state, code: 'good' })).searchParams.get('error')).toBe('server_error')
  })

  it('of OAuth 2 reads the person where it says, and believes no address but one called verified', async () => {
    await api().createProvider({ ...oauth2, attribute_mapping: { sub: 'member_number', full_name: 'title', email: 'contact' } })
    world.provider.answers.set('club.example/trade', () => ({ access_token: 't', token_type: 'bearer' }))
    const come = async (person: object) => {
      const { state } = await world.leave({ provider: 'custom:club' })
      world.provider.answers.set('club.example/me', () => person)
      return world.comeBack({ state, code: 'good' })
    }
    const end = await come({ member_number: 7, title: 'Dr', contact: 'member@x.io', email_verified: true })
    expect(end.searchParams.get('error_code')).toBe('provider_email_needs_verification')
    await api().updateProvider('custom:club', { attribute_mapping: { sub: 'member_number', full_name: 'title' } })
    const user = await userOf(await come({ member_number: 8, title: 'Dr', email: 'verified@x.io', email_verified: true }))
    expect(user).toMatchObject({ email: 'verified@x.io', user_metadata: { sub: '8', full_name: 'Dr' } })
    world.provider.answers.clear()
  })

  it('takes its ID tokens, and nothing once it is off', async () => {
    await api().createProvider(oidc)
    const token = await world.provider.sign({ iss: 'https://id.work.example', aud: 'work-client', sub: 'w9', email: 'token@x.io', email_verified: true })
    const signIn = () => world.auth.client().auth.signInWithIdToken({ provider: 'custom:work', token })
    expect((await signIn()).data.user?.app_metadata.provider).toBe('custom:work')
    await api().updateProvider('custom:work', { enabled: false })
    expect((await signIn()).error?.code).toBe('provider_disabled')
    expect((await (await world.auth.ask('/authorize?provider=custom:work')).json() as { message: string }).message).toBe('Unsupported provider: custom provider custom:work is disabled')
  })
})
