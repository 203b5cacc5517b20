import type { SupabaseClient, UserIdentity } from '@supabase/supabase-js'
import { sql } from '#database/sql.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { freshEmail, signUpPerson, testPassword } from '#services/auth/open-test-auth.ts'

import { external, openProviderWorld, visitGoogle, type ProviderWorld } from './open-test-provider.ts'

let world: ProviderWorld
beforeAll(async () => {
  world = await openProviderWorld(
    { enableManualLinking: true, enableAnonymousSignIns: true, email: { notifications: ['identity_linked', 'identity_unlinked'] } },
    { google: external(), github: external() },
  )
})
afterAll(() => world.close())

let count = 0
const claimsFor = (email: string, more: Record<string, unknown> = {}) => ({ sub: `s-${(count += 1)}`, email, email_verified: true, ...more })

/** Links a Google identity to who is signed in, by a visit. */
async function link(client: SupabaseClient, claims: Record<string, unknown>): Promise<URL> {
  const { data, error } = await client.auth.linkIdentity({ provider: 'google', options: { redirectTo: 'https://app.example.com/back', skipBrowserRedirect: true } })
  if (error) throw error
  const to = new URL(data.url)
  world.provider.claims = { iss: 'https://accounts.google.com', aud: 'client-1', nonce: to.searchParams.get('nonce'), ...claims }
  return world.comeBack({ state: to.searchParams.get('state') ?? '', code: 'good' })
}

const identitiesOf = async (client: SupabaseClient): Promise<UserIdentity[]> => (await client.auth.getUserIdentities()).data?.identities ?? []
const named = async (client: SupabaseClient, provider: string): Promise<UserIdentity> => {
  const found = (await identitiesOf(client)).find((one) => one.provider === provider)
  if (!found) throw new Error(`no identity of ${provider}`)
  return found
}

async function clientOf(end: URL): Promise<SupabaseClient> {
  const fragment = new URLSearchParams(end.hash.slice(1))
  const client = world.auth.client()
  const { error } = await client.auth.setSession({ access_token: fragment.get('access_token') ?? '', refresh_token: fragment.get('refresh_token') ?? '' })
  if (error) throw new Error(end.href)
  return client
}

