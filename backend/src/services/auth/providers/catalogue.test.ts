import { createHmac } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { actedOnProviderNames, external, openProviderWorld, type Answer, type ProviderWorld } from './open-test-provider.ts'
import { isKnownProvider } from './provider.ts'

// Answers as each provider documents them, and what the hosted backend makes of them.
interface Case {
  provider: string
  url?: string
  page: string
  scope?: string
  token?: unknown
  /** By host and path. */
  answers?: Record<string, Answer>
  claims?: Record<string, unknown>
  clientAuth?: 'basic'
  data: Record<string, unknown>
}

const cases: Case[] = [
  {
    provider: 'bitbucket', page: 'https://bitbucket.org/site/oauth2/authorize', scope: 'account email',
    answers: {
      'api.bitbucket.org/2.0/user': () => ({ uuid: '{b-1}', display_name: 'Bit', avatar: { href: 'https://b/a.png' } }),
      'api.bitbucket.org/2.0/user/emails': () => ({ values: [{ email: 'other@x.io', is_confirmed: false }, { email: 'bitbucket@x.io', is_primary: true, is_confirmed: true }] }),
    },
    data: { iss: 'https://api.bitbucket.org/2.0', sub: '{b-1}', provider_id: '{b-1}', name: 'Bit', full_name: 'Bit', picture: 'https://b/a.png', avatar_url: 'https://b/a.png' },
  },
  {
    provider: 'discord', page: 'https://discord.com/api/oauth2/authorize', scope: 'email identify',
    answers: { 'discord.com/api/users/@me': () => ({ id: '80351110224678912', username: 'nelly', discriminator: '1337', global_name: 'Nelly', avatar: 'a_8342', email: 'discord@x.io', verified: true }) },
    data: { iss: 'https://discord.com/api', name: 'nelly#1337', full_name: 'nelly', picture: 'https://cdn.discordapp.com/avatars/80351110224678912/a_8342.gif', custom_claims: { global_name: 'Nelly' } },
  },
  {
    provider: 'facebook', page: 'https://www.facebook.com/dialog/oauth', scope: 'email',
    answers: {
      'graph.facebook.com/oauth/access_token': () => ({ access_token: 'fb', token_type: 'bearer', expires_in: 5183944 }),
      'graph.facebook.com/me': ({ url }) =>
        url.searchParams.get('appsecret_proof') === createHmac('sha256', 'secret-1').update('fb').digest('hex')
          ? { id: '1', first_name: 'Face', last_name: 'Book', name: 'FB', email: 'facebook@x.io', picture: { data: { url: 'https://f/p.png' } } }
          : new Response('', { status: 400 }),
    },
    data: { sub: '1', name: 'Face Book', nickname: 'FB', slug: 'FB', picture: 'https://f/p.png' },
  },
  {
    provider: 'figma', page: 'https://www.figma.com/oauth', scope: 'current_user:read', clientAuth: 'basic',
    answers: { 'api.figma.com/v1/oauth/token': () => ({ access_token: 't', expires_in: 90 }), 'api.figma.com/v1/me': () => ({ id: 'f1', email: 'figma@x.io', handle: 'Fig', img_url: 'https://f/i.png' }) },
    data: { iss: 'https://api.figma.com', name: 'Fig', avatar_url: 'https://f/i.png' },
  },
  {
    provider: 'fly', page: 'https://api.fly.io/oauth/authorize', scope: 'read',
    answers: { 'api.fly.io/oauth/token/info': () => ({ resource_owner_id: 'r', user_id: 'u1', user_name: 'Flyer', email: 'fly@x.io', organizations: [{ id: 'o', role: 'admin' }] }) },
    data: { full_name: 'Flyer', custom_claims: { resource_owner_id: 'r', organizations: [{ id: 'o', role: 'admin' }] } },
  },
  {
    provider: 'github', url: 'https://git.example.com/', page: 'https://git.example.com/login/oauth/authorize', scope: 'user:email',
    answers: {
      'git.example.com/login/oauth/access_token': () => ({ access_token: 't' }),
      'git.example.com/api/v3/user': () => ({ id: 4711, login: 'octo', name: 'Octo Cat', avatar_url: 'https://g/a.png' }),
      'git.example.com/api/v3/user/emails': () => [{ email: 'second@x.io', verified: true, primary: false }, { email: 'github@x.io', verified: true, primary: true }],
    },
    data: { iss: 'https://git.example.com/api/v3', sub: '4711', name: 'Octo Cat', user_name: 'octo', preferred_username: 'octo', avatar_url: 'https://g/a.png' },
  },
  {
    provider: 'gitlab', url: 'https://gitlab.example.com', page: 'https://gitlab.example.com/oauth/authorize', scope: 'read_user',
    answers: {
      'gitlab.example.com/oauth/token': () => ({ access_token: 't', token_type: 'Bearer' }),
      'gitlab.example.com/api/v4/user': () => ({ id: 5, name: 'Lab', email: 'gitlab@x.io', confirmed_at: '2020-01-01', avatar_url: 'https://g/l.png' }),
      'gitlab.example.com/api/v4/user/emails': () => [{ id: 1, email: 'more@x.io' }],
    },
    data: { iss: 'https://gitlab.example.com', sub: '5', name: 'Lab' },
  },
  {
    provider: 'kakao', page: 'https://kauth.kakao.com/oauth/authorize', scope: 'account_email profile_image profile_nickname',
    answers: {
      'kauth.kakao.com/oauth/token': () => ({ access_token: 't', token_type: 'bearer' }),
      'kapi.kakao.com/v2/user/me': () => ({ id: 99, kakao_account: { email: 'kakao@x.io', is_email_valid: true, is_email_verified: true, profile: { nickname: 'Ka', profile_image_url: 'https://k/p.png' } } }),
    },
    data: { sub: '99', user_name: 'Ka', preferred_username: 'Ka', avatar_url: 'https://k/p.png' },
  },
  {
    provider: 'keycloak', url: 'https://sso.example.com/realms/x', page: 'https://sso.example.com/realms/x/protocol/openid-connect/auth', scope: 'openid profile email',
    answers: {
      'sso.example.com/realms/x/protocol/openid-connect/token': () => ({ access_token: 't', token_type: 'Bearer' }),
      'sso.example.com/realms/x/protocol/openid-connect/userinfo': () => ({ sub: 'k1', name: 'Key', email: 'keycloak@x.io', email_verified: true, groups: ['a'] }),
    },
    data: { iss: 'https://sso.example.com/realms/x', name: 'Key', custom_claims: { groups: ['a'] } },
  },
  {
    provider: 'linkedin', page: 'https://api.linkedin.com/oauth/v2/authorization', scope: 'r_emailaddress r_liteprofile',
    answers: {
      'api.linkedin.com/oauth/v2/accessToken': () => ({ access_token: 't', expires_in: 1 }),
      'api.linkedin.com/v2/me': () => ({ id: 'l1', firstName: { localized: { de_DE: 'Lin' }, preferredLocale: { language: 'de', country: 'DE' } }, lastName: { localized: { de_DE: 'Ked' }, preferredLocale: { language: 'de', country: 'DE' } }, profilePicture: { 'displayImage~': { elements: [{ identifiers: [{ identifier: 'https://l/p.png' }] }] } } }),
      'api.linkedin.com/v2/emailAddress': () => ({ elements: [{ 'handle~': { emailAddress: 'linkedin@x.io' } }] }),
    },
    data: { name: 'Lin Ked', picture: 'https://l/p.png' },
  },
  {
    provider: 'linkedin_oidc', page: 'https://api.linkedin.com/oauth/v2/authorization', scope: 'openid email profile',
    claims: { iss: 'https://www.linkedin.com/oauth', sub: 'lo1', email: 'linkedin_oidc@x.io', email_verified: 'true', given_name: 'Lin', family_name: 'Ked', locale: 'de_DE', picture: 'https://l/q.png' },
    data: { name: 'Lin Ked', given_name: 'Lin', locale: 'de_DE' },
  },
  {
    provider: 'notion', page: 'https://api.notion.com/v1/oauth/authorize', clientAuth: 'basic',
    answers: {
      'api.notion.com/v1/oauth/token': () => ({ access_token: 't', token_type: 'bearer', workspace_name: 'w' }),
      'api.notion.com/v1/users/me': ({ headers }) =>
        headers.get('notion-version') === '2021-08-16' ? { bot: { owner: { user: { id: 'n1', name: 'No', avatar_url: 'https://n/a.png', person: { email: 'notion@x.io' } } } } } : new Response('', { status: 400 }),
    },
    data: { sub: 'n1', name: 'No', picture: 'https://n/a.png' },
  },
  {
    provider: 'slack', page: 'https://slack.com/oauth/authorize', scope: 'profile email openid',
    answers: {
      'slack.com/api/oauth.access': () => ({ ok: true, access_token: 't', scope: 'a,b' }),
      'slack.com/api/openid.connect.userInfo': () => ({ 'https://slack.com/user_id': 'U1', 'https://slack.com/team_id': 'T1', email: 'slack@x.io', name: 'Sla', picture: 'https://s/p.png' }),
    },
    data: { sub: 'U1', custom_claims: { 'https://slack.com/team_id': 'T1' } },
  },
  {
    provider: 'slack_oidc', page: 'https://slack.com/openid/connect/authorize', scope: 'profile email openid',
    answers: {
      'slack.com/api/openid.connect.token': () => ({ ok: true, access_token: 't', token_type: 'Bearer', id_token: 'not looked at' }),
      'slack.com/api/openid.connect.userInfo': () => ({ 'https://slack.com/user_id': 'U2', 'https://slack.com/team_id': 'T1', email: 'slack_oidc@x.io', email_verified: true, name: 'Slo' }),
    },
    data: { sub: 'U2', name: 'Slo' },
  },
  {
    provider: 'snapchat', page: 'https://accounts.snapchat.com/accounts/oauth2/auth', clientAuth: 'basic',
    answers: { 'kit.snapchat.com/v1/me': () => ({ data: { me: { externalId: 's1', displayName: 'Snap', email: 'snapchat@x.io', bitmoji: { avatar: 'https://s/b.png' } } } }) },
    data: { iss: 'https://accounts.snapchat.com/accounts/oauth2/token', slug: 'Snap', avatar_url: 'https://s/b.png' },
  },
  {
    provider: 'twitch', page: 'https://id.twitch.tv/oauth2/authorize', scope: 'user:read:email',
    answers: {
      'id.twitch.tv/oauth2/token': () => ({ access_token: 't', token_type: 'bearer', scope: ['user:read:email'] }),
      'api.twitch.tv/helix/users': ({ headers }) =>
        headers.get('client-id') === 'client-1' ? { data: [{ id: 't1', login: 'twi', display_name: 'Twi', email: 'twitch@x.io', profile_image_url: 'https://t/p.png', view_count: 3 }] } : new Response('', { status: 401 }),
    },
    data: { name: 'twi', nickname: 'Twi', slug: 'Twi', custom_claims: { view_count: 3 } },
  },
  {
    provider: 'vercel_marketplace', page: 'https://api.vercel.com/oauth/v2/authorization',
    claims: { iss: 'https://marketplace.vercel.com', sub: 'v1', global_user_id: 'g1', user_email: 'vercel_marketplace@x.io', user_name: 'Ver' },
    data: { sub: 'global_user_id:g1', name: 'Ver' },
  },
  {
    provider: 'workos', page: 'https://api.workos.com/sso/authorize',
    answers: { 'api.workos.com/sso/token': () => ({ access_token: 't', profile: { id: 'prof_1', email: 'workos@x.io', first_name: 'Wo', last_name: 'Rk', connection_id: 'conn_1', organization_id: 'org_1' } }) },
    data: { sub: 'prof_1', name: 'Wo Rk', custom_claims: { connection_id: 'conn_1', organization_id: 'org_1' } },
  },
  {
    provider: 'x', page: 'https://x.com/i/oauth2/authorize', scope: 'users.email tweet.read users.read offline.access', clientAuth: 'basic',
    answers: {
      'api.x.com/2/oauth2/token': ({ body }) => (body.get('code_verifier') ? { access_token: 't', token_type: 'bearer' } : { error: 'invalid_request' }),
      'api.x.com/2/users/me': () => ({ data: { id: 'x1', name: 'Ex', username: 'ex', confirmed_email: 'x@x.io', profile_image_url: 'https://x/p.png', created_at: '2020' } }),
    },
    data: { user_name: 'ex', profile: 'https://x.com/ex', custom_claims: { created_at: '2020' } },
  },
  {
    provider: 'zoom', page: 'https://zoom.us/oauth/authorize', clientAuth: 'basic',
    answers: { 'api.zoom.us/v2/users/me': () => ({ id: 'z1', first_name: 'Zo', last_name: 'Om', email: 'zoom@x.io', verified: 1, login_type: 100, pic_url: 'https://z/p.png' }) },
    data: { name: 'Zo Om', picture: 'https://z/p.png' },
  },
  {
    provider: 'google', page: 'https://accounts.google.com/authorize', scope: 'email profile openid',
    claims: { iss: 'https://accounts.google.com', sub: 'g1', email: 'google@x.io', email_verified: true, name: 'Goo', picture: 'https://g/p.png', hd: 'x.io' },
    data: { full_name: 'Goo', custom_claims: { hd: 'x.io' } },
  },
  {
    provider: 'azure', page: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize', scope: 'openid',
    claims: { iss: 'https://login.microsoftonline.com/6babcaad-604b-40ac-a9d7-9fd97c0b779f/v2.0', sub: 'a1', email: 'azure@x.io', xms_edov: true, name: 'Az', preferred_username: 'az@x.io', tid: 't', oid: 'o', aio: 'no' },
    data: { full_name: 'Az', preferred_username: 'az@x.io', custom_claims: { tid: 't', oid: 'o' } },
  },
  {
    provider: 'apple', page: 'https://appleid.apple.com/authorize', scope: 'email name',
    claims: { iss: 'https://appleid.apple.com', sub: 'ap1', email: 'apple@x.io', is_private_email: 'false', auth_time: 1 },
    data: { sub: 'ap1', custom_claims: { is_private_email: false, auth_time: 1 } },
  },
]

