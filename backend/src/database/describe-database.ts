/* oxlint-disable max-lines-per-function -- one suite, as in any test file */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import type { Database } from './database.ts'
import { json, sql } from './sql.ts'

export interface ContractParts {
  engine: Database['engine']
  /** Opens an empty database whose session may make roles and tables. */
  open: () => Promise<Database>
}

const schema = `
  do $$ begin
    create role anon nologin; create role authenticated nologin; create role service_role nologin bypassrls;
    create role authenticator login noinherit; create role clerk nologin; create role outsider nologin;
  exception when duplicate_object then null; end $$;
  grant anon, authenticated, service_role, clerk to authenticator;
  create schema if not exists extensions;
  grant usage on schema public, extensions to anon, authenticated, service_role;
  create table notes (
    id int primary key generated always as identity, owner text not null, body text, tags text[] not null default '{}', extra jsonb
  );
  alter table notes enable row level security;
  grant select, insert, update, delete on notes to authenticated, clerk;
  create policy "owners read and write their notes" on notes to authenticated
    using (owner = (select current_setting('request.jwt.claims')::json ->> 'sub'))
    with check (owner = (select current_setting('request.jwt.claims')::json ->> 'sub'));
  create function whoami() returns table (who text, sub text, path text) language sql as
    $$ select current_user::text, current_setting('request.jwt.claims', true)::json ->> 'sub', current_setting('request.path', true) $$;
  create function stay_powerful() returns void language sql as
    $$ select set_config('role', session_user, false), set_config('request.jwt.claims', '{"sub":"thief"}', false) $$;
  create table parents (id int primary key);
  create table children (parent_id int references parents deferrable initially deferred);
  grant all on parents, children to authenticated;
  insert into notes (owner, body) values ('ada', 'one'), ('ada', 'two'), ('bob', 'three');
`

const ada: Caller = { role: 'authenticated', claims: { sub: 'ada', role: 'authenticated' } }
const bob: Caller = { role: 'authenticated', claims: { sub: 'bob', role: 'authenticated' } }
const anon: Caller = { role: 'anon', claims: { role: 'anon' } }

const state = (sqlstate: string) => expect.objectContaining({ sqlstate })
const texts = (rows: readonly (readonly (string | null)[])[] | undefined): (string | null)[] => (rows ?? []).map((row) => row[0] ?? null)

