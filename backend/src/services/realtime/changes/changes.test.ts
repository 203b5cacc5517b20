/* oxlint-disable max-lines-per-function -- one suite, as in any test file */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql, trusted } from '#database/sql.ts'
import type { ChangeFeed, StoredMessage } from '#services/realtime/change-feed.ts'
import { openEmbeddedHome, openServerHome, person, serverPrograms, service, until, watch, watched, type TestHome } from './open-test-feed.ts'

const schema = `
  create table public.notes (id bigint primary key, owner text not null, body text, rank int, tags text[]);
  alter table public.notes enable row level security;
  create policy "owners read their notes" on public.notes for select to authenticated using (owner = (select auth.jwt() ->> 'sub'));
  create table public.open (id int primary key, label varchar(20), price numeric, at timestamptz, data jsonb, raw bytea, flag boolean);
  alter table public.open replica identity full;
  create table public.keyless (label text);
  create table public.secretive (id int primary key, shown text, hidden text);
  revoke all on public.secretive from anon, authenticated;
  grant select (id, shown) on public.secretive to authenticated;
  create table public.closed (id int primary key);
  revoke all on public.closed from anon, authenticated;
  create table public.unpublished (id int primary key);
  alter publication supabase_realtime add table public.notes, public.open, public.keyless, public.secretive, public.closed;
`
const all = { event: '*', schema: 'public', table: 'notes' }
const ada = person('ada')

