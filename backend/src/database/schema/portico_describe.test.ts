import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { extensionBundles } from '#database/extensions/catalog.ts'
import { sql } from '#database/sql.ts'
import { bootstrap, exposeNewTablesByDefault } from './bootstrap.ts'
import described from './samples/described.sql'

interface Entry { name: string; [member: string]: unknown }
interface Relation extends Entry { columns: Entry[]; can: Record<string, boolean> }
interface Document {
  fingerprint: string
  server: { role: string; version: number }
  types?: Record<string, Entry>
  schemas?: { name: string; relations?: Relation[]; functions?: Entry[] }[]
}

// Whatever a role has no privilege on: none of these words may reach it.
const hidden = `
  create table public.secret_table (secret_column int primary key, other text default 'secret_default');
  comment on table public.secret_table is 'secret_comment';
  create schema secret_schema; create table secret_schema.secret_inside (id int);
  create type public.secret_enum as enum ('secret_label');
  create function public.secret_function() returns int language sql as 'select 1 /* secret_body */';
  revoke execute on function public.secret_function from public;
  create table public.half (id int primary key, shown text, secret_half text default 'secret_value', constraint secret_check check (secret_half <> 'secret_operand'), unique (secret_half));
  comment on column public.half.secret_half is 'secret_column_comment';
  grant select (id, shown) on public.half to authenticated;
  create table public.child (id int primary key, parent int constraint secret_fk references public.secret_table);
  grant select on public.child to authenticated;
  create table public.guarded (id int primary key, owner uuid default auth.uid(), computed text default (lower('secret_expression') || current_user));
  alter table public.guarded enable row level security;
  create policy "secret policy name" on public.guarded for select to authenticated using (owner = auth.uid() and 'secret_policy' <> '');
  grant select on public.guarded to authenticated;
  insert into public.guarded select g from generate_series(1, 4242) g; analyze public.guarded;
  create table public.parted (id int, at date) partition by range (at);
  create table public.secret_partition partition of public.parted for values from ('2026-01-01') to ('2027-01-01');
  grant select on public.parted to authenticated;
  create function public.visible(a int, b text default 'shown') returns table (x int) language sql stable as 'select 1 /* secret_text */';
  revoke execute on function public.visible from public;
  grant execute on function public.visible to authenticated;
  create function public.secret_trigger() returns trigger language plpgsql as $$ begin return new; end $$;
  grant execute on function public.secret_trigger to authenticated;`

let database: Database
beforeAll(async () => {
  database = await openDatabase({ engine: 'pglite', extensions: extensionBundles(['pg_trgm']) })
  await bootstrap(database)
  await exposeNewTablesByDefault(database, false)
  await database.script('postgres', described)
  await database.script('postgres', hidden)
  await database.script('postgres', 'create extension pg_trgm with schema public; grant execute on function public.portico_describe to anon')
})
afterAll(() => database.close())

const describe = async (role: string, schemas: string[] | null = null, known: string | null = null): Promise<Document> => {
  const { document } = await database.asCaller({ role, claims: {} }, (tx) =>
    tx.one<{ document: Document }>(sql`select public.portico_describe(${schemas}::text[], ${known}) as document`), { readOnly: true })
  return document
}
const relationOf = (document: Document, name: string): Relation | undefined =>
  document.schemas?.flatMap(({ relations = [] }) => relations).find((relation) => relation.name === name)

test('describes the sample as the sample document says', async () => {
  const document = await describe('authenticated')
  const sample = JSON.parse(readFileSync(join(import.meta.dirname, 'samples/description.json'), 'utf8')) as Document
  const names = sample.schemas?.[0]?.relations?.map(({ name }) => name) ?? []
  expect(names.map((name) => relationOf(document, name))).toEqual(sample.schemas?.[0]?.relations)
  expect(document.types).toMatchObject(sample.types ?? {})
})

test('tells a role nothing of what it has no privilege on', async () => {
  for (const role of ['authenticated', 'anon']) expect(JSON.stringify(await describe(role))).not.toMatch(/secret/)
})

test('keeps a foreign key to what is hidden, without a name', async () => {
  expect(relationOf(await describe('authenticated'), 'child')).toMatchObject({ fks: [{ columns: ['parent'], hidden: true }] })
})

