import { createHash, randomBytes } from 'node:crypto'

import { sql } from '#database/sql.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { external, openProviderWorld, siteUrl, visitGoogle, type ProviderWorld } from './open-test-provider.ts'

let world: ProviderWorld
beforeAll(async () => {
  world = await openProviderWorld({}, { google: external(), github: external(), apple: external() })
})
afterAll(() => world.close())

let people = 0
const somebody = () => ({ sub: `g-${(people += 1)}`, email: `visitor-${people}@example.com`, email_verified: true, name: 'Grace' })

function challenge() {
  const verifier = randomBytes(48).toString('hex')
  return { verifier, params: { code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 's256' } }
}

const errorIn = (url: URL) => ({ error: url.searchParams.get('error'), code: url.searchParams.get('error_code'), words: url.searchParams.get('error_description') })
const trade = async (code: string, code_verifier: string) => {
  const answer = await world.auth.ask('/token?grant_type=pkce', { method: 'POST', body: { auth_code: code, code_verifier } })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe('a visit to a provider', () => {
  it('asks with PKCE, a nonce and what the client adds, but not with what this service says itself', async () => {
    const { to } = await world.leave({
      provider: 'Google', scopes: 'https://a,https://b', prompt: 'consent', access_type: 'offline', redirect_uri: 'https://evil.example', client_id: 'evil',
      STATE: 'evil', Response_Type: 'token', nonce: 'mine', code_verifier: 'x',
    })
    expect(to.origin + to.pathname).toBe('https://accounts.google.com/authorize')
    const given = Object.fromEntries(to.searchParams)
    expect(given).toMatchObject({
      client_id: 'client-1', redirect_uri: 'http://127.0.0.1:54321/auth/v1/callback', response_type: 'code', prompt: 'consent', access_type: 'offline',
      scope: 'email profile openid https://a https://b', code_challenge_method: 'S256',
    })
    expect(Object.keys(given).toSorted()).toEqual(
      ['access_type', 'client_id', 'code_challenge', 'code_challenge_method', 'nonce', 'prompt', 'redirect_uri', 'response_type', 'scope', 'state'],
    )
    expect(given.nonce).not.toBe('mine')
  })

  it('ends in a code that only the client that began it trades, once, with the provider\'s tokens', async () => {
    const { verifier, params } = challenge()
    const end = await visitGoogle(world, somebody(), params)
    expect(end.href).toMatch(/^https:\/\/app\.example\.com\/back\?code=[\w-]+$/)
    const code = end.searchParams.get('code')!
    expect((await trade(code, challenge().verifier)).body.code).toBe('bad_code_verifier')
    const { body } = await trade(code, verifier)
    expect(body).toMatchObject({ provider_token: 'provider-access', provider_refresh_token: 'provider-refresh', user: { app_metadata: { provider: 'google' } } })
    expect((await trade(code, verifier)).body.code).toBe('flow_state_not_found')
    const { data } = await world.auth.client().auth.refreshSession({ refresh_token: String(body.refresh_token) })
    expect(data.session?.provider_token).toBeUndefined()
  })

  it('shows the code to nobody before the person has come back', async () => {
    const { params, verifier } = challenge()
    await world.leave({ provider: 'google', ...params })
    const rows = await world.auth.database.asAdmin('supabase_auth_admin', (tx) => tx.many<{ code: string }>(sql`select auth_code as code from auth.flow_state where user_id is null and auth_code is not null`))
    for (const { code } of rows) expect((await trade(code, verifier)).body.code).toBe('flow_state_not_found')
  })

  it('is refused for providers that are off, unknown or half configured', async () => {
    const refusal = async (query: string) => (await (await world.auth.ask(`/authorize?${query}`)).json()) as { code: string; message: string }
    expect(await refusal('provider=gitlab')).toEqual({ code: 'validation_failed', message: 'Unsupported provider: provider is not enabled' })
    expect(await refusal('provider=nobody')).toEqual({ code: 'validation_failed', message: 'Unsupported provider: Provider nobody could not be found' })
    expect(await refusal('provider=constructor')).toMatchObject({ message: 'Unsupported provider: Provider constructor could not be found' })
    expect((await refusal('provider=custom:nobody')).message).toBe('Unsupported provider: custom provider custom:nobody not found')
    expect((await refusal(`provider=google&code_challenge=${'x'.repeat(43)}`)).code).toBe('validation_failed')
    expect((await refusal('provider=google&invite_token=nope')).code).toBe('user_not_found')
  })

  it('takes the answer of a provider that posts it', async () => {
    const { to, state } = await world.leave({ provider: 'apple' })
    expect(to.searchParams.get('response_mode')).toBe('form_post')
    const email = `apple-${(people += 1)}@privaterelay.appleid.com`
    world.provider.claims = { iss: 'https://appleid.apple.com', aud: 'client-1', sub: `a-${people}`, email, email_verified: 'true', is_private_email: 'true', nonce: to.searchParams.get('nonce') }
    const answer = await world.auth.ask('/callback', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ state, code: 'good', user: JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' } }) }).toString(),
    })
    const fragment = new URLSearchParams(new URL(answer.headers.get('location')!).hash.slice(1))
    const { data } = await world.auth.client().auth.getUser(fragment.get('access_token')!)
    expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Ada Lovelace', custom_claims: { is_private_email: true } } })
  })
})

