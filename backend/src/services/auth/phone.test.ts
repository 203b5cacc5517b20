import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { defaultAuthSettings } from './settings.ts'
import { freshEmail, freshPhone, openTestAuth, signUpPerson, testPassword, type TestAuth } from './open-test-auth.ts'

let auth: TestAuth

beforeAll(async () => {
  auth = await openTestAuth({
    settings: {
      enableAnonymousSignIns: true,
      sms: { enabled: true, enableSignup: true, testOtp: { '491700000000': '123456' } },
      password: { minLength: 6, requiredCharacters: [], requireReauthentication: true, requireCurrentPassword: false },
      email: { notifications: ['phone_changed', 'identity_linked'] },
    },
  })
})
afterAll(() => auth.close())

/** Somebody who signed up with a number and confirmed it. */
async function personByPhone(phone = freshPhone()) {
  const client = auth.client()
  await client.auth.signUp({ phone: `+${phone}`, password: testPassword })
  const { data, error } = await client.auth.verifyOtp({ phone, token: auth.codeTo(phone), type: 'sms' })
  if (error || !data.user) throw error ?? new Error('no user')
  return { client, phone, user: data.user }
}

describe('a phone number', () => {
  it('signs up with a password, is texted a code, and comes in with it', async () => {
    const phone = freshPhone()
    const client = auth.client()
    const { data, error } = await client.auth.signUp({ phone: `+${phone}`, password: testPassword })
    expect(error).toBeNull()
    expect(data.session).toBeNull()
    expect(data.user).toMatchObject({ phone, email: '', identities: [expect.objectContaining({ provider: 'phone' })] })
    expect(auth.texts.at(-1)).toEqual({ to: phone, message: `Your code is ${auth.codeTo(phone)}`, channel: 'sms', code: expect.stringMatching(/^\d{6}$/) })

    expect((await client.auth.signInWithPassword({ phone, password: testPassword })).error?.code).toBe('phone_not_confirmed')
    const verified = await client.auth.verifyOtp({ phone, token: auth.codeTo(phone), type: 'sms' })
    expect(verified.error).toBeNull()
    expect(verified.data.user?.phone_confirmed_at).toBeTruthy()
    expect(verified.data.user?.app_metadata).toMatchObject({ provider: 'phone', providers: ['phone'] })
    expect((await auth.client().auth.signInWithPassword({ phone, password: testPassword })).error).toBeNull()
  })

  it('signs in by code, new and known numbers alike', async () => {
    const phone = freshPhone()
    const first = await auth.client().auth.signInWithOtp({ phone })
    expect(first).toMatchObject({ error: null, data: { messageId: expect.any(String) } })
    const client = auth.client()
    const { data } = await client.auth.verifyOtp({ phone, token: auth.codeTo(phone), type: 'sms' })
    auth.clock.advance(61)
    const second = await auth.client().auth.signInWithOtp({ phone })
    expect(second).toMatchObject({ error: null, data: { messageId: expect.any(String) } })
    const again = await client.auth.verifyOtp({ phone, token: auth.codeTo(phone), type: 'sms' })
    expect(again.data.user?.id).toBe(data.user?.id)
  })

  it('refuses a code that is wrong, used, replaced or too old, always in the same words', async () => {
    const phone = freshPhone()
    const client = auth.client()
    await client.auth.signInWithOtp({ phone })
    const first = auth.codeTo(phone)
    auth.clock.advance(61)
    const tries = [await client.auth.verifyOtp({ phone, token: first, type: 'sms' })]
    await client.auth.signInWithOtp({ phone })
    const second = auth.codeTo(phone)
    if (first !== second) tries.push(await client.auth.verifyOtp({ phone, token: first, type: 'sms' }))
    await client.auth.verifyOtp({ phone, token: second, type: 'sms' })
    tries.push(await client.auth.verifyOtp({ phone, token: second, type: 'sms' }), await client.auth.verifyOtp({ phone: freshPhone(), token: second, type: 'sms' }))
    for (const { error } of tries) expect(error).toMatchObject({ status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' })
  })

  it('is not texted again within the interval, nor told whether it is known', async () => {
    const { phone } = await personByPhone()
    auth.clock.advance(61)
    const ask = (number: string) => auth.client().auth.resend({ type: 'sms', phone: number })
    for (const number of [phone, freshPhone()]) {
      expect((await ask(number)).error).toBeNull()
      expect((await ask(number)).error).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' })
    }
    expect((await auth.client().auth.signInWithOtp({ phone: freshPhone(), options: { shouldCreateUser: false } })).error?.code).toBe('otp_disabled')
  })

  it('is sent its open code again', async () => {
    const phone = freshPhone()
    await auth.client().auth.signUp({ phone, password: testPassword })
    auth.clock.advance(61)
    const { data, error } = await auth.client().auth.resend({ type: 'sms', phone })
    expect(error).toBeNull()
    expect(data.messageId).toBeTruthy()
    expect((await auth.client().auth.verifyOtp({ phone, token: auth.codeTo(phone), type: 'sms' })).error).toBeNull()
  })

  it('that signed up before is answered like a new one', async () => {
    const { phone, user } = await personByPhone()
    const texts = auth.texts.length
    const { data, error } = await auth.client().auth.signUp({ phone, password: 'another password' })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ phone, identities: [] })
    expect(data.user?.id).not.toBe(user.id)
    expect(auth.texts).toHaveLength(texts)
  })

  it('travels by WhatsApp when it is asked to, and no other way', async () => {
    const phone = freshPhone()
    expect((await auth.client().auth.signInWithOtp({ phone, options: { channel: 'whatsapp' } })).error).toBeNull()
    expect(auth.texts.at(-1)?.channel).toBe('whatsapp')
    const refused = await auth.ask('/otp', { method: 'POST', body: { phone: freshPhone(), channel: 'pigeon' } })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ code: 'validation_failed', message: expect.stringContaining('Invalid channel') })
  })

  it('with a fixed code is sent nothing', async () => {
    const before = auth.texts.length
    const { data } = await auth.client().auth.signInWithOtp({ phone: '+491700000000' })
    expect(data.messageId).toBe('test-otp')
    expect(auth.texts).toHaveLength(before)
    expect((await auth.client().auth.verifyOtp({ phone: '491700000000', token: '123457', type: 'sms' })).error?.code).toBe('otp_expired')
    expect((await auth.client().auth.verifyOtp({ phone: '491700000000', token: '123456', type: 'sms' })).error).toBeNull()
  })

  it('of a mail code is none: the two kinds of code never stand for each other', async () => {
    const { phone } = await personByPhone()
    for (const body of [{ type: 'signup', phone, token: '123456' }, { type: 'sms', email: 'ada@example.com', token: '123456' }]) {
      const answer = await auth.ask('/verify', { method: 'POST', body })
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ code: 'otp_expired' })
    }
  })
})

