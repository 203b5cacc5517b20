import { sql } from '#database/sql.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { freshEmail, signUpPerson, testPassword } from '#services/auth/open-test-auth.ts'

import { external, openProviderWorld, visitGoogle, type ProviderWorld } from './open-test-provider.ts'

let world: ProviderWorld
beforeAll(async () => {
  world = await openProviderWorld({}, { google: external(), spotify: external(), gitlab: external() })
})
afterAll(() => world.close())

let count = 0
const subject = () => `subject-${(count += 1)}`
const errorIn = (url: URL) => ({ error: url.searchParams.get('error'), code: url.searchParams.get('error_code') })

async function userOf(end: URL, of = world) {
  const fragment = new URLSearchParams(end.hash.slice(1))
  const { data, error } = await of.auth.client().auth.getUser(fragment.get('access_token') ?? '')
  if (error) throw new Error(`${end.href}: ${error.message}`)
  return data.user
}

const google = (email: string, more: Record<string, unknown> = {}) => ({ sub: subject(), email, email_verified: true, name: 'Grace Hopper', ...more })

/** Signs in with Spotify, which never says that an address is verified. */
async function visitSpotify(id: string, email: string): Promise<URL> {
  const { state } = await world.leave({ provider: 'spotify' })
  world.provider.answers.set('api.spotify.com/v1/me', () => ({ id, display_name: 'S', email }))
  return world.comeBack({ state, code: 'good' })
}

const asAdmin = <T>(work: Parameters<typeof world.auth.database.asAdmin<T>>[1]) => world.auth.database.asAdmin('supabase_auth_admin', work)

describe('somebody new', () => {
  it('gets an account with the provider\'s facts, confirmed by its word', async () => {
    const email = freshEmail()
    const user = await userOf(await visitGoogle(world, google(email, { picture: 'https://x/y.png', hd: 'example.com' })))
    expect(user).toMatchObject({
      email,
      role: 'authenticated',
      app_metadata: { provider: 'google', providers: ['google'] },
      user_metadata: { iss: 'https://accounts.google.com', email, email_verified: true, phone_verified: false, full_name: 'Grace Hopper', avatar_url: 'https://x/y.png', custom_claims: { hd: 'example.com' } },
    })
    expect(user.identities?.[0]).toMatchObject({ provider: 'google', identity_data: { email } })
    expect(user.email_confirmed_at).toBeTruthy()
    const audit = await asAdmin((tx) => tx.many<{ payload: object }>(sql`select payload from auth.audit_log_entries where payload ->> 'actor_id' = ${user.id}`))
    expect(audit.map(({ payload }) => payload)).toMatchObject([{ action: 'user_signedup', traits: { provider: 'google' } }])
  })

  it('is found again by the provider\'s id, whatever address it tells then', async () => {
    const claims = google(freshEmail())
    const first = await userOf(await visitGoogle(world, claims))
    const again = await userOf(await visitGoogle(world, { ...claims, email: freshEmail(), name: 'Rear Admiral' }))
    expect([again.id, again.email, again.user_metadata.full_name]).toEqual([first.id, first.email, 'Rear Admiral'])
  })

  it('may not come where sign-up is closed; who is known may', async () => {
    const closed = await openProviderWorld({ enableSignup: false })
    const email = freshEmail()
    const end = await visitGoogle(closed, google(email))
    expect(errorIn(end)).toEqual({ error: 'access_denied', code: 'signup_disabled' })
    await closed.auth.admin().auth.admin.createUser({ email, password: testPassword, email_confirm: true })
    expect((await userOf(await visitGoogle(closed, google(email)), closed)).email).toBe(email)
    await closed.close()
  })

  it('who is added twice at the same moment is added once', async () => {
    const claims = google(freshEmail())
    const ends = await Promise.all([visitGoogle(world, claims), visitGoogle(world, claims)].map(async (visit) => (await visit).hash))
    const rows = await asAdmin((tx) => tx.many(sql`select id from auth.users where email = ${claims.email}`))
    expect(rows).toHaveLength(1)
    expect(ends.filter((hash) => hash.includes('access_token')).length).toBeGreaterThan(0)
  })
})

