import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#database/sql.ts'
import { freshPhone, openTestAuth, signUpPerson, testPassword, type TestAuth } from '#services/auth/open-test-auth.ts'

import { defaultFactorSettings } from './settings.ts'
import { appCode, askAs, enrollPerson } from './testing.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { email: { notifications: ['mfa_factor_enrolled', 'mfa_factor_unenrolled'] } } })
})
afterAll(() => auth.close())

async function signInAgain(email: string) {
  const client = auth.client()
  const { error } = await client.auth.signInWithPassword({ email, password: testPassword })
  if (error) throw error
  return client
}

const levels = async (client: Awaited<ReturnType<typeof signInAgain>>) => {
  const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel()
  return [data?.currentLevel, data?.nextLevel]
}

describe('an authenticator app', () => {
  it('is enrolled, raises the session in place, and ends the others below it', async () => {
    const { client, email, session } = await signUpPerson(auth)
    const other = await signInAgain(email)
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone', issuer: 'Portico' })
    expect(data).toMatchObject({ type: 'totp', friendly_name: 'phone' })
    expect(data?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/)
    expect(data?.totp.uri).toContain(`otpauth://totp/Portico:${encodeURIComponent(email)}?algorithm=SHA1&digits=6&issuer=Portico&period=30&secret=${data?.totp.secret}`)
    await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'left unfinished' })

    const { data: verified, error } = await client.auth.mfa.challengeAndVerify({ factorId: data!.id, code: appCode(auth, data!.totp.secret) })
    expect(error).toBeNull()
    expect(verified?.user.factors).toMatchObject([{ id: data!.id, status: 'verified', factor_type: 'totp', friendly_name: 'phone' }])
    expect(await levels(client)).toEqual(['aal2', 'aal2'])
    const { data: claims } = await client.auth.getClaims()
    expect(claims?.claims).toMatchObject({ aal: 'aal2', amr: [{ method: 'totp' }, { method: 'otp' }] })
    expect(claims?.claims.session_id).toBe(JSON.parse(Buffer.from(session.access_token.split('.')[1]!, 'base64url').toString()).session_id)
    expect((await other.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
    expect(auth.letterTo(email)).toMatchObject({ kind: 'mfa_factor_enrolled', variables: { FactorType: 'totp' } })
  })

  it('is asked for again at the next sign-in, and keeps its level through refreshes', async () => {
    const { email, factorId, secret } = await enrollPerson(auth)
    const client = await signInAgain(email)
    expect(await levels(client)).toEqual(['aal1', 'aal2'])
    const before = (await client.auth.getSession()).data.session!
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code: appCode(auth, secret) })).error).toBeNull()
    expect((await client.auth.refreshSession()).error).toBeNull()
    expect(await levels(client)).toEqual(['aal2', 'aal2'])
    const old = await auth.ask('/token?grant_type=refresh_token', { method: 'POST', body: { refresh_token: before.refresh_token } })
    expect([old.status, ((await old.json()) as { code: string }).code]).toEqual([400, 'refresh_token_not_found'])
    expect((await client.auth.refreshSession()).error).toBeNull()
  })

  it('has each code accepted once, in whichever challenge and session', async () => {
    const { email, factorId, secret, client } = await enrollPerson(auth)
    const [code, next] = [appCode(auth, secret), appCode(auth, secret, 1)]
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull()
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code })).error).toMatchObject({ code: 'mfa_verification_failed', status: 422 })
    const thief = await signInAgain(email)
    expect((await thief.auth.mfa.challengeAndVerify({ factorId, code })).error).toMatchObject({ code: 'mfa_verification_failed' })
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code: next })).error).toBeNull()
    expect((await thief.auth.mfa.challengeAndVerify({ factorId, code: next })).error).not.toBeNull()
  })

  it('lets one of many through who answer one challenge at once', async () => {
    const { client, factorId, secret } = await enrollPerson(auth)
    const { data } = await client.auth.mfa.challenge({ factorId })
    const answers = await Promise.all(Array.from({ length: 4 }, () => askAs(auth, client, { path: `/factors/${factorId}/verify`, body: { challenge_id: data!.id, code: appCode(auth, secret) } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  })

  it('cannot be guessed: after ten tries of a person the right code waits too, whatever address they come from', async () => {
    const { email, factorId, secret } = await enrollPerson(auth)
    const client = await signInAgain(email)
    const attempt = async (code: string, ip: string) => {
      const { body } = await askAs(auth, client, { path: `/factors/${factorId}/challenge`, body: {}, ip })
      return (await askAs(auth, client, { path: `/factors/${factorId}/verify`, body: { challenge_id: body.id, code }, ip })).body.code
    }
    const wrong = String((Number(appCode(auth, secret)) + 500_000) % 1_000_000).padStart(6, '0')
    for (let tried = 0; tried < 10; tried += 1) expect(await attempt(wrong, `203.0.113.${tried}`)).toBe('mfa_verification_failed')
    expect(await attempt(appCode(auth, secret), '203.0.113.99')).toBe('over_request_rate_limit')
    auth.clock.advance(61)
    expect(await attempt(appCode(auth, secret), '203.0.113.99')).toBeUndefined()
  })
})

describe('a challenge', () => {
  it('belongs to its factor, its address and five minutes', async () => {
    const { client, factorId, secret } = await enrollPerson(auth)
    const verify = (challenge: unknown, ip = '127.0.0.1') => askAs(auth, client, { path: `/factors/${factorId}/verify`, body: { challenge_id: challenge, code: appCode(auth, secret) }, ip })
    const { data: second } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'second' })
    const { data: foreign } = await client.auth.mfa.challenge({ factorId: second!.id })
    expect((await verify(foreign!.id)).body).toMatchObject({ code: 'mfa_factor_not_found', message: 'MFA factor with the provided challenge ID not found' })
    expect((await verify('nonsense')).status).toBe(422)
    const { data } = await client.auth.mfa.challenge({ factorId })
    expect(data!.expires_at).toBe(Math.floor(auth.clock.now() / 1000) + 300)
    expect((await verify(data!.id, '203.0.113.5')).body).toMatchObject({ code: 'mfa_ip_address_mismatch' })
    auth.clock.advance(301)
    expect((await verify(data!.id)).body).toMatchObject({ code: 'mfa_challenge_expired' })
    const { data: fresh } = await client.auth.mfa.challenge({ factorId })
    expect((await verify(fresh!.id, '::1')).status).toBe(200)
    expect((await verify(fresh!.id)).body).toMatchObject({ code: 'mfa_ip_address_mismatch' })
  })

  it('of somebody else is out of reach, as is their factor', async () => {
    const [victim, thief] = [await enrollPerson(auth), await enrollPerson(auth)]
    const { data } = await victim.client.auth.mfa.challenge({ factorId: victim.factorId })
    const code = appCode(auth, thief.secret)
    const tries = [
      askAs(auth, thief.client, { path: `/factors/${victim.factorId}/challenge`, body: {} }),
      askAs(auth, thief.client, { path: `/factors/${victim.factorId}/verify`, body: { challenge_id: data!.id, code } }),
      askAs(auth, thief.client, { path: `/factors/${victim.factorId}`, method: 'DELETE' }),
    ]
    for (const { status, body } of await Promise.all(tries)) expect([status, body.code]).toEqual([404, 'mfa_factor_not_found'])
    const mixed = await askAs(auth, thief.client, { path: `/factors/${thief.factorId}/verify`, body: { challenge_id: data!.id, code } })
    expect([mixed.status, mixed.body.code]).toEqual([422, 'mfa_factor_not_found'])
    expect((await askAs(auth, thief.client, { path: '/factors/nonsense/challenge', body: {} })).status).toBe(404)
  })
})