/** What both engines promise. */
export function describeDatabase({ engine, open }: ContractParts): void {
  describe(`a database on ${engine}`, { timeout: 120_000 }, () => {
    let database: Database
    beforeAll(async () => {
      database = await open()
      await database.script('postgres', schema)
    })
    afterAll(() => database?.close())

    const asAda = <T>(work: Parameters<typeof database.asCaller<T>>[1]): Promise<T> => database.asCaller(ada, work)
    const ownBodies = async (caller: Caller): Promise<(string | null)[]> => {
      const [result] = await database.batchAsCaller(caller, [sql`select body from notes order by id`])
      return texts(result?.rows)
    }

    describe('callers', () => {
      it('shows each caller what the policies allow', async () => {
        expect(await ownBodies(ada)).toEqual(['one', 'two'])
        expect(await ownBodies(bob)).toEqual(['three'])
      })

      it('keeps callers apart when their requests come at once', async () => {
        const found = await Promise.all(Array.from({ length: 60 }, (_, index) => ownBodies(index % 2 === 0 ? ada : bob)))
        for (const [index, bodies] of found.entries()) expect(bodies).toEqual(index % 2 === 0 ? ['one', 'two'] : ['three'])
      })

      it('tells the statement who calls and what was asked', async () => {
        const request = { method: 'GET', path: '/notes', headers: { 'x-a': 'ü"\\' }, cookies: { c: '1' } }
        const row = await database.asCaller({ ...ada, request }, (tx) => tx.one(sql`
          select w.*, current_setting('request.method') as method, current_setting('request.headers')::json as headers,
            current_setting('request.cookies')::json as cookies from whoami() w`))
        expect(row).toEqual({ who: 'authenticated', sub: 'ada', path: '/notes', method: 'GET', headers: { 'x-a': 'ü"\\' }, cookies: { c: '1' } })
      })

      it('refuses what the role may not touch', async () => {
        await expect(database.batchAsCaller(anon, [sql`select * from notes`])).rejects.toEqual(state('42501'))
      })

      it('leaks no role and no claims to the next caller after an error', async () => {
        await expect(database.batchAsCaller(ada, [sql`select 1 / 0`])).rejects.toEqual(state('22012'))
        await expect(asAda((tx) => tx.many(sql`select * from nowhere`))).rejects.toEqual(state('42P01'))
        await expect(database.batchAsCaller(anon, [sql`select * from notes`])).rejects.toEqual(state('42501'))
        expect(await database.asCaller(anon, (tx) => tx.one(sql`select * from whoami()`))).toMatchObject({ who: 'anon', sub: null })
      })

      it('leaks no role and no claims that a function set for the whole session', async () => {
        await database.batchAsCaller(ada, [sql`select stay_powerful()`]).catch(() => undefined)
        for (let turn = 0; turn < 12; turn += 1) {
          expect(await ownBodies(bob)).toEqual(['three'])
          expect(await database.asCaller(anon, (tx) => tx.one(sql`select * from whoami()`))).toMatchObject({ who: 'anon', sub: null })
        }
      })

      it.each(['none', 'NONE', '', 'postgres', 'nobody_here', 'outsider', 'authenticated; reset role', 'a\0b'])('refuses the role %j', async (role) => {
        for (const run of [
          () => database.batchAsCaller({ role, claims: {} }, [sql`select * from notes`]),
          () => database.asCaller({ role, claims: {} }, (tx) => tx.many(sql`select * from notes`)),
        ]) await expect(run()).rejects.toMatchObject({ sqlstate: expect.stringMatching(/^(42501|22023|22021)$/) })
      })

      it('allows a role of the project that the API login is a member of', async () => {
        expect(await database.asCaller({ role: 'clerk', claims: {} }, (tx) => tx.one(sql`select current_user`))).toEqual({ current_user: 'clerk' })
      })
    })

    describe('a batch', () => {
      it('gives one result a statement, with columns, cells and rows touched', async () => {
        const [found, changed] = await database.batchAsCaller(bob, [
          sql`select id, body, null::text as nothing from notes`,
          sql`update notes set body = ${'three!'} where owner = ${'bob'}`,
        ])
        expect(found).toMatchObject({ rows: [['3', 'three', null]], affected: 1 })
        expect(found?.columns.map(({ name }) => name)).toEqual(['id', 'body', 'nothing'])
        expect(changed).toMatchObject({ rows: [], affected: 1 })
        await database.batchAsCaller(bob, [sql`update notes set body = 'three'`])
      })

      it('rolls everything back when one statement fails', async () => {
        await expect(database.batchAsCaller(ada, [
          sql`insert into notes (owner, body) values ('ada', 'lost')`,
          sql`insert into notes (owner, body) values ('bob', 'forged')`,
        ])).rejects.toEqual(state('42501'))
        expect(await ownBodies(ada)).toEqual(['one', 'two'])
      })

      it('tells a failure that only the commit finds', async () => {
        await expect(database.batchAsCaller(ada, [sql`insert into children values (9)`])).rejects.toEqual(state('23503'))
        await expect(asAda((tx) => tx.execute(sql`insert into children values (9)`))).rejects.toEqual(state('23503'))
      })

      it('writes nothing when it is read only', async () => {
        const write = [sql`delete from notes`]
        await expect(database.batchAsCaller(ada, write, { readOnly: true })).rejects.toEqual(state('25006'))
        await expect(database.asCaller(ada, (tx) => tx.raw(write[0]!), { readOnly: true })).rejects.toEqual(state('25006'))
        expect(await ownBodies(ada)).toEqual(['one', 'two'])
      })

      it('finds names by the given search_path, and by the usual one otherwise', async () => {
        const path = sql`select current_setting('search_path')`
        expect((await database.batchAsCaller(ada, [path]))[0]?.rows).toEqual([['"$user", public, extensions']])
        expect((await database.batchAsCaller(ada, [path], { searchPath: ['extensions', 'od"d'] }))[0]?.rows).toEqual([['"extensions", "od""d"']])
        await expect(database.batchAsCaller(ada, [sql`select * from notes`], { searchPath: ['extensions'] })).rejects.toEqual(state('42P01'))
      })

      it('applies further settings for its transaction, but not those that say who calls', async () => {
        const read = sql`select current_setting('app.settings.x', true)`
        expect((await database.batchAsCaller(ada, [read], { settings: { 'app.settings.x': 'y' } }))[0]?.rows).toEqual([['y']])
        expect((await database.batchAsCaller(ada, [read]))[0]?.rows[0]?.[0] ?? '').toBe('')
        for (const name of ['role', 'ROLE', 'session_authorization', 'request.jwt.claims'])
          await expect(database.batchAsCaller(ada, [read], { settings: { [name]: 'postgres' } })).rejects.toEqual(state('22023'))
      })

      it('refuses a zero byte instead of cutting the statement there', async () => {
        await expect(database.batchAsCaller(ada, [{ text: 'select 1\0; drop table notes', values: [] }])).rejects.toEqual(state('22021'))
        await expect(database.batchAsCaller(ada, [sql`select ${'a\0b'}`])).rejects.toEqual(state('22021'))
        expect(await ownBodies(ada)).toEqual(['one', 'two'])
      })

      it('takes one statement a statement, so that a second one cannot ride along', async () => {
        await expect(database.batchAsCaller(ada, [{ text: 'select 1; reset role', values: [] }])).rejects.toEqual(state('42601'))
      })

      it('refuses to wait for the data of a copy', async () => {
        await expect(database.asAdmin('postgres', (tx) => tx.execute(sql`copy parents from stdin`))).rejects.toEqual(state('57014'))
        await expect(database.script('postgres', 'copy parents from stdin;')).rejects.toEqual(state('57014'))
        expect(await ownBodies(bob)).toEqual(['three'])
      })

      it('carries a text of some megabytes there and back', async () => {
        const long = 'ü'.repeat(3_000_000)
        const [result] = await database.batchAsCaller(ada, [sql`select ${long}::text, length(${long})`])
        expect(result?.rows[0]?.[1]).toBe('3000000')
        expect(result?.rows[0]?.[0] === long).toBe(true)
      })
    })

    describe('cells and parameters', () => {
      it('parses cells by type and leaves what would lose precision as text', async () => {
        const row = await database.asAdmin('postgres', (tx) => tx.one(sql`select true as b, 1::int2 as i2, 2 as i4, 9007199254740993::int8 as i8,
          1.5::float8 as f8, 'NaN'::float8 as nan, 1.10::numeric as n, '{"a":[1]}'::jsonb as j, null::json as none,
          '2026-01-02 03:04:05+00'::timestamptz as at, ${'\\x00ff'}::bytea as bytes, array[1,null,3] as ints, array['a,b','c"d','\\',null,'NULL',''] as words,
          array[[1,2],[3,4]] as grid, '[0:1]={5,6}'::int[] as shifted, '{}'::text[] as empty, array['{"x":1}'::jsonb] as docs`))
        expect(row).toEqual({
          b: true, i2: 1, i4: 2, i8: '9007199254740993', f8: 1.5, nan: NaN, n: '1.10', j: { a: [1] }, none: null,
          at: '2026-01-02 03:04:05+00', bytes: '\\x00ff', ints: [1, null, 3], words: ['a,b', 'c"d', '\\', null, 'NULL', ''],
          grid: [[1, 2], [3, 4]], shifted: [5, 6], empty: [], docs: [{ x: 1 }],
        })
      })

      it('brings values in unharmed', async () => {
        const values = { text: `'; drop table notes; --`, words: ['a,b', 'c"d', '\\', null, 'NULL', '', '{}'], document: { a: [1, 'ü'] }, at: new Date('2026-01-02T03:04:05.678Z') }
        const row = await database.asAdmin('postgres', (tx) => tx.one(sql`select ${values.text}::text as text, ${values.words}::text[] as words,
          ${json(values.document)}::jsonb as document, ${values.at}::timestamptz = '2026-01-02T03:04:05.678Z' as at, ${12345678901234567890n}::numeric as big,
          ${new Uint8Array([0, 255, 39])}::bytea as bytes, ${[new Uint8Array([0, 1])]}::bytea[] = array['\\x0001'::bytea] as many_bytes,
          ${true}::bool as yes, ${null}::text as none, ${[[1, 2], [3, 4]]}::int[] as grid, ${[json({ q: '"' })]}::jsonb[] as documents`))
        expect(row).toEqual({
          text: values.text, words: values.words, document: values.document, at: true, big: '12345678901234567890',
          bytes: '\\x00ff27', many_bytes: true, yes: true, none: null, grid: [[1, 2], [3, 4]], documents: [{ q: '"' }],
        })
      })
    })

    describe('a transaction', () => {
      it('commits when the work resolves and rolls back when it throws', async () => {
        await asAda((tx) => tx.execute(sql`insert into notes (owner, body) values ('ada', 'kept')`))
        await expect(asAda(async (tx) => {
          await tx.execute(sql`insert into notes (owner, body) values ('ada', 'dropped')`)
          throw new Error('no')
        })).rejects.toThrow('no')
        expect(await ownBodies(ada)).toEqual(['one', 'two', 'kept'])
        expect(await asAda((tx) => tx.execute(sql`delete from notes where body = 'kept'`))).toBe(1)
      })

      it('runs statements that are started together in their order', async () => {
        const rows = await asAda((tx) => Promise.all([1, 2, 3].map((n) => tx.one<{ n: number }>(sql`select ${n}::int as n`))))
        expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
      })

      it('does not pass for committed when a failure inside was swallowed', async () => {
        await expect(asAda(async (tx) => {
          await tx.execute(sql`insert into notes (owner, body) values ('ada', 'half')`)
          await tx.execute(sql`select 1 / 0`).catch(() => undefined)
        })).rejects.toEqual(state('22012'))
        expect(await ownBodies(ada)).toEqual(['one', 'two'])
      })

      it('runs nothing as the session itself when its first statement cannot be sent', async () => {
        const seen = await database.asCaller(anon, async (tx) => {
          const refused = tx.many({ text: 'select \0', values: [] }).catch(() => undefined)
          const second = tx.one(sql`select current_user::text as who`)
          await refused
          return second
        })
        expect(seen).toEqual({ who: 'anon' })
      })

      it('takes no statement once it is over', async () => {
        const late = await asAda(async (tx) => tx)
        await expect(late.many(sql`select 1`)).rejects.toEqual(state('25P01'))
      })

      it('asks for exactly one row, or for at most one', async () => {
        await expect(asAda((tx) => tx.one(sql`select * from notes`))).rejects.toEqual(state('P0003'))
        await expect(asAda((tx) => tx.maybeOne(sql`select * from notes`))).rejects.toEqual(state('P0003'))
        expect(await asAda((tx) => tx.maybeOne(sql`select * from notes where false`))).toBeUndefined()
      })

      it('runs at the isolation level asked for', async () => {
        const level = sql`select current_setting('transaction_isolation') as level`
        expect(await database.asCaller(ada, (tx) => tx.one(level), { isolation: 'serializable' })).toEqual({ level: 'serializable' })
        expect((await database.batchAsCaller(ada, [level], { isolation: 'repeatable read' }))[0]?.rows).toEqual([['repeatable read']])
      })

      it('runs the box\'s own work under the role asked for, with its search_path', async () => {
        expect(await database.asAdmin('postgres', (tx) => tx.one(sql`select current_user::text as who`))).toEqual({ who: 'postgres' })
        await database.script('postgres', 'do $$ begin create role supabase_auth_admin; exception when duplicate_object then null; end $$')
        expect(await database.asAdmin('supabase_auth_admin', (tx) => tx.one(sql`select current_user::text as who, current_setting('search_path') as path`)))
          .toEqual({ who: 'supabase_auth_admin', path: 'auth' })
      })
    })

    describe('prepared statements', () => {
      it('survive a column that changes its type', async () => {
        const select = () => database.batchAsCaller(ada, [sql`select * from shifting`])
        await database.script('postgres', 'create table shifting (a int); insert into shifting values (1); grant select on shifting to authenticated')
        expect((await select())[0]?.columns).toMatchObject([{ name: 'a', typeOid: 23 }])
        await database.asAdmin('postgres', (tx) => tx.execute(sql`alter table shifting alter a type text, add b int`))
        expect((await select())[0]).toMatchObject({ columns: [{ name: 'a', typeOid: 25 }, { name: 'b' }], rows: [['1', null]] })
        await database.asAdmin('postgres', (tx) => tx.execute(sql`alter table shifting drop b`))
        expect(await database.asCaller(ada, (tx) => tx.many(sql`select * from shifting`))).toEqual([{ a: '1' }])
      })

      it('survive somebody letting go of all of them', async () => {
        await ownBodies(ada)
        await database.asAdmin('postgres', (tx) => tx.execute(sql`deallocate all`))
        expect(await ownBodies(ada)).toEqual(['one', 'two'])
        expect(await asAda((tx) => tx.many(sql`select 1 as n`))).toEqual([{ n: 1 }])
      })

      it('are let go of beyond a bound', async () => {
        for (let n = 0; n < 700; n += 50)
          await Promise.all(Array.from({ length: 50 }, (_, index) => database.batchAsCaller(ada, [{ text: `select ${n + index} as n`, values: [] }])))
        const counts = await Promise.all(Array.from({ length: 10 }, () => database.batchAsCaller(ada, [sql`select count(*) from pg_prepared_statements`])))
        for (const [result] of counts) expect(Number(result?.rows[0]?.[0])).toBeLessThan(300)
      })
    })

    describe('a script', () => {
      it('runs as one transaction and leaves the session as it was', async () => {
        await expect(database.script('postgres', `create table half (a int); select 1 / 0;`)).rejects.toEqual(state('22012'))
        await expect(database.batchAsCaller(ada, [sql`select * from half`])).rejects.toEqual(state('42P01'))
        await database.script('postgres', `set search_path = ''; set role anon; begin; create temp table t (a int); commit; begin;`)
        expect(await database.asAdmin('postgres', (tx) => tx.one(sql`select current_user::text as who, current_setting('search_path') as path`)))
          .toEqual({ who: 'postgres', path: '"$user", public, extensions' })
      })

      it('says where in the text it failed', async () => {
        const text = `select '🎈ü';\nselect oops from notes;`
        await expect(database.script('postgres', text)).rejects.toMatchObject({ sqlstate: '42703', facts: { position: text.indexOf('oops') + 1 } })
      })
    })

    describe('notifications', () => {
      it('are heard after the commit, and no more once the listener has stopped', async () => {
        const heard: string[] = []
        const stop = await database.listen('News "x"', (payload) => heard.push(payload))
        const tell = (payload: string) => database.asAdmin('postgres', (tx) => tx.execute(sql`select pg_notify('News "x"', ${payload})`))
        await tell('first')
        await expect.poll(() => heard).toEqual(['first'])
        await database.asAdmin('postgres', async (tx) => {
          await tx.execute(sql`select pg_notify('News "x"', 'never')`)
          throw new Error('no')
        }).catch(() => undefined)
        await tell('second')
        await expect.poll(() => heard).toEqual(['first', 'second'])
        await stop()
        await tell('third')
        await ownBodies(ada)
        expect(heard).toEqual(['first', 'second'])
      })
    })

    describe('time limits', () => {
      it('end a statement that runs too long, and nobody else\'s', async () => {
        const endless = sql`select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b`
        const others = Array.from({ length: 5 }, () => ownBodies(ada))
        await expect(database.batchAsCaller(ada, [endless], { timeoutMs: 300 })).rejects.toEqual(state('57014'))
        expect(await Promise.all([...others, ownBodies(bob)])).toHaveLength(6)
        await expect(database.asCaller(ada, (tx) => tx.many(endless), { timeoutMs: 300 })).rejects.toEqual(state('57014'))
        expect(await ownBodies(ada)).toEqual(['one', 'two'])
      })

      it('are those stored with the role, when the role has one', async () => {
        const clerk: Caller = { role: 'clerk', claims: {} }
        const nap = sql`select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b`
        await database.script('postgres', `alter role clerk set statement_timeout = '250ms'`)
        const started = performance.now()
        await expect(database.batchAsCaller(clerk, [nap])).rejects.toEqual(state('57014'))
        expect(performance.now() - started).toBeLessThan(7_000)
        await database.script('postgres', 'alter role clerk reset statement_timeout')
      })

      it('end a transaction that holds its session and waits for something else', async () => {
        const started = performance.now()
        await expect(asAda(async (tx) => {
          await tx.execute(sql`insert into notes (owner, body) values ('ada', 'waiting')`)
          await new Promise((resolve) => { setTimeout(resolve, 20_000) })
        })).rejects.toEqual(state('25P03'))
        expect(performance.now() - started).toBeLessThan(15_000)
        expect(await ownBodies(ada)).toEqual(['one', 'two'])
      })
    })

    it('survives endless recursion and deeply nested JSON', async () => {
      await database.script('postgres', `create function forever(n int) returns int language plpgsql as $$ begin return forever(n + 1); end $$`)
      await expect(database.batchAsCaller(ada, [sql`select forever(1)`])).rejects.toEqual(state('54001'))
      await database.batchAsCaller(ada, [sql`select ${'['.repeat(20_000) + ']'.repeat(20_000)}::json is not null`]).catch(() => undefined)
      expect(await ownBodies(ada)).toEqual(['one', 'two'])
    })
  })
}
