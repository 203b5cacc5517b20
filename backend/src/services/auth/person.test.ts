import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestAuth, signUpPerson, testPassword as password, type TestAuth } from './open-test-auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { appOrigins: ['http://127.0.0.1:54321'] } })
})
afterAll(() => auth.close())

describe('the signed-in person', () => {
  it('changes metadata, adding, replacing and removing keys', async () => {
    const { client } = await signUpPerson(auth, freshEmail(), { name: 'Ada', city: 'London' })
    const { data, error } = await client.auth.updateUser({ data: { name: 'Ada L.', city: null, year: 1815 } })
    expect(error).toBeNull()
    expect(data.user?.user_metadata).toMatchObject({ name: 'Ada L.', year: 1815 })
    expect(data.user?.user_metadata).not.toHaveProperty('city')
  })

  it('changes the address after both mailboxes agreed', async () => {
    const { client, email } = await signUpPerson(auth)
    const next = freshEmail()
    const { data, error } = await client.auth.updateUser({ email: next })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email, new_email: next })
    const first = await auth.ask('/verify', { method: 'POST', body: { type: 'email_change', email, token: auth.letterTo(email).variables.Token } })
    expect(await first.json()).toEqual({ code: '200', msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email' })
    const second = await auth.client().auth.verifyOtp({ type: 'email_change', email: next, token: auth.letterTo(next).variables.Token! })
    expect(second.error).toBeNull()
    expect(second.data.user?.email).toBe(next)
    expect(second.data.user?.identities?.[0]?.identity_data).toMatchObject({ email: next, email_verified: true })
    expect((await auth.client().auth.signInWithPassword({ email: next, password })).error).toBeNull()
  })

  it('cannot take an address that has an owner', async () => {
    const [{ client }, { email }] = [await signUpPerson(auth), await signUpPerson(auth)]
    expect((await client.auth.updateUser({ email })).error).toMatchObject({ code: 'email_exists', status: 422 })
  })

  it('may not write app_metadata', async () => {
    const { session } = await signUpPerson(auth)
    const answer = await auth.ask('/user', { method: 'PUT', headers: { authorization: `Bearer ${session.access_token}` }, body: { app_metadata: { role: 'admin' } } })
    expect(answer.status).toBe(403)
  })

  it('ends this session, the others, or all, and a dead one is told as such', async () => {
    const { email, client: first } = await signUpPerson(auth)
    const [second, third] = [auth.client(), auth.client()]
    await second.auth.signInWithPassword({ email, password })
    await third.auth.signInWithPassword({ email, password })
    const token = (await first.auth.getSession()).data.session!.access_token
    expect((await second.auth.signOut({ scope: 'others' })).error).toBeNull()
    const dead = await auth.ask('/user', { headers: { authorization: `Bearer ${token}` } })
    expect(dead.status).toBe(403)
    expect(dead.headers.get('x-sb-error-code')).toBe('session_not_found')
    expect((await second.auth.getUser()).error).toBeNull()
    expect((await third.auth.refreshSession()).error).toMatchObject({ code: 'refresh_token_not_found' })
    expect((await second.auth.signOut({ scope: 'local' })).error).toBeNull()
    const unknown = await auth.ask('/logout?scope=universe', { method: 'POST', headers: { authorization: `Bearer ${(await signUpPerson(auth)).session.access_token}` } })
    expect(unknown.status).toBe(400)
  })

  it('proves the mailbox again where the project wants it before a new password', async () => {
    const strict = await openTestAuth({ database: auth.database, settings: { password: { minLength: 6, requiredCharacters: [], requireReauthentication: true, requireCurrentPassword: false } } })
    const { email } = await signUpPerson(auth)
    const client = strict.client()
    await client.auth.signInWithPassword({ email, password })
    strict.clock.advance(25 * 3600)
    await client.auth.refreshSession()
    expect((await client.auth.updateUser({ password: 'a newer password' })).error).toMatchObject({ code: 'reauthentication_needed' })
    expect((await client.auth.reauthenticate()).error).toBeNull()
    expect((await client.auth.updateUser({ password: 'a newer password', nonce: '999999' })).error).toMatchObject({ code: 'reauthentication_not_valid' })
    expect((await client.auth.updateUser({ password: 'a newer password', nonce: strict.letterTo(email).variables.Token! })).error).toBeNull()
  })

  it('lets nobody with a stolen session try the codes of a mailbox through', async () => {
    const strict = await openTestAuth({ database: auth.database, settings: { password: { minLength: 6, requiredCharacters: [], requireReauthentication: true, requireCurrentPassword: false } } })
    const { email } = await signUpPerson(auth)
    const client = strict.client()
    await client.auth.signInWithPassword({ email, password })
    strict.clock.advance(25 * 3600)
    await client.auth.refreshSession()
    await client.auth.reauthenticate()
    const answer = (nonce: string) => client.auth.updateUser({ password: 'a newer password', nonce })
    for (let tried = 0; tried < 30; tried += 1) expect((await answer(`3${String(tried).padStart(5, '0')}`)).error).toMatchObject({ code: 'reauthentication_not_valid' })
    expect((await answer(strict.letterTo(email).variables.Token!)).error).toMatchObject({ code: 'over_request_rate_limit' })
  })
})

