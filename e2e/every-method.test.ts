import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openClientPage, type ClientPage } from './client-page.ts'
import { keepEvidence } from './evidence.ts'
import { codeIn, newestMail, openBox, openBrowser, openWindow, type Box } from './stage.ts'

// Every method of the official client's auth, called in a browser against the box. What the library keeps private in its types, or
// what is no method of the API (`fetch`, `logger`), stands here; what it calls itself is listed with who calls it.
const notOfTheApi = ['auth.fetch', 'auth.logger', 'auth.fetchJwk', 'auth.signInWithEthereum', 'auth.signInWithSolana', 'auth.linkIdentityOAuth', 'auth.linkIdentityIdToken']

let box: Box
let browser: Browser
let client: ClientPage
let page: Page
const called = new Set<string>()

// All that the hosted settings can switch on, the example's own settings aside.
const settingsToml = (origin: string) => `
project_id = "journeys"

[auth]
additional_redirect_urls = ["${origin}", "${origin}/**"]
enable_anonymous_sign_ins = true
enable_manual_linking = true

[auth.email]
enable_confirmations = true
max_frequency = "1s"

[auth.sms]
enable_signup = true
enable_confirmations = true
max_frequency = "1s"

[auth.mfa.totp]
enroll_enabled = true
verify_enabled = true

[auth.mfa.phone]
enroll_enabled = true
verify_enabled = true
max_frequency = "1s"

[auth.mfa.web_authn]
enroll_enabled = true
verify_enabled = true

[auth.passkey]
enabled = true

[auth.webauthn]
rp_display_name = "Journeys"
rp_id = "localhost"
rp_origins = ["${origin}"]

[auth.web3.solana]
enabled = true

[auth.oauth_server]
enabled = true
allow_dynamic_registration = true

[auth.external.google]
enabled = true
client_id = "journeys"
url = "local"
skip_nonce_check = true
`

beforeAll(async () => {
  client = await openClientPage()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const samlKey = privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')
  box = await openBox(async (project) => {
    await writeFile(join(project, 'supabase/config.toml'), settingsToml(client.url.replace(/\/$/, '')))
    await writeFile(join(project, 'supabase/.env'), `GOTRUE_SAML_ENABLED=true\nGOTRUE_SAML_PRIVATE_KEY=${samlKey}\n`)
  })
  client.pointAt({ url: box.status.API_URL.replace('127.0.0.1', 'localhost'), key: box.status.PUBLISHABLE_KEY })
  browser = await openBrowser()
  page = await (await openWindow(browser, client.url)).newPage()
  // The client asks for a key that is carried about when it adds one as a second factor, and for any when it makes a passkey.
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', { options: { protocol: 'ctap2', transport: 'usb', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } })
  await page.goto(client.url)
})
afterAll(async () => {
  await browser?.close()
  await box?.close()
  await client?.close()
})

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepEvidence(task, browser)
})

beforeEach(async () => {
  if (!page.url().startsWith(client.url)) await page.goto(client.url)
})

interface Answer {
  data: never
  error: { code?: string; status?: number; message: string } | null
}

type Call = (name: string, ...given: unknown[]) => Promise<Answer>

const ask: Call = async (name, ...given) => {
  called.add(name)
  return page.evaluate(([method, ...rest]) => (globalThis as unknown as { call: Call }).call(method as string, ...rest), [name, ...given])
}

/** Calls a method that must succeed. */
async function ok<T = Record<string, unknown>>(name: string, ...given: unknown[]): Promise<T> {
  const { data, error } = await ask(name, ...given)
  expect(error, name).toBeNull()
  return data as T
}

const password = 'correct horse battery 9'
const mailCode = async (to: string, after: number) => codeIn(await newestMail(box.status, to, after))
const phoneUrl = () => (box.status as typeof box.status & { PHONE_URL?: string }).PHONE_URL ?? ''

