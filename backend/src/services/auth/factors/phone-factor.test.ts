import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestAuth, signUpPerson, testPassword, type TestAuth } from '#services/auth/open-test-auth.ts'
import { defaultAuthSettings } from '#services/auth/settings.ts'
import { sql } from '#database/sql.ts'

import { defaultFactorSettings } from './settings.ts'
import { appCode } from './testing.ts'

const factors = { ...defaultFactorSettings, phone: { ...defaultFactorSettings.phone, enroll: true, verify: true, template: 'Portico: {{ .Code }}' } }

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { factors, sms: { ...defaultAuthSettings.sms, testOtp: { '491510000000': '123456' } } } })
})
afterAll(() => auth.close())

let numbers = 0
const freshNumber = () => `4915199${String((numbers += 1)).padStart(5, '0')}`

async function personWithPhone(box = auth, phone = freshNumber()) {
  const person = await signUpPerson(box)
  const { data, error } = await person.client.auth.mfa.enroll({ factorType: 'phone', friendlyName: 'mobile', phone: `+${phone}` })
  if (error) throw error
  return { ...person, phone, factorId: data.id, data }
}

describe('a phone as a second factor', () => {
  it('is texted a code that raises the session', async () => {
    const { client, email, phone, factorId, data } = await personWithPhone()
    expect(data).toMatchObject({ type: 'phone', phone: `+${phone}` })
    const { data: challenge } = await client.auth.mfa.challenge({ factorId, channel: 'sms' })
    const text = auth.texts.at(-1)
    expect(text).toMatchObject({ to: phone, channel: 'sms', message: expect.stringMatching(/^Portico: \d{6}$/) })
    const code = text!.message.slice(-6)
    expect((await client.auth.mfa.verify({ factorId, challengeId: challenge!.id, code: code === '000000' ? '111111' : '000000' })).error).toMatchObject({ code: 'mfa_verification_failed', message: 'Invalid MFA Phone code entered' })
    expect((await client.auth.mfa.verify({ factorId, challengeId: challenge!.id, code })).error).toBeNull()
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/phone' }, { method: 'otp' }] })
    expect((await client.auth.mfa.verify({ factorId, challengeId: challenge!.id, code })).error).toMatchObject({ code: 'mfa_ip_address_mismatch' })
    const again = auth.client()
    await again.auth.signInWithPassword({ email, password: testPassword })
    expect((await again.auth.mfa.challenge({ factorId, channel: 'sms' })).error).toMatchObject({ code: 'over_sms_send_rate_limit', status: 429 })
    auth.clock.advance(61)
    expect((await again.auth.mfa.challenge({ factorId, channel: 'sms' })).error).toBeNull()
  })

  it('is texted once when many ask at once', async () => {
    const { client, factorId } = await personWithPhone()
    const sent = auth.texts.length
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.auth.mfa.challenge({ factorId, channel: 'sms' })))
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    expect(auth.texts).toHaveLength(sent + 1)
  })

  it('that was left unfinished is not finished without the second factor the person has had since', async () => {
    const { client, email, phone, factorId } = await personWithPhone()
    const { data: app } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    expect((await client.auth.mfa.challengeAndVerify({ factorId: app!.id, code: appCode(auth, app!.totp.secret) })).error).toBeNull()
    const thief = auth.client()
    await thief.auth.signInWithPassword({ email, password: testPassword })
    const finish = async (by: typeof client) => {
      auth.clock.advance(61)
      const { data: challenge } = await by.auth.mfa.challenge({ factorId, channel: 'sms' })
      expect(auth.texts.at(-1)).toMatchObject({ to: phone })
      return (await by.auth.mfa.verify({ factorId, challengeId: challenge!.id, code: auth.texts.at(-1)!.message.slice(-6) })).error
    }
    expect(await finish(thief)).toMatchObject({ code: 'insufficient_aal', status: 403 })
    expect(await finish(client)).toBeNull()
  })

  it('has its code kept as a hash', async () => {
    const { client, factorId } = await personWithPhone()
    await client.auth.mfa.challenge({ factorId, channel: 'sms' })
    const code = auth.texts.at(-1)!.message.slice(-6)
    const rows = await auth.database.asAdmin('supabase_auth_admin', (tx) => tx.many<{ otp_code: string }>(sql`select otp_code from auth.mfa_challenges where factor_id = ${factorId}`))
    expect(rows[0]?.otp_code).toMatch(/^[0-9a-f]{56}$/)
    expect(auth.logged.join('')).not.toContain(code)
  })

  it('takes a number once it is verified no second time, and one left unfinished anew', async () => {
    const { client, phone, factorId } = await personWithPhone()
    const { data: anew } = await client.auth.mfa.enroll({ factorType: 'phone', friendlyName: 'mobile', phone })
    expect(anew!.id).not.toBe(factorId)
    const { data: challenge } = await client.auth.mfa.challenge({ factorId: anew!.id, channel: 'sms' })
    expect((await client.auth.mfa.verify({ factorId: anew!.id, challengeId: challenge!.id, code: auth.texts.at(-1)!.message.slice(-6) })).error).toBeNull()
    expect((await client.auth.mfa.enroll({ factorType: 'phone', friendlyName: 'again', phone })).error).toMatchObject({ code: 'mfa_verified_factor_exists', status: 422 })
    expect((await client.auth.mfa.enroll({ factorType: 'phone', friendlyName: 'bad', phone: 'nonsense' })).error).toMatchObject({ code: 'validation_failed', status: 400 })
  })

  it('with a fixed code is sent nothing', async () => {
    const { client, factorId } = await personWithPhone(auth, '491510000000')
    const sent = auth.texts.length
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code: '123456' })).error).toBeNull()
    expect(auth.texts).toHaveLength(sent)
  })

  it('says that a text could not be sent, and lets ask again at once', async () => {
    let isBroken = true
    const box = await openTestAuth({ database: auth.database, settings: { factors }, sender: { send: async () => (isBroken ? Promise.reject(new Error('no credit')) : { messageId: '1' }) } })
    const { client, factorId } = await personWithPhone(box)
    expect((await client.auth.mfa.challenge({ factorId, channel: 'sms' })).error).toMatchObject({ code: 'sms_send_failed', status: 422 })
    isBroken = false
    expect((await client.auth.mfa.challenge({ factorId, channel: 'sms' })).error).toBeNull()
    expect((await client.auth.mfa.challenge({ factorId, channel: 'whatsapp' })).error).toMatchObject({ code: 'validation_failed' })
  })

  it('has its code judged by a provider that makes the codes up', async () => {
    const sender = { send: async () => ({ messageId: '1' }), check: async ({ code }: { code: string }) => code === '424242' }
    const box = await openTestAuth({ database: auth.database, settings: { factors }, sender })
    const { client, factorId } = await personWithPhone(box)
    const { data } = await client.auth.mfa.challenge({ factorId, channel: 'sms' })
    expect((await client.auth.mfa.verify({ factorId, challengeId: data!.id, code: '111111' })).error).toMatchObject({ code: 'mfa_verification_failed' })
    expect((await client.auth.mfa.verify({ factorId, challengeId: data!.id, code: '424242' })).error).toBeNull()
    expect((await client.auth.mfa.verify({ factorId, challengeId: data!.id, code: '424242' })).error).toMatchObject({ code: 'mfa_ip_address_mismatch' })
  })
})
