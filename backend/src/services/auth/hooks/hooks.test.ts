import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { tokenHash } from '#services/auth/codes.ts'
import { freshEmail, freshPhone, openTestAuth, signUpPerson, testPassword, type TestAuth } from '#services/auth/open-test-auth.ts'
import { defaultAuthSettings, type HookSettings } from '#services/auth/settings.ts'

import { createOutbound } from '#services/auth/outbound.ts'

import { askHttpHook, signWebhook } from './http-hook.ts'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  text?: string
}

interface Asked {
  headers: IncomingHttpHeaders
  text: string
  body: Record<string, never> & { metadata: { name: string; ip_address?: string }; [name: string]: unknown }
}

const secret = `v1,whsec_${Buffer.from('a secret of thirty-two bytes or so').toString('base64')}`
let server: Server
let asked: Asked[] = []
/** Answers in turn; the last one again and again. */
let answers: ((body: Asked['body']) => Answer | Promise<Answer>)[] = []
let auth: TestAuth
const ends: TestAuth[] = []

const bodyAt = (index: number): Asked['body'] => {
  const found = asked.at(index)
  if (!found) throw new Error('the hook was not asked')
  return found.body
}

const read = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
const uri = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=in-the-address`

beforeAll(async () => {
  auth = await openTestAuth()
  server = createServer((request, response) => {
    void (async () => {
      const text = await read(request)
      const body = JSON.parse(text) as Asked['body']
      asked.push({ headers: request.headers, text, body })
      const make = answers.length > 1 ? answers.shift() : answers[0]
      const answer = (await make?.(body)) ?? {}
      response.writeHead(answer.status ?? 200, answer.headers ?? { 'content-type': 'application/json' })
      response.end(answer.text ?? JSON.stringify(answer.body ?? {}))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await auth.close()
})
beforeEach(() => {
  asked = []
  answers = [() => ({})]
})
afterEach(async () => {
  for (const one of ends.splice(0)) await one.close()
})

async function openWith(name: Exclude<keyof HookSettings, 'secrets'>, settings: Parameters<typeof openTestAuth>[0] = {}): Promise<TestAuth> {
  const own = await openTestAuth({ ...settings, database: auth.database, settings: { ...settings.settings, hooks: { [name]: uri(), secrets: { [name]: [secret] } } } })
  ends.push(own)
  return own
}

describe('a hook over HTTP', () => {
  const ask = (pace = { timeoutMs: 2000, pauseMs: 10 }, hook = { uri: uri(), secrets: [secret] }) =>
    askHttpHook({ hook, outbound: createOutbound('anywhere'), payload: { metadata: {}, a: 1 }, newId: () => 'message-1', nowMs: () => 1_700_000_000_000, pace })

  it('is signed after Standard Webhooks, with every secret it has', async () => {
    const other = `v1,whsec_${Buffer.from('another secret of thirty-two bytes').toString('base64')}`
    await ask(undefined, { uri: uri(), secrets: [secret, other] })
    const [{ headers, text }] = asked as [Asked]
    expect(headers).toMatchObject({ 'webhook-id': 'message-1', 'webhook-timestamp': '1700000000', 'content-type': 'application/json' })
    const message = { id: 'message-1', timestamp: '1700000000', payload: text }
    expect(headers['webhook-signature']).toBe(`${signWebhook(secret, message)}, ${signWebhook(other, message)}`)
    // The specification's own example.
    expect(signWebhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', payload: '{"test": 2432232314}' })).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  it('is asked again on 429 and 503 only where it says when', async () => {
    answers = [() => ({ status: 503, headers: { 'retry-after': '1' } }), () => ({ status: 429, headers: { 'retry-after': 'true' } }), () => ({ body: { ok: true } })]
    expect(await ask()).toEqual({ ok: true })
    answers = [() => ({ status: 503, headers: { 'retry-after': '1' } })]
    await expect(ask()).rejects.toMatchObject({ status: 500, message: 'Service currently unavailable due to hook' })
    expect(asked).toHaveLength(6)
    answers = [() => ({ status: 503 })]
    await expect(ask()).rejects.toMatchObject({ status: 500 })
    expect(asked).toHaveLength(7)
  })

  it('must answer JSON of at most 200 KB, in time, with a status that says yes', async () => {
    const cases: [Answer, object][] = [
      [{ headers: {}, text: '{}' }, { status: 400, code: 'hook_payload_invalid_content_type', message: 'Invalid Content-Type: Missing Content-Type header' }],
      [{ headers: { 'content-type': 'text/html' }, text: '{}' }, { status: 400, code: 'hook_payload_invalid_content_type', message: 'Invalid JSON response. Received content-type: text/html' }],
      [{ text: '{' }, { status: 500, message: 'Error unmarshaling JSON output.' }],
      [{ body: { much: 'x'.repeat(210_000) } }, { status: 422, code: 'hook_payload_over_size_limit', message: 'Payload size exceeded size limit of 204800 bytes' }],
      [{ status: 400 }, { status: 500, message: 'Invalid payload sent to hook' }],
      [{ status: 401 }, { status: 500, message: 'Hook requires authorization token' }],
      [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, { status: 500, message: 'Unexpected status code returned from hook: 302' }],
    ]
    for (const [answer, failure] of cases) {
      answers = [() => answer]
      await expect(ask()).rejects.toMatchObject(failure)
    }
    answers = [() => new Promise((resolve) => setTimeout(() => resolve({}), 400))]
    await expect(ask({ timeoutMs: 50, pauseMs: 10 })).rejects.toMatchObject({ status: 422, code: 'hook_timeout', message: 'Failed to reach hook within maximum time of 0.050000 seconds' })
    await expect(ask(undefined, { uri: 'http://127.0.0.1:9/', secrets: [secret] })).rejects.toMatchObject({ status: 422, code: 'hook_timeout_after_retry' })
    answers = [() => ({ status: 204, text: '' })]
    expect(await ask()).toEqual({})
  })
})

describe('custom_access_token', () => {
  const withClaims = (claims: object) => (body: Asked['body']) => ({ body: { claims: { ...(body.claims as unknown as object), ...claims } } })
  const claimsOf = (token: string | undefined) => JSON.parse(Buffer.from((token ?? '').split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

  it('may add claims, at sign-in and at each refresh, and its token is of a session that is there', async () => {
    const own = await openWith('customAccessToken')
    answers = [withClaims({ plan: 'gold' })]
    const { client, session } = await signUpPerson(own)
    expect(claimsOf(session.access_token)).toMatchObject({ plan: 'gold', sub: session.user.id })
    expect(asked[0]?.body).toMatchObject({ user_id: session.user.id, authentication_method: 'otp', metadata: { name: 'customize-access-token', ip_address: '127.0.0.1' } })
    expect((await client.auth.getUser()).error).toBeNull()
    const { data } = await client.auth.refreshSession()
    expect(claimsOf(data.session?.access_token)).toMatchObject({ plan: 'gold' })
    expect(asked.at(-1)?.body.authentication_method).toBe('token_refresh')
  })

  it('may come back for rows while it is asked', async () => {
    const own = await openWith('customAccessToken')
    answers = [async (body) => {
      const { data } = await auth.admin().auth.admin.getUserById(body.user_id as unknown as string)
      return withClaims({ seen: data.user?.email })(body)
    }]
    const { email, session } = await signUpPerson(own)
    expect(claimsOf(session.access_token).seen).toBe(email)
  })

  it('must leave what every token needs, in its kind', async () => {
    const { email } = await signUpPerson(auth)
    const own = await openWith('customAccessToken')
    const signIn = () => own.client().auth.signInWithPassword({ email, password: testPassword })
    for (const [claims, words] of [[{ aal: undefined }, 'aal is required'], [{ exp: 'soon' }, 'exp: Invalid type. Expected: integer'], [{ app_metadata: [] }, 'app_metadata: Invalid type']] as const) {
      answers = [withClaims(claims)]
      expect((await signIn()).error).toMatchObject({ status: 500, message: expect.stringContaining(words) })
    }
    answers = [() => ({ body: {} })]
    expect((await signIn()).error?.message).toBe('output claims field is missing')
  })

  it('that refuses leaves nothing behind: no session, and the code still good', async () => {
    const own = await openWith('customAccessToken')
    const email = freshEmail()
    await own.client().auth.signUp({ email, password: testPassword })
    const token = own.letterTo(email).variables.Token ?? ''
    answers = [() => ({ body: { error: { http_code: 403, message: 'Not in office hours' } } })]
    expect((await own.client().auth.verifyOtp({ email, token, type: 'signup' })).error).toMatchObject({ status: 403, message: 'Not in office hours' })
    answers = [withClaims({})]
    expect((await own.client().auth.verifyOtp({ email, token, type: 'signup' })).error).toBeNull()
  })
})

describe('before_user_created and after_user_created', () => {
  it('may refuse a person before there is one', async () => {
    const own = await openWith('beforeUserCreated', { settings: { enableAnonymousSignIns: true } })
    answers = [() => ({ body: { error: { http_code: 400, message: 'Only for our own people' } } })]
    const email = freshEmail()
    expect((await own.client().auth.signUp({ email, password: testPassword })).error).toMatchObject({ status: 400, message: 'Only for our own people' })
    expect((await own.client().auth.signInAnonymously()).error?.status).toBe(400)
    expect(asked[0]?.body).toMatchObject({ metadata: { name: 'before-user-created' }, user: { email, app_metadata: { provider: 'email' } } })
    const { data } = await auth.admin().auth.admin.listUsers()
    expect(data.users.map((user) => user.email)).not.toContain(email)
    answers = [() => ({})]
    expect((await own.client().auth.signUp({ email, password: testPassword })).error).toBeNull()
  })

  it('tells of a person once they are there, and once only', async () => {
    const own = await openWith('afterUserCreated')
    const { email, user } = await signUpPerson(own)
    expect(asked.map(({ body }) => body)).toEqual([expect.objectContaining({ user: expect.objectContaining({ id: user.id, email }) })])
    answers = [() => ({ status: 500 })]
    const other = freshEmail()
    expect((await own.client().auth.signUp({ email: other, password: testPassword })).error).toMatchObject({ status: 500, message: 'Error invoking hook' })
    const { data } = await auth.admin().auth.admin.listUsers({ perPage: 200 })
    expect(data.users.map((one) => one.email)).toContain(other)
  })
})

describe('password_verification_attempt', () => {
  it('hears of every try, and may end them', async () => {
    const { email, user } = await signUpPerson(auth)
    const own = await openWith('passwordVerificationAttempt')
    answers = [() => ({ body: { decision: 'continue' } })]
    await own.client().auth.signInWithPassword({ email, password: 'wrong' })
    expect((await own.client().auth.signInWithPassword({ email, password: testPassword })).error).toBeNull()
    expect(asked.map(({ body }) => [body.metadata.name, body.user_id, body.valid])).toEqual([['password-verification', user.id, false], ['password-verification', user.id, true]])
    answers = [() => ({ body: { decision: 'reject', message: 'Too many tries' } })]
    expect((await own.client().auth.signInWithPassword({ email, password: testPassword })).error).toMatchObject({ code: 'invalid_credentials', message: 'Too many tries' })
  })
})

describe('send_email', () => {
  it('takes the mails, with code and hash', async () => {
    const own = await openWith('sendEmail')
    const email = freshEmail()
    const client = own.client()
    await client.auth.signUp({ email, password: testPassword })
    const { email_data: mail, user } = bodyAt(0) as unknown as { email_data: Record<string, string>; user: { email: string } }
    expect(user.email).toBe(email)
    expect(mail).toMatchObject({ email_action_type: 'signup', token: expect.stringMatching(/^\d{6}$/), token_hash: expect.stringMatching(/^[0-9a-f]{56}$/), token_new: '', site_url: 'http://127.0.0.1:54321/auth/v1' })
    expect(own.letters).toEqual([])
    expect((await client.auth.verifyOtp({ type: 'signup', token_hash: mail.token_hash ?? '' })).error).toBeNull()
  })

  it('takes a change of address in one, each code beside the other address\' hash as the hosted backend has it', async () => {
    const own = await openWith('sendEmail')
    const next = freshEmail()
    const mover = await signUpAt(own)
    asked = []
    const { error } = await mover.client.auth.updateUser({ email: next })
    expect(error).toBeNull()
    expect(asked).toHaveLength(1)
    const { email_data: mail } = bodyAt(0) as unknown as { email_data: Record<string, string> }
    expect(mail.email_action_type).toBe('email_change')
    expect(mail.token_hash).toBe(tokenHash(next, mail.token_new ?? ''))
    expect(mail.token_hash_new).toBe(tokenHash(mover.email, mail.token ?? ''))
  })

  it('that refuses is heard by the person, and the mail may be asked for again at once', async () => {
    const own = await openWith('sendEmail')
    const email = freshEmail()
    answers = [() => ({ body: { error: { http_code: 422, message: 'We do not write there' } } })]
    expect((await own.client().auth.signInWithOtp({ email })).error).toMatchObject({ status: 422, message: 'We do not write there' })
    answers = [() => ({})]
    expect((await own.client().auth.signInWithOtp({ email })).error).toBeNull()
  })

  /** Somebody whose mails the hook took. */
  async function signUpAt(own: TestAuth) {
    const email = freshEmail()
    const client = own.client()
    await client.auth.signUp({ email, password: testPassword })
    const { email_data: mail } = bodyAt(-1) as unknown as { email_data: Record<string, string> }
    await client.auth.verifyOtp({ email, token: mail.token ?? '', type: 'signup' })
    return { client, email }
  }
})

it('send_sms takes the codes, whatever way they were to travel', async () => {
  const own = await openWith('sendSms', { settings: { sms: { enabled: true, enableSignup: true } } })
  const phone = freshPhone()
  const { error, data } = await own.client().auth.signInWithOtp({ phone, options: { channel: 'whatsapp' } })
  expect({ error, data }).toMatchObject({ error: null, data: {} })
  const { sms, user } = bodyAt(0) as unknown as { sms: { otp: string; phone: string }; user: { phone: string } }
  expect(sms).toEqual({ otp: expect.stringMatching(/^\d{6}$/), phone })
  expect(user.phone).toBe(phone)
  expect(own.texts).toEqual([])
  expect((await own.client().auth.verifyOtp({ phone, token: sms.otp, type: 'sms' })).error).toBeNull()
})

it('send_sms is asked so many times an hour and no more, whoever asks for codes and for which numbers: texts cost money', async () => {
  const own = await openWith('sendSms', { settings: { sms: { enabled: true, enableSignup: true }, rateLimits: { ...defaultAuthSettings.rateLimits, smsSent: 3 } } })
  const ask = (index: number) => own.ask('/otp', { method: 'POST', body: { phone: freshPhone() }, ip: `198.51.100.${index}` })
  const statuses = []
  for (let index = 0; index < 5; index += 1) statuses.push((await ask(index)).status)
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

it('the log names a hook that failed without what its address or its question hold', async () => {
  const own = await openWith('sendEmail')
  answers = [() => ({ status: 500 })]
  const email = freshEmail()
  await own.client().auth.signInWithOtp({ email })
  const log = own.logged.join('\n')
  expect(log).toContain('auth hook failed')
  expect(log).not.toContain('in-the-address')
  expect(log).not.toContain(secret)
  expect(log).not.toContain((bodyAt(0) as unknown as { email_data: { token: string } }).email_data.token)
})
