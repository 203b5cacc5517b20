import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBackend, openPort, type Backend, type OpenPort } from './index.ts'
import { readConfig } from './config.ts'
import { testTemplate } from '#database/open-test-database.ts'

const configToml = `
[auth]
enable_manual_linking = true
[auth.external.local]
enabled = true
[auth.external.google]
enabled = true
client_id = "1234.apps.googleusercontent.com"
secret = "whatever"
url = "local"
`

/** A browser as far as it matters here: one cookie jar, redirects followed by hand. */
function openBrowser() {
  const jar = new Map<string, string>()
  const visit = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { host } = new URL(address)
    const cookie = [...jar].filter(([key]) => key.startsWith(`${host} `)).map(([key, value]) => `${key.split(' ')[1]}=${value}`).join('; ')
    const response = await fetch(address, { ...init, redirect: 'manual', headers: { 'sec-fetch-mode': 'navigate', cookie, ...init.headers } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) jar.delete(`${host} ${name}`)
      else jar.set(`${host} ${name}`, value)
    }
    return response
  }
  const goTo = async (address: string, stopsAt: string): Promise<{ url: URL; response?: Response }> => {
    let next = address
    for (let hops = 0; hops < 10; hops += 1) {
      if (next.startsWith(stopsAt)) return { url: new URL(next) }
      const response = await visit(next)
      const location = response.headers.get('location')
      if (location === null) return { url: new URL(next), response }
      next = new URL(location, next).href
    }
    throw new Error('too many redirects')
  }
  return { visit, goTo }
}

type Browser = ReturnType<typeof openBrowser>

let backend: Backend
let box: OpenPort
let identity: OpenPort
let origin: string

beforeAll(async () => {
  box = await openPort({ host: '127.0.0.1', ports: [0] })
  identity = await openPort({ host: '127.0.0.1', ports: [0] })
  origin = `http://127.0.0.1:${box.port}`
  backend = await createBackend({
    config: readConfig({ env: {}, configToml }).config,
    template: await testTemplate(),
    origin,
    localIdentity: { origin: `http://127.0.0.1:${identity.port}`, project: 'Helpdesk', people: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] },
  })
  box.serve(backend.gateway)
  identity.serve({ fetch: (request) => backend.localIdentity!.fetch(request) })
})
afterAll(async () => {
  await box.close(0)
  await identity.close(0)
  await backend.close()
})

function client(flowType: 'pkce' | 'implicit' = 'pkce'): SupabaseClient {
  const kept = new Map<string, string>()
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value), removeItem: (key: string) => void kept.delete(key) }
  return createClient(origin, backend.keys.publishableKey, {
    auth: { flowType, storage, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: WebSocketStandIn as never },
  })
}

class WebSocketStandIn {
  close() {}
}

const back = () => `${origin}/callback`

async function addressOf(supabase: SupabaseClient, provider = 'local'): Promise<string> {
  const { data, error } = await supabase.auth.signInWithOAuth({ provider: provider as 'google', options: { redirectTo: back(), skipBrowserRedirect: true } })
  if (error) throw error
  return data.url
}

/** Chooses who one is on the provider's page; gives where the browser ends. */
async function choose(browser: Browser, address: string, fields: Record<string, string>): Promise<URL> {
  const { url, response } = await browser.goTo(address, back())
  if (!response) return url
  const html = await response.text()
  const request = /name="request" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const chosen = await browser.visit(new URL('/choose', url).href, { method: 'POST', body: new URLSearchParams({ request, ...fields }) })
  const location = chosen.headers.get('location')
  if (location === null) throw new Error(`the page asked again: ${await chosen.text()}`)
  return (await browser.goTo(location, back())).url
}

async function signIn(fields: Record<string, string>, provider = 'local') {
  const supabase = client()
  const end = await choose(openBrowser(), await addressOf(supabase, provider), fields)
  const { data, error } = await supabase.auth.exchangeCodeForSession(end.searchParams.get('code') ?? '')
  return { supabase, end, user: data.user, session: data.session, error }
}

describe('sign-in with the local identity provider', () => {
  test('is a real visit: out, a choice, and back with a code that only this client trades', async () => {
    const { user, session, error, supabase } = await signIn({ name: 'Grace Hopper', email: 'Grace@Example.com', verified: 'yes' })
    expect(error).toBeNull()
    expect(user).toMatchObject({
      email: 'grace@example.com',
      app_metadata: { provider: 'local', providers: ['local'] },
      user_metadata: { email: 'grace@example.com', email_verified: true, phone_verified: false, name: 'Grace Hopper' },
      identities: [{ provider: 'local', email: 'grace@example.com' }],
    })
    expect(user?.email_confirmed_at).toBeTruthy()
    expect(session?.provider_token).toBeTruthy()
    expect((await supabase.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'oauth' }])
    const profile = await fetch(`http://127.0.0.1:${identity.port}/userinfo`, { headers: { authorization: `Bearer ${session?.provider_token}` } })
    expect(await profile.json()).toMatchObject({ email: 'grace@example.com', name: 'Grace Hopper' })
  })

  test('gives tokens in the fragment to clients without PKCE', async () => {
    const supabase = client('implicit')
    const end = await choose(openBrowser(), await addressOf(supabase), { email: 'fragment@example.com', verified: 'yes' })
    const fragment = new URLSearchParams(end.hash.slice(1))
    expect([...fragment.keys()].toSorted()).toEqual(['access_token', 'expires_at', 'expires_in', 'provider_token', 'refresh_token', 'sb', 'token_type'])
    const { data, error } = await supabase.auth.setSession({ access_token: fragment.get('access_token')!, refresh_token: fragment.get('refresh_token')! })
    expect(error).toBeNull()
    expect(data.user?.email).toBe('fragment@example.com')
  })

  test('comes back with the refusal of a person who would rather not', async () => {
    const end = await choose(openBrowser(), await addressOf(client()), { refuse: 'yes' })
    expect(end.searchParams.get('error')).toBe('access_denied')
    expect(new URLSearchParams(end.hash.slice(1)).get('error_description')).toBe('The person did not want to sign in')
  })

  test('stands in for a provider of the project that says so', async () => {
    const { user } = await signIn({ name: 'Ada Lovelace', email: 'ada@example.com', verified: 'yes' }, 'google')
    expect(user).toMatchObject({ email: 'ada@example.com', app_metadata: { provider: 'google' } })
    const settings = (await (await fetch(`${origin}/auth/v1/settings`, { headers: { apikey: backend.keys.publishableKey } })).json()) as { external: object }
    expect(settings.external).toMatchObject({ google: true, local: true, github: false })
  })
})