describe('who is asking', () => {
  it('is told what is wrong with the token, in the dialect asked for', async () => {
    const none = await auth.ask('/user')
    expect([none.status, await none.json()]).toEqual([401, { code: 'no_authorization', message: 'This endpoint requires a valid Bearer token' }])
    expect(none.headers.get('x-supabase-api-version')).toBe('2024-01-01')
    const old = await auth.ask('/user', { headers: { 'x-supabase-api-version': '' } })
    expect(await old.json()).toEqual({ code: 401, error_code: 'no_authorization', msg: 'This endpoint requires a valid Bearer token' })
    const torn = await auth.ask('/user', { headers: { authorization: 'Bearer not.a.token' } })
    expect(torn.headers.get('x-sb-error-code')).toBe('bad_jwt')
    const anon = await auth.ask('/user', { headers: { authorization: `Bearer ${auth.keys.anonKey}` } })
    expect([anon.status, await anon.json()]).toEqual([403, { code: 'bad_jwt', message: 'invalid claim: missing sub claim' }])
  })

  it('is no administrator without the secret key', async () => {
    const { session } = await signUpPerson(auth)
    for (const headers of [{}, { authorization: `Bearer ${auth.keys.anonKey}` }, { authorization: `Bearer ${session.access_token}` }]) {
      const answer = await auth.ask('/admin/users', { headers })
      expect([401, 403]).toContain(answer.status)
      expect((await auth.ask('/invite', { method: 'POST', body: { email: freshEmail() }, headers })).status).toBe(answer.status)
    }
  })

  it('gets plain answers to malformed requests', async () => {
    const post = (body: unknown) => auth.ask('/signup', { method: 'POST', body })
    expect((await (await post('{"email":')).json()).code).toBe('bad_json')
    expect((await (await post('')).json()).code).toBe('bad_json')
    expect((await (await post({ email: 5 })).json()).code).toBe('bad_json')
    expect((await (await post({ email: freshEmail(), password, data: { name: 'a\u0000b' } })).json()).code).toBe('bad_json')
    expect((await post({ email: freshEmail(), password: 'x'.repeat(1 << 21) })).status).toBe(413)
    const nested = (depth: number) => `{"email":"${freshEmail()}","password":"${password}","data":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`
    expect((await (await post(nested(100_000))).json()).code).toBe('bad_json')
    expect((await post(nested(900))).status).toBe(200)
    const half = await post(`{"email":"${freshEmail()}","password":"${password}","data":{"a":"x\\ud800y","b":"\\ud83d\\ude00"}}`)
    expect((await half.json()).user_metadata).toMatchObject({ a: 'x\ufffdy', b: '😀' })
    expect((await auth.ask('/nowhere')).status).toBe(404)
    expect((await (await auth.ask('/sso', { method: 'POST', body: {} })).json()).code).toBe('saml_provider_disabled')
    expect((await (await auth.ask('/passkeys')).json()).code).toBe('passkey_disabled')
    expect((await (await auth.ask('/token?grant_type=web3', { method: 'POST', body: {} })).json()).code).toBe('web3_provider_disabled')
    expect((await (await auth.ask('/token?grant_type=constructor', { method: 'POST', body: {} })).json()).message).toBe('unsupported_grant_type')
    expect((await auth.ask('/signup')).status).toBe(405)
  })

  it('is slowed down past the limits of an address, this machine aside', async () => {
    const statuses = async (ip: string) => {
      const answers = []
      for (let asked = 0; asked < 32; asked += 1) answers.push((await auth.ask('/otp', { method: 'POST', ip, body: {} })).status)
      return answers.filter((status) => status === 429).length
    }
    expect(await statuses('203.0.113.7')).toBe(2)
    expect(await statuses('127.0.0.1')).toBe(0)
  })
})