describe('a visit that is tampered with', () => {
  it('ends once: its state is used up by the first who comes back with a code', async () => {
    const { params } = challenge()
    const pkce = await world.leave({ provider: 'google', ...params })
    world.provider.claims = { iss: 'https://accounts.google.com', aud: 'client-1', nonce: pkce.to.searchParams.get('nonce'), ...somebody() }
    expect((await world.comeBack({ state: pkce.state, code: 'good' })).searchParams.has('code')).toBe(true)
    expect(errorIn(await world.comeBack({ state: pkce.state, code: 'good' })).code).toBe('flow_state_already_used')

    const plain = await world.leave({ provider: 'google' })
    expect(errorIn(await world.comeBack({ state: plain.state, code: 'stolen' })).error).toBe('server_error')
    expect(errorIn(await world.comeBack({ state: plain.state, code: 'good' })).code).toBe('oauth_client_state_not_found')
  })

  it('ends once even when many come back at the same moment', async () => {
    const { to, state } = await world.leave({ provider: 'google' })
    world.provider.claims = { iss: 'https://accounts.google.com', aud: 'client-1', nonce: to.searchParams.get('nonce'), ...somebody() }
    const ends = await Promise.all(Array.from({ length: 6 }, () => world.comeBack({ state, code: 'good' })))
    expect(ends.filter((end) => end.hash.includes('access_token'))).toHaveLength(1)
  })

  it('without a state, with a wrong, odd or old one goes to the site, and says so', async () => {
    for (const [state, code] of [['', 'bad_oauth_callback'], ['x', 'bad_oauth_state'], ["' or 1=1 --", 'bad_oauth_state'], ['00000000-0000-4000-8000-000000000000', 'bad_oauth_state']] as const) {
      const end = await world.comeBack({ state, code: 'good' })
      expect(end.href.startsWith(`${siteUrl}/?`)).toBe(true)
      expect(errorIn(end)).toMatchObject({ error: 'invalid_request', code })
    }
    const { state } = await world.leave({ provider: 'google' })
    world.auth.clock.advance(301)
    expect(errorIn(await world.comeBack({ state, code: 'good' }))).toMatchObject({ code: 'bad_oauth_state', words: 'OAuth state has expired' })
    world.auth.clock.advance(-301)
  })

  it('with the nonce of another visit is refused: a code cannot be moved from browser to browser', async () => {
    const [mine, theirs] = [await world.leave({ provider: 'google' }), await world.leave({ provider: 'google' })]
    world.provider.claims = { iss: 'https://accounts.google.com', aud: 'client-1', nonce: theirs.to.searchParams.get('nonce'), ...somebody() }
    expect(errorIn(await world.comeBack({ state: mine.state, code: 'good' })).words).toBe('Error getting user profile from external provider')
  })

  it('sends each visit\'s own verifier to the provider', async () => {
    const { to, state } = await world.leave({ provider: 'google' })
    world.provider.claims = { iss: 'https://accounts.google.com', aud: 'client-1', nonce: to.searchParams.get('nonce'), ...somebody() }
    await world.comeBack({ state, code: 'good' })
    const sent = world.provider.asked.findLast((one) => one.url.pathname === '/token')!
    expect(createHash('sha256').update(sent.body.get('code_verifier')!).digest('base64url')).toBe(to.searchParams.get('code_challenge'))
    expect(sent.body.get('redirect_uri')).toBe('http://127.0.0.1:54321/auth/v1/callback')
  })

  it('that another issuer answers is refused (mix-up)', async () => {
    const { state } = await world.leave({ provider: 'google' })
    const before = world.provider.asked.length
    const end = await world.comeBack({ state, code: 'good', iss: 'https://evil.example' })
    expect(errorIn(end).words).toBe('Unable to exchange external code: good')
    expect(world.provider.asked.slice(before).map(({ url }) => url.pathname)).not.toContain('/token')
  })

  it('hands a provider\'s error on as text, in query and fragment, cut short', async () => {
    const { state } = await world.leave({ provider: 'google' })
    const end = await world.comeBack({ state, error: 'access_denied', error_description: `<script>alert(1)</script>#&=${'x'.repeat(2000)}` })
    expect(end.origin).toBe('https://app.example.com')
    expect(end.href).not.toContain('<script>')
    expect(errorIn(end)).toMatchObject({ error: 'access_denied', code: null })
    expect(errorIn(end).words).toHaveLength(500)
    expect(new URLSearchParams(end.hash.slice(1)).get('error')).toBe('access_denied')
  })

  it.each([
    'https://evil.example/', '//evil.example', 'https:evil.example', 'https://app.example.com@evil.example/', 'https://app.example.com.evil.example/',
    'javascript:alert(1)', 'data:text/html,x', 'https://evil.example\\@app.example.com/', '/\\evil.example', 'https://app.example.com:444/', 'http://app.example.com/',
    ' https://evil.example', 'https://xn--e1awd7f.com', 'https://APP.EXAMPLE.COM.evil/', 'blob:https://app.example.com/x', '%68ttps://evil.example',
  ])('ends at the site and not at %s', async (redirect_to) => {
    const end = await visitGoogle(world, somebody(), { redirect_to })
    expect(end.origin).toBe(new URL(siteUrl).origin)
  })
})

