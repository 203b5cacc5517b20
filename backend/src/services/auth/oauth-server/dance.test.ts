import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUpPerson, type TestAuth } from '#services/auth/open-test-auth.ts'
import { sql } from '#database/sql.ts'

import { approve, askConsent, askToken, basic, callback, claimsOf, discover, grantTo, openTestOAuth, registerClient, type Person } from './open-test-oauth.ts'

let auth: TestAuth
let ada: Person
beforeAll(async () => {
  auth = await openTestOAuth()
  ada = await signUpPerson(auth, 'ada@example.com', { name: 'Ada Lovelace', avatar_url: 'https://pictures.example/ada.png', username: 'ada' })
})
afterAll(() => auth.close())

const rows = <T extends object>(statement: ReturnType<typeof sql>) => auth.database.asAdmin('postgres', (tx) => tx.many<T>(statement))

/** What an application's server and a person's browser do, the browser by the official client. */
async function dance(config: openid.Configuration, { scope, person = ada }: { scope: string; person?: Person }) {
  const verifier = openid.randomPKCECodeVerifier()
  const [state, nonce] = [openid.randomState(), openid.randomNonce()]
  const asked = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope,
    state,
    ...(scope.includes('openid') ? { nonce } : {}),
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const answer = await auth.ask(`${asked.pathname.replace('/auth/v1', '')}${asked.search}`)
  const page = new URL(answer.headers.get('location')!)
  const id = page.searchParams.get('authorization_id')!
  const details = await person.client.auth.oauth.getAuthorizationDetails(id)
  const known = details.data && 'redirect_url' in details.data ? details.data.redirect_url : undefined
  const approved = known ?? (await person.client.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true })).data!.redirect_url
  const checks = { pkceCodeVerifier: verifier, expectedState: state, ...(scope.includes('openid') ? { expectedNonce: nonce, idTokenExpected: true } : {}) }
  return { page, details, wasKnown: known !== undefined, tokens: await openid.authorizationCodeGrant(config, new URL(approved), checks) }
}

