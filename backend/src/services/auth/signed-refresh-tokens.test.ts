import { createHash, createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openTestDatabase } from '#database/open-test-database.ts'
import { sql } from '#database/sql.ts'

import { appCode, enrollPerson } from './factors/testing.ts'
import { freshEmail, openTestAuth, testPassword, type TestAuth } from './open-test-auth.ts'
import { newTokenKey, readRefreshToken, signRefreshToken } from './signed-refresh-token.ts'

describe('a signed refresh token', () => {
  const key = Buffer.alloc(32, 7).toString('base64url')
  const sessionId = '01020304-0506-4708-890a-0b0c0d0e0f10'

  it('is written byte for byte as the hosted backend writes it', () => {
    const message = Buffer.from('000102030405064708890a0b0c0d0e0f10ac02', 'hex')
    const signed = Buffer.concat([message, createHmac('sha256', Buffer.alloc(32, 7)).update(message).digest().subarray(0, 16)])
    const whole = Buffer.concat([signed, createHash('sha256').update(signed).digest().subarray(0, 4)])
    expect(signRefreshToken({ sessionId, counter: 300n }, key)).toBe(whole.toString('base64url'))
  })

  it.each([0n, 1n, 127n, 128n, 300n, 2n ** 62n])('with the number %d is read back, and believed with its session\'s key alone', (counter) => {
    const claimed = readRefreshToken(signRefreshToken({ sessionId, counter }, key))
    expect(claimed).toMatchObject({ sessionId, counter })
    expect([claimed?.isSignedWith(key), claimed?.isSignedWith(newTokenKey())]).toEqual([true, false])
  })

  it('that is torn, longer, spelled otherwise or of another version is none', () => {
    const token = signRefreshToken({ sessionId, counter: 5n }, key)
    const flipped = (at: number) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    for (const bad of ['', 'A', token.slice(1), token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`, token.repeat(3), flipped(0), flipped(10), flipped(24), flipped(40), flipped(token.length - 2), 'A'.repeat(51)]) {
      expect(readRefreshToken(bad), bad).toBeUndefined()
    }
  })
})

let auth: TestAuth
let first: TestAuth
beforeAll(async () => {
  const database = await openTestDatabase()
  const open = (version: 1 | 2, upgradePercentage = 0) =>
    openTestAuth({ database, settings: { email: { enableConfirmations: false }, refreshTokenReuseIntervalSeconds: 300, refreshTokens: { version, upgradePercentage, allowReuse: false } } })
  auth = await open(2, 100)
  first = await open(1)
})
afterAll(() => auth.database.close())

async function signIn(box = auth): Promise<string> {
  const { data, error } = await box.client().auth.signUp({ email: freshEmail(), password: testPassword })
  if (error) throw error
  return data.session!.refresh_token
}

interface Answer {
  status: number
  token: string
  code: string | undefined
  message: string | undefined
  counter: string | null
  reuse: string | null
  cause: string | null
  rotated: string | null
}

async function refresh(token: string, box = auth): Promise<Answer> {
  const answer = await box.ask('/token?grant_type=refresh_token', { method: 'POST', body: { refresh_token: token } })
  const body = (await answer.json()) as { refresh_token: string; code?: string; message?: string }
  const header = (name: string) => answer.headers.get(`sb-auth-refresh-token-${name}`)
  return { status: answer.status, token: body.refresh_token, code: body.code, message: body.message, counter: header('counter'), reuse: header('reuse'), cause: header('reuse-cause'), rotated: header('rotated') }
}

const sessionOf = (token: string): string => readRefreshToken(token)?.sessionId ?? ''
const keyOf = (token: string) =>
  auth.database.asAdmin('supabase_auth_admin', (tx) =>
    tx.one<{ key: string; counter: string; rows: number }>(sql`
      select s.refresh_token_hmac_key as key, s.refresh_token_counter::text as counter,
        (select count(*)::int from auth.refresh_tokens t where t.session_id = s.id) as rows
      from auth.sessions s where s.id = ${sessionOf(token)}`),
  )

describe('refreshing by signed tokens', () => {
  it('counts on in the session\'s row, without a row for each', async () => {
    const token = await signIn()
    const next = await refresh(token)
    expect(next).toMatchObject({ status: 200, counter: '1', reuse: 'false', cause: null })
    expect(await refresh(next.token)).toMatchObject({ status: 200, counter: '2' })
    expect(await keyOf(token)).toMatchObject({ counter: '2', rows: 0 })
  })

  it('gives the last token again to the one before it, however late: the answer may have been lost', async () => {
    const token = await signIn()
    const next = await refresh(token)
    auth.clock.advance(3600)
    expect(await refresh(token)).toMatchObject({ status: 200, token: next.token, counter: '1', reuse: 'true', cause: 'fail-to-save' })
    expect(await refresh(next.token)).toMatchObject({ status: 200, counter: '2', reuse: 'false' })
  })

  it('forgives an older one for the reuse interval, then ends the session for the thief and for the owner', async () => {
    const stolen = await signIn()
    const second = await refresh(stolen)
    const third = await refresh(second.token)
    expect(await refresh(stolen)).toMatchObject({ status: 200, token: third.token, cause: 'concurrent-refresh' })
    auth.clock.advance(301)
    expect(await refresh(stolen)).toMatchObject({ status: 400, code: 'refresh_token_already_used', rotated: 'true' })
    for (const token of [stolen, second.token, third.token]) expect(await refresh(token)).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
  })

  it('gives racing requests one token', async () => {
    const token = await signIn()
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map((answer) => answer.token)).size).toBe(1)
  })

  it('lets old ones pass for ever, or refuses them and no more, where the project says so', async () => {
    const settings = { email: { enableConfirmations: false }, refreshTokens: { version: 2 as const, upgradePercentage: 0, allowReuse: true } }
    const lax = await openTestAuth({ database: auth.database, settings })
    const still = await openTestAuth({ database: auth.database, settings: { ...settings, refreshTokens: { ...settings.refreshTokens, allowReuse: false }, refreshTokenRotation: false } })
    const token = await signIn()
    const last = (await refresh((await refresh(token)).token)).token
    lax.clock.advance(86_400)
    still.clock.advance(86_400)
    expect(await refresh(token, lax)).toMatchObject({ status: 200, token: last, cause: 'always-allow' })
    still.clock.advance(86_400)
    expect(await refresh(token, still)).toMatchObject({ status: 400, code: 'refresh_token_already_used', rotated: null })
    expect((await refresh(last, still)).status).toBe(200)
  })

  it('believes no number that was never issued, no other session\'s key, and nobody\'s session', async () => {
    const token = await signIn()
    const { key } = await keyOf(token)
    const forged = (sessionId: string, counter: bigint, by: string) => signRefreshToken({ sessionId, counter }, by)
    expect(await refresh(forged(sessionOf(token), 9n, key))).toMatchObject({ status: 400, code: 'validation_failed', message: 'Invalid Refresh Token: Not Issued By This Server' })
    const unknown = { status: 400, code: 'refresh_token_not_found' }
    expect(await refresh(forged(sessionOf(token), 0n, newTokenKey()))).toMatchObject(unknown)
    expect(await refresh(forged(sessionOf(await signIn()), 0n, key))).toMatchObject(unknown)
    expect(await refresh(forged('01020304-0506-4708-890a-0b0c0d0e0f10', 0n, key))).toMatchObject(unknown)
    expect((await refresh(token)).status).toBe(200)
  })

  it('knows no token from before the second factor, and does not end the session of who sends one', async () => {
    const { email, factorId, secret } = await enrollPerson(await openTestAuth({ database: auth.database }))
    const client = auth.client()
    const { data } = await client.auth.signInWithPassword({ email, password: testPassword })
    const before = data.session!.refresh_token
    auth.clock.advance(120)
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code: appCode(auth, secret) })).error).toBeNull()
    expect(await refresh(before)).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
    expect((await client.auth.refreshSession()).error).toBeNull()
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2')
  })
})

describe('a session with tokens of the first kind', () => {
  it('goes over at its next refresh, and a client that lost the answer finds its way', async () => {
    const row = await signIn(first)
    expect(row).toHaveLength(12)
    const signed = await refresh(row)
    expect(signed).toMatchObject({ status: 200, counter: '0', reuse: 'false' })
    expect(await keyOf(signed.token)).toMatchObject({ counter: '0', rows: 1 })
    auth.clock.advance(3600)
    expect(await refresh(row)).toMatchObject({ status: 200, token: signed.token, cause: 'fail-to-save' })
    expect(await refresh(signed.token)).toMatchObject({ status: 200, counter: '1' })
    // Switched back, what was signed is traded on.
    expect(await refresh((await refresh(signed.token)).token, first)).toMatchObject({ status: 200, counter: '2' })
  })

  it('ends when an old token of the first kind is used after it went over', async () => {
    const row = await signIn(first)
    const signed = await refresh(row)
    const next = await refresh(signed.token)
    expect(await refresh(row)).toMatchObject({ status: 200, token: next.token, cause: 'concurrent-refresh' })
    auth.clock.advance(301)
    expect(await refresh(row)).toMatchObject({ status: 400, code: 'refresh_token_already_used', rotated: 'true' })
    expect(await refresh(next.token)).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
  })

  it('goes over in that share of sessions the project wants, the same ones each time', async () => {
    const half = await openTestAuth({ database: auth.database, settings: { refreshTokens: { version: 2, upgradePercentage: 50, allowReuse: false } } })
    for (let tried = 0; tried < 6; tried += 1) {
      const { data } = await first.client().auth.signUp({ email: freshEmail(), password: testPassword })
      const { session_id: id } = JSON.parse(Buffer.from(data.session!.access_token.split('.')[1] ?? '', 'base64url').toString()) as { session_id: string }
      const isChosen = crc32(Buffer.from(id.replaceAll('-', ''), 'hex')) % 100 < 50
      const again = await refresh(data.session!.refresh_token, half)
      expect(again.token.length > 12).toBe(isChosen)
      expect((await refresh(again.token, half)).token.length > 12).toBe(isChosen)
    }
  })
})