describe('a new phone number', () => {
  it('waits until its code is typed, and is then said to the mailbox', async () => {
    const { client, email } = await signUpPerson(auth)
    const phone = freshPhone()
    const { data } = await client.auth.updateUser({ phone })
    expect(data.user).toMatchObject({ phone: '', new_phone: phone })
    auth.clock.advance(61)
    expect((await auth.client().auth.resend({ type: 'phone_change', phone })).error).toBeNull()
    const done = await client.auth.verifyOtp({ phone, token: auth.codeTo(phone), type: 'phone_change' })
    expect(done.error).toBeNull()
    expect(done.data.user).toMatchObject({ phone, email })
    expect(done.data.user?.new_phone).toBeUndefined()
    expect(done.data.user?.identities?.map(({ provider }) => provider)).toEqual(['email', 'phone'])
    expect(auth.letters.filter(({ to }) => to === email).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['phone_changed', 'identity_linked']))
  })

  it('goes to who got the code, not to who asked for it first', async () => {
    const [early, late] = [await signUpPerson(auth), await signUpPerson(auth)]
    const phone = freshPhone()
    await early.client.auth.updateUser({ phone })
    const first = auth.codeTo(phone)
    await late.client.auth.updateUser({ phone })
    const { data } = await auth.client().auth.verifyOtp({ phone, token: first, type: 'phone_change' })
    expect(data.user?.id).toBe(early.user.id)
    const taken = await auth.client().auth.verifyOtp({ phone, token: auth.codeTo(phone), type: 'phone_change' })
    expect(taken.error?.code).toBe('phone_exists')
    expect((await late.client.auth.updateUser({ phone })).error?.code).toBe('phone_exists')
  })

  it('makes a guest a person', async () => {
    const client = auth.client()
    const { data: guest } = await client.auth.signInAnonymously()
    const phone = freshPhone()
    await client.auth.updateUser({ phone })
    const { data } = await client.auth.verifyOtp({ phone, token: auth.codeTo(phone), type: 'phone_change' })
    expect(data.user).toMatchObject({ id: guest.user?.id, phone, is_anonymous: false })
  })

  it('holds the code that a new password asks for', async () => {
    const { client, phone } = await personByPhone()
    auth.clock.advance(25 * 3600)
    await client.auth.signInWithPassword({ phone, password: testPassword })
    auth.clock.advance(25 * 3600)
    const { data: session } = await client.auth.refreshSession()
    expect(session.session).toBeTruthy()
    expect((await client.auth.updateUser({ password: 'a newer password' })).error?.code).toBe('reauthentication_needed')
    expect((await client.auth.reauthenticate()).error).toBeNull()
    expect((await client.auth.updateUser({ password: 'a newer password', nonce: '000000' })).error?.code).toBe('reauthentication_not_valid')
    expect((await client.auth.updateUser({ password: 'a newer password', nonce: auth.codeTo(phone) })).error).toBeNull()
  })
})

