import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { testExtensions, testTemplate } from '#database/open-test-database.ts'
import { findPostgres, startTestCluster } from '#database/postgres/test-cluster.ts'
import { sql } from '#database/sql.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'

import { appCode, askAs, enrollPerson } from './factors/testing.ts'
import { defaultAuthSettings } from './settings.ts'
import { freshEmail, freshPhone, openTestAuth, signUpPerson, testPassword, type TestAuth } from './open-test-auth.ts'
import { newRsaKey, openTestIdp } from './sso/test-idp.ts'

/** A box, and another process over the same rows: a second one at the same time, or the same one after a restart. */
interface Boxes {
  first: TestAuth
  other(): Promise<TestAuth>
  close(): Promise<void>
}

const bin = findPostgres()
const settings = {
  // Slow enough that no slow machine gives a try back.
  rateLimits: { ...defaultAuthSettings.rateLimits, tokenVerifications: 1 },
  email: { maxFrequencySeconds: 3600 },
  sms: { enabled: true, enableSignup: true, maxFrequencySeconds: 3600 },
  saml: { privateKey: newRsaKey(), relayStateSeconds: 120 },
}

async function onePostgres(): Promise<Boxes> {
  const cluster = await startTestCluster(bin as string)
  const open = () => openDatabase({ engine: 'postgres', url: cluster.url('postgres') })
  const databases: Database[] = [await open(), await open()]
  await bootstrap(databases[0] as Database)
  const [first, second] = await Promise.all(databases.map((database) => openTestAuth({ database, settings })))
  return {
    first: first as TestAuth,
    other: async () => second as TestAuth,
    close: async () => {
      await Promise.all(databases.map((database) => database.close()))
      cluster.remove()
    },
  }
}

async function oneFolder(): Promise<Boxes> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-limits-'))
  const template = await testTemplate()
  const open = () => openDatabase({ engine: 'pglite', dataDir: join(folder, 'db'), template, extensions: testExtensions(), durability: 'os' })
  let database = await open()
  return {
    first: await openTestAuth({ database, settings }),
    other: async () => {
      await database.close()
      database = await open()
      return openTestAuth({ database, settings })
    },
    close: async () => {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const kinds: [string, () => Promise<Boxes>][] = [...(bin === undefined ? [] : [['two boxes on one Postgres', onePostgres] as [string, typeof onePostgres]]), ['a box that was started again', oneFolder]]

const over = { status: 429, code: 'over_request_rate_limit' }

describe.each(kinds)('with %s', (_, open) => {
  let boxes: Boxes
  // What happens at the first box; then, in the tests, what the other one makes of it.
  let person: { email: string; factorId: string; secret: string }
  let [guessed, asked, unknown] = ['', '', '']
  // When the first box did it: the other one is asked at that moment, however long a restart takes.
  const done = { factor: 0, code: 0, asked: 0 }
  const texted = freshPhone()
  const idp = openTestIdp('http://127.0.0.1:54321/auth/v1/sso/saml')
  const unasked = idp.respond({ nameId: 'eve' })
  let other: TestAuth

  const post = async (box: TestAuth, path: string, body: object) => {
    const answer = await box.ask(path, { method: 'POST', body })
    return { status: answer.status, code: ((await answer.json()) as { code?: string }).code, retryAfter: Number(answer.headers.get('retry-after')) }
  }
  const setClock = (at: number) => other.clock.advance((at - other.clock.now()) / 1000)
  const wrongCode = { type: 'email', token: '000000x' }

  async function tryFactor(box: TestAuth, code: string) {
    const client = box.client()
    await client.auth.signInWithPassword({ email: person.email, password: testPassword })
    const { body } = await askAs(box, client, { path: `/factors/${person.factorId}/challenge`, body: {} })
    const answer = await askAs(box, client, { path: `/factors/${person.factorId}/verify`, body: { challenge_id: body.id, code } })
    return { status: answer.status, code: answer.body.code }
  }

  async function arrive(box: TestAuth): Promise<URL> {
    const form = new URLSearchParams({ SAMLResponse: unasked, RelayState: '' })
    const answer = await box.ask('/sso/saml/acs', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form.toString() })
    return new URL(answer.headers.get('location') ?? '')
  }

  beforeAll(async () => {
    boxes = await open()
    const { first } = boxes
    person = await enrollPerson(first)
    for (let tried = 0; tried < 10; tried += 1) expect(await tryFactor(first, '00000x')).toEqual({ status: 422, code: 'mfa_verification_failed' })
    done.factor = first.clock.now()

    guessed = (await signUpPerson(first)).email
    expect((await post(first, '/recover', { email: guessed })).status).toBe(200)
    for (let tried = 0; tried < 30; tried += 1) expect((await post(first, '/verify', { ...wrongCode, email: guessed })).code).toBe('otp_expired')
    done.code = first.clock.now()

    asked = (await signUpPerson(first)).email
    unknown = freshEmail()
    for (const email of [asked, unknown]) expect((await post(first, '/recover', { email })).status).toBe(200)
    expect((await post(first, '/otp', { phone: texted })).status).toBe(200)
    done.asked = first.clock.now()

    const headers = { apikey: first.keys.serviceRoleKey, authorization: `Bearer ${first.keys.serviceRoleKey}` }
    await first.ask('/admin/sso/providers', { method: 'POST', headers, body: { type: 'saml', metadata_xml: idp.metadata, domains: ['corp.example'] } })
    expect((await arrive(first)).hash).toContain('access_token=')
    other = await boxes.other()
  })
  afterAll(() => boxes.close())

  it('a second factor has no new tries', async () => {
    setClock(done.factor)
    expect(await tryFactor(other, appCode(other, person.secret))).toEqual(over)
    setClock(done.factor + 61_000)
    expect(await tryFactor(other, appCode(other, person.secret))).toMatchObject({ status: 200 })
    // The right one gives them all back.
    expect(await tryFactor(other, '00000x')).toEqual({ status: 422, code: 'mfa_verification_failed' })
    expect(await tryFactor(other, '00000x')).toEqual({ status: 422, code: 'mfa_verification_failed' })
  })

  it('a mailed code has no new tries, the right one included', async () => {
    setClock(done.code)
    const refused = await post(other, '/verify', { ...wrongCode, email: guessed })
    expect(refused).toMatchObject(over)
    expect(refused.retryAfter).toBeGreaterThan(200)
    const { Token: token } = boxes.first.letterTo(guessed).variables
    expect(await post(other, '/verify', { type: 'recovery', token, email: guessed })).toMatchObject(over)
    setClock(done.code + 301_000)
    expect((await post(other, '/verify', { type: 'recovery', token, email: guessed })).status).toBe(200)
  })

  it('asking again has to wait, and does not tell who is there', async () => {
    setClock(done.asked)
    for (const email of [asked, unknown]) {
      const answer = await post(other, '/recover', { email })
      expect(answer).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
      expect(answer.retryAfter).toBeGreaterThan(0)
      expect(answer.retryAfter).toBeLessThanOrEqual(3600)
    }
    expect(await post(other, '/otp', { phone: texted })).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' })
  })

  it('an assertion nobody asked for lets in once', async () => {
    expect((await arrive(other)).searchParams.get('error_code')).toBe('validation_failed')
  })

  it('no address stands in what is counted', async () => {
    const rows = () => other.database.asAdmin('supabase_auth_admin', (tx) => tx.many<{ key: string }>(sql`select key from _portico.auth_limits`))
    const kept = await rows()
    expect(kept.length).toBeGreaterThan(3)
    for (const { key } of kept) expect(key).toMatch(/^[\w-]{43}$/)
  })
})
