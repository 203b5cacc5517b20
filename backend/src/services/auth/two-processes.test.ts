import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { findPostgres, startTestCluster, type TestCluster } from '#database/postgres/test-cluster.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'

import { openTestAuth, type TestAuth } from './open-test-auth.ts'

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
    const settings = { email: { enableConfirmations: false } }
    boxes = [await openTestAuth({ database: first, settings }), await openTestAuth({ database: second, settings })]
  })
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()))
    cluster.remove()
  })

  const password = 'correct horse battery'
  const post = async (box: TestAuth, path: string, body: object) => {
    const answer = await box.ask(path, { method: 'POST', body })
    return { status: answer.status, body: (await answer.json()) as { refresh_token: string; code?: string } }
  }

  it('give racing refreshes one token, round after round', async () => {
    const { body } = await post(boxes[0], '/signup', { email: 'race@example.com', password })
    let token = body.refresh_token
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => post(boxes[at % 2 === 0 ? 0 : 1], '/token?grant_type=refresh_token', { refresh_token: token })))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      const tokens = new Set(answers.map((answer) => answer.body.refresh_token))
      expect(tokens.size).toBe(1)
      token = [...tokens][0] as string
    }
  })

  it('add one person for two sign-ups at once, and use a link once', async () => {
    const answers = await Promise.all([0, 1, 0, 1].map((at) => post(boxes[at as 0 | 1], '/signup', { email: 'twice@example.com', password })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
    await post(boxes[0], '/recover', { email: 'twice@example.com' })
    const proof = { type: 'recovery', token_hash: boxes[0].letterTo('twice@example.com').variables.TokenHash }
    const used = await Promise.all([0, 1, 0, 1].map((at) => post(boxes[at as 0 | 1], '/verify', proof)))
    expect(used.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
  })

  it('survive sign-out, refresh and a new password at the same moment', async () => {
    const { body } = await post(boxes[0], '/signup', { email: 'storm@example.com', password })
    const session = body as unknown as { access_token: string; refresh_token: string }
    const headers = { authorization: `Bearer ${session.access_token}` }
    const answers = await Promise.all([
      boxes[0].ask('/token?grant_type=refresh_token', { method: 'POST', body: { refresh_token: session.refresh_token } }),
      boxes[1].ask('/logout', { method: 'POST', headers }),
      boxes[0].ask('/user', { method: 'PUT', headers, body: { data: { a: 1 } } }),
      boxes[1].ask('/user', { method: 'PUT', headers, body: { password: 'a whole new password' } }),
      boxes[1].ask('/token?grant_type=refresh_token', { method: 'POST', body: { refresh_token: session.refresh_token } }),
    ])
    for (const answer of answers) expect(answer.status, await answer.text()).toBeLessThan(500)
  })
})