describe('linking an identity', () => {
  it('adds a way to sign in, whatever its address is, and mails a notice', async () => {
    const { client, user, email } = await signUpPerson(world.auth)
    const other = freshEmail()
    expect((await link(client, claimsFor(other))).hash).toContain('access_token')
    expect((await identitiesOf(client)).map(({ provider }) => provider)).toEqual(['email', 'google'])
    expect((await client.auth.getUser()).data.user).toMatchObject({ id: user.id, email, app_metadata: { provider: 'email', providers: ['email', 'google'] } })
    expect(world.auth.letterTo(email)).toMatchObject({ kind: 'identity_linked', variables: { Provider: 'google' } })
  })

  it('works for a page whose fetch keeps no cookies', async () => {
    const { session } = await signUpPerson(world.auth)
    const headers = { authorization: `Bearer ${session.access_token}`, 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }
    const asked = await world.auth.ask('/user/identities/authorize?provider=google&skip_http_redirect=true&redirect_to=https://app.example.com/back', { headers })
    const to = new URL(((await asked.json()) as { url: string }).url)
    world.provider.claims = { iss: 'https://accounts.google.com', aud: 'client-1', nonce: to.searchParams.get('nonce'), ...claimsFor(freshEmail()) }
    const end = await world.comeBack({ state: to.searchParams.get('state') ?? '', code: 'good' }, { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' })
    expect(end.hash).toContain('access_token')
  })

  it('refuses one that is linked already, to oneself or to somebody else', async () => {
    const [first, second] = [await signUpPerson(world.auth), await signUpPerson(world.auth)]
    const claims = claimsFor(freshEmail())
    await link(first.client, claims)
    expect((await link(first.client, claims)).searchParams.get('error_description')).toBe('Identity is already linked')
    const taken = await link(second.client, claims)
    expect(taken.searchParams.get('error_code')).toBe('identity_already_exists')
    expect(taken.searchParams.get('error_description')).toBe('Identity is already linked to another user')
  })

  it('makes an anonymous person one who is known', async () => {
    const client = world.auth.client()
    const { data } = await client.auth.signInAnonymously()
    const email = freshEmail()
    const known = await clientOf(await link(client, claimsFor(email)))
    expect((await known.auth.getUser()).data.user).toMatchObject({ id: data.user?.id, email, is_anonymous: false, app_metadata: { provider: 'google' } })
  })

  it('gives an anonymous person no address that nobody has verified, nor one that is somebody else\'s', async () => {
    const [client, email] = [world.auth.client(), freshEmail()]
    await client.auth.signInAnonymously()
    const end = await link(client, claimsFor(email, { email_verified: false }))
    expect(end.searchParams.get('error_code')).toBe('email_not_confirmed')
    expect((await client.auth.getUser()).data.user?.email_confirmed_at).toBeUndefined()
    expect(world.auth.letterTo(email).kind).toBe('confirmation')

    const [other, owner] = [world.auth.client(), await signUpPerson(world.auth)]
    await other.auth.signInAnonymously()
    expect((await link(other, claimsFor(owner.email))).searchParams.get('error_code')).toBe('email_exists')
    expect(await identitiesOf(other)).toEqual([])
  })

  it('works with an ID token as well, for who asks', async () => {
    const { client, user } = await signUpPerson(world.auth)
    const token = await world.provider.sign({ iss: 'https://accounts.google.com', aud: 'client-1', ...claimsFor(freshEmail()) })
    const { data, error } = await client.auth.linkIdentity({ provider: 'google', token })
    expect(error).toBeNull()
    expect(data.user?.id).toBe(user.id)
    expect((await identitiesOf(client)).map(({ provider }) => provider)).toEqual(['email', 'google'])
    const stranger = await world.auth.ask('/token?grant_type=id_token', { method: 'POST', body: { provider: 'google', id_token: token, link_identity: true } })
    expect(await stranger.json()).toMatchObject({ error: 'invalid request' })
  })

  it('is off unless the project wants it, by visit, by ID token and back', async () => {
    const off = await openProviderWorld()
    const { client } = await signUpPerson(off.auth)
    expect((await client.auth.linkIdentity({ provider: 'google', options: { skipBrowserRedirect: true } })).error?.code).toBe('manual_linking_disabled')
    const token = await off.provider.sign({ iss: 'https://accounts.google.com', aud: 'client-1', ...claimsFor(freshEmail()) })
    expect((await client.auth.linkIdentity({ provider: 'google', token })).error?.code).toBe('manual_linking_disabled')
    expect((await client.auth.unlinkIdentity(await named(client, 'email'))).error?.code).toBe('manual_linking_disabled')
    await off.close()
  })

  it('needs a person who is signed in', async () => {
    const answer = await world.auth.ask('/user/identities/authorize?provider=google')
    expect([answer.status, (await answer.json() as { code: string }).code]).toEqual([401, 'no_authorization'])
  })
})

describe('unlinking an identity', () => {
  it('takes the way to sign in away, and mails a notice', async () => {
    const { client, email } = await signUpPerson(world.auth)
    const claims = claimsFor(freshEmail())
    await link(client, claims)
    expect((await client.auth.unlinkIdentity(await named(client, 'google'))).error).toBeNull()
    expect((await client.auth.getUser()).data.user).toMatchObject({ email, app_metadata: { provider: 'email', providers: ['email'] } })
    expect(world.auth.letterTo(email)).toMatchObject({ kind: 'identity_unlinked', variables: { Provider: 'google' } })
    const audit = await world.auth.database.asAdmin('supabase_auth_admin', (tx) => tx.many<{ action: string }>(sql`select payload ->> 'action' as action from auth.audit_log_entries where payload ->> 'actor_username' = ${email} and payload ->> 'action' like 'identity%' order by created_at`))
    expect(audit.map(({ action }) => action)).toEqual(['identity_linked', 'identity_unlinked'])
  })

  it('never takes the last one', async () => {
    const { client } = await signUpPerson(world.auth)
    expect((await client.auth.unlinkIdentity(await named(client, 'email'))).error?.code).toBe('single_identity_not_deletable')
  })

  it('takes nobody else\'s, and nothing that is no identity', async () => {
    const [mine, theirs] = [await signUpPerson(world.auth), await signUpPerson(world.auth)]
    await link(mine.client, claimsFor(freshEmail()))
    expect((await mine.client.auth.unlinkIdentity(await named(theirs.client, 'email'))).error?.code).toBe('identity_not_found')
    const { data } = await mine.client.auth.getSession()
    const session = data.session ?? mine.session
    const answer = await world.auth.ask('/user/identities/x%27y', { method: 'DELETE', headers: { authorization: `Bearer ${session.access_token}` } })
    expect([answer.status, (await answer.json() as { code: string }).code]).toEqual([404, 'validation_failed'])
  })

  it('moves the person to the address that is left, with a new proof where the provider gave none', async () => {
    const { client, email } = await signUpPerson(world.auth)
    const other = freshEmail()
    await link(client, claimsFor(other))
    expect((await client.auth.unlinkIdentity(await named(client, 'email'))).error).toBeNull()
    const { data } = await client.auth.getUser()
    expect(data.user?.email).toBe(other)
    expect(data.user?.email_confirmed_at).toBeTruthy()
    expect((await world.auth.client().auth.signInWithPassword({ email, password: testPassword })).error?.code).toBe('invalid_credentials')
  })

  it('is refused when the address that is left belongs to somebody else', async () => {
    const [mine, theirs] = [await signUpPerson(world.auth), await signUpPerson(world.auth)]
    await link(mine.client, claimsFor(theirs.email))
    expect((await mine.client.auth.unlinkIdentity(await named(mine.client, 'email'))).error?.code).toBe('email_conflict_identity_not_deletable')
    expect(await identitiesOf(mine.client)).toHaveLength(2)
  })

  it('is refused when what is left opens nothing: a provider that is off, an address nobody confirmed', async () => {
    const { client, user } = await signUpPerson(world.auth)
    await world.auth.database.asAdmin('supabase_auth_admin', (tx) => tx.execute(sql`
      insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
      values (${`old-${user.id}`}, ${user.id}, ${JSON.stringify({ sub: `old-${user.id}`, email: freshEmail(), email_verified: true })}::jsonb, 'twitch', now(), now())`))
    const { error } = await client.auth.unlinkIdentity(await named(client, 'email'))
    expect([error?.code, error?.message]).toEqual(['single_identity_not_deletable', 'Unlinking this identity would leave no way to sign in'])
    expect((await client.auth.unlinkIdentity(await named(client, 'twitch'))).error).toBeNull()
  })

  it('leaves one of two, when both are asked to go at once', async () => {
    const { client, session } = await signUpPerson(world.auth)
    await link(client, claimsFor(freshEmail()))
    const ids = (await identitiesOf(client)).map(({ identity_id }) => identity_id)
    const { data } = await client.auth.getSession()
    const answers = await Promise.all(ids.map((id) => world.auth.ask(`/user/identities/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${(data.session ?? session).access_token}` } })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })
})

it('somebody who came by a provider alone stays with it', async () => {
  const client = await clientOf(await visitGoogle(world, claimsFor(freshEmail())))
  expect((await client.auth.unlinkIdentity(await named(client, 'google'))).error?.code).toBe('single_identity_not_deletable')
})
