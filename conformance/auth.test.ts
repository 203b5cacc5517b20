import { describe, expect, test } from 'vitest'
import { adminClient, client, newestMail, person, target } from './target.ts'

let count = 0
const address = () => `new-${process.pid}-${Date.now()}-${++count}@conformance.example`
const password = 'a-long-enough-password'
const linkOf = (html: string) => (/href="([^"]*token(?:_hash)?=[^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')
const codeOf = (text: string) => /\b(\d{6})\b/.exec(text.replace(/(\d{3}) (\d{3})/g, '$1$2'))?.[1] ?? ''

describe('sign-up', () => {
  test('gives no session before the address is confirmed, and one after, by the code of the mail', async () => {
    const email = address()
    const own = client()
    const signedUp = await own.auth.signUp({ email, password, options: { data: { full_name: 'New Person' } } })
    expect(signedUp.error).toBeNull()
    expect(signedUp.data.session).toBeNull()
    expect((await own.auth.signInWithPassword({ email, password })).error?.code).toBe('email_not_confirmed')
    const verified = await own.auth.verifyOtp({ email, token: codeOf((await newestMail(email)).text), type: 'signup' })
    expect(verified.error).toBeNull()
    expect(verified.data.user).toMatchObject({ email, user_metadata: { full_name: 'New Person' }, role: 'authenticated' })
    expect((await own.from('notes').select()).error).toBeNull()
  })

  test('the link of the mail works by its hash on any device, once', async () => {
    const email = address()
    await client().auth.signUp({ email, password })
    const link = new URL(linkOf((await newestMail(email)).html))
    const hash = link.searchParams.get('token_hash') ?? link.searchParams.get('token') ?? ''
    const elsewhere = client()
    expect((await elsewhere.auth.verifyOtp({ token_hash: hash, type: 'signup' })).data.session).not.toBeNull()
    expect((await client().auth.verifyOtp({ token_hash: hash, type: 'signup' })).error).toMatchObject({ status: 403, code: 'otp_expired' })
  })

  test('for an address that is taken it answers as for a new one', async () => {
    const taken = await person()
    const { data, error } = await client().auth.signUp({ email: taken.email, password: 'another-password-1' })
    expect(error).toBeNull()
    expect(data.user?.identities).toEqual([])
    expect(data.user?.id).not.toBe(taken.id)
    expect((await client().auth.signInWithPassword({ email: taken.email, password: 'another-password-1' })).error?.code).toBe('invalid_credentials')
  })

  test('a weak password is refused with its reasons', async () => {
    const { error } = await client().auth.signUp({ email: address(), password: 'abc' })
    expect(error).toMatchObject({ status: 422, code: 'weak_password', reasons: ['length'] })
  })
})

describe('sessions', () => {
  test('an unknown address and a wrong password read the same', async () => {
    const known = await person()
    const wrong = await client().auth.signInWithPassword({ email: known.email, password: 'not-the-password' })
    const unknown = await client().auth.signInWithPassword({ email: address(), password: 'not-the-password' })
    for (const { error } of [wrong, unknown]) expect(error).toMatchObject({ status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' })
  })

  test('two that refresh the same token at once both stay signed in', async () => {
    const { client: own } = await person()
    const first = (await own.auth.getSession()).data.session
    let token = first?.refresh_token ?? ''
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([client().auth.refreshSession({ refresh_token: token }), client().auth.refreshSession({ refresh_token: token })])
      for (const { error } of answers) expect(error).toBeNull()
      expect(answers[0].data.session?.refresh_token).toBe(answers[1].data.session?.refresh_token)
      token = answers[0].data.session?.refresh_token ?? ''
    }
  })

  test('a refresh token from two turns ago ends the session for whoever holds it', async () => {
    const { client: own } = await person()
    const oldest = (await own.auth.getSession()).data.session?.refresh_token ?? ''
    const second = (await client().auth.refreshSession({ refresh_token: oldest })).data.session?.refresh_token ?? ''
    const third = (await client().auth.refreshSession({ refresh_token: second })).data.session?.refresh_token ?? ''
    // Past the interval in which a reuse is taken for a race.
    await new Promise((resolve) => setTimeout(resolve, 10_500))
    expect((await client().auth.refreshSession({ refresh_token: oldest })).error?.code).toBe('refresh_token_already_used')
    expect((await client().auth.refreshSession({ refresh_token: third })).error).not.toBeNull()
  })

  test('signing out elsewhere ends the other sessions and keeps this one', async () => {
    const here = await person()
    const there = client()
    await there.auth.signInWithPassword({ email: here.email, password: here.password })
    expect((await here.client.auth.signOut({ scope: 'others' })).error).toBeNull()
    expect((await there.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await here.client.auth.getUser()).data.user?.id).toBe(here.id)
  })

  test('a new password ends the other sessions, and the old one no longer opens the door', async () => {
    const here = await person()
    const there = client()
    await there.auth.signInWithPassword({ email: here.email, password: here.password })
    expect((await here.client.auth.updateUser({ password: 'the-next-long-password' })).error).toBeNull()
    expect((await there.auth.refreshSession()).error).not.toBeNull()
    expect((await client().auth.signInWithPassword({ email: here.email, password: here.password })).error?.code).toBe('invalid_credentials')
  })
})

describe('mail', () => {
  test('a recovery code opens the way to a new password', async () => {
    const forgetful = await person()
    expect((await client().auth.resetPasswordForEmail(forgetful.email)).error).toBeNull()
    const own = client()
    const { error } = await own.auth.verifyOtp({ email: forgetful.email, token: codeOf((await newestMail(forgetful.email)).text), type: 'recovery' })
    expect(error).toBeNull()
    expect((await own.auth.updateUser({ password: 'remembered-this-time' })).error).toBeNull()
  })

  test('recovery says the same for an address nobody has', async () => {
    const { data, error } = await client().auth.resetPasswordForEmail(address())
    expect([data, error]).toEqual([{}, null])
  })

  test('a link never leads where the project does not allow', async () => {
    const one = await person()
    for (const redirectTo of ['https://evil.example/', '//evil.example', 'https://app.example@evil.example/', 'https://app.example.evil.example/', 'javascript:alert(1)', 'https:\\\\evil.example']) {
      await client().auth.signInWithOtp({ email: one.email, options: { emailRedirectTo: redirectTo, shouldCreateUser: false } })
      await new Promise((resolve) => setTimeout(resolve, 1100))
    }
    const list = (await fetch(`${target().MAILBOX_URL}/api/v1/messages?limit=500`).then((answer) => answer.json())) as { messages: { ID: string; To: { Address: string }[] }[] }
    const mails = await Promise.all(list.messages.filter((mail) => mail.To[0]?.Address === one.email).map((mail) => fetch(`${target().MAILBOX_URL}/api/v1/message/${mail.ID}`).then((answer) => answer.text())))
    expect(mails.length).toBeGreaterThan(0)
    for (const mail of mails) expect(mail).not.toContain('evil.example')
  })
})

describe('administration', () => {
  test('users are created, listed, changed and removed with the secret key alone', async () => {
    const admin = adminClient().auth.admin
    const email = address()
    const made = await admin.createUser({ email, password, email_confirm: true, user_metadata: { a: 1 } })
    expect(made.data.user).toMatchObject({ email, user_metadata: { a: 1 } })
    const id = made.data.user?.id ?? ''
    expect((await admin.listUsers()).data.users.some((user) => user.id === id)).toBe(true)
    expect((await admin.updateUserById(id, { ban_duration: '1h' })).error).toBeNull()
    expect((await client().auth.signInWithPassword({ email, password })).error?.code).toBe('user_banned')
    const { API_URL, SECRET_KEY } = target()
    // As a command-line client sends it: a JSON content type and no body.
    const removed = await fetch(`${API_URL}/auth/v1/admin/users/${id}`, { method: 'DELETE', headers: { apikey: SECRET_KEY, 'content-type': 'application/json' } })
    expect(removed.status).toBe(200)
    expect((await admin.getUserById(id)).error?.code).toBe('user_not_found')
    // The client's admin calls carry the browser's key, not the person's token.
    expect((await (await person()).client.auth.admin.listUsers()).error?.status).toBe(401)
  })
})
