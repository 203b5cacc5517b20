import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { freshEmail, freshPhone, openTestAuth, signUpPerson, testPassword, type TestAuth } from './open-test-auth.ts'
import { routes } from './routes.ts'

let auth: TestAuth

const site = 'https://app.example.com'

beforeAll(async () => {
  auth = await openTestAuth({
    settings: {
      siteUrl: site,
      redirectAllowList: ['https://*.preview.example.com/**'],
      enableAnonymousSignIns: true,
      enableManualLinking: true,
      sms: { enabled: true, enableSignup: true, provider: 'twilio', maxFrequencySeconds: 1 },
      email: { maxFrequencySeconds: 1 },
    },
  })
})
afterAll(() => auth.close())

const post = (path: string, body: unknown, options: { headers?: Record<string, string>; ip?: string } = {}) => auth.ask(path, { method: 'POST', body, ...options })
const pairOf = () => {
  const verifier = randomBytes(48).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

describe('an open redirect', () => {
  const spellings = [
    'https://evil.example', '//evil.example', '///evil.example', '/\\evil.example', 'https:evil.example', 'https:/evil.example', 'https:\\\\evil.example',
    'https:///evil.example', 'HTTPS://EVIL.EXAMPLE', 'https://app.example.com@evil.example', 'https://app.example.com:pass@evil.example/',
    'https://evil.example\\@app.example.com', 'https://app.example.com.evil.example', 'https://evil.example/app.example.com', 'https://evil.example?https://app.example.com',
    'https://evil.example#https://app.example.com', 'https://evil.example%23.preview.example.com/x', 'https://evil.example%2f.preview.example.com/x',
    'https://evil.example/.preview.example.com/x', 'https://a.b.preview.example.com/x', 'https://preview.example.com.evil.example/x', 'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//https://app.example.com', 'data:text/html,<script>alert(1)</script>', 'vbscript:x', 'file:///etc/passwd', ' https://evil.example', 'https://evil.example\t',
    'https://app.example.com\n.evil.example', 'http://app.example.com', 'https://app.example.com:444', 'https://аpp.example.com', 'https://app%2eexample.com',
    'http://0x7f.1/', 'http://2130706433/', 'http://169.254.169.254/', 'blob:https://app.example.com/x',
  ]

  it.each(spellings)('to %j ends at the project\'s own site', async (target) => {
    const asReferrer = /^[\u0021-\u007e]+$/.test(target) ? [['/verify?token=none&type=signup', { referer: target }] as const] : []
    for (const [path, headers] of [[`/verify?token=none&type=signup&redirect_to=${encodeURIComponent(target)}`, {}] as const, ...asReferrer]) {
      const answer = await auth.ask(path, { headers })
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toMatch(/^https:\/\/app\.example\.com#error=access_denied&error_code=otp_expired&/)
    }
  })

  it('is not mailed either, nor made by an administrator\'s tool that was handed one', async () => {
    const email = freshEmail()
    await post(`/otp?redirect_to=${encodeURIComponent('https://evil.example')}`, { email })
    expect(JSON.stringify(auth.letterTo(email))).not.toContain('evil.example')
    const { data } = await auth.admin().auth.admin.generateLink({ type: 'magiclink', email: freshEmail(), options: { redirectTo: 'https://evil.example' } })
    expect(data.properties?.action_link).not.toContain('evil.example')
  })
})

describe('replay', () => {
  it('of a code, ten times at once, lets one in', async () => {
    const [email, phone] = [freshEmail(), freshPhone()]
    await post('/otp', { email })
    await post('/otp', { phone })
    const proofs = [{ type: 'email', email, token: auth.letterTo(email).variables.Token }, { type: 'sms', phone, token: auth.codeTo(phone) }]
    for (const proof of proofs) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => post('/verify', proof)))
      expect(answers.map(({ status }) => status).sort(), proof.type).toEqual([200, ...Array.from({ length: 9 }, () => 403)])
    }
  })

  it('of a link\'s code, ten times at once, trades it once', async () => {
    const { verifier, challenge } = pairOf()
    const email = freshEmail()
    await post('/otp', { email, code_challenge: challenge, code_challenge_method: 's256' })
    const opened = await auth.ask(`/verify?token=${auth.letterTo(email).variables.TokenHash}&type=signup`)
    const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code')
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/token?grant_type=pkce', { auth_code: code, code_verifier: verifier })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)])
  })

  it('of a refresh token that was stolen long ago ends what it could open, the thief\'s and the owner\'s alike', async () => {
    const { client, session } = await signUpPerson(auth)
    await client.auth.refreshSession()
    const { data } = await client.auth.refreshSession()
    auth.clock.advance(60)
    const stolen = await post('/token?grant_type=refresh_token', { refresh_token: session.refresh_token })
    expect(await stolen.json()).toMatchObject({ code: 'refresh_token_already_used' })
    const owner = await post('/token?grant_type=refresh_token', { refresh_token: data.session?.refresh_token })
    expect(owner.status).toBe(400)
  })
})