describe('somebody whose address is known', () => {
  it('is let into that account when both sides have verified it', async () => {
    const { email, user } = await signUpPerson(world.auth)
    const linked = await userOf(await visitGoogle(world, google(email.toUpperCase())))
    expect(linked.id).toBe(user.id)
    expect(linked.app_metadata).toMatchObject({ provider: 'email', providers: ['email', 'google'] })
    const { error } = await world.auth.client().auth.signInWithPassword({ email, password: testPassword })
    expect(error).toBeNull()
  })

  it('is not let in by an address the provider has not verified', async () => {
    const { email, user } = await signUpPerson(world.auth)
    const end = await visitGoogle(world, google(email, { email_verified: false }))
    expect(errorIn(end)).toEqual({ error: 'access_denied', code: 'provider_email_needs_verification' })
    expect(end.searchParams.get('error_description')).toBe('Unverified email with google. Verify the email with google in order to sign in')
    const { data } = await world.auth.admin().auth.admin.getUserById(user.id)
    expect(data.user?.identities?.map(({ provider }) => provider)).toEqual(['email'])
  })

  it('takes an account over that nobody has confirmed, and nothing of a stranger\'s stays in it', async () => {
    const email = freshEmail()
    const stranger = world.auth.client()
    await stranger.auth.signUp({ email, password: 'stranger-knows-it', options: { data: { full_name: 'Mallory', is_admin: true } } })
    const user = await userOf(await visitGoogle(world, google(email)))
    expect(user.identities?.map(({ provider }) => provider)).toEqual(['google'])
    expect(user.user_metadata.is_admin).toBeUndefined()
    expect((await stranger.auth.signInWithPassword({ email, password: 'stranger-knows-it' })).error?.code).toBe('invalid_credentials')
    expect((await stranger.auth.verifyOtp({ email, token: world.auth.letterTo(email).variables.Token ?? '', type: 'signup' })).error?.code).toBe('otp_expired')
  })

  it('is not let into an account whose identity only claims the address', async () => {
    const [mallory, victim] = [await signUpPerson(world.auth), freshEmail()]
    await asAdmin((tx) => tx.execute(sql`
      insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
      values ('evil', ${mallory.user.id}, ${JSON.stringify({ sub: 'evil', email: victim, email_verified: false })}::jsonb, 'gitlab', now(), now())`))
    expect((await userOf(await visitGoogle(world, google(victim)))).id).not.toBe(mallory.user.id)
  })

  it('is told that the account is banned', async () => {
    const { email, user } = await signUpPerson(world.auth)
    await world.auth.admin().auth.admin.updateUserById(user.id, { ban_duration: '1h' })
    expect(errorIn(await visitGoogle(world, google(email)))).toEqual({ error: 'access_denied', code: 'user_banned' })
  })

  it('and belongs to SSO stays apart', async () => {
    const email = freshEmail()
    const { data } = await world.auth.admin().auth.admin.createUser({ email, email_confirm: true })
    await asAdmin((tx) => tx.execute(sql`update auth.users set is_sso_user = true where id = ${data.user!.id}`))
    await asAdmin((tx) => tx.execute(sql`update auth.identities set provider = 'sso:6f1f2b2e-0000-4000-8000-000000000000' where user_id = ${data.user!.id}`))
    expect((await userOf(await visitGoogle(world, google(email)))).id).not.toBe(data.user!.id)
  })
})

describe('an address that a provider does not call verified', () => {
  it('is confirmed by mail before anybody comes in by it', async () => {
    const [id, email] = [subject(), freshEmail()]
    const end = await visitSpotify(id, email)
    expect(end.searchParams.get('error_description')).toBe('Unverified email with spotify. A confirmation email has been sent to your spotify email')
    const { data, error } = await world.auth.client().auth.verifyOtp({ email, token: world.auth.letterTo(email).variables.Token ?? '', type: 'signup' })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
    expect((await userOf(await visitSpotify(id, email))).id).toBe(data.user?.id)
  })

  it('is mailed to within the interval once', async () => {
    const [id, email] = [subject(), freshEmail()]
    await visitSpotify(id, email)
    expect(errorIn(await visitSpotify(id, email)).code).toBe('over_email_send_rate_limit')
  })

  it('gives way to whoever proves it elsewhere', async () => {
    const [id, email] = [subject(), freshEmail()]
    await visitSpotify(id, email)
    const user = await userOf(await visitGoogle(world, google(email)))
    expect(user.identities?.map(({ provider }) => provider)).toEqual(['google'])
    expect(errorIn(await visitSpotify(id, email)).code).toBe('provider_email_needs_verification')
  })

  it('counts in a project that asks for no confirmations', async () => {
    const easy = await openProviderWorld({ email: { enableConfirmations: false } })
    const email = freshEmail()
    expect((await userOf(await visitGoogle(easy, google(email, { email_verified: false })), easy)).email).toBe(email)
    await easy.close()
  })

  it('opens nobody else\'s account, not even where no confirmations are asked for', async () => {
    const easy = await openProviderWorld({ email: { enableConfirmations: false } }, { google: external(), spotify: external() })
    const email = freshEmail()
    const { data } = await easy.auth.client().auth.signUp({ email, password: testPassword })
    const end = await visitGoogle(easy, google(email, { email_verified: false }))
    expect([errorIn(end).code, end.hash.includes('access_token')]).toEqual(['provider_email_needs_verification', false])
    const { state } = await easy.leave({ provider: 'spotify' })
    easy.provider.answers.set('api.spotify.com/v1/me', () => ({ id: subject(), display_name: 'S', email }))
    expect(errorIn(await easy.comeBack({ state, code: 'good' })).code).toBe('provider_email_needs_verification')
    const { data: after } = await easy.auth.admin().auth.admin.getUserById(data.user?.id ?? '')
    expect(after.user?.identities?.map(({ provider }) => provider)).toEqual(['email'])
    expect((await userOf(await visitGoogle(easy, google(email)), easy)).id).toBe(data.user?.id)
    await easy.close()
  })
})

