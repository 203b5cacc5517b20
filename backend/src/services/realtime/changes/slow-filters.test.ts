import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLogger } from '#contract/logger.ts'
import type { ChangeStatus } from '#services/realtime/change-feed.ts'
import { openEmbeddedHome, openServerHome, person, serverPrograms, until, watch, watched, type TestHome } from './open-test-feed.ts'

let home: TestHome
beforeAll(async () => {
  if (serverPrograms === undefined) return
  home = await openServerHome()
  await home.database.script('postgres', 'create table public.notes (id int primary key, body text); alter publication supabase_realtime add table public.notes')
}, 120_000)
afterAll(() => home?.close())

// The embedded engine cannot end a statement without ending itself, and with it what a test keeps in memory.
test.skipIf(serverPrograms === undefined)('many slow filters of one socket are set aside together, are told so, and keep nobody else waiting', { timeout: 120_000 }, async () => {
  const feed = await home.openFeed(silentLogger, { socketMs: 400, totalMs: 60_000, sharedMs: 400, leastMs: 50 })
  const owner = {}
  const statuses: ChangeStatus[] = []
  const heard: string[] = []
  // Twice three numbers is never odd, which takes the engine hours to find out; a hundred of them would each run into a limit of their own.
  const slow = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, change: { event: '*', schema: 'public', table: 'notes', filter: `body=match.^(a+)(a+)(a+)\\1\\2\\3$|z${at}` } }))
  for (let from = 0; from < slow.length; from += 20) {
    feed.subscribe({ owner, reader: person('eve'), asked: slow.slice(from, from + 20), onChange: ({ json }) => heard.push(json), onStatus: (status) => statuses.push(status) })
  }
  await until(() => statuses.length === 5, 'all subscribed')
  const other = await watched(feed, person('ada'), { event: '*', schema: 'public', table: 'notes', filter: 'id=eq.1' })

  const startedAt = performance.now()
  await home.database.script('postgres', `insert into notes values (1, repeat('a', 2999))`)
  await until(() => other.changes.length === 1, 'the others\' change')
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  expect(statuses.slice(5).every(({ status, message }) => status === 'error' && message.includes('filters of this connection take too long'))).toBe(true)
  expect(statuses.length).toBeGreaterThanOrEqual(10)
  expect(other.statuses).toHaveLength(1)

  // Set aside, they cost nothing more.
  await home.database.script('postgres', `update notes set body = repeat('a', 3001)`)
  await until(() => other.changes.length === 2, 'the next change')
  expect(heard).toEqual([])
})

test('the embedded engine is not asked a pattern that it may take long for', { timeout: 120_000 }, async () => {
  const embedded = await openEmbeddedHome()
  try {
    await embedded.database.script('postgres', 'create table public.notes (id int primary key, body text); alter publication supabase_realtime add table public.notes')
    const feed = await embedded.openFeed()
    const ask = (filter: string) => watch(feed, person('eve'), { event: '*', schema: 'public', table: 'notes', filter })
    const [slow, slowToo, quick] = [ask(String.raw`body=match.^(a+)(a+)(a+)\1\2\3$`), ask('body=not.imatch.(?=.*b)a'), ask('body=match.^a+$')] as const
    await until(() => [slow, slowToo, quick].every(({ statuses }) => statuses.length > 0), 'all answered')
    expect(slow.statuses).toEqual([{ status: 'error', message: expect.stringContaining('that of column body may take long: it refers back to a group') }])
    expect(slowToo.statuses).toEqual([{ status: 'error', message: expect.stringContaining('it looks ahead or behind') }])
    expect(quick.statuses).toEqual([{ status: 'ok', message: 'Subscribed to PostgreSQL' }])
    await embedded.database.script('postgres', `insert into notes values (1, repeat('a', 2999))`)
    await until(() => quick.changes.length === 1, 'the change')
    expect(slow.changes).toEqual([])
  } finally {
    await embedded.close()
  }
})
