import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { findPostgres, startTestCluster, type TestCluster } from '#database/postgres/test-cluster.ts'
import { json, sql, trusted } from '#database/sql.ts'
import { bootstrap } from './bootstrap.ts'
import pack from './portico_account.sql'

type Claims = Record<string, unknown>
interface Person {
  id: string
  sessionId: string
  claims: Claims
}

const bin = findPostgres()
const now = () => Math.floor(Date.now() / 1000)
const refusal = (code: string) => expect.objectContaining({ sqlstate: 'PGRST', message: expect.stringContaining(`"${code}"`) })

const engines = [
  { name: 'the embedded engine', skip: false, open: async () => ({ database: await openTestDatabase(), end: () => {} }) },
  {
    name: 'a Postgres server',
    skip: bin === undefined,
    open: async () => {
      const cluster: TestCluster = await startTestCluster(bin as string)
      const database = await openDatabase({ engine: 'postgres', url: cluster.url('postgres'), poolSize: 3 })
      await bootstrap(database)
      return { database, end: () => cluster.remove() }
    },
  },
]

for (const { name, skip, open } of engines) describe.skipIf(skip)(`the account pack on ${name}`, () => {
  let database: Database
  let end: () => void
  beforeAll(async () => {
    ;({ database, end } = await open())
  }, 120_000)
  afterAll(async () => {
    await database?.close()
    end?.()
  })

  const admin = (text: string) => database.script('postgres', text)
  const addSession = async (userId: string, aal = 'aal1'): Promise<string> => {
    const id = randomUUID()
    await database.asAdmin('supabase_auth_admin', (tx) => tx.execute(sql`
      insert into auth.sessions (id, user_id, created_at, refreshed_at, aal, user_agent, ip, refresh_token_hmac_key)
      values (${id}, ${userId}, now(), now() at time zone 'utc', ${aal}::auth.aal_level, 'Mozilla/5.0', '10.0.0.7', 'hush')`))
    return id
  }
  const person = async ({ aal = 'aal1', ageSeconds = 5, method = 'password' } = {}): Promise<Person> => {
    const id = randomUUID()
    await database.asAdmin('supabase_auth_admin', (tx) => tx.execute(sql`insert into auth.users (id, email, encrypted_password) values (${id}, ${`${id}@example.com`}, '$2a$hush')`))
    const sessionId = await addSession(id, aal)
    return { id, sessionId, claims: { sub: id, role: 'authenticated', aal, session_id: sessionId, email: `${id}@example.com`, is_anonymous: false, amr: [{ method, timestamp: now() - ageSeconds }] } }
  }
  const addFactor = (userId: string) => database.asAdmin('supabase_auth_admin', (tx) => tx.execute(sql`
    insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (${randomUUID()}, ${userId}, 'totp', 'verified', now(), now())`))
  const call = <T = Record<string, unknown>>(claims: Claims, what: ReturnType<typeof sql>, role = 'authenticated') => database.asCaller({ role, claims }, (tx) => tx.many<T & Record<string, unknown>>(what))
  const sessionsOf = (claims: Claims) => call<{ id: string; is_current: boolean }>(claims, sql`select * from public.portico_sessions()`)
  const exists = async (userId: string) => (await database.asAdmin('postgres', (tx) => tx.many(sql`select id from auth.users where id = ${userId}`))).length === 1
  const all = [
    sql`select * from public.portico_account()`, sql`select * from public.portico_sessions()`, sql`select * from public.portico_activity()`,
    sql`select public.portico_revoke_session(${randomUUID()})`, sql`select public.portico_delete_account()`,
  ]

  it('can be applied over itself', async () => {
    await admin(pack)
    await admin(pack)
  })

  it('lists one\'s own sessions, the present one first, without a secret among them', async () => {
    const [ada, eve] = [await person(), await person()]
    const other = await addSession(ada.id)
    const listed = await sessionsOf(ada.claims)
    expect(listed.map(({ id, is_current }) => [id, is_current])).toEqual([[ada.sessionId, true], [other, false]])
    expect(listed[0]).toMatchObject({ ip: '10.0.0.7', user_agent: 'Mozilla/5.0', aal: 'aal1', app: null })
    expect(JSON.stringify(listed)).not.toContain('hush')
    expect(await sessionsOf(eve.claims)).toHaveLength(1)
  })

  it('lists 200 sessions at most', async () => {
    const ada = await person()
    await database.asAdmin('supabase_auth_admin', (tx) => tx.execute(sql`
      insert into auth.sessions (id, user_id, created_at, aal) select gen_random_uuid(), ${ada.id}, now() - interval '1 day', 'aal1' from generate_series(1, 300)`))
    expect(await sessionsOf(ada.claims)).toHaveLength(200)
  })

  it('ends one session of one\'s own and nobody else\'s', async () => {
    const [ada, eve] = [await person(), await person()]
    const other = await addSession(ada.id)
    await call(ada.claims, sql`select public.portico_revoke_session(${other})`)
    expect(await sessionsOf(ada.claims)).toHaveLength(1)
    await expect(call(ada.claims, sql`select public.portico_revoke_session(${eve.sessionId})`)).rejects.toEqual(refusal('portico_session_not_found'))
    expect(await sessionsOf(eve.claims)).toHaveLength(1)
  })

  it('refuses visitors, guests, applications and those whose session is over or another\'s', async () => {
    const [ada, eve] = [await person(), await person()]
    const cases: [Claims, string][] = [
      [{ role: 'anon' }, 'portico_signed_out'],
      [{}, 'portico_signed_out'],
      [{ ...ada.claims, role: 'service_role' }, 'portico_signed_out'],
      [{ ...ada.claims, is_anonymous: true }, 'portico_not_for_guests'],
      [{ ...ada.claims, client_id: randomUUID() }, 'portico_not_for_apps'],
      [{ ...ada.claims, session_id: randomUUID() }, 'portico_signed_out'],
      [{ ...ada.claims, session_id: eve.sessionId }, 'portico_signed_out'],
      [{ ...ada.claims, session_id: `' or true --` }, 'portico_signed_out'],
      [{ ...ada.claims, session_id: undefined }, 'portico_signed_out'],
    ]
    for (const [claims, code] of cases) for (const what of all) await expect(call(claims, what), JSON.stringify(claims)).rejects.toEqual(refusal(code))
    for (const role of ['anon', 'service_role']) for (const what of all) await expect(call(ada.claims, what, role)).rejects.toMatchObject({ sqlstate: '42501' })
    await admin(`update auth.users set banned_until = now() + interval '1 day' where id = '${ada.id}'; update auth.sessions set not_after = now() - interval '1 s' where user_id = '${eve.id}'`)
    for (const { claims } of [ada, eve]) for (const what of all) await expect(call(claims, what)).rejects.toEqual(refusal('portico_signed_out'))
    expect(await Promise.all([ada.id, eve.id].map(exists))).toEqual([true, true])
  })

  it('refuses an application\'s session even when its token does not say whose it is', async () => {
    const ada = await person()
    const client = randomUUID()
    await admin(`insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, client_name, token_endpoint_auth_method) values ('${client}', 'dynamic', 'https://a.co', 'authorization_code', 'Notes', 'none');
      update auth.sessions set oauth_client_id = '${client}' where id = '${ada.sessionId}'`)
    for (const what of all) await expect(call(ada.claims, what)).rejects.toEqual(refusal('portico_not_for_apps'))
    const own = await addSession(ada.id)
    const listed = await sessionsOf({ ...ada.claims, session_id: own })
    expect(listed.find(({ id }) => id === ada.sessionId)).toMatchObject({ app: 'Notes' })
  })

  it('wants a proof of the last 15 minutes before it ends or deletes anything', async () => {
    for (const ada of [await person({ ageSeconds: 1000 }), await person({ method: 'token_refresh' }), await person({ method: 'anonymous' })]) {
      const other = await addSession(ada.id)
      for (const amr of [ada.claims['amr'], [], 'password', ['password'], [{ method: 'password', timestamp: 'soon' }], null]) {
        const claims = { ...ada.claims, amr }
        await expect(call(claims, sql`select public.portico_revoke_session(${other})`)).rejects.toEqual(refusal('portico_fresh_proof_needed'))
        await expect(call(claims, sql`select public.portico_delete_account()`)).rejects.toEqual(refusal('portico_fresh_proof_needed'))
      }
      expect([await exists(ada.id), (await sessionsOf(ada.claims)).length]).toEqual([true, 2])
    }
  })

  it('wants the second factor, and that of late, from those who have one', async () => {
    const [low, high] = [await person(), await person({ aal: 'aal2', method: 'totp' })]
    await Promise.all([addFactor(low.id), addFactor(high.id)])
    const remove = sql`select public.portico_delete_account()`
    // The token says more than the session is worth, and the other way round.
    const raised = { ...low.claims, aal: 'aal2', amr: [{ method: 'totp', timestamp: now() }] }
    for (const claims of [low.claims, raised, { ...high.claims, aal: 'aal1' }]) await expect(call(claims, remove)).rejects.toEqual(refusal('portico_second_factor_needed'))
    const stale = [{ method: 'totp', timestamp: now() - 1000 }, { method: 'password', timestamp: now() }]
    await expect(call({ ...high.claims, amr: stale }, remove)).rejects.toEqual(refusal('portico_second_factor_needed'))
    await call(high.claims, remove)
    expect(await Promise.all([low.id, high.id].map(exists))).toEqual([true, false])
  })

  it('tells whoever has the password alone nothing of an account with a second factor', async () => {
    const ada = await person()
    expect(await sessionsOf(ada.claims)).toHaveLength(1)
    await addFactor(ada.id)
    for (const claims of [ada.claims, { ...ada.claims, aal: 'aal2' }]) for (const what of all) await expect(call(claims, what)).rejects.toEqual(refusal('portico_second_factor_needed'))
  })

  it('lists sessions where the server keeps no list of applications, or closes it', async () => {
    const ada = await person()
    await addSession(ada.id)
    await admin(`update auth.sessions set oauth_client_id = (select c.id from auth.oauth_clients c limit 1) where user_id = '${ada.id}' and id <> '${ada.sessionId}'`)
    await admin('alter table auth.oauth_clients rename to oauth_clients_away')
    try {
      expect((await sessionsOf(ada.claims)).map(({ id }) => id)[0]).toBe(ada.sessionId)
      expect(await sessionsOf(ada.claims)).toHaveLength(2)
    } finally {
      await admin('alter table auth.oauth_clients_away rename to oauth_clients')
    }
  })

  it('opens no function of the project\'s own that bears one of its names', async () => {
    await admin(`create or replace function public.portico_activity(who text) returns text language sql as $$ select 'private' $$; revoke all on function public.portico_activity(text) from public, anon, authenticated, service_role`)
    await admin(pack)
    await expect(call((await person()).claims, sql`select public.portico_activity('me'::text)`)).rejects.toMatchObject({ sqlstate: '42501' })
    await admin('drop function public.portico_activity(text)')
  })

  it('is taken out as its head says, and put back', async () => {
    const head = /-- To take it out again, as `postgres`:\n((?:-- {3}.*\n)+)/.exec(pack)?.[1] ?? ''
    const removal = head.replaceAll(/^-- {3}/gm, '')
    expect(removal).toContain('drop schema')
    const count = async () => (await database.asAdmin('postgres', (tx) => tx.many(sql`
      select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'portico_private' or p.proname in ('portico_account', 'portico_sessions', 'portico_revoke_session', 'portico_activity', 'portico_delete_account')`))).length
    const before = await count()
    await admin(removal)
    expect(await count()).toBe(0)
    await admin(removal)
    await admin(pack)
    expect(await count()).toBe(before)
    expect(await sessionsOf((await person()).claims)).toHaveLength(1)
  })

  it('deletes the account with all that goes with it, and nobody else\'s', async () => {
    const [ada, eve] = [await person(), await person()]
    await call(ada.claims, sql`select public.portico_delete_account()`)
    expect(await Promise.all([ada.id, eve.id].map(exists))).toEqual([false, true])
    await expect(sessionsOf(ada.claims)).rejects.toEqual(refusal('portico_signed_out'))
    const [left] = await database.asAdmin('postgres', (tx) => tx.many(sql`select (select count(*)::int from auth.sessions where user_id = ${ada.id}) as sessions, (select payload ->> 'action' from auth.audit_log_entries where payload ->> 'actor_id' = ${ada.id}) as noted`))
    expect(left).toEqual({ sessions: 0, noted: 'user_deleted' })
  })

  it('keeps an account whose rows must keep it, and names the table only to those who may read it', async () => {
    await admin(`
      create table if not exists public.orders (id int generated always as identity, buyer uuid references auth.users on delete restrict);
      create table if not exists public.ledger (id int generated always as identity, holder uuid references auth.users deferrable initially deferred);
      create table if not exists public.notes (id int generated always as identity, author uuid references auth.users on delete cascade);
      grant select on public.orders, public.notes to authenticated; revoke all on public.ledger from authenticated`)
    const [ada, eve] = [await person(), await person()]
    await admin(`insert into public.orders (buyer) values ('${ada.id}'); insert into public.notes (author) values ('${ada.id}'); insert into public.ledger (holder) values ('${eve.id}')`)
    const remove = sql`select public.portico_delete_account()`
    await expect(call(ada.claims, remove)).rejects.toEqual(refusal('portico_account_in_use'))
    await expect(call(ada.claims, remove)).rejects.toMatchObject({ message: expect.stringContaining('"public.orders"') })
    await expect(call(eve.claims, remove)).rejects.toEqual(refusal('portico_account_in_use'))
    await expect(call(eve.claims, remove)).rejects.not.toMatchObject({ message: expect.stringContaining('ledger') })
    expect([await exists(ada.id), await exists(eve.id), (await sessionsOf(ada.claims)).length]).toEqual([true, true, 1])
    const [account] = await call<{ portico_account: unknown }>(ada.claims, sql`select public.portico_account()`)
    expect(account?.portico_account).toEqual({ pack: 1, has_password: true, references: [
      { schema: 'public', table: 'notes', column: 'author', on_delete: 'cascade' }, { schema: 'public', table: 'orders', column: 'buyer', on_delete: 'restrict' }] })
  })

  it('leaves stored files to the storage, whose owner is then gone', async () => {
    const ada = await person()
    await admin(`insert into storage.buckets (id, name) values ('b-${ada.id}', 'b-${ada.id}'); insert into storage.objects (bucket_id, name, owner_id) values ('b-${ada.id}', 'cat.png', '${ada.id}')`)
    await call(ada.claims, sql`select public.portico_delete_account()`)
    const kept = await database.asAdmin('postgres', (tx) => tx.many(sql`select owner_id from storage.objects where bucket_id = ${`b-${ada.id}`}`))
    expect([await exists(ada.id), kept]).toEqual([false, [{ owner_id: ada.id }]])
  })

  it('tells one\'s own activity alone, the newest first, and only what is safe', async () => {
    const [ada, eve] = [await person(), await person()]
    const entry = (id: string, action: string, at: string) => database.asAdmin('supabase_auth_admin', (tx) => tx.execute(sql`
      insert into auth.audit_log_entries (id, payload, created_at) values (${randomUUID()}, ${json({ action, actor_id: id, actor_username: 'hush', traits: { provider: 'email', user_phone: 'hush' } })}, ${at})`))
    await entry(ada.id, 'login', '2026-01-01T00:00:00Z')
    await entry(ada.id, 'token_refreshed', '2026-01-02T00:00:00Z')
    await entry(ada.id, 'user_updated_password', '2026-01-03T00:00:00Z')
    await entry(eve.id, 'logout', '2026-01-04T00:00:00Z')
    const told = await call(ada.claims, sql`select * from public.portico_activity(200)`)
    expect(told.map(({ action }) => action)).toEqual(['user_updated_password', 'login'])
    expect(told[0]).toMatchObject({ provider: 'email', ip: null })
    expect(JSON.stringify(told)).not.toContain('hush')
    for (const rows of [1, 0, -5]) expect(await call(ada.claims, sql`select * from public.portico_activity(${rows})`)).toHaveLength(1)
    expect(await call(ada.claims, sql`select * from public.portico_activity(2147483647)`)).toHaveLength(2)
  })

  it('is not led astray by objects of the same names', async () => {
    const ada = await person()
    await admin(`
      create schema if not exists trap; grant usage on schema trap to authenticated;
      create or replace function trap.jwt() returns jsonb language sql as $$ select '{"role":"authenticated"}'::jsonb $$;
      create or replace function public.uid() returns uuid language sql as $$ select null::uuid $$;
      create or replace function public.jsonb_typeof(jsonb) returns text language sql as $$ select 'number' $$`)
    const told = await database.asAdmin('postgres', async (tx) => {
      await tx.execute(trusted('set local role authenticated'))
      await tx.execute(trusted('create temp table sessions (id uuid, user_id uuid)'))
      for (const type of ['jsonb', 'uuid', 'text', 'tid', 'timestamptz']) await tx.execute(trusted(`create domain pg_temp.${type} as pg_catalog.int4 check (value < 0)`))
      await tx.execute(trusted('set local search_path = pg_temp, trap, public, auth'))
      await tx.execute(sql`select set_config('request.jwt.claims', ${JSON.stringify(ada.claims)}, true)`)
      return tx.many(trusted('select s.id::pg_catalog.text as id from public.portico_sessions() s'))
    })
    expect(told).toEqual([{ id: ada.sessionId }])
    await admin('drop function public.uid; drop function public.jsonb_typeof; drop schema trap cascade')
  })

  it('runs nothing that is put into an argument, and lends its rights to nobody', async () => {
    const ada = await person()
    await expect(call(ada.claims, sql`select public.portico_revoke_session(${`${ada.sessionId}'; delete from auth.users; --`})`)).rejects.toMatchObject({ sqlstate: '22P02' })
    for (const what of ['portico_private.own_session(true)', `portico_private.note(null, 'x', 'x', '{}')`, `portico_private.refuse(200, 'a', 'b')`]) {
      await expect(call(ada.claims, trusted(`select ${what}`))).rejects.toMatchObject({ sqlstate: '42501' })
    }
    await expect(call(ada.claims, trusted('create or replace function public.portico_account() returns jsonb language sql as $$ select null::jsonb $$'))).rejects.toMatchObject({ sqlstate: '42501' })
    const [made] = await database.asAdmin('postgres', (tx) => tx.many(trusted(`
      select bool_and(p.proconfig @> array['search_path=""']) as fixed,
             bool_or(p.prosecdef and n.nspname <> 'public') as hidden_definer,
             bool_or(has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('service_role', p.oid, 'execute')) as others
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'portico_private' or p.proname in ('portico_account', 'portico_sessions', 'portico_revoke_session', 'portico_activity', 'portico_delete_account')`)))
    expect(made).toEqual({ fixed: true, hidden_definer: false, others: false })
    expect(await exists(ada.id)).toBe(true)
  })
})