function describeChanges(engine: string, open: () => Promise<TestHome>): void {
  describe(`changes on ${engine}`, { timeout: 120_000 }, () => {
    let home: TestHome
    let feed: ChangeFeed
    const messages: StoredMessage[] = []
    beforeAll(async () => {
      home = await open()
      await home.database.script('postgres', schema)
      feed = await home.openFeed()
      feed.hearMessages((message) => messages.push(message))
    }, 120_000)
    afterAll(() => home?.close())

    const run = (text: string) => home.database.script('postgres', text)

    test('tell who may see a row of its insert, update and delete, in order', async () => {
      const mine = await watched(feed, ada, all)
      const others = await watched(feed, person('bob'), all)
      const server = await watched(feed, service, all)
      await run(`insert into notes values (1, 'ada', 'one', 1, '{a,b}'), (2, 'bob', 'two', 2, null)`)
      await run(`update notes set body = 'uno' where id = 1`)
      // Policies are asked about the row as it is: gone, nobody would be told of it.
      await until(() => mine.changes.length === 2 && others.changes.length === 1, 'what is still there')
      await run('delete from notes')
      await until(() => server.changes.length === 5 && mine.changes.length === 4 && others.changes.length === 3, 'all told')
      expect(mine.changes.map(({ type, data }) => [type, data.record?.id ?? data.old_record?.id])).toEqual([['INSERT', 1], ['UPDATE', 1], ['DELETE', 2], ['DELETE', 1]])
      expect(mine.changes[0]).toMatchObject({
        ids: [1],
        data: {
          schema: 'public', table: 'notes', errors: null,
          record: { id: 1, owner: 'ada', body: 'one', rank: 1, tags: ['a', 'b'] },
          columns: [
            { name: 'id', type: 'int8' }, { name: 'owner', type: 'text' }, { name: 'body', type: 'text' },
            { name: 'rank', type: 'int4' }, { name: 'tags', type: '_text' }],
        },
      })
      expect(mine.changes[0]?.data.commit_timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(mine.changes[1]?.data).toMatchObject({ record: { body: 'uno' }, old_record: { id: 1 } })
      // Policies cannot be asked about what is gone: no more than its key is told.
      expect(mine.changes[3]?.data.old_record).toEqual({ id: 1 })
      expect(others.changes.map(({ type }) => type)).toEqual(['INSERT', 'DELETE', 'DELETE'])
      for (const watcher of [mine, others, server]) watcher.unsubscribe()
    })

    test('of a table that shows old rows whole come whole, with each value as it is written', async () => {
      const watcher = await watched(feed, ada, { event: '*', schema: 'public', table: 'open' })
      await run(`insert into open values (1, 'é"', 12345678901234567890.10, '2026-01-02 03:04:05.123456+00', '{"a": [1, {"b": "}"}]}', '\\xdead', true)`)
      await run(`update open set label = 'b', price = null`)
      await run('delete from open')
      await until(() => watcher.changes.length === 3, 'three changes')
      const [inserted, updated, deleted] = watcher.changes
      expect(inserted?.json).toContain('"price":12345678901234567890.10')
      expect(inserted?.data.record).toMatchObject({ label: 'é"', at: '2026-01-02T03:04:05.123456+00:00', data: { a: [1, { b: '}' }] }, raw: 'dead', flag: true })
      expect(inserted?.data.columns.map(({ type }) => type)).toEqual(['int4', 'varchar', 'numeric', 'timestamptz', 'jsonb', 'bytea', 'bool'])
      expect(updated?.data).toMatchObject({ record: { label: 'b', price: null }, old_record: { label: 'é"', flag: true } })
      expect(deleted?.data.old_record).toMatchObject({ id: 1, label: 'b', flag: true })
      expect(deleted?.data).not.toHaveProperty('record')
      watcher.unsubscribe()
    })

    test('are not told when they are rolled back, nor when they were made before', async () => {
      await run(`insert into notes values (10, 'ada')`)
      const watcher = await watched(feed, ada, all)
      await home.database.asAdmin('postgres', async (tx) => {
        await tx.execute(sql`insert into notes (id, owner) values (11, 'ada')`)
        throw new Error('never mind')
      }).catch(() => undefined)
      await run(`begin; insert into notes values (12, 'ada'); savepoint s; insert into notes values (13, 'ada'); rollback to s; commit`)
      await run('truncate notes')
      await run(`insert into notes values (14, 'ada')`)
      // Row 12 is gone before it is looked at, unless the feed was faster.
      await until(() => watcher.changes.some(({ data }) => data.record?.id === 14), 'the last insert')
      expect(watcher.changes.map(({ data }) => data.record?.id).filter((id) => id !== 12)).toEqual([14])
      await run('delete from notes')
      watcher.unsubscribe()
    })

    test('come in the order of their statements, before those that triggers and foreign keys add', async () => {
      await run(`
        create table public.parents (id int primary key, note text);
        create table public.children (id int primary key, parent_id int references public.parents on delete cascade);
        create function public.touch() returns trigger language plpgsql as $$ begin
          update public.parents set note = 'touched ' || new.id where id <= new.id; return null; end $$;
        create trigger touch after insert on public.parents for each row execute function public.touch();
        alter publication supabase_realtime add table public.parents, public.children`)
      const watcher = await watched(feed, service, { event: '*', schema: 'public', table: 'parents' }, { event: '*', schema: 'public', table: 'children' })
      await run('insert into parents values (1), (2)')
      await run('insert into children values (1, 1), (2, 2)')
      await run('delete from parents')
      const told = () => watcher.changes.map(({ type, data }) => `${type} ${data.table} ${String((data.record ?? data.old_record)?.id)} ${String(data.record?.note)}`)
      await until(() => watcher.changes.length === 11, '11 changes')
      expect(told()).toEqual([
        'INSERT parents 1 null', 'INSERT parents 2 null',
        'UPDATE parents 1 touched 1', 'UPDATE parents 1 touched 2', 'UPDATE parents 2 touched 2',
        'INSERT children 1 undefined', 'INSERT children 2 undefined',
        'DELETE parents 1 undefined', 'DELETE parents 2 undefined', 'DELETE children 1 undefined', 'DELETE children 2 undefined',
      ])
      expect(watcher.changes.map(({ ids }) => ids)).toEqual([[1], [1], [1], [1], [1], [2], [2], [1], [1], [2], [2]])
      watcher.unsubscribe()
    })

    test.each([
      ['rank=eq.2', [2]], ['rank=neq.2', [1, 3]], ['rank=lt.2', [1]], ['rank=lte.2', [1, 2]], ['rank=gt.2', [3]], ['rank=gte.2', [2, 3]],
      ['body=in.(a,"b,c")', [1, 2]], ['body=like.b%', [2]], ['body=ilike.A', [1]], ['body=match.^[ab]', [1, 2]], ['body=imatch.^A', [1]],
      ['body=is.null', [3, 4]], ['body=not.is.null', [1, 2]], ['rank=isdistinct.2', [1, 3, 4]], ['rank=not.isdistinct.2', [2]], ['rank=not.eq.2', [1, 3]],
      ['rank=gt.1,body=not.is.null', [2]], ['body=eq."b,c"', [2]], ['', [1, 2, 3, 4]], ['rank=gt.0,rank=lt.3', [1, 2]], ['tags=eq.{x}', [4]],
    ])('pass the filter %j', async (filter, expected) => {
      const watcher = await watched(feed, ada, { ...all, event: 'INSERT', filter })
      const end = await watched(feed, service, all)
      await run(`insert into notes values (1, 'ada', 'a', 1, null), (2, 'ada', 'b,c', 2, null), (3, 'ada', null, 3, null), (4, 'ada', null, null, '{x}')`)
      await until(() => end.changes.length === 4, 'the inserts')
      await run('delete from notes')
      await until(() => end.changes.length === 8, 'the deletes')
      expect(watcher.changes.map(({ data }) => data.record?.id)).toEqual(expected)
      watcher.unsubscribe()
      end.unsubscribe()
    })

    test('are filtered when deleted by what may be told of them alone', async () => {
      const byKey = await watched(feed, ada, { ...all, filter: 'id=eq.1' })
      const byOther = await watched(feed, ada, { ...all, event: 'DELETE', filter: 'body=eq.a' })
      await run(`insert into notes values (1, 'ada', 'a'), (2, 'ada', 'a')`)
      await until(() => byKey.changes.length === 1, 'the insert')
      await run('delete from notes')
      await until(() => byKey.changes.length === 2, 'insert and delete')
      expect(byOther.changes).toEqual([])
      byKey.unsubscribe()
      byOther.unsubscribe()
    })

    test('of columns one may not read, or did not select, are left out', async () => {
      const whole = await watched(feed, ada, { event: '*', schema: 'public', table: 'secretive' })
      const some = await watched(feed, service, { event: '*', schema: 'public', table: 'secretive', select: ['hidden'] })
      await run(`insert into secretive values (1, 'a', 'b')`)
      await until(() => whole.changes.length === 1 && some.changes.length === 1, 'both')
      expect(whole.changes[0]?.data).toMatchObject({ record: { id: 1, shown: 'a' }, columns: [{ name: 'id' }, { name: 'shown' }] })
      expect(whole.changes[0]?.data.record).not.toHaveProperty('hidden')
      expect(some.changes[0]?.data.record).toEqual({ id: 1, hidden: 'b' })
      expect(some.changes[0]?.data.columns).toEqual([{ name: 'id', type: 'int4' }, { name: 'hidden', type: 'text' }])
      whole.unsubscribe()
      some.unsubscribe()
    })

    test('are no longer told to whom the table is taken from, from that moment', async () => {
      const watcher = await watched(feed, ada, { event: '*', schema: 'public', table: 'secretive' })
      const steps = ['revoke select (shown) on secretive from authenticated', 'revoke select (id) on secretive from authenticated',
        'grant select (id, shown) on secretive to authenticated; alter table secretive add column later int']
      for (const [at, step] of ['select 1', ...steps].entries()) {
        await run(step)
        await run(`insert into secretive values (${11 + at}, 'a', 'b')`)
        await until(() => watcher.changes.length === at + 1, 'its insert')
      }
      expect(watcher.changes.map(({ data }) => data.record)).toEqual([{ id: 11, shown: 'a' }, { id: 12 }, {}, { id: 14, shown: 'a' }])
      expect(watcher.changes[2]?.data.errors).toEqual(['Error 401: Unauthorized'])
      watcher.unsubscribe()
    })

    test('of tables without a key, or whose key one may not read, say so', async () => {
      const keyless = await watched(feed, ada, { event: '*', schema: 'public', table: 'keyless' })
      const closed = await watched(feed, ada, { event: '*', schema: 'public', table: 'closed' })
      await run(`insert into keyless values ('x'); insert into closed values (1)`)
      await until(() => keyless.changes.length === 1 && closed.changes.length === 1, 'both')
      expect(keyless.changes[0]?.data).toMatchObject({ table: 'keyless', errors: ['Error 400: Bad Request, no primary key'], record: {} })
      expect(closed.changes[0]?.data).toMatchObject({ table: 'closed', errors: ['Error 401: Unauthorized'], record: {} })
      keyless.unsubscribe()
      closed.unsubscribe()
    })

    test('of more than a mebibyte come without their long values', async () => {
      const watcher = await watched(feed, ada, { event: '*', schema: 'public', table: 'open' })
      await run(`insert into open (id, label, data) select 7, 'small', jsonb_build_object('x', repeat('y', 1200000))`)
      await until(() => watcher.changes.length === 1, 'the insert')
      expect(watcher.changes[0]?.data).toMatchObject({ errors: ['Error 413: Payload Too Large'], record: { id: 7, label: 'small' } })
      expect(watcher.changes[0]?.data.record).not.toHaveProperty('data')
      await run('delete from open')
      watcher.unsubscribe()
    })

    test.each([
      [{ ...all, filter: 'rank=foo.2' }, 'Error parsing `filter` params: ["foo", "2"]'],
      [{ ...all, filter: 'undefined' }, 'Error parsing `filter` params: ["undefined"]'],
      [{ ...all, filter: 'rank=in.1' }, 'Error parsing `filter` params: `in` filter value must be wrapped by parentheses'],
      [{ event: '*' }, 'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: %{"event" => "*"}'],
      [{ event: '*', schema: 'public', table: 'unpublished' }, 'Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: *, schema: public, table: unpublished, filters: [], select: nil]'],
      [{ ...all, filter: 'nothing=eq.1' }, 'Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [event: *, schema: public, table: notes, filters: [{"nothing", "eq", "1", false}], select: nil]. Exception: ERROR P0001 (raise_exception) invalid column for filter nothing'],
      [{ ...all, filter: 'rank=eq.x' }, 'Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [event: *, schema: public, table: notes, filters: [{"rank", "eq", "x", false}], select: nil]. Exception: ERROR 22P02 (invalid_text_representation) invalid input syntax for type integer: "x"'],
      [{ event: '*', schema: 'public', table: 'secretive', filter: 'hidden=eq.x' }, expect.stringContaining('invalid column for filter hidden')],
      [{ event: '*', schema: '*', select: ['id'] }, expect.stringContaining('Column selection is not supported for wildcard subscriptions')],
    ])('cannot be asked for by %j', async (asked, message) => {
      const watcher = watch(feed, ada, asked)
      await until(() => watcher.statuses.length > 0, 'an answer')
      expect(watcher.statuses).toEqual([{ status: 'error', message }])
      watcher.unsubscribe()
    })

    test('of all tables come by a wildcard, also of those published later, and end with a dropped table', async () => {
      const watcher = await watched(feed, service, { event: 'INSERT', schema: '*' })
      await run('create table public.later (id int primary key); alter publication supabase_realtime add table public.later')
      await until(() => watcher.statuses.length === 2, 'a second subscription')
      const one = await watched(feed, service, { event: 'INSERT', schema: 'public', table: 'later' })
      await run(`insert into later values (1); insert into notes values (1, 'x')`)
      await until(() => watcher.changes.length === 2 && one.changes.length === 1, 'both')
      await run('drop table public.later; delete from notes')
      await until(() => one.statuses.length === 2, 'the end of it')
      expect(one.statuses[1]).toMatchObject({ status: 'error', message: expect.stringContaining('table: later') })
      expect(watcher.changes.map(({ data }) => data.table)).toEqual(['later', 'notes'])
      watcher.unsubscribe()
      one.unsubscribe()
    })

    test('follow what the publication publishes, and partitions', async () => {
      await run(`
        create table public.log (id int, day int, primary key (id, day)) partition by range (day);
        create table public.log_1 partition of public.log for values from (1) to (2);
        alter publication supabase_realtime add table public.log`)
      const watcher = await watched(feed, service, { event: '*', schema: 'public', table: 'log_1' })
      await run('insert into log values (1, 1); insert into log_1 values (2, 1)')
      await until(() => watcher.changes.length === 2, 'both inserts')
      expect(watcher.changes.map(({ data }) => [data.table, data.record])).toEqual([['log_1', { id: 1, day: 1 }], ['log_1', { id: 2, day: 1 }]])
      await run('alter publication supabase_realtime drop table public.log')
      await until(() => watcher.statuses.length === 2, 'the end of it')
      watcher.unsubscribe()
    })

    test('come from a publication of a whole schema and of all tables, but never from the log itself', async () => {
      await run(`create schema extra; create table extra.things (id int primary key); grant usage on schema extra to authenticated;
        grant select on extra.things to authenticated; alter publication supabase_realtime add tables in schema extra`)
      const one = await watched(feed, ada, { event: '*', schema: 'extra', table: 'things' })
      await run('insert into extra.things values (1)')
      await until(() => one.changes.length === 1, 'the first')
      await run(`drop publication supabase_realtime; create publication supabase_realtime for all tables with (publish = 'insert')`)
      const every = await watched(feed, service, { event: '*', schema: '*' })
      await run(`insert into extra.things values (2); update extra.things set id = 3 where id = 2; insert into unpublished values (1); select realtime.send('{}', 'x', 'nowhere', true)`)
      await until(() => every.changes.length === 2 && one.changes.length === 2, 'what is inserted')
      expect(every.changes.map(({ type, data }) => `${type} ${data.schema}.${data.table}`)).toEqual(['INSERT extra.things', 'INSERT public.unpublished'])
      one.unsubscribe()
      every.unsubscribe()
      await run(`drop publication supabase_realtime; drop schema extra cascade; delete from unpublished; create publication supabase_realtime for table public.notes (id, owner, body, rank, tags), public.open`)
    })

    test('of more than a hundred kinds cannot be asked for in one channel', async () => {
      const watcher = watch(feed, ada, ...Array.from({ length: 101 }, () => all))
      await until(() => watcher.statuses.length > 0, 'an answer')
      expect(watcher.statuses).toEqual([{ status: 'error', message: 'Too many postgres_changes in one channel: at most 100' }])
      watcher.unsubscribe()
    })

    test('are noted for nobody who has left by the time the database is asked', async () => {
      const ids = async () => (await home.database.asAdmin('postgres', (tx) => tx.many<{ id: string }>(sql`select id::text from realtime.subscription`))).map(({ id }) => Number(id))
      const before = Math.max(0, ...(await ids()))
      for (let count = 0; count < 20; count += 1) watch(feed, ada, all).unsubscribe()
      await watched(feed, ada, all)
      // The first is being asked for already when it leaves.
      expect((await ids()).filter((id) => id > before).length).toBeLessThan(4)
    })

    test('of a hundred thousand rows in one statement all come, in order', async () => {
      const watcher = await watched(feed, service, { event: 'INSERT', schema: 'public', table: 'notes' })
      await run(`insert into notes (id, owner, rank) select g, 'ada', g from generate_series(1, 100000) g`)
      await until(() => watcher.changes.length === 100_000, 'all', 90_000)
      expect(watcher.changes.every(({ data }, at) => data.record?.id === at + 1)).toBe(true)
      watcher.unsubscribe()
      await run('truncate notes')
    })

    test('go on with new claims, and nothing comes after the end', async () => {
      const watcher = await watched(feed, ada, all)
      await run(`insert into notes values (1, 'ada'), (2, 'bob')`)
      await until(() => watcher.changes.length === 1, 'the first')
      watcher.updateReader(person('bob'))
      await until(() => watcher.statuses.length === 2, 'a second answer')
      await run(`update notes set rank = 7`)
      await until(() => watcher.changes.length === 2, 'the second')
      expect(watcher.changes[1]?.data.record?.owner).toBe('bob')
      watcher.unsubscribe()
      const other = await watched(feed, service, all)
      await run('delete from notes')
      await until(() => other.changes.length === 2, 'the deletes')
      expect(watcher.changes).toHaveLength(2)
      other.unsubscribe()
    })

    test('leave the log empty when all is told, and are nobody else\'s to read', async () => {
      const { left } = await home.database.asAdmin('postgres', (tx) => tx.one<{ left: number }>(sql`select count(*)::int as left from _portico.changes`))
      expect(left).toBeLessThan(6_000)
      for (const role of ['anon', 'authenticated', 'service_role'])
        for (const statement of ['select * from _portico.changes', 'insert into _portico.changes (started, entity, action) values (1, 1, $$I$$)', 'select claims from realtime.subscription', `select setval('_portico.changes_read_until', 0)`, 'select _portico.follow_publication()'])
          await expect(home.database.batchAsCaller({ role, claims: {} }, [trusted(statement)])).rejects.toMatchObject({ sqlstate: '42501' })
    })

    test('reach channels as broadcasts when they are written to realtime.messages', async () => {
      messages.length = 0
      await run(`select realtime.send('{"a": 1.10}', 'greeting', 'room', true)`)
      await run(`select realtime.send_binary('\\x0102', 'bytes', 'room', false)`)
      await run(`insert into realtime.messages (topic, extension, event, payload, private) values ('room', 'presence', 'x', '{}', true)`)
      await run(`begin; select realtime.send('{}', 'never', 'room', true); rollback`)
      await run(`select realtime.send('{"id": "x"}', 'last', 'room', true)`)
      await until(() => messages.length === 3, 'three messages')
      expect(messages[0]).toMatchObject({ topic: 'room', event: 'greeting', isPrivate: true, id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
      expect(messages[0]?.payload).toEqual({ json: `{"a": 1.10, "id": "${messages[0]?.id}"}` })
      expect(messages[1]).toMatchObject({ event: 'bytes', isPrivate: false, payload: { bytes: Buffer.from([1, 2]) } })
      expect(messages[2]).toMatchObject({ event: 'last', payload: { json: '{"id": "x"}' } })
      const replayed = await feed.replay({ topic: 'room', sinceMs: Date.now() - 3_600_000, limit: 25 })
      expect(replayed.map(({ event }) => event)).toEqual(['greeting', 'last'])
      expect((await feed.replay({ topic: 'room', sinceMs: Date.now() - 3_600_000, limit: 1 })).map(({ event }) => event)).toEqual(['last'])
      expect(await feed.replay({ topic: 'room', sinceMs: Date.now() + 3_600_000, limit: 25 })).toEqual([])
      expect(feed.isListening()).toBe(true)
    })
  })
}

describeChanges('the embedded engine', openEmbeddedHome)
if (serverPrograms === undefined) console.warn('SKIPPED: no Postgres server programs found, so changes on a server are not tested. Set PORTICO_TEST_PG_BIN.')
else describeChanges('a server', openServerHome)
