import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#database/sql.ts'

import { freshEmail, freshPhone, openTestAuth, signUpPerson, testPassword, type TestAuth } from './open-test-auth.ts'
import { defaultAuthSettings } from './settings.ts'

let auth: TestAuth

beforeAll(async () => {
  auth = await openTestAuth({ settings: { sms: { enabled: true, enableSignup: true } } })
})
afterAll(() => auth.close())

describe('secrets', () => {
  /** Everything a thief of the log would like to find there. */
  const secrets = new Set<string>()
  const keep = (...given: (string | undefined | null)[]) => {
    for (const one of given) if (one) secrets.add(one)
  }

  async function runEveryFlow(): Promise<void> {
    keep(auth.keys.secretKey, auth.keys.serviceRoleKey, auth.keys.jwtSecret, testPassword)
    const { client, email, session } = await signUpPerson(auth)
    keep(session.access_token, session.refresh_token)
    const wrong = randomBytes(12).toString('hex')
    keep(wrong)
    await auth.client().auth.signInWithPassword({ email, password: wrong })
    const { data: fresh } = await client.auth.refreshSession()
    keep(fresh.session?.access_token, fresh.session?.refresh_token)
    const verifier = randomBytes(48).toString('base64url')
    keep(verifier)
    auth.clock.advance(61)
    await auth.ask('/recover', { method: 'POST', body: { email, code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 's256' } })
    const link = auth.letterTo(email)
    keep(link.variables.Token, link.variables.TokenHash)
    const opened = await auth.ask(`/verify?token=${link.variables.TokenHash}&type=recovery`)
    const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code')
    keep(code)
    const body = { auth_code: code, code_verifier: verifier }
    await auth.ask('/token?grant_type=pkce', { method: 'POST', body: { ...body, code_verifier: wrong } })
    await auth.ask('/token?grant_type=pkce', { method: 'POST', body })
    await client.auth.updateUser({ password: 'the next password of theirs' })
    keep('the next password of theirs')
    await client.auth.reauthenticate()
    keep(auth.letterTo(email).variables.Token)
    await client.auth.updateUser({ email: freshEmail() })
    for (const letter of auth.letters) keep(letter.variables.Token, letter.variables.TokenHash)
    const phone = freshPhone()
    await auth.client().auth.signInWithOtp({ phone })
    keep(auth.codeTo(phone))
    await auth.client().auth.verifyOtp({ phone, token: auth.codeTo(phone), type: 'sms' })
    const { data: made } = await auth.admin().auth.admin.generateLink({ type: 'magiclink', email })
    keep(made.properties?.hashed_token, made.properties?.email_otp)
    await client.auth.signOut()
  }

  // What goes wrong is written down, and is what carries a secret along.
  async function runWhatFails(): Promise<void> {
    auth.failMail(true)
    const email = freshEmail()
    await auth.client().auth.signUp({ email, password: testPassword })
    await auth.client().auth.signInWithOtp({ email: freshEmail() })
    auth.failMail(false)
    await auth.database.script('postgres', `
      create function public.refuse_all() returns trigger language plpgsql as $$ begin raise exception 'no, %', to_jsonb(new); end $$;
      create trigger refuse_all before insert on auth.users for each row execute function public.refuse_all();`)
    await auth.client().auth.signUp({ email: freshEmail(), password: testPassword })
    await auth.database.script('postgres', 'drop trigger refuse_all on auth.users')
    for (const token of ['a.b.c', `${auth.keys.serviceRoleKey}x`]) await auth.ask('/user', { headers: { authorization: `Bearer ${token}` } })
    await auth.ask('/token?grant_type=password', { method: 'POST', body: `{"password": "${testPassword}", ` })
  }

  it('stand in no line of the log and in no line of the audit, whatever goes right or wrong', async () => {
    await runEveryFlow()
    await runWhatFails()
    expect(secrets.size).toBeGreaterThan(15)
    expect(auth.logged.length).toBeGreaterThan(2)
    const { entries } = await auth.database.asAdmin('supabase_auth_admin', (tx) => tx.one<{ entries: string }>(sql`select coalesce(string_agg(payload::text, ' '), '') as entries from auth.audit_log_entries`))
    expect(entries).toContain('user_signedup')
    const found = (text: string) => [...secrets].filter((secret) => new RegExp(`(?<![0-9a-z])${secret.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![0-9a-z])`, 'i').test(text))
    expect(found(auth.logged.join('\n'))).toEqual([])
    expect(found(entries)).toEqual([])
  })

  it('are stored so that a copy of the tables opens nothing: passwords and codes as hashes', async () => {
    const email = freshEmail()
    await auth.client().auth.signUp({ email, password: testPassword })
    const code = auth.letterTo(email).variables.Token ?? 'none'
    const { row } = await auth.database.asAdmin('supabase_auth_admin', (tx) =>
      tx.one<{ row: string }>(sql`select u::text || coalesce((select string_agg(t::text, ' ') from auth.one_time_tokens t where t.user_id = u.id), '') as row from auth.users u where u.email = ${email}`))
    expect(row).not.toContain(testPassword)
    expect(row).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`))
  })
})

it('an answer that takes too long is given up, in words that tell nothing', async () => {
  const slow = await openTestAuth({ database: auth.database, settings: { longestRequestMs: 300 } })
  slow.delayMail(1500)
  const answer = await slow.ask('/signup', { method: 'POST', body: { email: freshEmail(), password: testPassword } })
  expect(answer.status).toBe(504)
  expect(await answer.json()).toEqual({ code: 'request_timeout', message: 'Processing this request timed out, please retry after a moment.' })
})

describe('somebody who tries and tries', () => {
  const limits = { ...defaultAuthSettings.rateLimits }
  let own: TestAuth
  beforeAll(async () => {
    own = await openTestAuth({ database: auth.database, settings: { rateLimits: limits, sms: { enabled: true, enableSignup: true } } })
  })
  const many = async (times: number, ask: (index: number) => Promise<Response>): Promise<Response[]> => {
    const answers: Response[] = []
    for (let index = 0; index < times; index += 1) answers.push(await ask(index))
    return answers
  }

  it.each([
    ['/verify', { type: 'signup', token: '000000', email: 'a@example.com' }],
    ['/verify', { type: 'sms', token: '000000', phone: '4912345' }],
    ['/recover', { email: 'not an address' }],
    ['/otp', { email: 'not an address' }],
    ['/magiclink', { email: 'not an address' }],
    ['/resend', { type: 'signup', email: 'not an address' }],
    ['/signup', { email: 'not an address', password: 'x' }],
    ['/token?grant_type=refresh_token', { refresh_token: 'abcdefghijkl' }],
  ])('%s with %j is let ask thirty times, then told when to come back', async (path, body) => {
    const ip = `203.0.113.${Math.floor(Math.random() * 250)}`
    const answers = await many(31, () => own.ask(path, { method: 'POST', body, ip: `${ip}:${path}${JSON.stringify(body)}` }))
    expect(answers.slice(0, 20).every(({ status }) => status !== 429) || path === '/verify').toBe(true)
    const last = answers.at(-1)
    expect(last?.status).toBe(429)
    expect(await last?.json()).toMatchObject({ code: 'over_request_rate_limit' })
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('guesses a texted code from many machines in vain: past the limit the right one is refused too', async () => {
    const phone = freshPhone()
    await own.client().auth.signInWithOtp({ phone })
    const code = own.codeTo(phone)
    const wrong = code === '000000' ? '000001' : '000000'
    await many(31, (index) => own.ask('/verify', { method: 'POST', body: { type: 'sms', phone, token: wrong }, ip: `198.51.100.${index}` }))
    const right = await own.ask('/verify', { method: 'POST', body: { type: 'sms', phone, token: code }, ip: '198.51.100.200' })
    expect(right.status).toBe(429)
  })
})