describe('an application that uses an OAuth library', () => {
  it('finds the server, sends the person to the consent page, and gets tokens, an ID token and who they are', async () => {
    const client = await registerClient(auth, { client_uri: 'https://shop.example', logo_uri: 'https://shop.example/logo.png' })
    const config = await discover(auth, client, openid.ClientSecretBasic(client.client_secret!))
    const { page, details, tokens } = await dance(config, { scope: 'openid profile email' })

    expect(page.origin + page.pathname).toBe('http://127.0.0.1:54321/oauth/consent')
    expect(page.searchParams.get('authorization_id')).toMatch(/^[a-z0-9]{32}$/)
    expect(details.data).toEqual({
      authorization_id: page.searchParams.get('authorization_id'),
      redirect_uri: callback,
      client: { id: client.client_id, name: 'Shop', uri: 'https://shop.example', logo_uri: 'https://shop.example/logo.png' },
      user: { id: ada.user.id, email: 'ada@example.com' },
      scope: 'openid profile email',
    })
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect(Object.keys(tokens).toSorted()).toEqual(['access_token', 'expires_in', 'id_token', 'refresh_token', 'token_type'])
    expect(claimsOf(tokens.access_token)).toMatchObject({ client_id: client.client_id, scope: 'openid profile email', role: 'authenticated', aal: 'aal1', sub: ada.user.id, aud: 'authenticated' })
    expect(claimsOf(tokens.access_token).amr).toEqual([{ method: 'oauth_provider/authorization_code', timestamp: expect.any(Number) }])
    expect(tokens.claims()).toMatchObject({
      iss: 'http://127.0.0.1:54321/auth/v1',
      aud: client.client_id,
      sub: ada.user.id,
      client_id: client.client_id,
      email: 'ada@example.com',
      email_verified: true,
      phone_number_verified: false,
      name: 'Ada Lovelace',
      picture: 'https://pictures.example/ada.png',
      preferred_username: 'ada',
      updated_at: expect.any(Number),
    })

    const info = await openid.fetchUserInfo(config, tokens.access_token, ada.user.id)
    expect(info).toMatchObject({ sub: ada.user.id, email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace', user_metadata: { name: 'Ada Lovelace' } })

    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token!)
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
    expect(claimsOf(renewed.access_token)).toMatchObject({ client_id: client.client_id, scope: 'openid profile email', session_id: claimsOf(tokens.access_token).session_id })
  })

  it('checks its ID token with the keys the project shows', async () => {
    const client = await registerClient(auth)
    const tokens = await grantTo(auth, { person: ada, client })
    const keys = (await (await auth.ask('/.well-known/jwks.json')).json()) as JSONWebKeySet
    const { payload } = await jwtVerify(tokens.id_token!, createLocalJWKSet(keys), { issuer: 'http://127.0.0.1:54321/auth/v1', audience: client.client_id })
    expect(payload.sub).toBe(ada.user.id)
    expect(payload.exp! - payload.iat!).toBe(3600)
  })

  it('proves itself by basic, by its body, or not at all, as it is registered', async () => {
    const posting = await registerClient(auth, { token_endpoint_auth_method: 'client_secret_post' })
    const config = await discover(auth, posting, openid.ClientSecretPost(posting.client_secret!))
    expect((await dance(config, { scope: 'email' })).tokens.access_token).toBeTruthy()

    const unproven = await registerClient(auth, { token_endpoint_auth_method: 'none' })
    expect(unproven.client_secret).toBeUndefined()
    expect((await dance(await discover(auth, unproven, openid.None()), { scope: 'email' })).tokens.access_token).toBeTruthy()
  })

  it('may register itself, and has a secret that is told once and kept as a hash', async () => {
    const config = await openid.dynamicClientRegistration(
      new URL('http://127.0.0.1:54321/auth/v1'),
      { client_name: 'Robot', redirect_uris: [callback], token_endpoint_auth_method: 'client_secret_basic' },
      openid.ClientSecretBasic(),
      { execute: [openid.allowInsecureRequests], [openid.customFetch]: (url, init) => auth.fetch(url, init as RequestInit) },
    )
    const { client_id: id, client_secret: secret, registration_type: type } = config.clientMetadata()
    expect(type).toBe('dynamic')
    expect((await dance(config, { scope: 'openid' })).tokens.id_token).toBeTruthy()
    const [row] = await rows<{ hash: string }>(sql`select client_secret_hash as hash from auth.oauth_clients where id = ${id}`)
    expect(row!.hash).not.toContain(secret as string)
    expect(JSON.stringify((await auth.admin().auth.admin.oauth.getClient(id)).data)).not.toContain(secret as string)
  })

  it('takes JSON at the token endpoint too', async () => {
    const client = await registerClient(auth)
    const { code, verifier } = await approve(auth, { person: ada, client })
    const answer = await auth.ask('/oauth/token', {
      method: 'POST',
      body: { grant_type: 'authorization_code', code, code_verifier: verifier },
      headers: { 'content-type': 'application/json', ...basic(client) },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('reads the data the policies show the person, and writes its session down with its client and scopes', async () => {
    const client = await registerClient(auth)
    const tokens = await grantTo(auth, { person: ada, client })
    const [session] = await rows<{ client: string; scopes: string }>(
      sql`select oauth_client_id as client, scopes from auth.sessions where id = ${String(claimsOf(tokens.access_token).session_id)}`,
    )
    expect(session).toEqual({ client: client.client_id, scopes: 'openid email' })
    const [entry] = await rows<{ traits: unknown }>(sql`
      select payload -> 'traits' as traits from auth.audit_log_entries
      where payload ->> 'action' = 'login' and payload -> 'traits' ->> 'client_id' = ${client.client_id}`)
    expect(entry!.traits).toEqual({ provider_type: 'oauth_provider_authorization_code', client_id: client.client_id })
  })
})

describe('a person', () => {
  it('who consented before is led straight back, unless more is asked for', async () => {
    const person = await signUpPerson(auth)
    const client = await registerClient(auth)
    expect((await approve(auth, { person, client, members: { scope: 'openid email' } })).wasKnown).toBe(false)
    expect((await approve(auth, { person, client, members: { scope: 'email' } })).wasKnown).toBe(true)
    expect((await approve(auth, { person, client, members: { scope: 'email phone' } })).wasKnown).toBe(false)
    // The newest consent is the one that counts.
    expect((await approve(auth, { person, client, members: { scope: 'openid' } })).wasKnown).toBe(false)
  })

  it('who says no sends the application away with a reason and its state', async () => {
    const client = await registerClient(auth)
    const { authorizationId } = await askConsent(auth, client)
    await ada.client.auth.oauth.getAuthorizationDetails(authorizationId)
    const { data } = await ada.client.auth.oauth.denyAuthorization(authorizationId, { skipBrowserRedirect: true })
    const target = new URL(data!.redirect_url)
    expect(Object.fromEntries(target.searchParams)).toEqual({ error: 'access_denied', error_description: 'User denied the request', state: 'a-state' })
    const again = await ada.client.auth.oauth.approveAuthorization(authorizationId, { skipBrowserRedirect: true })
    expect(again.error).toMatchObject({ status: 400, code: 'validation_failed', message: 'authorization request is no longer pending' })
  })

  it('sees what they let in, takes it back, and with it the sessions and the codes of that application', async () => {
    const person = await signUpPerson(auth)
    const [shop, other] = [await registerClient(auth, { client_name: 'Shop of Ada' }), await registerClient(auth, { client_name: 'Other' })]
    const tokens = await grantTo(auth, { person, client: shop, members: { scope: 'openid email' } })
    const kept = await grantTo(auth, { person, client: other, members: { scope: 'email' } })
    const waiting = await approve(auth, { person, client: shop, members: { scope: 'email' } })

    const { data: grants } = await person.client.auth.oauth.listGrants()
    expect(grants!.map(({ client, scopes }) => [client.name, scopes])).toEqual([['Other', ['email']], ['Shop of Ada', ['openid', 'email']]])
    expect(grants![0]!.granted_at).toMatch(/^\d{4}-\d\d-\d\dT/)

    expect((await person.client.auth.oauth.revokeGrant({ clientId: shop.client_id })).error).toBeNull()
    expect((await person.client.auth.oauth.listGrants()).data!.map(({ client }) => client.name)).toEqual(['Other'])
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
    expect((await auth.ask('/oauth/userinfo', bearer(tokens.access_token))).status).toBe(403)
    expect((await auth.ask('/oauth/userinfo', bearer(kept.access_token))).status).toBe(200)
    expect((await askToken(auth, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }, basic(shop))).status).toBe(400)
    expect((await askToken(auth, { grant_type: 'authorization_code', code: waiting.code, code_verifier: waiting.verifier }, basic(shop))).body).toMatchObject({ error: 'invalid_grant' })
    expect((await person.client.auth.oauth.revokeGrant({ clientId: shop.client_id })).error).toMatchObject({ status: 404, code: 'oauth_consent_not_found' })
    expect((await person.client.auth.getUser()).error).toBeNull()
    // Letting it in again is a new consent, not the old one come back.
    expect((await approve(auth, { person, client: shop, members: { scope: 'email' } })).wasKnown).toBe(false)
  })
})

describe('an administrator', () => {
  it('registers, lists, changes and removes applications; removing one ends what it has', async () => {
    const admin = auth.admin().auth.admin.oauth
    const client = await registerClient(auth)
    const tokens = await grantTo(auth, { person: ada, client })
    expect((await admin.listClients()).data!.clients!.map((one) => one.client_id)).toContain(client.client_id)
    const { data: changed } = await admin.updateClient(client.client_id, { client_name: 'Shop, renamed', redirect_uris: ['https://shop.example/two'] })
    expect(changed).toMatchObject({ client_name: 'Shop, renamed', redirect_uris: ['https://shop.example/two'], client_type: 'confidential', response_types: ['code'] })
    expect((await askConsent(auth, client)).answer.status).toBe(400)

    expect((await admin.deleteClient(client.client_id)).error).toBeNull()
    expect((await admin.getClient(client.client_id)).error).toMatchObject({ status: 404, code: 'oauth_client_not_found' })
    expect((await auth.ask('/oauth/userinfo', { headers: { authorization: `Bearer ${tokens.access_token}` } })).status).toBe(403)
    expect((await askToken(auth, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }, basic(client))).status).toBe(400)
    expect((await ada.client.auth.oauth.listGrants()).data!.map((grant) => grant.client.id)).not.toContain(client.client_id)
  })

  it('makes a new secret, and the old one no longer works', async () => {
    const client = await registerClient(auth)
    const tokens = await grantTo(auth, { person: ada, client })
    const { data } = await auth.admin().auth.admin.oauth.regenerateClientSecret(client.client_id)
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect((await askToken(auth, refresh, basic(client))).body).toMatchObject({ code: 'invalid_credentials', error: 'invalid_client' })
    expect((await askToken(auth, refresh, basic(client, data!.client_secret!))).status).toBe(200)
    const unproven = await registerClient(auth, { token_endpoint_auth_method: 'none' })
    expect((await auth.admin().auth.admin.oauth.regenerateClientSecret(unproven.client_id)).error).toMatchObject({ status: 400, message: 'Cannot regenerate secret for public client' })
  })

  it('alone may do that', async () => {
    for (const [method, path] of [['GET', ''], ['POST', ''], ['GET', '/x'], ['PUT', '/x'], ['DELETE', '/x'], ['POST', '/x/regenerate_secret']] as const) {
      const headers = { authorization: `Bearer ${ada.session.access_token}` }
      expect((await auth.ask(`/admin/oauth/clients${path}`, { method, headers, ...(method === 'GET' ? {} : { body: {} }) })).status).toBe(403)
    }
  })
})

it('the server tells what it does, and nothing while it is off', async () => {
  for (const path of ['openid-configuration', 'oauth-authorization-server']) {
    const told = (await (await auth.ask(`/.well-known/${path}`)).json()) as Record<string, unknown>
    expect(told).toMatchObject({
      authorization_endpoint: 'http://127.0.0.1:54321/auth/v1/oauth/authorize',
      registration_endpoint: 'http://127.0.0.1:54321/auth/v1/oauth/clients/register',
      scopes_supported: ['openid', 'profile', 'email', 'phone', 'offline_access'],
      id_token_signing_alg_values_supported: ['ES256'],
    })
  }
  const off = await openTestOAuth({ database: auth.database, settings: { oauthServer: { enabled: false } as never } })
  for (const path of ['/oauth/authorize', '/oauth/userinfo', '/.well-known/oauth-authorization-server']) {
    const answer = await off.ask(path)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'feature_disabled'])
  }
  const closed = await openTestOAuth({ database: auth.database, settings: { oauthServer: { allowDynamicRegistration: false } as never } })
  const refused = await closed.ask('/oauth/clients/register', { method: 'POST', body: {} })
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'oauth_dynamic_client_registration_disabled'])
})
