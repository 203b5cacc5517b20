import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SupabaseClient } from '@supabase/supabase-js'
import { sql } from '#database/sql.ts'
import { openTestAuth, signUpPerson, testPassword, type TestAuth } from '#services/auth/open-test-auth.ts'

import { defaultFactorSettings } from './settings.ts'
import { appCode, askAs, enrollPerson } from './testing.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth()
})
afterAll(() => auth.close())

const withCodes = { auth: { experimental: { recoveryCodes: true } } }

/** The person's session in a client that knows recovery codes. */
async function knowing(client: SupabaseClient) {
  const again = auth.client(withCodes)
  await again.auth.setSession((await client.auth.getSession()).data.session!)
  return again
}

async function personWithCodes() {
  const person = await enrollPerson(auth)
  const client = await knowing(person.client)
  const { data, error } = await client.auth.mfa.recoveryCodes.generate()
  if (error) throw error
  const signIn = async () => {
    const again = auth.client(withCodes)
    await again.auth.signInWithPassword({ email: person.email, password: testPassword })
    return again
  }
  return { ...person, client, codes: data.codes, id: data.id, signIn }
}

describe('recovery codes', () => {
  it('are ten of 16 letters, shown once, kept as hashes, and listed without their codes', async () => {
    const { client, codes, id } = await personWithCodes()
    expect(codes).toHaveLength(10)
    for (const code of codes) expect(code).toMatch(/^[a-z0-9]{16}$/)
    expect(new Set(codes).size).toBe(10)
    expect((await client.auth.mfa.recoveryCodes.getStatus()).data).toEqual({ id, type: 'recovery_code', total: 10, remaining: 10 })
    expect((await client.auth.mfa.listFactors()).data?.all).toContainEqual(expect.objectContaining({ id, factor_type: 'recovery_code', status: 'verified', friendly_name: 'Recovery codes' }))
    const kept = await auth.database.asAdmin('supabase_auth_admin', (tx) =>
      tx.many(sql`select c.code_hash, s.factor_id from auth.mfa_recovery_codes c join auth.mfa_recovery_code_sets s on s.id = c.mfa_recovery_code_set_id`),
    )
    for (const code of codes) expect(JSON.stringify(kept) + auth.logged.join('')).not.toContain(code)
  })

  it('raise a session in place, each once, however they are typed, and end the others below it', async () => {
    const { codes, signIn, client: strong } = await personWithCodes()
    const [first = '', second = ''] = codes
    const [client, other] = [await signIn(), await signIn()]
    const typed = ` ${first.slice(0, 8).toUpperCase()}-${first.slice(8)} `
    const { data, error } = await client.auth.mfa.recoveryCodes.verify({ code: typed })
    expect(error).toBeNull()
    expect(data?.user.email).toBeTruthy()
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }] })
    expect((await other.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
    expect((await strong.auth.getUser()).error).toBeNull()
    expect((await client.auth.mfa.recoveryCodes.getStatus()).data?.remaining).toBe(9)
    const again = await signIn()
    expect((await again.auth.mfa.recoveryCodes.verify({ code: first })).error).toMatchObject({ code: 'mfa_verification_failed', status: 422 })
    expect((await again.auth.mfa.recoveryCodes.verify({ code: '' })).error).toMatchObject({ code: 'mfa_verification_failed' })
    expect((await again.auth.mfa.recoveryCodes.verify({ code: second })).error).toBeNull()
  })

  it('need the second factor they stand in for', async () => {
    const { client: bare, user } = await signUpPerson(auth)
    const client = await knowing(bare)
    expect((await client.auth.mfa.recoveryCodes.getStatus()).error).toMatchObject({ code: 'mfa_factor_not_found', status: 404 })
    expect((await client.auth.mfa.recoveryCodes.generate()).error).toMatchObject({ code: 'insufficient_aal', status: 403 })
    await auth.database.asAdmin('supabase_auth_admin', (tx) => tx.execute(sql`update auth.sessions set aal = 'aal2' where user_id = ${user.id}`))
    expect((await client.auth.mfa.recoveryCodes.generate()).error).toMatchObject({ code: 'mfa_recovery_codes_sole_factor', status: 422 })
    expect((await client.auth.mfa.recoveryCodes.verify({ code: 'a'.repeat(16) })).error).toMatchObject({ code: 'mfa_factor_not_found' })
  })

  it('are one set a person, replaced only as a whole', async () => {
    const { client, codes, id, signIn } = await personWithCodes()
    expect((await client.auth.mfa.recoveryCodes.generate()).error).toMatchObject({ code: 'mfa_verified_factor_exists' })
    const { data } = await client.auth.mfa.recoveryCodes.regenerate()
    expect(data).toMatchObject({ id, total: 10, friendly_name: 'Recovery codes' })
    const low = await signIn()
    expect((await low.auth.mfa.recoveryCodes.regenerate()).error).toMatchObject({ code: 'insufficient_aal', status: 403 })
    expect((await low.auth.mfa.recoveryCodes.unenroll()).error).toMatchObject({ code: 'insufficient_aal' })
    expect((await low.auth.mfa.recoveryCodes.verify({ code: codes[0]! })).error).toMatchObject({ code: 'mfa_verification_failed' })
    expect((await low.auth.mfa.recoveryCodes.verify({ code: data!.codes[0]! })).error).toBeNull()
  })

  it('are locked for a quarter of an hour after ten wrong tries, and opened by new ones', async () => {
    const { client: strong, codes, signIn } = await personWithCodes()
    const client = await signIn()
    const attempt = async (code: string) => (await client.auth.mfa.recoveryCodes.verify({ code })).error
    for (let tried = 0; tried < 10; tried += 1) expect(await attempt(`wrong${tried}`)).toMatchObject({ code: 'mfa_verification_failed' })
    expect(await attempt(codes[0]!)).toMatchObject({ code: 'mfa_recovery_codes_locked', status: 429 })
    auth.clock.advance(901)
    expect(await attempt('wrong')).toMatchObject({ code: 'mfa_verification_failed' })
    expect(await attempt(codes[0]!)).toBeNull()
    for (let tried = 0; tried < 10; tried += 1) await attempt(`wrong${tried}`)
    expect(await attempt(codes[1]!)).toMatchObject({ code: 'mfa_recovery_codes_locked' })
    const { data } = await strong.auth.mfa.recoveryCodes.regenerate()
    expect(await attempt(data!.codes[0]!)).toBeNull()
  })

  it('let one of many through who use one code at once', async () => {
    const { codes, signIn } = await personWithCodes()
    const client = await signIn()
    const answers = await Promise.all(Array.from({ length: 4 }, () => askAs(auth, client, { path: '/factors/recovery-codes/verify', body: { code: codes[0] } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  })

  it('are taken away by themselves, before the last factor they stand in for', async () => {
    const { client, factorId, id, secret, signIn, codes } = await personWithCodes()
    expect((await client.auth.mfa.unenroll({ factorId })).error).toMatchObject({ code: 'mfa_recovery_codes_sole_factor', status: 422 })
    expect((await client.auth.mfa.unenroll({ factorId: id })).error).toMatchObject({ code: 'validation_failed', status: 422 })
    expect((await askAs(auth, client, { path: `/factors/${id}/challenge`, body: {} })).status).toBe(400)
    const raised = await signIn()
    await raised.auth.mfa.recoveryCodes.verify({ code: codes[0]! })
    expect((await client.auth.mfa.recoveryCodes.unenroll()).data).toEqual({ id })
    await raised.auth.refreshSession()
    expect((await raised.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code: appCode(auth, secret) })).error).toBeNull()
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull()
  })

  it('go when an administrator takes the last factor', async () => {
    const { userId, factorId } = await personWithCodes()
    await auth.admin().auth.admin.mfa.deleteFactor({ userId, id: factorId })
    expect((await auth.admin().auth.admin.mfa.listFactors({ userId })).data?.factors).toEqual([])
  })

  it('can be switched off', async () => {
    const off = { ...defaultFactorSettings, recoveryCodes: { enroll: false, verify: false } }
    const strict = await openTestAuth({ database: auth.database, settings: { factors: off } })
    const own = await enrollPerson(strict)
    const codeOf = async (path: string, body?: object) => (await askAs(strict, own.client, { path, ...(body ? { body } : {}) })).body.code
    expect(await codeOf('/factors/recovery-codes')).toBe('mfa_recovery_codes_enroll_not_enabled')
    expect(await codeOf('/factors/recovery-codes/verify', { code: 'x' })).toBe('mfa_recovery_codes_verify_not_enabled')
  })
})
