import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLogger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { testExtensions, testTemplate } from '#database/open-test-database.ts'
import { startTestCluster, type TestCluster } from '#database/postgres/test-cluster.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'
import { sql, trusted } from '#database/sql.ts'
import type { ChangeFeed } from '#services/realtime/change-feed.ts'
import { createChangeFeed } from './changes.ts'
import { person, serverPrograms, service, until, watched } from './open-test-feed.ts'

const notes = { event: '*', schema: 'public', table: 'notes' }
const table = `create table public.notes (id int primary key, owner text);
  alter publication supabase_realtime add table public.notes`
const insert = (id: number) => `insert into public.notes values (${id}, 'ada')`

async function startFeed(database: Database): Promise<ChangeFeed> {
  const feed = createChangeFeed({ database, log: silentLogger })
  await feed.start()
  return feed
}

describe('the embedded engine', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-feed-'))
  const open = async () => openDatabase({ engine: 'pglite', dataDir: join(folder, 'data'), lockDir: join(folder, 'lock'), template: await testTemplate(), extensions: testExtensions() })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is started anew in between: what was committed is told once, what was lost never', async () => {
    const database = await open()
    await database.script('postgres', table)
    const feed = await startFeed(database)
    const watcher = await watched(feed, service, notes)
    const last = (async () => {
      for (let id = 1; id <= 60; id += 1) {
        await database.script('postgres', insert(id)).catch(() => undefined)
        // The engine's thread is ended in the middle of this.
        if (id % 20 === 0) await database.asAdmin('postgres', (tx) => tx.execute(sql`select count(*) from generate_series(1, 100000000000)`), { timeoutMs: 200 }).catch(() => undefined)
      }
    })()
    await last
    const there = await database.asAdmin('postgres', (tx) => tx.many<{ id: number }>(trusted('select id from public.notes order by id')))
    await until(() => watcher.changes.length >= there.length, 'what is there')
    expect(watcher.changes.map(({ data }) => data.record?.id)).toEqual(there.map(({ id }) => id))
    await database.script('postgres', insert(1000))
    await until(() => watcher.changes.at(-1)?.data.record?.id === 1000, 'what comes after')
    await feed.close()
    await database.close()
  })

  test('keeps nothing for those who are gone, and puts its triggers away', async () => {
    const database = await open()
    const count = async () => (await database.asAdmin('postgres', (tx) => tx.one<{ all: number }>(trusted(`
      select ((select count(*) from pg_trigger where tgrelid = 'public.notes'::regclass and tgname like '00_portico%')
        + (select count(*) from realtime.subscription) + (select count(*) from _portico.change_readers))::int as all`)))).all
    const feed = await startFeed(database)
    expect(await count()).toBe(1)
    const watcher = await watched(feed, service, notes)
    expect(await count()).toBe(5)
    watcher.unsubscribe()
    await until(async () => (await count()) === 1, 'the triggers gone')
    await watched(feed, service, notes)
    // As after a kill: nobody said goodbye.
    const next = await startFeed(database)
    expect(await count()).toBe(1)
    await next.close()
    await feed.close()
    await database.close()
  })
})

describe.skipIf(serverPrograms === undefined)('a server whose postgres is no superuser', { timeout: 120_000 }, () => {
  let cluster: TestCluster
  let database: Database
  let feed: ChangeFeed
  beforeAll(async () => {
    cluster = await startTestCluster(serverPrograms as string)
    const first = await openDatabase({ engine: 'postgres', url: cluster.url('postgres') })
    await bootstrap(first)
    // What has to be laid by a superuser is there, as on the hosted backend; event triggers of ours are not.
    await first.script('postgres', `drop event trigger portico_publication_watch;
      create role plain login createrole createdb bypassrls replication in role anon, authenticated, service_role, authenticator, supabase_realtime_admin;
      alter publication supabase_realtime owner to plain;
      grant create on database postgres to plain; grant create on schema public to plain`)
    await first.script('postgres', `do $$ declare f record; begin
      for f in select p.oid::regprocedure as name from pg_proc p where p.pronamespace = '_portico'::regnamespace and p.proowner = 'postgres'::regrole loop
        execute format('alter function %s owner to plain', f.name);
      end loop; end $$;
      grant usage, create on schema _portico to plain; grant execute on all functions in schema _portico to plain; grant select on all sequences in schema _portico to plain`)
    await first.close()
    database = await openDatabase({ engine: 'postgres', url: cluster.url('postgres') })
    feed = await startFeed(database)
  })
  afterAll(async () => {
    await feed?.close()
    await database?.close()
    cluster?.remove()
  })

  test('is followed by looking, when no event trigger tells of the publication', async () => {
    await database.script('postgres', `set role plain; create table public.notes (id int primary key, owner text);
      alter publication supabase_realtime add table public.notes; grant select on public.notes to authenticated`)
    const watcher = await watched(feed, person('ada'), notes)
    await database.script('postgres', `set role plain; ${insert(1)}`)
    await until(() => watcher.changes.length === 1, 'the change')
    watcher.unsubscribe()
  })

  test('a table whose owner refuses keeps nobody else from being followed', async () => {
    await database.script('postgres', `create table public.foreigners (id int primary key); alter publication supabase_realtime owner to postgres;
      alter publication supabase_realtime add table public.foreigners; alter publication supabase_realtime owner to plain;
      set role plain; create table public.more (id int primary key); alter publication supabase_realtime add table public.more; grant select on public.more to authenticated`)
    const watcher = await watched(feed, person('ada'), { event: '*', schema: 'public', table: 'more' })
    await database.script('postgres', 'set role plain; insert into public.more values (1)')
    await until(() => watcher.changes.length === 1, 'the change')
    watcher.unsubscribe()
  })
})
