import { afterAll, beforeAll, expect, it } from 'vitest'

import { sql } from '#database/sql.ts'

import { cleanups } from './housekeeping.queries.ts'
import { openTestAuth, signUpPerson, type TestAuth } from './open-test-auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth()
})
afterAll(() => auth.close())

const inDatabase: TestAuth['database']['asAdmin'] = (...asked) => auth.database.asAdmin(...asked)

it('each round runs, and takes what nobody can use any more and nothing else', async () => {
  const { client, user } = await signUpPerson(auth)
  await client.auth.refreshSession()
  await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'left' })
  await auth.ask('/recover', { method: 'POST', body: { email: 'nobody@example.com' } })
  const count = () =>
    inDatabase('supabase_auth_admin', (tx) =>
      tx.one(sql`
        select
          (select count(*)::int from auth.refresh_tokens where user_id = ${user.id}) as tokens,
          (select count(*)::int from auth.mfa_factors where user_id = ${user.id}) as factors,
          (select count(*)::int from auth.sessions where user_id = ${user.id}) as sessions,
          (select count(*)::int from _portico.auth_limits) as limits`),
    )
  const before = (await count()) as Record<string, number>
  expect(before).toMatchObject({ tokens: 2, factors: 1, sessions: 1 })
  expect(before.limits).toBeGreaterThan(0)
  const runAll = async (at: Date) => {
    for (const cleanup of cleanups) await inDatabase('supabase_auth_admin', (tx) => cleanup(tx, at))
  }
  await runAll(new Date(auth.clock.now()))
  expect(await count()).toEqual(before)
  await runAll(new Date(auth.clock.now() + 26 * 3_600_000))
  expect(await count()).toEqual({ tokens: 1, factors: 0, sessions: 1, limits: 0 })
})