let world: ProviderWorld
beforeAll(async () => {
  const on = [...cases.map(({ provider, url = '' }) => [provider, external({ url })] as const), ['spotify', external()] as const]
  world = await openProviderWorld({}, Object.fromEntries(on))
})
afterAll(() => world.close())

async function visit({ provider, answers = {}, claims }: Pick<Case, 'provider' | 'answers' | 'claims'>) {
  const { to, state } = await world.leave({ provider })
  world.provider.answers = new Map(Object.entries(answers))
  world.provider.claims = { aud: 'client-1', nonce: to.searchParams.get('nonce'), ...claims }
  const before = world.provider.asked.length
  const end = await world.comeBack({ state, code: 'good' })
  return { to, end, asked: world.provider.asked.slice(before) }
}

describe('each provider of the hosted backend', () => {
  it.each(cases)('$provider', async (one) => {
    const { to, end, asked } = await visit(one)
    expect(to.origin + to.pathname).toBe(one.page)
    expect(to.searchParams.get('scope')).toBe(one.scope ?? to.searchParams.get('scope'))
    const traded = asked.find(({ method }) => method === 'POST')
    expect(traded?.headers.get('authorization') ?? traded?.body.get('client_secret')).toBe(one.clientAuth === 'basic' ? `Basic ${Buffer.from('client%2D1:secret%2D1').toString('base64')}` : 'secret-1')
    const { data, error } = await world.auth.client().auth.getUser(new URLSearchParams(end.hash.slice(1)).get('access_token') ?? '')
    expect(error, decodeURIComponent(end.href)).toBeNull()
    expect(data.user).toMatchObject({ email: `${one.provider}@x.io`, app_metadata: { provider: one.provider } })
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ ...one.data, email: `${one.provider}@x.io`, email_verified: true })
  })

  it('has a test, as has each name config.toml may hold', () => {
    const tested = [...cases.map(({ provider }) => provider), 'spotify', 'local'].toSorted()
    expect(tested).toEqual([...actedOnProviderNames].toSorted())
    expect(actedOnProviderNames.filter((name) => !isKnownProvider(name))).toEqual([])
  })

  it('says when an address is not verified', async () => {
    const unverified: Pick<Case, 'provider' | 'answers' | 'claims'>[] = [
      { provider: 'spotify', answers: { 'api.spotify.com/v1/me': () => ({ id: 'sp', email: 'n1@x.io', images: [{ url: 'small', height: 1, width: 1 }, { url: 'large', height: 9, width: 9 }] }) } },
      { provider: 'discord', answers: { 'discord.com/api/users/@me': () => ({ id: 'd2', username: 'n', discriminator: '0', email: 'n2@x.io', verified: false }) } },
      { provider: 'zoom', answers: { 'api.zoom.us/v2/users/me': () => ({ id: 'z2', email: 'n3@x.io', verified: 0, login_type: '100' }) } },
      { provider: 'azure', claims: { iss: 'https://login.microsoftonline.com/x/v2.0', sub: 'a2', email: 'n4@x.io', xms_edov: '0' } },
    ]
    for (const one of unverified) expect((await visit(one)).end.searchParams.get('error_code'), one.provider).toBe('provider_email_needs_verification')
  })

  it('takes of Microsoft\'s tenants the one that is named', async () => {
    const tenant = 'https://login.microsoftonline.com/6babcaad-604b-40ac-a9d7-9fd97c0b779f'
    const own = await openProviderWorld({}, { azure: external({ url: tenant }) })
    const come = async (iss: string) => {
      const { to, state } = await own.leave({ provider: 'azure' })
      own.provider.claims = { iss, aud: 'client-1', nonce: to.searchParams.get('nonce'), sub: 's', email: 'tenant@x.io' }
      return own.comeBack({ state, code: 'good' })
    }
    expect((await come(`${tenant}/v2.0`)).hash).toContain('access_token')
    expect((await come('https://login.microsoftonline.com/another/v2.0')).searchParams.get('error')).toBe('server_error')
    await own.close()
  })
})