describe('a visit and the browser that began it', () => {
  const browser = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }

  async function begun(params: Record<string, string> = {}) {
    const visit = await world.leave({ provider: 'google', ...params }, browser)
    world.provider.claims = { iss: 'https://accounts.google.com', aud: 'client-1', nonce: visit.to.searchParams.get('nonce'), ...somebody() }
    return visit
  }

  it('ends in that browser alone', async () => {
    const theirs = await begun()
    expect(errorIn(await world.comeBack({ state: theirs.state, code: 'good' }, browser)).words).toBe('OAuth state belongs to another browser')
    const other = await begun()
    expect(errorIn(await world.comeBack({ state: theirs.state, code: 'good' }, { ...browser, cookie: other.cookie })).code).toBe('bad_oauth_state')
    const mine = await begun()
    expect((await world.comeBack({ state: mine.state, code: 'good' }, { ...browser, cookie: `a=b; ${mine.cookie}` })).hash).toContain('access_token')
  })

  it('that no browser began ends in none with tokens: nobody is signed in as somebody else', async () => {
    const visit = await world.leave({ provider: 'google' })
    expect(errorIn(await world.comeBack({ state: visit.state, code: 'good' }, browser)).words).toBe('OAuth state belongs to another browser')
  })

  it('that no browser began may end with a code, which is worth nothing in another', async () => {
    const visit = await world.leave({ provider: 'google', ...challenge().params })
    world.provider.claims = { iss: 'https://accounts.google.com', aud: 'client-1', nonce: visit.to.searchParams.get('nonce'), ...somebody() }
    expect((await world.comeBack({ state: visit.state, code: 'good' }, browser)).searchParams.has('code')).toBe(true)
  })

  it('keeps its secret in a cookie that no script reads, for the callback alone', async () => {
    const answer = await world.auth.ask('/authorize?provider=google', { headers: browser })
    expect(answer.headers.get('set-cookie')).toMatch(/^portico-visit-[0-9a-f]{16}=\w{32}; Path=\/auth\/v1\/callback; Max-Age=600; HttpOnly; SameSite=Lax$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('a provider that misbehaves', () => {
  const github = async (answers: Record<string, () => unknown>) => {
    const { state } = await world.leave({ provider: 'github' })
    world.provider.answers.clear()
    for (const [address, answer] of Object.entries(answers)) world.provider.answers.set(address, answer)
    const end = await world.comeBack({ state, code: 'secret-code' })
    world.provider.answers.clear()
    return end
  }
  const token = { 'github.com/login/oauth/access_token': () => ({ access_token: 't', scope: ['a'], token_type: 'x' }) }

  it('answers a page, an error or nonsense for a code: the visit ends with an error, and no secret in it', async () => {
    const answers = [
      () => new Response('<html>login</html>', { headers: { 'content-type': 'text/html' } }),
      () => new Response('', { status: 500 }),
      () => ({ error: 'bad_verification_code', error_description: 'secret-1' }),
      () => ({ access_token: 1 }),
      () => ({ access_token: '' }),
      () => ({ access_token: 'x'.repeat(100_000) }),
      () => new Response('[1', { headers: { 'content-type': 'application/json' } }),
    ]
    for (const answer of answers) {
      const end = await github({ 'github.com/login/oauth/access_token': answer })
      expect(errorIn(end)).toEqual({ error: 'server_error', code: 'unexpected_failure', words: 'Unable to exchange external code: secr' })
    }
    expect(world.auth.logged.join('\n')).not.toContain('secret-code')
  })

  it('takes tokens in the form GitHub gives them when not asked for JSON', async () => {
    const end = await github({
      'github.com/login/oauth/access_token': () => new Response('access_token=t&scope=&token_type=bearer', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      'api.github.com/user': () => ({ id: 7, login: 'ada', name: 'Ada' }),
      'api.github.com/user/emails': () => [{ email: 'ada-gh@example.com', primary: true, verified: true }],
    })
    expect(end.hash).toContain('provider_token=t')
  })

  it('tells no subject, no address or no list where one belongs', async () => {
    const failing = async (user: unknown, emails: unknown) => errorIn(await github({ ...token, 'api.github.com/user': () => user, 'api.github.com/user/emails': () => emails })).words
    expect(await failing({}, [])).toBe('Error getting user profile from external provider')
    expect(await failing(null, null)).toBe('Error getting user profile from external provider')
    expect(await failing({ id: 8 }, { message: 'no' })).toBe('Error getting user email from external provider')
    expect(await failing({ id: 8 }, [{ email: 'not an address', verified: true, primary: true }])).toBe('Error getting user email from external provider')
    expect(await failing(new Response('no', { status: 403 }), [])).toBe('Error getting user profile from external provider')
  })

  it('tells odd things of a person: kept as text, within bounds', async () => {
    const end = await github({
      ...token,
      'api.github.com/user': () => ({ id: 9, login: `<img src=x onerror=alert(1)>\u0000`, name: `${'n'.repeat(100_000)}`, avatar_url: `javascript:alert('\ud800')` }),
      'api.github.com/user/emails': () => [{ email: 'Odd@Example.com', primary: true, verified: true }],
    })
    const tokenOfOdd = new URLSearchParams(end.hash.slice(1)).get('access_token')!
    const { data } = await world.auth.client().auth.getUser(tokenOfOdd)
    expect(data.user?.user_metadata).toMatchObject({ user_name: '<img src=x onerror=alert(1)>', email: 'odd@example.com', avatar_url: "javascript:alert('\ufffd')" })
    expect(data.user?.user_metadata.name).toBeUndefined()
  })

  it('logs neither secrets nor tokens', () => {
    const logged = world.auth.logged.join('\n')
    for (const secret of ['secret-1', 'provider-access', 'provider-refresh']) expect(logged).not.toContain(secret)
  })
})
