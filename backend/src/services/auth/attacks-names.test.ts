import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#database/sql.ts'

import { freshEmail, freshPhone, openTestAuth, signUpPerson, testPassword, type TestAuth } from './open-test-auth.ts'

// Two spellings of one name, or one of two: whoever is written to is who comes in, and nobody else.

const fixed = '4915100000001'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { sms: { enabled: true, enableSignup: true, testOtp: { [fixed]: '123456' } } } })
})
afterAll(() => auth.close())

const post = async (path: string, body: unknown) => {
  const answer = await auth.ask(path, { method: 'POST', body })
  return { status: answer.status, ...((await answer.json()) as { code?: string; user?: { id: string } }) }
}

describe('an address', () => {
  it('is one whatever the case of its letters', async () => {
    const { user } = await signUpPerson(auth, 'mike.case@example.com')
    expect(await post('/recover', { email: 'Mike.Case@Example.COM' })).toMatchObject({ status: 200 })
    expect(auth.letters.at(-1)).toMatchObject({ to: 'mike.case@example.com', kind: 'recovery' })
    const { data } = await auth.client().auth.signInWithPassword({ email: 'MIKE.case@EXAMPLE.com', password: testPassword })
    expect(data.user?.id).toBe(user.id)
    const { error } = await auth.admin().auth.admin.createUser({ email: 'mike.CASE@example.com' })
    expect(error?.code).toBe('email_exists')
  })

  it.each([
    ['a Kelvin sign for a k', 'mi\u212ae@example.com'],
    ['a dotless i', 'm\u0131ke@example.com'],
    ['a long s', 'u\u017fer@example.com'],
    ['a Cyrillic letter', 'm\u0438ke@example.com'],
    ['full-width letters', '\uff4dike@example.com'],
    ['a full-width at sign', 'mike\uff20example.com'],
    ['another host after a full stop of another script', 'mike@example\u3002com'],
    ['a soft hyphen', 'mi\u00adke@example.com'],
    ['a mark of direction', '\u202emike@example.com'],
    ['two addresses', 'mike@example.com,eve@evil.example'],
    ['two addresses on two lines', 'mike@example.com\neve@evil.example'],
    ['a header', 'mike@example.com\r\nBcc: eve@evil.example'],
    ['a name in front', 'Mike <mike@example.com>'],
    ['two hosts', 'mike@example.com@evil.example'],
    ['a quoted name', '"mike@example.com"@evil.example'],
    ['blanks', ' mike@example.com'],
    ['a comment', 'mike(eve)@example.com'],
    ['an address of this network', 'mike@[127.0.0.1]'],
    ['a route', '@evil.example:mike@example.com'],
  ])('with %s is none, wherever one may be given', async (_, email) => {
    const { client, session } = await signUpPerson(auth)
    for (const [path, body] of [
      ['/signup', { email, password: testPassword }], ['/otp', { email }], ['/magiclink', { email }], ['/recover', { email }], ['/resend', { email, type: 'signup' }],
      ['/verify', { email, type: 'email', token: '123456' }],
    ] as const) expect(await post(path, body), path).toMatchObject({ status: 400, code: 'validation_failed' })
    expect((await client.auth.updateUser({ email })).error?.code).toBe('validation_failed')
    expect((await auth.admin().auth.admin.inviteUserByEmail(email)).error?.code).toBe('validation_failed')
    expect((await auth.admin().auth.admin.createUser({ email })).error?.code).toBe('validation_failed')
    expect(auth.letters.some(({ to }) => to === email || to.includes('evil'))).toBe(false)
    expect(session.user.email).not.toBe(email)
  })
})

describe('a number', () => {
  it('is one in all spellings that are taken, and the others are refused', async () => {
    const phone = freshPhone()
    await post('/signup', { phone: `+${phone}`, password: testPassword })
    const { user } = await post('/verify', { type: 'sms', phone: `+${phone.slice(0, 2)} ${phone.slice(2)}`, token: auth.codeTo(phone) })
    expect(user?.id).toBeDefined()
    for (const spelling of [phone, `+${phone}`, `+${phone.slice(0, 4)} ${phone.slice(4)}`]) {
      expect((await post('/token?grant_type=password', { phone: spelling, password: testPassword })).user?.id, spelling).toBe(user?.id)
    }
    const others = [
      `00${phone}`, `0${phone}`, `++${phone}`, `+0${phone}`, `+(${phone.slice(0, 2)})${phone.slice(2)}`, `+${phone.slice(0, 5)}-${phone.slice(5)}`, `\uff0b${phone}`, `+${phone}#1`, `+${phone};ext=1`,
      `+${phone},4917`, `${phone}\n4917`, `+${[...phone].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join('')}`, `tel:+${phone}`, `+${phone}${'0'.repeat(10)}`, 'anonymous', '+', '+4',
    ]
    for (const spelling of others) {
      expect(await post('/otp', { phone: spelling }), spelling).toMatchObject({ status: 400, code: 'validation_failed' })
      expect(await post('/signup', { phone: spelling, password: testPassword }), spelling).toMatchObject({ status: 400, code: 'validation_failed' })
    }
    const { count } = await auth.database.asAdmin('supabase_auth_admin', (tx) => tx.one<{ count: string }>(sql`select count(*) from auth.users where phone like ${`%${phone.slice(3)}%`}`))
    expect(Number(count)).toBe(1)
  })

  it('with a code set down in the settings is sent nothing, and that code opens no other number', async () => {
    await post('/otp', { phone: fixed })
    expect(auth.texts.some(({ to }) => to === fixed)).toBe(false)
    const other = freshPhone()
    await post('/otp', { phone: other })
    expect(await post('/verify', { type: 'sms', phone: other, token: auth.codeTo(other) === '123456' ? '000000' : '123456' })).toMatchObject({ status: 403, code: 'otp_expired' })
    for (const phone of ['__proto__', 'constructor', 'toString']) expect((await post('/verify', { type: 'sms', phone, token: '123456' })).status, phone).toBe(400)
    expect((await post('/verify', { type: 'sms', phone: fixed, token: '123456' })).status).toBe(200)
  })
})

it('who has one person\'s code for one address does not come in by it at another', async () => {
  const [mine, theirs] = [freshEmail(), freshEmail()]
  await post('/otp', { email: mine })
  await post('/otp', { email: theirs })
  const { Token: token = '' } = auth.letterTo(mine).variables
  if (token !== auth.letterTo(theirs).variables.Token) expect(await post('/verify', { type: 'email', email: theirs, token })).toMatchObject({ status: 403 })
  // A code and an address that are cut elsewhere make the same text: "a@b.c1" and "23456", "a@b.c" and "123456".
  expect((await post('/verify', { type: 'email', email: `${mine}${token.slice(0, 1)}`, token: token.slice(1) })).status).not.toBe(200)
  expect(await post('/verify', { type: 'email', email: mine, token })).toMatchObject({ status: 200 })
})