test('gives a view the foreign keys of the tables behind it where its columns are theirs and nothing else', async () => {
  await database.script('postgres', `
    create table public.vk_places (id int primary key, name text);
    create table public.vk_rooms (house int, no int, primary key (house, no));
    create table public.vk_secret (id int primary key);
    create table public.vk_visits (id int primary key, at int constraint vk_at references public.vk_places, back int constraint vk_back references public.vk_places,
      house int, room int, withheld int constraint vk_withheld references public.vk_places, unseen int constraint vk_unseen references public.vk_secret,
      constraint vk_room foreign key (house, room) references public.vk_rooms);
    create view public.vk_plain as select v.id, v.at as "Where {it}, :resno 7", coalesce(v.back, 1) as back, v.house, v.room, v.unseen from (select 1) one(x) join public.vk_visits v on true;
    create view public.vk_twice as select a.at, b.at as again, a.house from public.vk_visits a, public.vk_visits b;
    create view public.vk_inner as select s.n as at from (select v.back as n, v.at as other from public.vk_visits v offset 0) s where exists (select v.at from public.vk_visits v);
    create view public.vk_withheld as select withheld from public.vk_visits;
    create view public.vk_none as select 1 as at;
    grant select on public.vk_places, public.vk_rooms, public.vk_plain, public.vk_twice, public.vk_inner, public.vk_withheld, public.vk_none to authenticated;
    grant select (id, at, back, house, room, unseen) on public.vk_visits to authenticated`)
  const document = await describe('authenticated')
  const fksOf = (name: string) => relationOf(document, name)?.['fks']
  expect(fksOf('vk_plain')).toEqual([
    { name: 'vk_at', columns: ['Where {it}, :resno 7'], schema: 'public', table: 'vk_places', to: ['id'] },
    { name: 'vk_room', columns: ['house', 'room'], schema: 'public', table: 'vk_rooms', to: ['house', 'no'] },
  ])
  for (const name of ['vk_twice', 'vk_withheld', 'vk_none']) expect(fksOf(name)).toBeUndefined()
  expect(fksOf('vk_inner')).toEqual([{ name: 'vk_back', columns: ['at'], schema: 'public', table: 'vk_places', to: ['id'] }])
})

test('leaves out columns without a privilege, and the checks and keys that mention them', async () => {
  const half = relationOf(await describe('authenticated'), 'half')
  expect(half?.columns.map(({ name }) => name)).toEqual(['id', 'shown'])
  expect(half).not.toHaveProperty('checks')
  expect(half).not.toHaveProperty('unique')
})

test('counts policies and tells no row count under row security', async () => {
  expect(relationOf(await describe('authenticated'), 'guarded')).toMatchObject({
    rls: { enabled: true, active: true, policies: { select: [1, 0] } }, can: { select: true, insert: false, update: false, delete: false },
  })
  expect(JSON.stringify(await describe('authenticated'))).not.toContain('4242')
})

test('reduces a default expression to its kind', async () => {
  const columns = relationOf(await describe('authenticated'), 'guarded')?.columns
  expect(columns).toMatchObject([{ name: 'id' }, { name: 'owner', default: { kind: 'caller' } }, { name: 'computed', default: { kind: 'expression' } }])
})

test('does not mention itself, extension objects or trigger functions', async () => {
  const names = (await describe('authenticated')).schemas?.flatMap(({ functions = [] }) => functions.map(({ name }) => name))
  expect(names).toEqual(['close_ticket', 'is_late', 'visible'])
})

test('gives a visitor without privileges a document without schemas', async () => {
  expect(await describe('anon')).toEqual({ format: 1, fingerprint: expect.any(String), server: { role: 'anon', version: expect.any(Number) } })
})

test('says unchanged to who knows the document, and gives it anew after a change', async () => {
  const { fingerprint } = await describe('authenticated')
  expect(await describe('authenticated', null, fingerprint)).toEqual({ unchanged: true, fingerprint })
  await database.script('postgres', "comment on table public.child is 'changed'")
  expect(await describe('authenticated', null, fingerprint)).toHaveProperty('schemas')
})

test('describes the schemas asked for, and never one without usage', async () => {
  expect((await describe('authenticated', ['secret_schema', 'public'])).schemas?.map(({ name }) => name)).toEqual(['public'])
  expect(await describe('authenticated', ['nowhere'])).not.toHaveProperty('schemas')
})

test('describes the schemas the API exposes: those of the project itself before those of its configuration', async () => {
  const schemas = async () => (await describe('authenticated')).schemas?.map(({ name }) => name)
  await database.script('postgres', `create schema api; grant usage on schema api to authenticated; create view api.v as select 1 as one; grant select on api.v to authenticated;
    alter role authenticator set portico.api_schemas = 'api'`)
  expect(await schemas()).toEqual(['api'])
  await database.script('postgres', "alter role authenticator set pgrst.db_schemas = 'public,  api , graphql_public'")
  expect(await schemas()).toEqual(['api', 'public'])
  await database.script('postgres', 'alter role authenticator reset pgrst.db_schemas; alter role authenticator reset portico.api_schemas')
})

test('is not for the box to leak by default: visitors may not call it until they are granted to', async () => {
  await database.script('postgres', 'revoke execute on function public.portico_describe from anon')
  await expect(describe('anon')).rejects.toMatchObject({ sqlstate: '42501' })
})