describe('enrolment', () => {
  it('takes no name twice, ten factors and no more, and forgets what was left unfinished', async () => {
    const { client } = await signUpPerson(auth)
    const add = async (friendlyName?: string) => (await client.auth.mfa.enroll({ factorType: 'totp', ...(friendlyName === undefined ? {} : { friendlyName }) })).error?.code
    expect([await add(), await add()]).toEqual([undefined, 'mfa_factor_name_conflict'])
    for (let at = 1; at < 10; at += 1) expect(await add(`factor ${at}`)).toBeUndefined()
    expect([await add('factor 1'), await add('one more')]).toEqual(['mfa_factor_name_conflict', 'too_many_enrolled_mfa_factors'])
    auth.clock.advance(301)
    expect([await add('factor 1'), await add()]).toEqual([undefined, undefined])
    expect((await client.auth.mfa.listFactors()).data?.all).toHaveLength(2)
  })

  it('of one name at once gives one factor', async () => {
    const { client } = await signUpPerson(auth)
    const answers = await Promise.all(Array.from({ length: 4 }, () => askAs(auth, client, { path: '/factors', body: { factor_type: 'totp', friendly_name: 'same' } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  })

  it('of a second factor needs the first, as do a new password and a new address', async () => {
    const { email } = await enrollPerson(auth)
    const client = await signInAgain(email)
    expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'mine now' })).error).toMatchObject({ code: 'insufficient_aal', status: 403 })
    expect((await client.auth.updateUser({ password: 'a whole new password' })).error).toMatchObject({ code: 'insufficient_aal', status: 401 })
    expect((await client.auth.updateUser({ email: 'elsewhere@example.com' })).error).toMatchObject({ code: 'insufficient_aal' })
    expect((await client.auth.updateUser({ data: { a: 1 } })).error).toBeNull()
  })

  it('is for people, not for guests, keys or kinds that are off', async () => {
    const guests = await openTestAuth({ database: auth.database, settings: { enableAnonymousSignIns: true } })
    const client = guests.client()
    await client.auth.signInAnonymously()
    expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject({ code: 'no_authorization', status: 403 })
    expect((await (await auth.ask('/factors', { method: 'POST', body: { factor_type: 'totp' } })).json()).code).toBe('no_authorization')
    const { client: person } = await signUpPerson(auth)
    expect((await person.auth.mfa.enroll({ factorType: 'phone', phone: '+4915112345678' })).error).toMatchObject({ code: 'mfa_phone_enroll_not_enabled' })
    expect((await askAs(auth, person, { path: '/factors', body: { factor_type: 'smell' } })).body.message).toBe('factor_type needs to be totp, phone, or webauthn')
  })
})