describe('the local identity provider', () => {
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${identity.port}${path}`, { redirect: 'manual', ...init })
  const query = (changes: Record<string, string> = {}) =>
    new URLSearchParams({ client_id: 'portico', redirect_uri: `${origin}/auth/v1/callback`, response_type: 'code', scope: 'openid email', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', state: 's', ...changes })

  test('sends nobody to an address that is not the box, nor tells strangers anything', async () => {
    for (const redirect_uri of ['https://evil.example/callback', `${origin}/auth/v1/callback/../x`, `${origin}/auth/v1/callback?x`, '']) {
      const answer = await ask(`/authorize?${query({ redirect_uri })}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
    expect((await ask(`/authorize?${query({ client_id: 'other' })}`)).status).toBe(400)
  })

  test('asks for PKCE, the code flow and a person', async () => {
    const errorOf = async (changes: Record<string, string>) => new URL((await ask(`/authorize?${query(changes)}`)).headers.get('location') ?? 'x:').searchParams.get('error')
    expect(await errorOf({ code_challenge: '' })).toBe('invalid_request')
    expect(await errorOf({ code_challenge_method: 'plain' })).toBe('invalid_request')
    expect(await errorOf({ response_type: 'token' })).toBe('unsupported_response_type')
    expect(await errorOf({ scope: 'email' })).toBe('invalid_scope')
    expect(await errorOf({ prompt: 'none' })).toBe('login_required')
  })

  test('shows what was typed as text, and runs nothing', async () => {
    const page = await ask(`/authorize?${query()}`)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const request = /name="request" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    const again = await ask('/choose', { method: 'POST', body: new URLSearchParams({ request, name: '"><script>alert(1)</script>', email: 'x' }) })
    expect(again.status).toBe(422)
    expect(await again.text()).not.toContain('<script>')
  })

  test('takes a choice from its own page only, and answers to its own name only', async () => {
    expect((await ask('/choose', { method: 'POST', headers: { 'sec-fetch-site': 'same-site' }, body: '' })).status).toBe(403)
    const { status } = await backend.localIdentity!.fetch(new Request('http://evil.example/authorize', { headers: { host: 'evil.example' } }))
    expect(status).toBe(421)
  })

  test('trades a code once, for its own client, address and verifier', async () => {
    const page = await ask(`/authorize?${query()}`)
    const request = /name="request" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    const chosen = await ask('/choose', { method: 'POST', body: new URLSearchParams({ request, email: 'x@example.com' }) })
    const code = new URL(chosen.headers.get('location')!).searchParams.get('code')!
    const trade = () => ask('/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code', code, client_id: 'portico', redirect_uri: `${origin}/auth/v1/callback`, code_verifier: 'wrong' }) })
    expect(await (await trade()).json()).toMatchObject({ error: 'invalid_grant' })
    expect((await trade()).status).toBe(400)
    expect((await ask('/choose', { method: 'POST', body: new URLSearchParams({ request, email: 'x@example.com' }) })).status).toBe(400)
  })
})

describe('a box that others can reach has no local identity provider', () => {
  const open = async (options: { boundHost?: string; env?: Record<string, string> }) => {
    const opened = await createBackend({
      config: readConfig({ env: options.env ?? {}, configToml }).config,
      template: await testTemplate(),
      ...(options.boundHost === undefined ? {} : { boundHost: options.boundHost }),
      localIdentity: { origin: 'http://127.0.0.1:1', project: 'Helpdesk', people: [] },
    })
    const settings = await (await opened.fetch(new Request('http://127.0.0.1:54321/auth/v1/settings', { headers: { apikey: opened.keys.publishableKey } }))).json() as { external: Record<string, boolean> }
    await opened.close()
    return { isOpen: opened.localIdentity !== undefined, isOffered: settings.external.google || settings.external.local === true, warnings: opened.warnings.join('\n') }
  }

  test.each([{ boundHost: '0.0.0.0' }, { boundHost: '192.168.0.9' }, { env: { PORTICO_TRUSTED_PROXIES: '127.0.0.1' } }, { env: { PORTICO_ALLOWED_HOSTS: 'box.example.com' } }])(
    'with %j',
    async (options) => {
      const { isOpen, isOffered, warnings } = await open(options)
      expect([isOpen, isOffered]).toEqual([false, false])
      expect(warnings).toContain('others can reach this box: local, google')
    },
  )
})

