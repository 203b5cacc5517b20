import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { startTestCluster, type TestCluster } from '#database/postgres/test-cluster.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'
import { sql, trusted } from '#database/sql.ts'
import { silentLogger } from '#contract/logger.ts'
import type { ChangeFeed, StoredMessage } from '#services/realtime/change-feed.ts'
import { createChangeFeed } from './changes.ts'
import { person, serverPrograms, service, until, watch, watched } from './open-test-feed.ts'

const notes = { event: '*', schema: 'public', table: 'notes' }

describe.skipIf(serverPrograms === undefined)('two boxes on one Postgres', { timeout: 120_000 }, () => {
  let cluster: TestCluster
  const databases: Database[] = []
  const feeds: ChangeFeed[] = []
  let writer: Database
  const open = async (): Promise<Database> => {
    const database = await openDatabase({ engine: 'postgres', url: cluster.url('postgres'), timeouts: { idleMs: 0 } })
    databases.push(database)
    return database
  }
  const openFeed = async (hear: (message: StoredMessage) => void = () => undefined): Promise<ChangeFeed> => {
    const feed = createChangeFeed({ database: await open(), log: silentLogger })
    feed.hearMessages(hear)
    await feed.start()
    feeds.push(feed)
    return feed
  }
  beforeAll(async () => {
    cluster = await startTestCluster(serverPrograms as string)
    writer = await open()
    await bootstrap(writer)
    await writer.script('postgres', `
      create table public.notes (id bigint generated always as identity primary key, owner text not null, body text);
      alter table public.notes enable row level security;
      create policy "owners read their notes" on public.notes for select to authenticated using (owner = (select auth.jwt() ->> 'sub'));
      alter publication supabase_realtime add table public.notes`)
  })
  afterAll(async () => {
    for (const feed of feeds) await feed.close()
    for (const database of databases) await database.close()
    cluster?.remove()
  })

  const bodies = ({ changes }: Awaited<ReturnType<typeof watched>>) => changes.map(({ data }) => data.record?.body)
  /** A transaction that stays open until it is told to end. */
  function begin(...statements: string[]): { begun: Promise<void>; more(statement: string): Promise<void>; end(): Promise<void> } {
    let finish = (): void => undefined
    const finished = new Promise<void>((resolve) => { finish = resolve })
    let runMore: (statement: string) => Promise<void> = async () => undefined
    let markBegun = (): void => undefined
    const begun = new Promise<void>((resolve) => { markBegun = resolve })
    const done = writer.asAdmin('postgres', async (tx) => {
      runMore = async (statement) => { await tx.execute(trusted(statement)) }
      for (const statement of statements) await runMore(statement)
      markBegun()
      await finished
    })
    return { begun, more: (statement) => runMore(statement), end: async () => { finish(); await done } }
  }
  const insert = (body: string) => `insert into public.notes (owner, body) values ('ada', '${body}')`

  test('both tell each of their own of what anybody wrote, changes and broadcasts', async () => {
    const heard: [StoredMessage[], StoredMessage[]] = [[], []]
    const [first, second] = [await openFeed((message) => heard[0].push(message)), await openFeed((message) => heard[1].push(message))]
    const watchers = [await watched(first, person('ada'), notes), await watched(second, person('ada'), notes), await watched(second, person('bob'), notes)] as const
    await writer.script('postgres', `${insert('one')}; select realtime.send('{}', 'hello', 'room', true)`)
    await until(() => bodies(watchers[0]).length === 1 && bodies(watchers[1]).length === 1 && heard[0].length === 1 && heard[1].length === 1, 'both')
    expect(heard[0]).toEqual(heard[1])
    expect(watchers[2].changes).toEqual([])
    for (const watcher of watchers) watcher.unsubscribe()
  })

  test('tell transactions in the order of their commits, not of their beginnings', async () => {
    const watcher = await watched(await openFeed(), person('ada'), notes)
    const early = begin(insert('early a'))
    await early.begun
    await writer.script('postgres', insert('late'))
    await until(() => bodies(watcher).length === 1, 'the one that is committed, while the other is open')
    await early.more(insert('early b'))
    await early.end()
    await until(() => bodies(watcher).length === 3, 'all')
    expect(bodies(watcher)).toEqual(['late', 'early a', 'early b'])
    watcher.unsubscribe()
  })

  test('tell many writers at once in one order that all rows agree with', async () => {
    await writer.script('postgres', `insert into public.notes (owner, body) values ('ada', '0')`)
    const { id } = await writer.asAdmin('postgres', (tx) => tx.one<{ id: string }>(sql`select max(id)::text as id from public.notes`))
    const feed = await openFeed()
    const watcher = await watched(feed, service, { ...notes, event: 'UPDATE', filter: `id=eq.${id}` })
    const add = async (): Promise<void> => {
      for (let turn = 0; turn < 40; turn += 1)
        await writer.asAdmin('postgres', async (tx) => {
          // Begins before it has the row, so that numbers of transactions and order of commits differ.
          await tx.execute(sql`insert into public.notes (owner, body) values ('bob', 'beside')`)
          await tx.execute(sql`update public.notes set body = (body::int + 1)::text where id = ${id}::bigint`)
        })
    }
    await Promise.all(Array.from({ length: 6 }, add))
    await until(() => watcher.changes.length === 240, 'all')
    expect(bodies(watcher)).toEqual(Array.from({ length: 240 }, (_, at) => String(at + 1)))
    watcher.unsubscribe()
  })

  test('a subscription counts only when those who wrote before they could know of it have ended', async () => {
    const feed = await openFeed()
    // Nobody watches the table: what is written now is in no log.
    await writer.script('postgres', 'delete from realtime.subscription')
    const early = begin(insert('unseen'))
    await early.begun
    const watcher = watch(feed, person('ada'), notes)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(watcher.statuses).toEqual([])
    await writer.script('postgres', insert('meanwhile'))
    await early.end()
    await until(() => watcher.statuses.length === 1, 'the answer')
    expect(watcher.statuses[0]?.status).toBe('ok')
    await writer.script('postgres', insert('after'))
    await until(() => bodies(watcher).includes('after'), 'what comes after')
    expect(bodies(watcher)).not.toContain('unseen')
    watcher.unsubscribe()
  })

  test('a transaction that somebody tells of before its end is still told by its commit', async () => {
    const watcher = await watched(await openFeed(), person('ada'), notes)
    const early = begin(insert('announced'))
    await early.begun
    const { xid } = await writer.asAdmin('postgres', (tx) => tx.one<{ xid: string }>(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`))
    await writer.script('postgres', `select pg_notify('portico_changes', '${xid}'); select pg_notify('portico_changes', 'nonsense'), pg_notify('portico_changes', '99999999999999999999')`)
    await writer.script('postgres', insert('beside'))
    await until(() => bodies(watcher).length === 1, 'another')
    await early.end()
    await until(() => bodies(watcher).length === 2, 'the one announced')
    expect(bodies(watcher)).toEqual(['beside', 'announced'])
    watcher.unsubscribe()
  })

  test('a transaction with an old snapshot is told of too', async () => {
    const feed = await openFeed()
    await writer.script('postgres', 'delete from realtime.subscription')
    let proceed = (): void => undefined
    const waits = new Promise<void>((resolve) => { proceed = resolve })
    let started = (): void => undefined
    const began = new Promise<void>((resolve) => { started = resolve })
    const done = writer.asAdmin('postgres', async (tx) => {
      await tx.one(sql`select count(*) from public.notes`)
      started()
      await waits
      await tx.execute(sql`insert into public.notes (owner, body) values ('ada', 'old snapshot')`)
    }, { isolation: 'repeatable read' })
    await began
    const watcher = await watched(feed, person('ada'), notes)
    proceed()
    await done
    await until(() => bodies(watcher).includes('old snapshot'), 'its row')
    watcher.unsubscribe()
  })

  test('what is committed while nobody listens is told once, when the server is back', async () => {
    const heard: StoredMessage[] = []
    const feed = await openFeed((message) => heard.push(message))
    const watcher = await watched(feed, person('ada'), notes)
    await writer.script('postgres', insert('before'))
    await until(() => bodies(watcher).length === 1, 'the first')
    // Whoever listens is cut off; the writer's own connections too, so it may have to ask twice.
    for (let turn = 0; turn < 3; turn += 1) {
      await writer.script('postgres', `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and query ilike 'listen%'`)
      await writer.script('postgres', `${insert(`gap ${turn}`)}; select realtime.send('{}', 'gap', 'room', true)`)
    }
    await until(() => bodies(watcher).length === 4 && heard.length === 3, 'what was missed')
    await writer.script('postgres', insert('after'))
    await until(() => bodies(watcher).length === 5, 'the last')
    expect(bodies(watcher)).toEqual(['before', 'gap 0', 'gap 1', 'gap 2', 'after'])
    watcher.unsubscribe()
  })

  test('a box that is gone leaves nothing that others have to keep', async () => {
    await writer.script('postgres', `
      insert into _portico.change_readers (id, seen, renewed_at) values ('dead0000-dead-dead', '3:3:', now() - interval '1 hour');
      insert into realtime.subscription (subscription_id, entity, claims) values ('dead0000-dead-dead-0000-000000000000', 'public.notes', '{"role":"anon"}')`)
    await openFeed()
    const { left } = await writer.asAdmin('postgres', (tx) => tx.one<{ left: number }>(sql`
      select (select count(*) from _portico.change_readers where id like 'dead%')::int
        + (select count(*) from realtime.subscription where subscription_id::text like 'dead%')::int as left`))
    expect(left).toBe(0)
  })
})