async function textedCode(number: string): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const answer = await fetch(`${phoneUrl()}/api/v1/message/latest?to=${number}`)
    const found = answer.ok ? /\b(\d{6})\b/.exec(JSON.stringify(await answer.json()))?.[1] : undefined
    if (found) {
      await fetch(`${phoneUrl()}/api/v1/messages`, { method: 'DELETE' })
      return found
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No text came for ${number}`)
}

async function signUp(email: string): Promise<void> {
  const at = Date.now() - 1000
  await ok('auth.signUp', { email, password })
  await ok('auth.verifyOtp', { email, token: await mailCode(email, at), type: 'signup' })
}

function totp(secret: string, ahead = 0): string {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead))
  const hash = createHmac('sha1', key).update(counter).digest()
  return String((hash.readUInt32BE((hash[19] ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Goes where a provider is and comes back with what its page leads to, as the person that is typed there. */
async function visitLocalProvider(url: string, email: string): Promise<URL> {
  await page.goto(url)
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForURL((at) => at.href.startsWith(client.url), { timeout: 20_000 })
  return new URL(page.url())
}

async function localIdToken(email: string): Promise<string> {
  const identity = (box.status as typeof box.status & { IDENTITY_URL?: string }).IDENTITY_URL ?? ''
  const verifier = randomBytes(32).toString('base64url')
  const redirectUri = `${box.status.API_URL}/auth/v1/callback`
  const query = new URLSearchParams({ client_id: 'journeys', redirect_uri: redirectUri, response_type: 'code', scope: 'openid email', code_challenge_method: 'S256', code_challenge: createHash('sha256').update(verifier).digest('base64url') })
  const request = /name="request" value="([^"]+)"/.exec(await (await fetch(`${identity}/authorize?${query}`)).text())?.[1] ?? ''
  const chosen = await fetch(`${identity}/choose`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ request, name: 'Ada', email, verified: 'yes' }) })
  const code = new URL(chosen.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const traded = await fetch(`${identity}/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code', client_id: 'journeys', redirect_uri: redirectUri, code, code_verifier: verifier }) })
  return ((await traded.json()) as { id_token: string }).id_token
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
function base58(bytes: Buffer): string {
  let number = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = (alphabet[Number(number % 58n)] ?? '') + text
  return text
}

it('people come in by every way', async () => {
  await ok('auth.initialize')
  await ok('auth.isThrowOnErrorEnabled')
  await page.evaluate(() => (globalThis as unknown as { client: { auth: { onAuthStateChange(listen: () => void): unknown } } }).client.auth.onAuthStateChange(() => undefined))
  called.add('auth.onAuthStateChange')

  await ok('auth.signInAnonymously', { options: { data: { from: 'journeys' } } })
  await ok('auth.signOut')
  await signUp('ways@example.com')
  await ok('auth.signOut')
  await ok('auth.signInWithPassword', { email: 'ways@example.com', password })
  await ok('auth.signOut', { scope: 'local' })

  const at = Date.now() - 1000
  await ok('auth.signInWithOtp', { email: 'ways@example.com' })
  await ok('auth.verifyOtp', { email: 'ways@example.com', token: await mailCode('ways@example.com', at), type: 'email' })
  await ok('auth.signOut')
  await ok('auth.signInWithOtp', { phone: '+15550000001' })
  await ok('auth.verifyOtp', { phone: '+15550000001', token: await textedCode('15550000001'), type: 'sms' })
  await ok('auth.signOut')

  const { url } = await ok<{ url: string }>('auth.signInWithOAuth', { provider: 'google', options: { redirectTo: client.url, skipBrowserRedirect: true } })
  const arrived = await visitLocalProvider(url, 'social@example.com')
  await ok('auth.exchangeCodeForSession', arrived.searchParams.get('code'))
  await ok('auth.signOut')
  await ok('auth.signInWithIdToken', { provider: 'google', token: await localIdToken('social@example.com') })
  await ok('auth.signOut')

  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const address = base58(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  const { host } = new URL(client.url)
  const message = `${host} wants you to sign in with your Solana account:\n${address}\n\nVersion: 1\nURI: ${client.url}\nIssued At: ${new Date().toISOString()}`
  const signature = [...sign(null, Buffer.from(message), privateKey)]
  called.add('auth.signInWithWeb3')
  const wallet = await page.evaluate(
    (given) => (globalThis as unknown as { call: Call }).call('auth.signInWithWeb3', { chain: 'solana', message: given.message, signature: Uint8Array.from(given.signature) }),
    { message, signature },
  )
  expect(wallet.error).toBeNull()
  await ok('auth.signOut')
})

it('an organisation is found by its domain', async () => {
  const headers = { apikey: box.status.SECRET_KEY, 'content-type': 'application/json' }
  const certificate = 'MIIBszCCAV2gAwIBAgIUQz8='
  const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/></IDPSSODescriptor></EntityDescriptor>`
  const made = await fetch(`${box.status.API_URL}/auth/v1/admin/sso/providers`, { method: 'POST', headers, body: JSON.stringify({ type: 'saml', metadata_xml: metadata, domains: ['corp.example'] }) })
  expect(made.status).toBe(201)
  const { url } = await ok<{ url: string }>('auth.signInWithSSO', { domain: 'corp.example', options: { redirectTo: client.url, skipBrowserRedirect: true } })
  expect(url).toMatch(/^https:\/\/idp\.example\.com\/sso\?SAMLRequest=/)
})

it('a session is read, renewed, changed and ended', async () => {
  await signUp('session@example.com')
  await ok('auth.getSession')
  await ok('auth.getUser')
  await ok('auth.getClaims')
  const { session } = await ok<{ session: { access_token: string; refresh_token: string } }>('auth.refreshSession')
  await ok('auth.setSession', session)
  await ok('auth.startAutoRefresh')
  await ok('auth.stopAutoRefresh')
  let at = Date.now() - 1000
  await ok('auth.reauthenticate')
  const nonce = await mailCode('session@example.com', at)
  await ok('auth.updateUser', { password: `${password}!`, nonce })
  await new Promise((resolve) => setTimeout(resolve, 1100))
  at = Date.now() - 500
  await ok('auth.updateUser', { email: 'moved@example.com' })
  await newestMail(box.status, 'moved@example.com', at)
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await ok('auth.resend', { type: 'email_change', email: 'session@example.com' })
  await ok('auth.signOut')
  await ok('auth.resetPasswordForEmail', 'session@example.com', { redirectTo: client.url })
})

it('identities are listed, linked and unlinked', async () => {
  await signUp('linked@example.com')
  const { url } = await ok<{ url: string }>('auth.linkIdentity', { provider: 'google', options: { redirectTo: client.url, skipBrowserRedirect: true } })
  const arrived = await visitLocalProvider(url, 'elsewhere@example.com')
  await ok('auth.exchangeCodeForSession', arrived.searchParams.get('code'))
  const { identities } = await ok<{ identities: { provider: string }[] }>('auth.getUserIdentities')
  expect(identities.map(({ provider }) => provider).sort()).toEqual(['email', 'google'])
  await ok('auth.unlinkIdentity', identities.find(({ provider }) => provider === 'google'))
  await ok('auth.signOut')
})

it('second factors are added, asked for and removed, recovery codes too', async () => {
  await signUp('factors@example.com')
  const factor = await ok<{ id: string; totp: { secret: string } }>('mfa.enroll', { factorType: 'totp', friendlyName: 'App' })
  const challenge = await ok<{ id: string }>('mfa.challenge', { factorId: factor.id })
  await ok('mfa.verify', { factorId: factor.id, challengeId: challenge.id, code: totp(factor.totp.secret) })
  await ok('mfa.challengeAndVerify', { factorId: factor.id, code: totp(factor.totp.secret, 1) })
  expect((await ok<{ totp: unknown[] }>('mfa.listFactors')).totp).toHaveLength(1)
  expect(await ok('mfa.getAuthenticatorAssuranceLevel')).toMatchObject({ currentLevel: 'aal2' })

  const { codes } = await ok<{ codes: string[] }>('recoveryCodes.generate')
  expect(await ok('recoveryCodes.getStatus')).toMatchObject({ total: 10, remaining: 10 })
  await ok('recoveryCodes.verify', { code: codes[0] })
  expect(await ok('recoveryCodes.getStatus')).toMatchObject({ remaining: 9 })
  await ok('recoveryCodes.regenerate')

  const site = { rpId: 'localhost', rpOrigins: [client.url.replace(/\/$/, '')] }
  await ok('webauthn.register', { friendlyName: 'Key', ...site })
  const { webauthn } = await ok<{ webauthn: { id: string }[] }>('mfa.listFactors')
  await ok('webauthn.authenticate', { factorId: webauthn[0]?.id, webauthn: site })
  called.add('webauthn.challenge').add('webauthn.verify')
  const another = await ok<{ id: string }>('webauthn.enroll', { friendlyName: 'Another key' })
  await ok('recoveryCodes.unenroll')
  // A session falls back once what raised it is gone: the key goes last.
  for (const id of [another.id, factor.id, webauthn[0]?.id]) await ok('mfa.unenroll', { factorId: id })
  await ok('auth.signOut')
})

it('passkeys are made, used, renamed and removed', async () => {
  await signUp('passkeys@example.com')
  await ok('auth.registerPasskey')
  await ok('passkey.startRegistration')
  const [made] = await ok<{ id: string }[]>('passkey.list')
  await ok('passkey.update', { passkeyId: made?.id, friendlyName: 'My key' })
  await ok('auth.signOut')
  await ok('passkey.startAuthentication')
  await ok('auth.signInWithPasskey')
  called.add('passkey.verifyRegistration').add('passkey.verifyAuthentication')
  await ok('passkey.delete', { passkeyId: made?.id })
  await ok('auth.signOut')
})

it('applications are let in, listed and put out', async () => {
  await signUp('apps@example.com')
  const base = `${box.status.API_URL}/auth/v1`
  const registered = await fetch(`${base}/oauth/clients/register`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ client_name: 'Journeys', redirect_uris: ['http://localhost:3999/callback'] }) })
  const { client_id: clientId } = (await registered.json()) as { client_id: string }
  const begin = async () => {
    const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url')
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: 'http://localhost:3999/callback', response_type: 'code', scope: 'openid email', state: 's', code_challenge: challenge, code_challenge_method: 'S256' })
    const answer = await fetch(`${base}/oauth/authorize?${query}`, { redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? '').searchParams.get('authorization_id') ?? ''
  }
  const denied = await begin()
  await ok('oauth.getAuthorizationDetails', denied)
  await ok('oauth.denyAuthorization', denied, { skipBrowserRedirect: true })
  const approved = await begin()
  await ok('oauth.getAuthorizationDetails', approved)
  await ok('oauth.approveAuthorization', approved, { skipBrowserRedirect: true })
  expect(await ok<unknown[]>('oauth.listGrants')).toHaveLength(1)
  await ok('oauth.revokeGrant', { clientId })
  await ok('auth.signOut')
  await ok('auth.dispose')
})

it('no method of the browser client was left out', async () => {
  const methods = await page.evaluate(() => (globalThis as unknown as { methods: string[] }).methods)
  expect(methods.length).toBeGreaterThan(50)
  expect(methods.filter((name) => !called.has(name) && !notOfTheApi.includes(name))).toEqual([])
})