it('a text that cannot be sent is told with the words of the provider, and may be asked for again at once', async () => {
  let isDown = true
  const own = await openTestAuth({
    database: auth.database,
    settings: { sms: { enabled: true, enableSignup: true } },
    sender: { channels: ['sms'], send: async () => (isDown ? Promise.reject(new Error('out of credit')) : { messageId: 'one' }) },
  })
  const phone = freshPhone()
  const failed = await own.client().auth.signInWithOtp({ phone })
  expect(failed.error).toMatchObject({ status: 422, code: 'sms_send_failed', message: 'Error sending confirmation OTP to provider: out of credit' })
  isDown = false
  expect((await own.client().auth.signInWithOtp({ phone })).data.messageId).toBe('one')
  expect((await own.client().auth.signInWithOtp({ phone: freshPhone(), options: { channel: 'whatsapp' } })).error?.code).toBe('validation_failed')
})

it('a provider that makes up its own codes is asked about them', async () => {
  const asked: string[] = []
  const own = await openTestAuth({
    database: auth.database,
    settings: { sms: { enabled: true, enableSignup: true } },
    sender: { channels: ['sms', 'whatsapp'], send: async () => ({ messageId: 'one' }), check: async ({ to, code }) => asked.push(to) > 0 && code === '424242' },
  })
  const phone = freshPhone()
  expect((await own.client().auth.verifyOtp({ phone, token: '424242', type: 'sms' })).error?.code).toBe('otp_expired')
  await own.client().auth.signInWithOtp({ phone })
  expect((await own.client().auth.verifyOtp({ phone, token: '111111', type: 'sms' })).error?.code).toBe('otp_expired')
  expect((await own.client().auth.verifyOtp({ phone, token: '424242', type: 'sms' })).error).toBeNull()
  expect(asked).toEqual([phone, phone, phone])
})

it('the texts of the hour are counted where a provider takes them', async () => {
  const own = await openTestAuth({
    database: auth.database,
    settings: { sms: { enabled: true, enableSignup: true, provider: 'twilio' }, rateLimits: { ...defaultAuthSettings.rateLimits, smsSent: 2 } },
  })
  for (const code of [undefined, undefined, 'over_sms_send_rate_limit']) expect((await own.client().auth.signInWithOtp({ phone: freshPhone() })).error?.code).toBe(code)
})

it('phones that are switched off are refused at every door', async () => {
  const own = await openTestAuth({ database: auth.database })
  const phone = freshPhone()
  const { client } = await signUpPerson(own, freshEmail())
  const answers = [
    (await own.client().auth.signUp({ phone, password: testPassword })).error,
    (await own.client().auth.signInWithOtp({ phone })).error,
    (await own.client().auth.signInWithPassword({ phone, password: testPassword })).error,
    (await own.client().auth.resend({ type: 'sms', phone })).error,
    (await client.auth.updateUser({ phone })).error,
  ]
  for (const error of answers) expect(error?.code).toBe('phone_provider_disabled')
})