describe('a person without an address', () => {
  it('is refused, unless the provider may leave it out', async () => {
    const claims = { sub: subject(), name: 'Nobody' }
    expect((await visitGoogle(world, claims)).searchParams.get('error_description')).toBe('Error getting user email from external provider')
    const open = await openProviderWorld({}, { google: external({ emailOptional: true }) })
    const user = await userOf(await visitGoogle(open, claims), open)
    expect([user.email, user.app_metadata.provider]).toEqual(['', 'google'])
    expect((await userOf(await visitGoogle(open, claims), open)).id).toBe(user.id)
    await open.close()
  })
})

describe('an invitation', () => {
  const invite = async () => {
    const email = freshEmail()
    await world.auth.admin().auth.admin.inviteUserByEmail(email)
    return { email, token: world.auth.letterTo(email).variables.TokenHash ?? '' }
  }

  it('is accepted with the invited address, and with no other', async () => {
    const { email, token } = await invite()
    const wrong = await visitGoogle(world, google(freshEmail()), { invite_token: token })
    expect(wrong.searchParams.get('error_description')).toBe('Invited email does not match emails from external provider')
    const user = await userOf(await visitGoogle(world, google(email), { invite_token: token }))
    expect(user).toMatchObject({ email, app_metadata: { provider: 'google', providers: ['google'] } })
    expect(user.identities?.map(({ provider }) => provider)).toEqual(['google'])
    await expect(visitGoogle(world, google(email), { invite_token: token })).rejects.toThrow('404')
  })
})

describe('hooks of the project', () => {
  it('are asked before somebody new is added, and may refuse', async () => {
    await world.auth.database.asAdmin('postgres', (tx) => tx.execute(sql`
      create or replace function public.only_friends(event jsonb) returns jsonb language sql as $$
        select case when event -> 'user' ->> 'email' like 'friend%' then '{}'::jsonb
        else jsonb_build_object('error', jsonb_build_object('http_code', 403, 'message', 'Friends only')) end
      $$`))
    await world.auth.database.asAdmin('postgres', (tx) => tx.execute(sql`grant execute on function public.only_friends to supabase_auth_admin`))
    const hooked = await openHooked()
    const refused = await visitGoogle(hooked, google(freshEmail()))
    expect(refused.searchParams.get('error_description')).toBe('Friends only')
    expect((await userOf(await visitGoogle(hooked, google(`friend-${count}@example.com`)), hooked)).email).toContain('friend')
  })

  const openHooked = async (): Promise<ProviderWorld> => {
    const { openTestAuth } = await import('#services/auth/open-test-auth.ts')
    const auth = await openTestAuth({
      database: world.auth.database,
      outbound: () => world.provider.outbound,
      settings: {
        hooks: { beforeUserCreated: 'pg-functions://postgres/public/only_friends' },
        providers: { external: { google: external() }, customEnabled: true, mostCustom: 0 },
        redirectAllowList: ['https://app.example.com/**'],
      },
    })
    const ask = (path: string) => auth.ask(path)
    return {
      ...world,
      auth,
      async leave(params) {
        const to = new URL((await ask(`/authorize?${new URLSearchParams({ redirect_to: 'https://app.example.com/back', ...params })}`)).headers.get('location')!)
        return { to, state: to.searchParams.get('state')!, cookie: '' }
      },
      comeBack: async (params) => new URL((await ask(`/callback?${new URLSearchParams(params)}`)).headers.get('location')!),
    }
  }
})

