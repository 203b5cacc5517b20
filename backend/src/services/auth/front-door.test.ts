import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestAuth, signUpPerson, testPassword as password, type TestAuth } from './open-test-auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { appOrigins: ['http://127.0.0.1:54321'] } })
})
afterAll(() => auth.close())

describe('signing up with an address', () => {
  it('waits for the mailed code, then signs in', async () => {
    const email = freshEmail()
    const client = auth.client()
    const { data, error } = await client.auth.signUp({ email, password, options: { data: { name: 'Ada' } } })
    expect(error).toBeNull()
    expect(data.session).toBeNull()
    expect(data.user?.user_metadata).toMatchObject({ name: 'Ada', email, email_verified: false })
    expect(data.user?.identities).toHaveLength(1)

    const early = await client.auth.signInWithPassword({ email, password })
    expect(early.error).toMatchObject({ status: 400, code: 'email_not_confirmed' })

    const verified = await client.auth.verifyOtp({ email, token: auth.letterTo(email).variables.Token ?? '', type: 'signup' })
    expect(verified.error).toBeNull()
    expect(verified.data.user?.email_confirmed_at).toBeTruthy()
    expect(verified.data.user?.user_metadata.email_verified).toBe(true)

    const late = await client.auth.signInWithPassword({ email, password })
    expect(late.error).toBeNull()
    expect(late.data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
  })

  it('answers a confirmed address as if it were new, with another id, and sends nothing', async () => {
    const { email, user } = await signUpPerson(auth)
    const sent = auth.letters.length
    const { data, error } = await auth.client().auth.signUp({ email, password: 'another password' })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email, identities: [] })
    expect(data.user?.id).not.toBe(user.id)
    expect(auth.letters).toHaveLength(sent)
    const still = await auth.client().auth.signInWithPassword({ email, password })
    expect(still.error).toBeNull()
  })

  it('does not tell a confirmed address by the interval between two sign-ups', async () => {
    const { email: confirmed } = await signUpPerson(auth)
    const fresh = freshEmail()
    const twice = async (email: string) => {
      await auth.ask('/signup', { method: 'POST', body: { email, password } })
      const second = await auth.ask('/signup', { method: 'POST', body: { email, password } })
      return { status: second.status, body: await second.text() }
    }
    const [left, right] = [await twice(confirmed), await twice(fresh)]
    expect(left.status).toBe(429)
    expect(right.status).toBe(429)
    expect(left.body.replace(/\d+ seconds/, 'N seconds')).toBe(right.body.replace(/\d+ seconds/, 'N seconds'))
  })

  it('has the same members in both answers', async () => {
    const { email } = await signUpPerson(auth)
    auth.clock.advance(61)
    const body = async (address: string) => Object.keys(await (await auth.ask('/signup', { method: 'POST', body: { email: address, password } })).json()).sort()
    expect(await body(email)).toEqual(await body(freshEmail()))
  })

  it('refuses weak and endless passwords with reasons', async () => {
    const weak = await auth.client().auth.signUp({ email: freshEmail(), password: 'short' })
    expect(weak.error).toMatchObject({ code: 'weak_password', status: 422, reasons: ['length'] })
    const long = await auth.client().auth.signUp({ email: freshEmail(), password: 'é'.repeat(37) })
    expect(long.error).toMatchObject({ code: 'validation_failed', status: 400 })
  })

  it('adds one person when two requests sign the same address up at once', async () => {
    const email = freshEmail()
    const answers = await Promise.all([1, 2, 3].map(() => auth.ask('/signup', { method: 'POST', body: { email, password } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429])
    const { data } = await auth.admin().auth.admin.listUsers({ perPage: 1000 })
    expect(data.users.filter((user) => user.email === email)).toHaveLength(1)
  })

  it('takes the sign-up back half when the mail cannot be sent: asking again works at once', async () => {
    const email = freshEmail()
    auth.failMail(true)
    const failed = await auth.client().auth.signUp({ email, password })
    auth.failMail(false)
    expect(failed.error).toMatchObject({ status: 500 })
    const again = await auth.client().auth.signUp({ email, password })
    expect(again.error).toBeNull()
    expect(auth.letterTo(email).variables.Token).toMatch(/^\d{6}$/)
  })

  it('says so when a trigger of the project refuses a person', async () => {
    await auth.database.script('postgres', `
      create function public.refuse_blocked() returns trigger language plpgsql as $$
      begin
        if new.raw_user_meta_data ->> 'blocked' = 'yes' then raise exception 'not you'; end if;
        return new;
      end $$;
      create trigger refuse_blocked before insert on auth.users for each row execute function public.refuse_blocked();`)
    const { error } = await auth.client().auth.signUp({ email: freshEmail(), password, options: { data: { blocked: 'yes' } } })
    expect(error).toMatchObject({ status: 500, message: 'Database error saving new user' })
    expect(auth.logged.at(-1)).toContain('not you')
  })
})

describe('signing in with a password', () => {
  it('gives the claims hosted tokens have', async () => {
    const { client, email, user } = await signUpPerson(auth)
    const { data } = await client.auth.signInWithPassword({ email, password })
    const { data: claimed, error } = await client.auth.getClaims()
    expect(error).toBeNull()
    expect(claimed?.header).toMatchObject({ alg: 'ES256', kid: expect.any(String) })
    expect(claimed?.claims).toMatchObject({
      iss: 'http://127.0.0.1:54321/auth/v1',
      sub: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      email,
      phone: '',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      is_anonymous: false,
      session_id: expect.any(String),
      app_metadata: { provider: 'email', providers: ['email'] },
    })
    expect(claimed!.claims.exp - claimed!.claims.iat).toBe(3600)
    expect(data.session?.expires_in).toBe(3600)
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
    expect((await client.auth.mfa.listFactors()).data).toMatchObject({ all: [], phone: [], totp: [], webauthn: [] })
  })

  it('answers an unknown address and a wrong password alike, in words, status and time', async () => {
    const { email } = await signUpPerson(auth)
    const attempt = async (address: string) => {
      const started = performance.now()
      const answer = await auth.ask('/token?grant_type=password', { method: 'POST', body: { email: address, password: 'wrong password' } })
      return { status: answer.status, body: await answer.text(), ms: performance.now() - started }
    }
    const known = [], unknown = []
    for (let round = 0; round < 5; round += 1) {
      known.push(await attempt(email))
      unknown.push(await attempt(`nobody-${round}@example.com`))
    }
    expect(new Set([...known, ...unknown].map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    // The quickest of each: the others say how busy the machine is.
    const quickest = (times: { ms: number }[]) => Math.min(...times.map(({ ms }) => ms))
    expect(quickest(unknown) / quickest(known)).toBeGreaterThan(0.5)
    expect(quickest(unknown) / quickest(known)).toBeLessThan(2)
  })

  it('lets people in that a seed added with crypt() and little else', async () => {
    await auth.database.script('postgres', `
      insert into auth.users (id, email, encrypted_password, email_confirmed_at)
      values ('11111111-1111-4111-8111-111111111111', 'seeded@example.com', extensions.crypt('seed password', extensions.gen_salt('bf')), now());`)
    const { data, error } = await auth.client().auth.signInWithPassword({ email: 'Seeded@Example.com', password: 'seed password' })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ role: 'authenticated', aud: 'authenticated', user_metadata: {}, identities: [] })
    const { data: read } = await auth.client().auth.getUser(data.session!.access_token)
    expect(read.user?.email).toBe('seeded@example.com')
  })

  it('refuses the banned, and only tells those who know the password', async () => {
    const { email, user, client } = await signUpPerson(auth)
    await auth.admin().auth.admin.updateUserById(user.id, { ban_duration: '24h' })
    const right = await auth.client().auth.signInWithPassword({ email, password })
    expect(right.error).toMatchObject({ code: 'user_banned', status: 400 })
    const wrong = await auth.client().auth.signInWithPassword({ email, password: 'wrong password' })
    expect(wrong.error).toMatchObject({ code: 'invalid_credentials' })
    expect((await client.auth.getUser()).error).toMatchObject({ code: 'user_banned', status: 403 })
    await auth.admin().auth.admin.updateUserById(user.id, { ban_duration: 'none' })
    expect((await auth.client().auth.signInWithPassword({ email, password })).error).toBeNull()
  })
})

describe('mailed links and codes', () => {
  it('uses a code once, and no code of another kind or person', async () => {
    const { email } = await signUpPerson(auth)
    await auth.client().auth.signInWithOtp({ email })
    const token = auth.letterTo(email).variables.Token!
    const wrong = { email, token: token === '000000' ? '000001' : '000000', type: 'email' as const }
    expect((await auth.client().auth.verifyOtp(wrong)).error).toMatchObject({ status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' })
    expect((await auth.client().auth.verifyOtp({ email, token, type: 'signup' })).error).toMatchObject({ code: 'otp_expired' })
    expect((await auth.client().auth.verifyOtp({ email: 'other@example.com', token, type: 'email' })).error).toMatchObject({ code: 'otp_expired' })
    expect((await auth.client().auth.verifyOtp({ email, token, type: 'email' })).error).toBeNull()
    expect((await auth.client().auth.verifyOtp({ email, token, type: 'email' })).error).toMatchObject({ code: 'otp_expired' })
  })

  it('voids an older code when a new one is sent, and an unused one after its time', async () => {
    const { email } = await signUpPerson(auth)
    await auth.client().auth.signInWithOtp({ email })
    const first = auth.letterTo(email).variables.Token!
    auth.clock.advance(61)
    await auth.client().auth.signInWithOtp({ email })
    const second = auth.letterTo(email).variables.Token!
    if (first !== second) expect((await auth.client().auth.verifyOtp({ email, token: first, type: 'email' })).error).toMatchObject({ code: 'otp_expired' })
    auth.clock.advance(86_401)
    expect((await auth.client().auth.verifyOtp({ email, token: second, type: 'email' })).error).toMatchObject({ code: 'otp_expired' })
  })

  it('says how long to wait between two mails, and leaves the first link good', async () => {
    const { email } = await signUpPerson(auth)
    await auth.client().auth.signInWithOtp({ email })
    auth.clock.advance(10)
    const { error } = await auth.client().auth.signInWithOtp({ email })
    expect(error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
    expect(error?.message).toMatch(/^For security purposes, you can only request this after (49|50) seconds\.$/)
    expect((await auth.client().auth.verifyOtp({ email, token: auth.letterTo(email).variables.Token!, type: 'magiclink' })).error).toBeNull()
  })

  it('lets a link into the app wait for a button, and a link without a code end in the fragment', async () => {
    const { email } = await signUpPerson(auth)
    await auth.client().auth.signInWithOtp({ email, options: { emailRedirectTo: 'http://127.0.0.1:54321/callback' } })
    const { CallbackURL: page, ConfirmationURL: link } = auth.letterTo(email).variables
    expect(page).toMatch(/^http:\/\/127\.0\.0\.1:54321\/callback\?token_hash=[0-9a-f]{56}&type=magiclink$/)
    const opened = await auth.ask(new URL(link!).pathname.replace('/auth/v1', '') + new URL(link!).search)
    expect(opened.status).toBe(303)
    const target = new URL(opened.headers.get('location')!)
    expect(target.origin + target.pathname).toBe('http://127.0.0.1:54321/callback')
    const fragment = new URLSearchParams(target.hash.slice(1))
    expect(fragment.get('type')).toBe('magiclink')
    expect((await auth.client().auth.getUser(fragment.get('access_token')!)).data.user?.email).toBe(email)
    const again = await auth.ask(new URL(link!).pathname.replace('/auth/v1', '') + new URL(link!).search)
    expect(again.status).toBe(303)
    expect(again.headers.get('location')).toContain('#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=')
  })

  it('takes the hash of a link once, even when it is sent twice at the same moment', async () => {
    const { email } = await signUpPerson(auth)
    await auth.client().auth.signInWithOtp({ email })
    const body = { type: 'magiclink', token_hash: auth.letterTo(email).variables.TokenHash }
    const answers = await Promise.all([1, 2, 3, 4].map(() => auth.ask('/verify', { method: 'POST', body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
  })

  it('stops many wrong codes against one address, from wherever they come', async () => {
    const { email } = await signUpPerson(auth)
    await auth.client().auth.signInWithOtp({ email })
    const statuses = []
    for (let tried = 0; tried < 32; tried += 1) {
      const answer = await auth.ask('/verify', { method: 'POST', ip: `198.51.100.${tried}`, body: { email, type: 'email', token: `1${String(tried).padStart(5, '0')}` } })
      statuses.push(answer.status)
    }
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 403))
    expect(statuses.slice(30)).toEqual([429, 429])
    const right = await auth.ask('/verify', { method: 'POST', ip: '198.51.100.99', body: { email, type: 'email', token: auth.letterTo(email).variables.Token } })
    expect(right.status).toBe(429)
  })

  it('counts wrong codes that come all at once', async () => {
    const { email } = await signUpPerson(auth)
    await auth.client().auth.signInWithOtp({ email })
    const tries = Array.from({ length: 60 }, (_, tried) => auth.ask('/verify', { method: 'POST', body: { email, type: 'email', token: `2${String(tried).padStart(5, '0')}` } }))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(30)
  })

  it('adds a new person by link unless told not to', async () => {
    const email = freshEmail()
    const refused = await auth.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } })
    expect(refused.error).toMatchObject({ status: 422, code: 'otp_disabled' })
    expect((await auth.client().auth.signInWithOtp({ email })).error).toBeNull()
    expect(auth.letterTo(email).kind).toBe('confirmation')
    const { data } = await auth.client().auth.verifyOtp({ email, token: auth.letterTo(email).variables.Token!, type: 'email' })
    expect(data.user?.email_confirmed_at).toBeTruthy()
  })

  it('answers a recovery alike for an unknown address, the second time too', async () => {
    const { email } = await signUpPerson(auth)
    const recover = async (address: string) => {
      const first = await auth.ask('/recover', { method: 'POST', body: { email: address } })
      const second = await auth.ask('/recover', { method: 'POST', body: { email: address } })
      const words = async (answer: Response) => `${answer.status} ${(await answer.text()).replace(/\d+ seconds/, 'N seconds')}`
      return [await words(first), await words(second)]
    }
    expect(await recover('nobody-here@example.com')).toEqual(await recover(email))
  })

  it('changes a forgotten password and ends the other sessions', async () => {
    const { email, client: old } = await signUpPerson(auth)
    const client = auth.client()
    await client.auth.resetPasswordForEmail(email)
    expect(auth.letterTo(email).kind).toBe('recovery')
    const { data } = await client.auth.verifyOtp({ email, token: auth.letterTo(email).variables.Token!, type: 'recovery' })
    expect(data.session).toBeTruthy()
    expect((await client.auth.updateUser({ password })).error).toMatchObject({ code: 'same_password', status: 422 })
    expect((await client.auth.updateUser({ password: 'a whole new password' })).error).toBeNull()
    expect((await old.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
    expect((await client.auth.getUser()).error).toBeNull()
    expect((await auth.client().auth.signInWithPassword({ email, password })).error).toMatchObject({ code: 'invalid_credentials' })
    expect((await auth.client().auth.signInWithPassword({ email, password: 'a whole new password' })).error).toBeNull()
  })

  it('sends a confirmation again, and nothing to those who have confirmed', async () => {
    const email = freshEmail()
    await auth.client().auth.signUp({ email, password })
    auth.clock.advance(61)
    expect((await auth.client().auth.resend({ type: 'signup', email })).error).toBeNull()
    expect(auth.letters.filter(({ to }) => to === email)).toHaveLength(2)
    await auth.client().auth.verifyOtp({ email, token: auth.letterTo(email).variables.Token!, type: 'signup' })
    auth.clock.advance(61)
    expect((await auth.client().auth.resend({ type: 'signup', email })).error).toBeNull()
    expect(auth.letters.filter(({ to }) => to === email)).toHaveLength(2)
  })
})
