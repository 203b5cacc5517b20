import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUpPerson, type TestAuth } from '#services/auth/open-test-auth.ts'

import { isClientSecret, hashClientSecret } from './client-secret.ts'
import { approve, askConsent, askToken, basic, callback, claimsOf, grantTo, openTestOAuth, registerClient, type Person } from './open-test-oauth.ts'
import { redirectUriFault, withQuery } from './redirect-uri.ts'

let auth: TestAuth
let ada: Person
let mallory: Person
let client: Awaited<ReturnType<typeof registerClient>>
beforeAll(async () => {
  auth = await openTestOAuth()
  ada = await signUpPerson(auth)
  mallory = await signUpPerson(auth)
  client = await registerClient(auth)
})
afterAll(() => auth.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const codeForm = (code: string, verifier: string) => ({ grant_type: 'authorization_code', code, code_verifier: verifier })
const isAlive = async (token: string) => (await auth.ask('/oauth/userinfo', { headers: bearer(token) })).status === 200

describe('a code', () => {
  it('works once; sent again at once it is refused, later it also ends what it opened', async () => {
    const { code, verifier } = await approve(auth, { person: ada, client })
    const first = await askToken(auth, codeForm(code, verifier), basic(client))
    expect(first.status).toBe(200)
    const token = first.body.access_token!
    expect(await askToken(auth, codeForm(code, verifier), basic(client))).toMatchObject({ status: 400, body: { error: 'invalid_grant', error_description: 'Invalid authorization code' } })
    expect(await isAlive(token)).toBe(true)
    auth.clock.advance(30)
    await askToken(auth, codeForm(code, verifier), basic(await registerClient(auth)))
    expect(await isAlive(token)).toBe(true)
    await askToken(auth, codeForm(code, 'x'), basic(client))
    expect(await isAlive(token)).toBe(false)
    expect((await askToken(auth, { grant_type: 'refresh_token', refresh_token: first.body.refresh_token! }, basic(client))).status).toBe(400)
  })

  it('asked for by ten at once opens one session', async () => {
    const { code, verifier } = await approve(auth, { person: ada, client })
    const answers = await Promise.all(Array.from({ length: 10 }, () => askToken(auth, codeForm(code, verifier), basic(client))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400, 400, 400, 400, 400])
  })

  it('is worth nothing without its verifier, and stays good for whoever has it', async () => {
    const { code, verifier } = await approve(auth, { person: ada, client })
    const wrong = await askToken(auth, codeForm(code, 'a'.repeat(43)), basic(client))
    expect(wrong.body).toEqual({ error: 'invalid_grant', error_description: 'PKCE verification failed: code challenge does not match previously saved code verifier' })
    const none = await askToken(auth, { grant_type: 'authorization_code', code }, basic(client))
    expect(none.body.error_description).toBe('PKCE verification failed: code_verifier is required when PKCE challenge is present')
    expect((await askToken(auth, codeForm(code, verifier), basic(client))).status).toBe(200)
  })

  it('is worth nothing to another client, with another redirect_uri or for another resource', async () => {
    const { code, verifier } = await approve(auth, { person: ada, client, members: { resource: 'https://api.example/mcp' } })
    const other = await registerClient(auth)
    expect((await askToken(auth, codeForm(code, verifier), basic(other))).body.error_description).toBe('Authorization code was not issued for this client')
    expect((await askToken(auth, { ...codeForm(code, verifier), redirect_uri: `${callback}/` }, basic(client))).body.error_description).toBe('Invalid redirect_uri')
    expect((await askToken(auth, { ...codeForm(code, verifier), resource: 'https://other.example' }, basic(client))).body.error).toBe('invalid_grant')
    expect((await askToken(auth, { ...codeForm(code, verifier), resource: 'https://api.example/mcp' }, basic(client))).status).toBe(200)
  })

  it('dies with its request after ten minutes, and with its person', async () => {
    const { code, verifier } = await approve(auth, { person: ada, client })
    auth.clock.advance(601)
    expect((await askToken(auth, codeForm(code, verifier), basic(client))).body.error_description).toBe('Authorization code has expired')

    const banned = await signUpPerson(auth)
    const waiting = await approve(auth, { person: banned, client })
    await auth.admin().auth.admin.updateUserById(banned.user.id, { ban_duration: '24h' })
    expect((await askToken(auth, codeForm(waiting.code, waiting.verifier), basic(client))).body.error).toBe('access_denied')
  })
})

describe('a request for consent', () => {
  it('goes nowhere while client and address are not both known', async () => {
    const spellings = [
      `${callback}/`, `${callback}?x=1`, `${callback}#x`, `${callback}%20`, ` ${callback}`, 'https://shop.example', 'https://SHOP.example/callback', 'https://shop.example:443/callback',
      'http://shop.example/callback', 'https://shop.example/callback/../evil', 'https://shop.example@evil.example/callback', 'https://evil.example/callback', '//shop.example/callback',
      'javascript:alert(1)', `${callback},https://evil.example`,
    ]
    for (const redirect_uri of spellings) {
      const { answer, location } = await askConsent(auth, client, { redirect_uri })
      expect([redirect_uri, answer.status, location]).toEqual([redirect_uri, 400, null])
    }
    for (const client_id of ['', 'x', '00000000-0000-4000-8000-000000000000']) expect((await askConsent(auth, client, { client_id })).answer.status).toBe(400)
  })

  it('tells the application through the browser what else is wrong with it', async () => {
    const told = async (members: Record<string, string>) => {
      const { answer, location } = await askConsent(auth, client, members)
      expect([answer.status, location!.startsWith(`${callback}?`)]).toEqual([302, true])
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      return Object.fromEntries(new URL(location!).searchParams)
    }
    expect(await told({ response_type: 'token' })).toEqual({ error: 'invalid_request', error_description: 'only response_type=code is supported', state: 'a-state' })
    expect(await told({ code_challenge: '' })).toMatchObject({ error_description: 'PKCE flow requires both code_challenge and code_challenge_method' })
    expect(await told({ code_challenge_method: 'S512' })).toMatchObject({ error_description: "code_challenge_method must be 'S256' or 'plain'" })
    expect(await told({ code_challenge: 'short' })).toMatchObject({ error_description: 'code_challenge must be between 43 and 128 characters' })
    expect(await told({ scope: 'email admin' })).toMatchObject({ error_description: 'unsupported scope: admin' })
    expect(await told({ resource: '/relative' })).toMatchObject({ error_description: 'resource must be an absolute URI' })
    expect(await told({ state: 'x'.repeat(5000) })).toMatchObject({ error: 'server_error' })
    expect(await told({ nonce: 'a\u0000b' })).toMatchObject({ error: 'server_error' })
  })

  it('asks for the address alone where it names no scope', async () => {
    const { authorizationId } = await askConsent(auth, await registerClient(auth), { scope: '' })
    expect((await ada.client.auth.oauth.getAuthorizationDetails(authorizationId)).data).toMatchObject({ scope: 'email' })
  })

  it('belongs to who looks at it first; unknown, expired and foreign ones are not told apart', async () => {
    const { authorizationId } = await askConsent(auth, await registerClient(auth))
    expect((await ada.client.auth.oauth.getAuthorizationDetails(authorizationId)).error).toBeNull()
    const foreign = await mallory.client.auth.oauth.getAuthorizationDetails(authorizationId)
    const taken = await mallory.client.auth.oauth.approveAuthorization(authorizationId, { skipBrowserRedirect: true })
    const unknown = await mallory.client.auth.oauth.getAuthorizationDetails('a'.repeat(32))
    for (const { error } of [foreign, taken, unknown]) expect(error).toMatchObject({ status: 404, code: 'oauth_authorization_not_found', message: 'authorization not found' })
    auth.clock.advance(601)
    for (let time = 0; time < 2; time += 1) {
      expect((await ada.client.auth.oauth.getAuthorizationDetails(authorizationId)).error).toMatchObject({ status: 404, code: 'oauth_authorization_not_found' })
    }
  })

  it('is not decided unseen, nor twice', async () => {
    const unseen = await askConsent(auth, client)
    expect((await ada.client.auth.oauth.approveAuthorization(unseen.authorizationId, { skipBrowserRedirect: true })).error).toMatchObject({ status: 404 })
    const { authorizationId } = await approve(auth, { person: ada, client: await registerClient(auth) })
    expect((await ada.client.auth.oauth.approveAuthorization(authorizationId, { skipBrowserRedirect: true })).error).toMatchObject({ status: 400, message: 'authorization request is no longer pending' })
    expect((await ada.client.auth.oauth.getAuthorizationDetails(authorizationId)).error).toMatchObject({ status: 400, message: 'authorization request cannot be processed' })
  })

  it('is decided by pages of the project only', async () => {
    const { authorizationId } = await askConsent(auth, await registerClient(auth))
    const ask = (origin: string, method = 'POST') =>
      auth.ask(`/oauth/authorizations/${authorizationId}${method === 'POST' ? '/consent' : ''}`, {
        method,
        headers: { ...bearer(ada.session.access_token), origin },
        ...(method === 'POST' ? { body: { action: 'approve' } } : {}),
      })
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'http://127.0.0.1:54321.evil.example']) {
      for (const method of ['GET', 'POST']) {
        const answer = await ask(origin, method)
        expect([origin, answer.status, ((await answer.json()) as { message: string }).message]).toEqual([origin, 400, 'unauthorized request origin'])
      }
    }
    expect((await ask('http://127.0.0.1:54321', 'GET')).status).toBe(200)
    expect((await ask('http://127.0.0.1:54321')).status).toBe(200)
  })

  it('needs a person: a key, an administrator or nobody decides nothing', async () => {
    const { authorizationId } = await askConsent(auth, client)
    for (const headers of [{}, bearer('x'), bearer(auth.keys.serviceRoleKey)] as Record<string, string>[]) {
      const answer = await auth.ask(`/oauth/authorizations/${authorizationId}/consent`, { method: 'POST', headers, body: { action: 'approve' } })
      expect([401, 403]).toContain(answer.status)
    }
  })
})