describe('a code that was caught on its way', () => {
  it('is worth nothing without the verifier, whatever stands in its place', async () => {
    const { verifier, challenge } = pairOf()
    const email = freshEmail()
    await post('/otp', { email, code_challenge: challenge, code_challenge_method: 's256' })
    const opened = await auth.ask(`/verify?token=${auth.letterTo(email).variables.TokenHash}&type=signup`)
    const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code')
    const instead = [challenge, pairOf().verifier, verifier.toUpperCase(), `${verifier} `, verifier.slice(0, -1), 'plain', '0']
    for (const code_verifier of instead) {
      const answer = await post('/token?grant_type=pkce', { auth_code: code, code_verifier })
      expect(await answer.json(), code_verifier).toMatchObject({ code: 'bad_code_verifier' })
    }
    for (const body of [{ auth_code: code }, { auth_code: code, code_verifier: '' }, { auth_code: code, code_verifier: null }]) expect((await post('/token?grant_type=pkce', body)).status).toBe(400)
    expect((await post('/token?grant_type=pkce', { auth_code: code, code_verifier: verifier })).status).toBe(200)
  })
})

describe('whoever wants to know who is known', () => {
  let even: TestAuth
  beforeAll(async () => {
    even = await openTestAuth({ database: auth.database, settings: { evenAnswerMs: 100, sms: { enabled: true, enableSignup: true } } })
  })

  it('learns it neither by words, nor by status, nor by time', async () => {
    const { email } = await signUpPerson(auth)
    const phone = freshPhone()
    await post('/otp', { phone })
    await post('/verify', { type: 'sms', phone, token: auth.codeTo(phone) })
    auth.clock.advance(120)
    const questions: [string, (who: { email: string; phone: string }) => object][] = [
      ['/recover', ({ email: one }) => ({ email: one })],
      ['/resend', ({ email: one }) => ({ email: one, type: 'signup' })],
      ['/resend', ({ phone: one }) => ({ phone: one, type: 'sms' })],
      ['/otp', ({ email: one }) => ({ email: one })],
      ['/magiclink', ({ email: one }) => ({ email: one })],
      ['/otp', ({ phone: one }) => ({ phone: one })],
      ['/signup', ({ email: one }) => ({ email: one, password: testPassword })],
      ['/signup', ({ phone: one }) => ({ phone: one, password: testPassword })],
      ['/token?grant_type=password', ({ email: one }) => ({ email: one, password: 'not the password' })],
      ['/token?grant_type=password', ({ phone: one }) => ({ phone: one, password: 'not the password' })],
      ['/verify', ({ email: one }) => ({ email: one, type: 'email', token: '000000' })],
      ['/verify', ({ phone: one }) => ({ phone: one, type: 'sms', token: '000000' })],
    ]
    // Each question alone, and after each other one: what one leaves behind must not be told by the next.
    const order = [...questions, ...questions.toReversed(), ...questions.filter((_, index) => index % 2 === 0)]
    const people = [{ email, phone }, { email: freshEmail(), phone: freshPhone() }]
    for (const [path, bodyOf] of order) {
      const seen: unknown[] = []
      for (const who of people) {
        const begun = performance.now()
        const answer = await even.ask(path, { method: 'POST', body: bodyOf(who) })
        if (!path.startsWith('/token') && path !== '/verify') expect(performance.now() - begun, path).toBeGreaterThan(95)
        const body = (await answer.json()) as Record<string, unknown>
        seen.push({ status: answer.status, code: body.code, members: path === '/signup' ? [] : Object.keys(body).sort() })
      }
      expect(seen[0], `${path} ${JSON.stringify(bodyOf({ email: 'email', phone: 'phone' }))}`).toEqual(seen[1])
    }
  })
})

