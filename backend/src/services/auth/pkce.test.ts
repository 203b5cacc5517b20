import { createHash, randomBytes } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openTestAuth, type TestAuth } from './open-test-auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth()
})
afterAll(() => auth.close())

let count = 0
const password = 'correct horse battery'

async function person() {
  const email = `pkce-${(count += 1)}@example.com`
  await auth.admin().auth.admin.createUser({ email, password, email_confirm: true })
  return email
}

function challenge() {
  const verifier = randomBytes(56).toString('hex')
  return { verifier, asked: { code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 's256' } }
}

async function open(link: string): Promise<URL> {
  const { pathname, search } = new URL(link)
  const answer = await auth.ask(pathname.replace('/auth/v1', '') + search)
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location')!)
}

const trade = async (code: string, verifier: string) => {
  const answer = await auth.ask('/token?grant_type=pkce', { method: 'POST', body: { auth_code: code, code_verifier: verifier } })
  return { status: answer.status, body: (await answer.json()) as { code?: string; user?: { email: string } } }
}

const linkTo = (email: string) => auth.letterTo(email).variables.ConfirmationURL!

describe('links of clients that trade a code', () => {
  it('end in a code that the same client trades, once', async () => {
    const [email, { verifier, asked }] = [await person(), challenge()]
    await auth.ask('/otp', { method: 'POST', body: { email, ...asked } })
    expect(linkTo(email)).toContain('token=pkce_')
    const target = await open(linkTo(email))
    expect(target.hash).toBe('')
    const code = target.searchParams.get('code')!
    expect((await trade(code, challenge().verifier)).body.code).toBe('bad_code_verifier')
    expect((await trade(code, verifier)).body.user?.email).toBe(email)
    expect(await trade(code, verifier)).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } })
  })

  it('belong to the request that mailed them: one refused within the interval changes nothing', async () => {
    const [email, first, second] = [await person(), challenge(), challenge()]
    expect((await auth.ask('/recover', { method: 'POST', body: { email, ...first.asked } })).status).toBe(200)
    expect((await auth.ask('/recover', { method: 'POST', body: { email, ...second.asked } })).status).toBe(429)
    const code = (await open(linkTo(email))).searchParams.get('code')!
    expect((await trade(code, second.verifier)).body.code).toBe('bad_code_verifier')
    expect((await trade(code, first.verifier)).status).toBe(200)
  })

  it('give a code that lives five minutes from the click, not from the mail', async () => {
    const [email, { verifier, asked }] = [await person(), challenge()]
    await auth.ask('/recover', { method: 'POST', body: { email, ...asked } })
    auth.clock.advance(3600)
    const code = (await open(linkTo(email))).searchParams.get('code')!
    auth.clock.advance(299)
    expect((await trade(code, verifier)).status).toBe(200)

    const late = challenge()
    await auth.ask('/recover', { method: 'POST', body: { email, ...late.asked } })
    const stale = (await open(linkTo(email))).searchParams.get('code')!
    auth.clock.advance(301)
    expect(await trade(stale, late.verifier)).toMatchObject({ status: 422, body: { code: 'flow_state_expired' } })
  })

  it('work by their hash on another device, without any verifier', async () => {
    const [email, { asked }] = [await person(), challenge()]
    await auth.ask('/otp', { method: 'POST', body: { email, ...asked } })
    const { data, error } = await auth.client().auth.verifyOtp({ type: 'magiclink', token_hash: auth.letterTo(email).variables.TokenHash! })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
  })

  it('work by their typed code as well', async () => {
    const [email, { asked }] = [await person(), challenge()]
    await auth.ask('/otp', { method: 'POST', body: { email, ...asked } })
    expect((await auth.client().auth.verifyOtp({ type: 'email', email, token: auth.letterTo(email).variables.Token! })).error).toBeNull()
  })

  it('carry their errors in the query too', async () => {
    const [email, { asked }] = [await person(), challenge()]
    await auth.ask('/otp', { method: 'POST', body: { email, ...asked } })
    await open(linkTo(email))
    const again = await open(linkTo(email))
    expect(again.searchParams.get('error_code')).toBe('otp_expired')
    expect(new URLSearchParams(again.hash.slice(1)).get('error_code')).toBe('otp_expired')
  })

  it('need a whole and well-formed challenge', async () => {
    const email = await person()
    const ask = async (asked: object) => (await (await auth.ask('/otp', { method: 'POST', body: { email, ...asked } })).json()).code
    expect(await ask({ code_challenge: 'x'.repeat(43) })).toBe('validation_failed')
    expect(await ask({ code_challenge: 'short', code_challenge_method: 's256' })).toBe('validation_failed')
    expect(await ask({ code_challenge: '!'.repeat(43), code_challenge_method: 's256' })).toBe('validation_failed')
    expect(await ask({ code_challenge: 'x'.repeat(43), code_challenge_method: 'md5' })).toBe('validation_failed')
  })

  it('work with the official client in its own PKCE mode, from sign-up to session', async () => {
    const kept = new Map<string, string>()
    const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value), removeItem: (key: string) => void kept.delete(key) }
    const client = auth.client({ auth: { flowType: 'pkce', storage, persistSession: true } })
    const email = `pkce-${(count += 1)}@example.com`
    await client.auth.signUp({ email, password })
    const code = (await open(linkTo(email))).searchParams.get('code')!
    const { data, error } = await client.auth.exchangeCodeForSession(code)
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
    expect((await client.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'email/signup' }])
  })
})
