import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#database/sql.ts'

import { freshEmail, freshPhone, openTestAuth, signUpPerson, testPassword, type TestAuth } from './open-test-auth.ts'
import { defaultAuthSettings } from './settings.ts'

// What may happen once, asked for many times at the same moment.

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({
    settings: {
      enableAnonymousSignIns: true,
      sms: { enabled: true, enableSignup: true },
      email: { doubleConfirmChanges: true },
      password: { ...defaultAuthSettings.password, requireReauthentication: true },
    },
  })
})
afterAll(() => auth.close())

const many = <T>(work: (index: number) => Promise<T>, times = 10): Promise<T[]> => Promise.all(Array.from({ length: times }, (_, index) => work(index)))
const post = (path: string, body: unknown, headers: Record<string, string> = {}) => auth.ask(path, { method: 'POST', body, headers })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const countOf = async (statuses: Promise<Response[]>, status: number) => (await statuses).filter((answer) => answer.status === status).length
const sessionsOf = (userId: string) =>
  auth.database.asAdmin('supabase_auth_admin', (tx) => tx.one<{ count: string }>(sql`select count(*) from auth.sessions where user_id = ${userId}`)).then(({ count }) => Number(count))

describe('many at once', () => {
  it('open one session by a mailed link, pressed and posted', async () => {
    const { email, user } = await signUpPerson(auth)
    auth.clock.advance(61)
    await post('/magiclink', { email })
    const before = await sessionsOf(user.id)
    const token = auth.letterTo(email).variables.TokenHash ?? ''
    const answers = await many((index) => (index % 2 === 0 ? auth.ask(`/verify?token=${token}&type=magiclink`) : post('/verify', { type: 'magiclink', token_hash: token })))
    const hasCome = answers.filter((answer) => answer.status === 200 || (answer.headers.get('location') ?? '').includes('access_token'))
    expect(hasCome).toHaveLength(1)
    expect(await sessionsOf(user.id)).toBe(before + 1)
  })

  it('accept one invitation once', async () => {
    const email = freshEmail()
    const { data } = await auth.admin().auth.admin.inviteUserByEmail(email)
    const token_hash = auth.letterTo(email).variables.TokenHash
    expect(await countOf(many(() => post('/verify', { type: 'invite', token_hash })), 200)).toBe(1)
    expect(await sessionsOf(data.user?.id ?? '')).toBe(1)
  })

  it('use a link up once that an administrator made', async () => {
    const { email } = await signUpPerson(auth)
    for (const type of ['magiclink', 'recovery'] as const) {
      const { data } = await auth.admin().auth.admin.generateLink({ type, email })
      expect(await countOf(many(() => post('/verify', { type, token_hash: data.properties?.hashed_token })), 200), type).toBe(1)
    }
  })

  it('change an address once, and never by one of two mailboxes alone', async () => {
    const { client, email, session } = await signUpPerson(auth)
    const next = freshEmail()
    await client.auth.updateUser({ email: next })
    const token_hash = auth.letterTo(next).variables.TokenHash
    await many(() => post('/verify', { type: 'email_change', token_hash }))
    expect((await auth.client().auth.getUser(session.access_token)).data.user?.email).toBe(email)
    const other = auth.letterTo(email).variables.TokenHash
    expect(await countOf(many(() => post('/verify', { type: 'email_change', token_hash: other })), 200)).toBe(1)
    expect((await auth.client().auth.getUser(session.access_token)).data.user?.email).toBe(next)
  })

  it('who all want one number or one address: one has it in the end', async () => {
    const phone = freshPhone()
    const people = await many(() => signUpPerson(auth), 4)
    for (const { client } of people) {
      await client.auth.updateUser({ phone })
    }
    const codes = auth.texts.filter((text) => text.to === phone).map((text) => text.code ?? '')
    expect(codes).toHaveLength(4)
    const answers = await many((index) => post('/verify', { type: 'phone_change', phone, token: codes[index] }), 4)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { count } = await auth.database.asAdmin('supabase_auth_admin', (tx) => tx.one<{ count: string }>(sql`select count(*) from auth.users where phone = ${phone}`))
    expect(Number(count)).toBe(1)
  })

  it('who want to be the same new person are one', async () => {
    const [email, phone] = [freshEmail(), freshPhone()]
    for (const whom of [{ email }, { phone }]) for (const answer of await many(() => post('/signup', { ...whom, password: testPassword }))) expect([200, 429], await answer.text()).toContain(answer.status)
    const { count } = await auth.database.asAdmin('supabase_auth_admin', (tx) => tx.one<{ count: string }>(sql`select count(*) from auth.users where email = ${email} or phone = ${phone}`))
    expect(Number(count)).toBe(2)
    expect(auth.letters.filter(({ to }) => to === email)).toHaveLength(1)
    expect(auth.texts.filter(({ to }) => to === phone)).toHaveLength(1)
  })

  it('change a password by one code once', async () => {
    const { client, email, session } = await signUpPerson(auth)
    auth.clock.advance(2 * 86_400)
    const { data } = await client.auth.refreshSession({ refresh_token: session.refresh_token })
    await client.auth.reauthenticate()
    const nonce = auth.letterTo(email).variables.Token
    const token = data.session?.access_token ?? ''
    const answers = await many((index) => auth.ask('/user', { method: 'PUT', headers: bearer(token), body: { password: `a new password ${index}`, nonce } }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('change a password by the old one once, and by a session that has ended meanwhile never', async () => {
    const strict = await openTestAuth({ database: auth.database, settings: { password: { ...defaultAuthSettings.password, requireCurrentPassword: true } } })
    const { client, email } = await signUpPerson(strict)
    await client.auth.signOut()
    const signIn = async () => (await strict.client().auth.signInWithPassword({ email, password: testPassword })).data.session?.access_token ?? ''
    const [owner, thief] = [await signIn(), await signIn()]
    const change = (token: string, password: string) => strict.ask('/user', { method: 'PUT', headers: bearer(token), body: { password, current_password: testPassword } })
    const answers = await Promise.all([owner, thief, owner, thief].map((token, index) => change(token, `their new password ${index}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('sign in with a password that is replaced while it is compared: it opens nothing', async () => {
    const { email, user } = await signUpPerson(auth)
    // Stands between the comparison and the session, as another request may.
    await auth.database.script('postgres', `
      create function public.replace_password(event jsonb) returns jsonb language plpgsql security definer as $$ begin
        update auth.users set encrypted_password = '$2a$10$yMoYHshIZam6msH1A3yaLuKxePJSSsYRR.qBrJCa/6qZGiosKtToi' where id = (event ->> 'user_id')::uuid;
        delete from auth.sessions where user_id = (event ->> 'user_id')::uuid;
        return '{"decision": "continue"}';
      end $$;
      grant execute on function public.replace_password to supabase_auth_admin;`)
    const hooked = await openTestAuth({ database: auth.database, settings: { hooks: { ...defaultAuthSettings.hooks, passwordVerificationAttempt: 'pg-functions://postgres/public/replace_password' } } })
    const { error } = await hooked.client().auth.signInWithPassword({ email, password: testPassword })
    expect(error?.code).toBe('invalid_credentials')
    expect(await sessionsOf(user.id)).toBe(0)
  })

  it('make one person of one guest', async () => {
    const client = auth.client()
    const { data } = await client.auth.signInAnonymously()
    const email = freshEmail()
    const token = data.session?.access_token ?? ''
    await many(() => auth.ask('/user', { method: 'PUT', headers: bearer(token), body: { email } }), 5)
    const { count } = await auth.database.asAdmin('supabase_auth_admin', (tx) => tx.one<{ count: string }>(sql`select count(*) from auth.users where email_change = ${email} or email = ${email}`))
    expect(Number(count)).toBe(1)
    expect(auth.letters.filter(({ to }) => to === email)).toHaveLength(1)
  })
})