describe('whoever has no right', () => {
  /** What anybody may ask; everything else must be refused to who holds the public key alone. */
  const open = new Set([
    'GET /health', 'GET /settings', 'GET /.well-known/jwks.json', 'GET /.well-known/openid-configuration', 'POST /signup', 'POST /token', 'POST /otp', 'POST /magiclink',
    'POST /recover', 'POST /resend', 'GET /verify', 'POST /verify', 'GET /authorize', 'GET /callback', 'POST /callback', 'POST /sso', 'GET /sso/saml/metadata', 'POST /sso/saml/acs',
    'POST /passkeys/authentication/options', 'POST /passkeys/authentication/verify', 'GET /.well-known/oauth-authorization-server', 'GET /.well-known/oauth-authorization-server/auth/v1', 'GET /oauth/authorize', 'POST /oauth/token',
    'POST /oauth/clients/register',
  ])
  const paths = routes.map(({ method, path }) => ({ method, path, asked: path.replaceAll(/\{[^}]+\}/g, '11111111-1111-4111-8111-111111111111') }))
  const ask = ({ method, asked }: (typeof paths)[number], headers: Record<string, string> = {}) => auth.ask(asked, { method, headers, ...(method === 'GET' ? {} : { body: {} }) })

  it('is refused by every endpoint that is not for everybody', async () => {
    for (const one of paths.filter(({ method, path }) => !open.has(`${method} ${path}`))) {
      const answer = await ask(one)
      expect([401, 403, 404], `${one.method} ${one.path}: ${answer.status}`).toContain(answer.status)
    }
  })

  it('is not let in by a cookie: a page of another site can make a browser send one, and nothing more', async () => {
    const { session } = await signUpPerson(auth)
    const value = `base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`
    const cookie = ['sb-127-auth-token', 'sb-access-token', 'access_token'].map((name) => `${name}=${name.startsWith('sb-127') ? value : session.access_token}`).join('; ')
    for (const one of paths.filter(({ method, path }) => method !== 'GET' && !open.has(`${method} ${path}`))) {
      const answer = await ask(one, { cookie, origin: 'https://evil.example', 'content-type': 'text/plain' })
      expect([401, 403, 404], `${one.method} ${one.path}: ${answer.status}`).toContain(answer.status)
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    expect((await auth.ask('/user', { headers: { authorization: `Bearer ${session.access_token}` } })).status).toBe(200)
  })

  it('as an ordinary person administrates nothing, not even by claiming a role', async () => {
    const { client, session } = await signUpPerson(auth, freshEmail(), { role: 'service_role', is_super_admin: true })
    for (const one of paths.filter(({ path }) => path.startsWith('/admin') || path === '/invite')) {
      const answer = await ask(one, { authorization: `Bearer ${session.access_token}` })
      expect([403, 404], `${one.method} ${one.path}: ${answer.status}`).toContain(answer.status)
      expect(answer.status === 404 ? 'hidden' : ((await answer.json()) as { code: string }).code, one.path).toMatch(/not_admin|hidden/)
    }
    for (const body of [{ role: 'service_role' }, { app_metadata: { role: 'service_role' } }, { aud: 'admin' }, { id: session.user.id, email_confirm: true }, { banned_until: null }]) {
      await auth.ask('/user', { method: 'PUT', body, headers: { authorization: `Bearer ${session.access_token}` } })
    }
    const { data } = await client.auth.getUser()
    expect(data.user).toMatchObject({ role: 'authenticated', aud: 'authenticated', app_metadata: { provider: 'email' } })
  })

  it('as a guest cannot take an account over by naming its address or number', async () => {
    const { email } = await signUpPerson(auth)
    const client = auth.client()
    await client.auth.signInAnonymously()
    expect((await client.auth.updateUser({ email })).error?.code).toBe('email_exists')
    expect((await client.auth.updateUser({ password: 'a password of a guest' })).error?.status).toBe(422)
  })
})

describe('a script in what people write', () => {
  const script = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

  it('comes back as data, and never in a page', async () => {
    const { session } = await signUpPerson(auth, freshEmail(), { full_name: script })
    const answers = [
      await auth.ask('/user', { headers: { authorization: `Bearer ${session.access_token}` } }),
      await auth.ask(`/verify?type=${encodeURIComponent(script)}`),
      await post('/token?grant_type=password', { email: script, password: script }),
      await post(`/token?grant_type=${encodeURIComponent(script)}`, {}),
      await auth.ask(`/${encodeURIComponent(script)}`),
    ]
    for (const answer of answers) expect(answer.headers.get('content-type')).toBe('application/json')
    const back = await auth.ask(`/verify?token=${encodeURIComponent(script)}&type=${encodeURIComponent(script)}&redirect_to=${encodeURIComponent(`${site}/?x=${script}`)}`)
    expect(back.headers.get('location')).not.toMatch(/[<>"\s]/)
  })
})
