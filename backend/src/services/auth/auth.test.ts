import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openTestAuth, type TestAuth } from './open-test-auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { appOrigins: ['http://127.0.0.1:54321'] } })
})
afterAll(() => auth.close())

let count = 0
const freshEmail = () => `person-${(count += 1)}@example.com`
const password = 'correct horse battery'

describe('signing up with an address', () => {
  it('waits for the mailed code, then signs in', async () => {
    const email = freshEmail()
    const client = auth.client()
    const { data, error } = await client.auth.signUp({ email, password, options: { data: { name: 'Ada' } } })
    expect(error).toBeNull()
    expect(data.session).toBeNull()
    expect(data.user?.user_metadata).toMatchObject({ name: 'Ada', email, email_verified: false })
    expect(data.user?.identities).toHaveLength(1)

    const early = await client.auth.signInWithPassword({ email, password })
    expect(early.error).toMatchObject({ status: 400, code: 'email_not_confirmed' })

    const verified = await client.auth.verifyOtp({ email, token: auth.letterTo(email).variables.Token ?? '', type: 'signup' })
    expect(verified.error).toBeNull()
    expect(verified.data.user?.email_confirmed_at).toBeTruthy()
    expect(verified.data.user?.user_metadata.email_verified).toBe(true)

    const late = await client.auth.signInWithPassword({ email, password })
    expect(late.error).toBeNull()
    expect(late.data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
  })
})