describe("an application's token", () => {
  it('acts for the person, but is not them: it changes, adds and consents to nothing', async () => {
    const token = (await grantTo(auth, { person: ada, client, members: { scope: 'email' } })).access_token
    const asked = await askConsent(auth, client, { scope: 'profile phone' })
    const refused = [
      ['PUT', '/user', { password: 'a whole new password' }],
      ['GET', '/reauthenticate'],
      ['GET', `/oauth/authorizations/${asked.authorizationId}`],
      ['POST', `/oauth/authorizations/${asked.authorizationId}/consent`, { action: 'approve' }],
      ['GET', '/user/oauth/grants'],
      ['DELETE', `/user/oauth/grants?client_id=${client.client_id}`],
    ] as const
    for (const [method, path, body] of refused) {
      const answer = await auth.ask(path, { method, headers: bearer(token), ...(body ? { body } : {}) })
      expect([path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([path, 403, 'no_authorization'])
    }
    expect((await auth.ask('/user', { headers: bearer(token) })).status).toBe(200)
  })

  it('signs out itself at most', async () => {
    const token = (await grantTo(auth, { person: ada, client, members: { scope: 'email' } })).access_token
    expect((await auth.ask('/logout?scope=global', { method: 'POST', headers: bearer(token) })).status).toBe(204)
    expect(await isAlive(token)).toBe(false)
    expect((await ada.client.auth.getUser()).error).toBeNull()
  })

  it('tells no more than its scopes', async () => {
    const info = async (scope: string) => (await auth.ask('/oauth/userinfo', { headers: bearer((await grantTo(auth, { person: ada, client, members: { scope } })).access_token) })).json()
    expect(await info('openid')).toEqual({ sub: ada.user.id })
    expect(await info('email')).toEqual({ sub: ada.user.id, email: ada.email, email_verified: true })
    const idToken = claimsOf((await grantTo(auth, { person: ada, client, members: { scope: 'openid phone' } })).id_token!)
    expect(idToken).not.toHaveProperty('email')
    expect(idToken).not.toHaveProperty('name')
    const own = await auth.ask('/oauth/userinfo', { headers: bearer(ada.session.access_token) })
    expect(await own.json()).toEqual({ sub: ada.user.id })
  })

  it('is no ID token: that one opens nothing', async () => {
    const { id_token: idToken } = await grantTo(auth, { person: ada, client, members: { scope: 'openid email' } })
    const answers = await Promise.all([
      auth.ask('/user', { headers: bearer(idToken!) }),
      auth.ask('/user', { method: 'PUT', headers: bearer(idToken!), body: { data: { taken: true } } }),
      auth.ask('/oauth/userinfo', { headers: bearer(idToken!) }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
  })

  it('is renewed by its client alone, keeps its scopes, and an older refresh token ends it', async () => {
    const tokens = await grantTo(auth, { person: ada, client, members: { scope: 'email' } })
    const refresh = (refresh_token: string, headers: Record<string, string>, more = {}) => askToken(auth, { grant_type: 'refresh_token', refresh_token, ...more }, headers)
    expect((await refresh(tokens.refresh_token, basic(await registerClient(auth)))).body).toEqual({ error: 'invalid_client', error_description: "Client does not match the session's OAuth client" })
    const stolen = await auth.ask('/token?grant_type=refresh_token', { method: 'POST', body: { refresh_token: tokens.refresh_token } })
    expect(await stolen.json()).toMatchObject({ error: 'invalid_client' })
    expect((await refresh(ada.session.refresh_token, basic(client))).body).toMatchObject({ error: 'invalid_client' })

    const second = await refresh(tokens.refresh_token, basic(client), { scope: 'email phone profile' })
    expect(claimsOf(second.body.access_token!)).toMatchObject({ scope: 'email', client_id: client.client_id })
    const third = await refresh(second.body.refresh_token!, basic(client))
    auth.clock.advance(60)
    expect((await refresh(tokens.refresh_token, basic(client))).body).toMatchObject({ code: 'refresh_token_already_used', error: 'invalid_grant' })
    expect((await refresh(third.body.refresh_token!, basic(client))).status).toBe(400)
  })
})

describe('a client', () => {
  it('proves itself as it is registered and no other way', async () => {
    const refresh = { grant_type: 'refresh_token', refresh_token: (await grantTo(auth, { person: ada, client })).refresh_token }
    const unproven = await registerClient(auth, { token_endpoint_auth_method: 'none' })
    const words = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
      const { status, body } = await askToken(auth, form, headers)
      expect([status, body.code, body.error]).toEqual([400, 'invalid_credentials', 'invalid_client'])
      return body.message
    }
    expect(await words({ ...refresh })).toBe('Invalid client credentials: client_id is required')
    expect(await words({ ...refresh, client_id: 'x' })).toBe('Invalid client_id format')
    expect(await words({ ...refresh, client_id: client.client_id })).toBe("invalid authentication method: client is registered for 'client_secret_basic' but 'none' was used")
    expect(await words({ ...refresh, client_id: client.client_id, client_secret: client.client_secret! })).toContain("but 'client_secret_post' was used")
    expect(await words(refresh, basic(client, 'wrong'))).toBe('invalid client credentials')
    expect(await words(refresh, basic(client, ''))).toBe('confidential clients must provide client_secret')
    expect(await words(refresh, { authorization: 'Basic !!!' })).toBe('Invalid client credentials: invalid basic auth encoding')
    expect(await words({ ...refresh, client_id: unproven.client_id, client_secret: 'x' })).toContain("registered for 'none'")
  })

  it('is compared by digests of equal length, whatever was sent', () => {
    const hash = hashClientSecret('right')
    expect([isClientSecret('right', hash), isClientSecret('wrong', hash), isClientSecret('right', ''), isClientSecret('', hash)]).toEqual([true, false, false, false])
  })

  it('gets no grant it is not registered for', async () => {
    const narrow = await registerClient(auth, { grant_types: ['authorization_code'] })
    const { refresh_token } = await grantTo(auth, { person: ada, client: narrow })
    expect((await askToken(auth, { grant_type: 'refresh_token', refresh_token }, basic(narrow))).body.error).toBe('unsupported_grant_type')
    expect((await askToken(auth, { grant_type: 'password' }, basic(client))).body.error).toBe('unsupported_grant_type')
    expect((await askToken(auth, {}, basic(client))).body.error).toBe('invalid_request')
  })
})

describe('a registration', () => {
  const register = (body: Record<string, unknown>, ip = '127.0.0.1') => auth.ask('/oauth/clients/register', { method: 'POST', body: { redirect_uris: [callback], ...body }, ip })

  it('takes no address that runs code, leaks or reads two ways', () => {
    const bad = [
      '', 'callback', '/callback', 'javascript:alert(1)', 'JavaScript://shop.example/%0aalert(1)', 'data:text/html,x', 'data://x/y', 'file:///etc/passwd', 'vbscript://x', 'about:blank', 'blob://x',
      'http://shop.example/cb', 'http://127.0.0.1.evil.example/cb', 'http://localhost.evil.example', 'https://shop.example/cb#x', 'https://shop.example/cb#', 'https://a\\@evil.example', 'https://shop.example@evil.example/',
      'https://shop.example/cb,javascript:alert(1)//', 'https://shop .example', 'https://shop.example/\ncb', 'com.example.app:/callback', 'mailto:a@b.example', `https://shop.example/${'x'.repeat(2048)}`,
    ]
    for (const uri of bad) expect([uri.slice(0, 60), redirectUriFault(uri) !== undefined]).toEqual([uri.slice(0, 60), true])
    const good = ['https://shop.example', 'https://shop.example/cb?x=1', 'http://localhost:3000/cb', 'http://127.0.0.1/cb', 'http://[::1]:8080/cb', 'com.example.app://callback', 'cursor://anysphere.cursor/oauth']
    for (const uri of good) expect([uri, redirectUriFault(uri)]).toEqual([uri, undefined])
  })

  it('is refused with the hosted words for what is too many, too long or does not fit together', async () => {
    const words = async (body: Record<string, unknown>) => {
      const answer = await register(body)
      expect(answer.status).toBe(400)
      return ((await answer.json()) as { message: string }).message
    }
    expect(await words({ redirect_uris: [] })).toBe('400: redirect_uris is required')
    expect(await words({ redirect_uris: Array.from({ length: 11 }, () => callback) })).toBe('400: redirect_uris cannot exceed 10 items')
    expect(await words({ redirect_uris: ['javascript://x'] })).toBe("400: invalid redirect_uri 'javascript://x': scheme 'javascript' is not allowed for security reasons")
    expect(await words({ client_name: 'x'.repeat(1025) })).toBe('400: client_name cannot exceed 1024 characters')
    expect(await words({ client_uri: 'javascript://x/%0aalert(1)' })).toBe('400: client_uri must be a valid URL')
    expect(await words({ logo_uri: 'data:image/svg+xml,x' })).toBe('400: logo_uri must be a valid URL')
    expect(await words({ grant_types: ['password'] })).toBe("400: grant_types must only contain 'authorization_code' and/or 'refresh_token'")
    expect(await words({ client_type: 'public', token_endpoint_auth_method: 'client_secret_basic' })).toContain("is inconsistent with token_endpoint_auth_method 'client_secret_basic'")
  })

  it('cannot make itself an administrator’s, and is slowed down', async () => {
    const answer = await register({ registration_type: 'manual', client_id: client.client_id })
    expect(await answer.json()).toMatchObject({ registration_type: 'dynamic', client_secret_expires_at: 0 })
    const statuses = []
    for (let time = 0; time < 35; time += 1) statuses.push((await register({}, '203.0.113.9')).status)
    expect(statuses.slice(0, 30).every((status) => status === 201)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
  })
})

it('an answer keeps the address as it was registered, whatever its query holds', () => {
  expect(withQuery('https://shop.example', { code: 'c', state: 'a b' })).toBe('https://shop.example?code=c&state=a+b')
  expect(withQuery('https://shop.example/cb?next=%2Fx%3Fy&code=evil', { code: 'c' })).toBe('https://shop.example/cb?next=%2Fx%3Fy&code=c')
  expect(withQuery('com.example.app://cb', { error: 'access_denied' })).toBe('com.example.app://cb?error=access_denied')
})

it('keeps no secret, code or token in its log', async () => {
  const { code, verifier } = await approve(auth, { person: ada, client })
  const { body } = await askToken(auth, codeForm(code, verifier), basic(client))
  const logged = auth.logged.join('\n')
  for (const secret of [code, verifier, client.client_secret!, body.access_token!, body.refresh_token!]) expect(logged).not.toContain(secret)
})

it('a project that signs with a shared secret grants no openid', async () => {
  const shared = await openTestOAuth({ alg: 'HS256' })
  const own = await registerClient(shared)
  const { location } = await askConsent(shared, own, { scope: 'openid email' })
  expect(new URL(location!).searchParams.get('error_description')).toBe('scope openid needs an asymmetric signing key')
  const person = await signUpPerson(shared)
  expect(await grantTo(shared, { person, client: own, members: { scope: 'email' } })).not.toHaveProperty('id_token')
  await shared.close()
})