describe('taking a factor away', () => {
  it('needs the factor, lowers the sessions it raised, and is told by mail', async () => {
    const { email, factorId, secret, client } = await enrollPerson(auth)
    const low = await signInAgain(email)
    expect((await low.auth.mfa.unenroll({ factorId })).error).toMatchObject({ code: 'insufficient_aal', status: 422 })
    expect((await low.auth.mfa.challengeAndVerify({ factorId, code: appCode(auth, secret) })).error).toBeNull()
    expect((await client.auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
    for (const one of [client, low]) {
      expect((await one.auth.refreshSession()).error).toBeNull()
      expect(await levels(one)).toEqual(['aal1', 'aal1'])
    }
    expect(auth.letterTo(email).kind).toBe('mfa_factor_unenrolled')
  })

  it('of several that raised a session lowers it with the last one', async () => {
    const both = await openTestAuth({ database: auth.database, settings: { factors: { ...defaultFactorSettings, phone: { ...defaultFactorSettings.phone, enroll: true, verify: true } } } })
    for (const lastFirst of [true, false]) {
      const { client, factorId, userId } = await enrollPerson(both)
      const phone = freshPhone()
      const { data: made } = await client.auth.mfa.enroll({ factorType: 'phone', phone: `+${phone}`, friendlyName: 'second' })
      const { data: asked } = await client.auth.mfa.challenge({ factorId: made!.id })
      expect((await client.auth.mfa.verify({ factorId: made!.id, challengeId: asked!.id, code: both.codeTo(phone) })).error).toBeNull()
      const held = async () => {
        await client.auth.refreshSession()
        const { data } = await client.auth.getClaims()
        const row = await both.database.asAdmin('supabase_auth_admin', (tx) => tx.one<{ aal: string }>(sql`select aal::text as aal from auth.sessions where user_id = ${userId}`))
        return [row.aal, data?.claims.aal, ...((data?.claims.amr ?? []) as { method: string }[]).map(({ method }) => method)]
      }
      expect(await held()).toEqual(['aal2', 'aal2', 'mfa/phone', 'totp', 'otp'])
      const [one, two] = lastFirst ? [made!.id, factorId] : [factorId, made!.id]
      expect((await client.auth.mfa.unenroll({ factorId: one })).error).toBeNull()
      expect(await held()).toEqual(['aal2', 'aal2', lastFirst ? 'totp' : 'mfa/phone', 'otp'])
      expect((await client.auth.mfa.unenroll({ factorId: two })).error).toBeNull()
      expect(await held()).toEqual(['aal1', 'aal1', 'otp'])
    }
  })

  it('is open to administrators, who also rename', async () => {
    const { userId, factorId, client } = await enrollPerson(auth)
    const admin = auth.admin().auth.admin.mfa
    expect((await admin.listFactors({ userId })).data?.factors).toMatchObject([{ id: factorId, factor_type: 'totp', status: 'verified' }])
    const bearer = { authorization: `Bearer ${auth.keys.serviceRoleKey}` }
    const renamed = await auth.ask(`/admin/users/${userId}/factors/${factorId}`, { method: 'PUT', headers: bearer, body: { friendly_name: 'renamed' } })
    expect(await renamed.json()).toMatchObject({ id: factorId, friendly_name: 'renamed' })
    expect((await askAs(auth, client, { path: `/admin/users/${userId}/factors`, method: 'GET' })).status).toBe(403)
    expect((await admin.deleteFactor({ userId, id: factorId })).error).toBeNull()
    expect((await admin.listFactors({ userId })).data?.factors).toEqual([])
    expect((await admin.deleteFactor({ userId, id: factorId })).error).toMatchObject({ code: 'mfa_factor_not_found' })
    await client.auth.refreshSession()
    expect(await levels(client)).toEqual(['aal1', 'aal1'])
  })
})

describe('what surrounds it', () => {
  it('ends sessions that went without the second factor for too long', async () => {
    const { email } = await enrollPerson(auth)
    const strict = await openTestAuth({ database: auth.database, settings: { sessions: { timeboxSeconds: 0, inactivitySeconds: 0, lowAssuranceSeconds: 900, singlePerUser: false } } })
    const client = strict.client()
    const { data } = await client.auth.signInWithPassword({ email, password: testPassword })
    // No token lasts longer than that either.
    expect(data.session?.expires_in).toBeLessThanOrEqual(900)
    strict.clock.advance(600)
    const { data: later } = await client.auth.refreshSession()
    expect(later.session?.expires_in).toBeLessThanOrEqual(300)
    strict.clock.advance(301)
    expect((await client.auth.refreshSession()).error).toMatchObject({ code: 'session_expired' })
  })

  it('asks the project about each try, and signs out everywhere when it refuses', async () => {
    await auth.database.asAdmin('postgres', async (tx) => {
      await tx.execute(sql`create table public.tries (told jsonb)`)
      await tx.execute(sql`
        create function public.judge(event jsonb) returns jsonb language plpgsql security definer as $$
        begin
          insert into public.tries values (event);
          return case when event ->> 'valid' = 'true' then '{"decision": "continue"}' else '{"decision": "reject", "message": "Not you."}' end;
        end $$`)
      await tx.execute(sql`grant execute on function public.judge to supabase_auth_admin`)
    })
    const hooked = await openTestAuth({ database: auth.database, settings: { hooks: { mfaVerificationAttempt: 'pg-functions://postgres/public/judge' } } })
    const { client, factorId } = await enrollPerson(hooked)
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code: 'wrong' })).error).toMatchObject({ code: 'mfa_verification_rejected', status: 403, message: 'Not you.' })
    expect((await client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
    const told = await auth.database.asAdmin('postgres', (tx) => tx.many<{ told: Record<string, unknown> }>(sql`select told from public.tries`))
    expect(told.map((one) => [one.told.factor_id, one.told.factor_type, one.told.valid])).toEqual([[factorId, 'totp', true], [factorId, 'totp', false]])
  })

  it('writes down what happened, and no code or key', async () => {
    const { userId, factorId, secret, client } = await enrollPerson(auth)
    await client.auth.mfa.unenroll({ factorId })
    const rows = await auth.database.asAdmin('supabase_auth_admin', (tx) =>
      tx.many<{ payload: { action: string } }>(sql`select payload from auth.audit_log_entries where payload ->> 'actor_id' = ${userId} order by created_at`),
    )
    const actions = rows.map(({ payload }) => payload.action)
    for (const action of ['factor_in_progress', 'challenge_created', 'verification_attempted', 'factor_unenrolled']) expect(actions).toContain(action)
    expect(JSON.stringify(rows) + auth.logged.join('')).not.toContain(secret)
  })
})
