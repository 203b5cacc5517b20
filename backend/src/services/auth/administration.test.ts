import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#database/sql.ts'
import { freshEmail, openTestAuth, signUpPerson, testPassword as password, type TestAuth } from './open-test-auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { appOrigins: ['http://127.0.0.1:54321'] } })
})
afterAll(() => auth.close())

describe('administration', () => {
  it('adds, lists, changes and removes people', async () => {
    const admin = auth.admin().auth.admin
    const email = freshEmail()
    const { data, error } = await admin.createUser({ email, password, email_confirm: true, user_metadata: { name: 'Bo' }, app_metadata: { team: 'red' } })
    expect(error).toBeNull()
    const id = data.user!.id
    expect(data.user).toMatchObject({ email, app_metadata: { provider: 'email', providers: ['email'], team: 'red' } })
    expect((await admin.createUser({ email, password })).error).toMatchObject({ code: 'email_exists', status: 422 })
    expect((await auth.client().auth.signInWithPassword({ email, password })).error).toBeNull()

    for (const other of [freshEmail(), freshEmail()]) await admin.createUser({ email: other })
    const page = await admin.listUsers({ page: 1, perPage: 2 })
    expect(page.data).toMatchObject({ aud: 'authenticated', nextPage: 2 })
    expect(page.data.users).toHaveLength(2)
    expect((page.data as { total: number }).total).toBeGreaterThan(2)

    const moved = freshEmail()
    const changed = await admin.updateUserById(id, { email: moved, email_confirm: true, app_metadata: { team: null }, user_metadata: { name: 'Bo B.' } })
    expect(changed.data.user).toMatchObject({ email: moved, user_metadata: { name: 'Bo B.' } })
    expect(changed.data.user?.app_metadata).not.toHaveProperty('team')
    expect((await admin.getUserById(id)).data.user?.email).toBe(moved)

    expect((await admin.deleteUser(id)).error).toBeNull()
    expect((await admin.getUserById(id)).error).toMatchObject({ status: 404, code: 'user_not_found' })
  })

  it('removes softly: the row stays and says nothing', async () => {
    const admin = auth.admin().auth.admin
    const { email, user, client } = await signUpPerson(auth, freshEmail(), { name: 'Gone' })
    expect((await admin.deleteUser(user.id, true)).error).toBeNull()
    const { data } = await admin.getUserById(user.id)
    expect(JSON.stringify(data)).not.toContain(email)
    expect(data.user).toMatchObject({ user_metadata: {}, app_metadata: {}, deleted_at: expect.any(String) })
    expect((await client.auth.refreshSession()).error).toBeTruthy()
    expect((await auth.client().auth.signUp({ email, password })).data.user?.identities).toHaveLength(1)
  })

  it('invites by mail, and makes links without mail', async () => {
    const admin = auth.admin().auth.admin
    const email = freshEmail()
    expect((await admin.inviteUserByEmail(email, { data: { team: 'blue' } })).error).toBeNull()
    expect(auth.letterTo(email).kind).toBe('invite')
    const accepted = await auth.client().auth.verifyOtp({ type: 'invite', token_hash: auth.letterTo(email).variables.TokenHash! })
    expect(accepted.data.user).toMatchObject({ email, user_metadata: { team: 'blue' } })
    expect((await admin.inviteUserByEmail(email)).error).toMatchObject({ code: 'email_exists' })

    const { data, error } = await admin.generateLink({ type: 'recovery', email })
    expect(error).toBeNull()
    expect(data.properties).toMatchObject({ verification_type: 'recovery', email_otp: expect.stringMatching(/^\d{6}$/) })
    expect((await auth.client().auth.verifyOtp({ type: 'recovery', token_hash: data.properties!.hashed_token })).error).toBeNull()
    expect((await admin.generateLink({ type: 'recovery', email: 'nobody@example.com' })).error).toMatchObject({ status: 404 })
  })
})

describe('with the settings of a real box', () => {
  it('answers known and unknown addresses equally late, whatever the mail server does, and tells a mail that fails at once', async () => {
    const box = await openTestAuth({ database: auth.database, settings: { evenAnswerMs: 250 } })
    const timed = async (path: string, address: string) => {
      const started = performance.now()
      const answer = await box.ask(path, { method: 'POST', body: { email: address, password, type: 'signup' } })
      return { status: answer.status, ms: performance.now() - started }
    }
    const people = [await signUpPerson(auth), await signUpPerson(auth), await signUpPerson(auth)]
    for (const path of ['/recover', '/resend']) {
      // One address is written to once an interval.
      box.clock.advance(61)
      const known: number[] = [], unknown: number[] = []
      for (const { email } of people) {
        for (const [address, times] of [[email, known], [freshEmail(), unknown]] as const) {
          const { status, ms } = await timed(path, address)
          expect(status).toBe(200)
          expect(ms).toBeGreaterThan(240)
          times.push(ms)
        }
      }
      // The quickest of each: the others say how busy the machine is.
      expect(Math.abs(Math.min(...known) - Math.min(...unknown))).toBeLessThan(150)
    }
    box.delayMail(8000)
    const slow = await timed('/signup', freshEmail())
    expect(slow.status).toBe(200)
    expect(slow.ms).toBeLessThan(7000)
    box.delayMail(0)
    box.failMail(true)
    expect((await timed('/signup', freshEmail())).status).toBe(500)
  })
})

describe('what is left behind', () => {
  it('tells the public what it may know, and no private key', async () => {
    const keys = await (await auth.ask('/.well-known/jwks.json')).json()
    expect(keys.keys).toHaveLength(1)
    expect(JSON.stringify(keys)).not.toContain('"d"')
    expect(await (await auth.ask('/settings')).json()).toMatchObject({ external: { email: true, google: false, phone: false }, disable_signup: false, mailer_autoconfirm: false })
    expect((await (await auth.ask('/.well-known/openid-configuration')).json()).issuer).toBe('http://127.0.0.1:54321/auth/v1')
    expect((await (await auth.ask('/health')).json()).name).toBe('GoTrue')
  })

  it('writes down who did what', async () => {
    const { user } = await signUpPerson(auth)
    const entries = await auth.database.asAdmin('supabase_auth_admin', (tx) =>
      tx.many<{ payload: { action: string } }>(sql`select payload from auth.audit_log_entries where payload ->> 'actor_id' = ${user.id} order by created_at`))
    expect(entries.map(({ payload }) => payload.action)).toEqual(['user_confirmation_requested', 'user_signedup'])
  })

  it('logs no password, code, token or key', async () => {
    auth.failMail(true)
    const { email, session } = await signUpPerson(auth).catch(() => ({ email: freshEmail(), session: undefined }))
    await auth.client().auth.signInWithOtp({ email })
    auth.failMail(false)
    expect(auth.logged.length).toBeGreaterThan(0)
    const log = auth.logged.join('\n')
    const secrets = [password, auth.keys.secretKey, auth.keys.jwtSecret, auth.keys.serviceRoleKey, session?.access_token, session?.refresh_token]
    for (const secret of secrets.filter((one) => one !== undefined)) expect(log).not.toContain(secret)
    expect(log).not.toMatch(/token=|\b[0-9a-f]{56}\b|"Token"/)
  })
})
