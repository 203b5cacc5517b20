import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { findPostgres, startTestCluster, type TestCluster } from '#database/postgres/test-cluster.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'
import { openTestAuth, testPassword, type TestAuth } from '#services/auth/open-test-auth.ts'
import { createAuthenticator } from '#services/auth/webauthn/testing.ts'

import { defaultFactorSettings } from './settings.ts'
import { appCode } from './testing.ts'

const bin = findPostgres()

describe.skipIf(bin === undefined)('two boxes on one Postgres', () => {
  let cluster: TestCluster
  let databases: Database[]
  let boxes: [TestAuth, TestAuth]
  beforeAll(async () => {
    cluster = await startTestCluster(bin as string)
    const open = () => openDatabase({ engine: 'postgres', url: cluster.url('postgres') })
    databases = [await open(), await open()]
    const [first, second] = databases as [Database, Database]
    await bootstrap(first)
    const settings = {
      email: { enableConfirmations: false },
      factors: { ...defaultFactorSettings, webauthn: { enroll: true, verify: true } },
      passkeys: { enabled: true, maxPerPerson: 10 },
    }
    boxes = [await openTestAuth({ database: first, settings }), await openTestAuth({ database: second, settings })]
  })
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()))
    cluster.remove()
  })

  type Answer = { status: number; body: Record<string, unknown> & { id: string; access_token: string; codes: string[]; challenge_id: string; totp: { secret: string }; options: { challenge: string; user: { id: string } } } }
  // Each box signs with a key of its own here, so that a person has a token for each.
  async function ask(at: 0 | 1, bearer: string, asked: { path: string; body?: object }): Promise<Answer> {
    const { path, body = {} } = asked
    const answer = await boxes[at].ask(path, { method: 'POST', body, ...(bearer === '' ? {} : { headers: { authorization: `Bearer ${bearer}` } }) })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
  const [even, odd] = [0, 1] as const
  const race = <T>(work: (at: 0 | 1) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 8 }, (_, at) => work(at % 2 === 0 ? even : odd)))
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

  /** One person, signed in at both boxes. */
  async function person(email: string) {
    await ask(0, '', { path: '/signup', body: { email, password: testPassword } })
    const signIn = async (at: 0 | 1) => (await ask(at, '', { path: '/token?grant_type=password', body: { email, password: testPassword } })).body.access_token
    return { tokens: [await signIn(0), await signIn(1)] as const, signIn }
  }

  it('accept a code of an authenticator app once, in one challenge or in many, and a recovery code once', async () => {
    const { tokens, signIn } = await person('app@example.com')
    const { body: factor } = await ask(0, tokens[0], { path: '/factors', body: { factor_type: 'totp', friendly_name: 'app' } })
    const challenge = async (at: 0 | 1, bearer: string) => (await ask(at, bearer, { path: `/factors/${factor.id}/challenge` })).body.id
    const verify = (at: 0 | 1, bearer: string, challengeId: string) => ask(at, bearer, { path: `/factors/${factor.id}/verify`, body: { challenge_id: challengeId, code: appCode(boxes[0], factor.totp.secret) } })
    const shared = await challenge(0, tokens[0])
    const first = await race((at) => verify(at, tokens[at], shared))
    expect(first.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of first) expect([200, 403, 422]).toContain(status)

    const winner = first.findIndex(({ status }) => status === 200) % 2 === 0 ? 0 : 1
    const raised = first.find(({ status }) => status === 200)!.body.access_token
    const { body: made } = await ask(winner, raised, { path: '/factors/recovery-codes' })
    expect(made.codes).toHaveLength(10)
    const [one, two] = [await signIn(0), await signIn(1)]
    const answers = await race((at) => ask(at, at === 0 ? one : two, { path: '/factors/recovery-codes/verify', body: { code: made.codes[0] } }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of answers) expect([200, 403, 422]).toContain(status)

    for (const box of boxes) box.clock.advance(90)
    const again = [await signIn(0), await signIn(1)] as const
    const own = [await challenge(0, again[0]), await challenge(1, again[1])] as const
    const second = await Promise.all(([0, 1] as const).map((at) => verify(at, again[at], own[at])))
    expect(second.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('take a passkey and its challenge once', async () => {
    const { tokens } = await person('key@example.com')
    const device = createAuthenticator()
    const { body: begun } = await ask(0, tokens[0], { path: '/passkeys/registration/options' })
    const credential = device.create(begun.options)
    const made = await race((at) => ask(at, tokens[at], { path: '/passkeys/registration/verify', body: { challenge_id: begun.challenge_id, credential } }))
    expect(statuses(made)).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
    const { body: asked } = await ask(1, '', { path: '/passkeys/authentication/options' })
    const proof = { challenge_id: asked.challenge_id, credential: device.get(asked.options) }
    expect(statuses(await race((at) => ask(at, '', { path: '/passkeys/authentication/verify', body: proof })))).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
  })

  it('keep to the number and the names of factors when many are added at once', async () => {
    const { tokens } = await person('many@example.com')
    const same = await race((at) => ask(at, tokens[at], { path: '/factors', body: { factor_type: 'totp', friendly_name: 'same' } }))
    expect(statuses(same)).toEqual([200, 422, 422, 422, 422, 422, 422, 422])
    await Promise.all(Array.from({ length: 12 }, (_, at) => ask(at % 2 === 0 ? 0 : 1, tokens[at % 2 === 0 ? 0 : 1], { path: '/factors', body: { factor_type: 'totp', friendly_name: `factor ${at}` } })))
    const answer = await boxes[0].ask('/user', { headers: { authorization: `Bearer ${tokens[0]}` } })
    expect(((await answer.json()) as { factors: unknown[] }).factors).toHaveLength(10)
  })
})
