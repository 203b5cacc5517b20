import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'
import { trusted } from '#database/sql.ts'
import { MigrationFailed, ProjectUnreadable } from './failures.ts'
import { loadProject } from './load-project.ts'

let database: Database
let folder: string

beforeAll(async () => {
  database = await openDatabase({ engine: 'pglite' })
  await bootstrap(database)
})
afterAll(() => database.close())

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-project-'))
  await database.script('postgres', `
    drop schema public cascade; create schema public; grant usage on schema public to anon, authenticated, service_role;
    drop schema if exists supabase_migrations cascade; drop table if exists _portico.project_load;
    set storage.allow_delete_query = 'true'; delete from storage.buckets; delete from auth.users`)
  return () => rmSync(folder, { recursive: true })
})

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'supabase', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

const rows = (text: string) => database.asAdmin('postgres', (tx) => tx.many(trusted(text)))
const load = (options = {}) => loadProject(database, { folder, ...options })
const failure = async (options = {}): Promise<MigrationFailed> => {
  const error = await load(options).then(() => undefined, (thrown: unknown) => thrown)
  if (!(error instanceof MigrationFailed)) throw new Error('expected a failed migration', { cause: error })
  return error
}

test('leaves migrations aside when they are switched off, and runs the seed all the same', async () => {
  write({ 'migrations/1_first.sql': 'create table a (id int);', 'seed.sql': 'create table b (id int)' })
  expect(await load({ migrationsEnabled: false })).toEqual({ applied: [], seeded: ['supabase/seed.sql'], warnings: ['config.toml switches migrations off: none was run.'] })
  expect(await load()).toMatchObject({ applied: ['supabase/migrations/1_first.sql'], seeded: [], warnings: [] })
})

test('runs migrations in byte order, then the seed, and keeps the history the CLI keeps', async () => {
  write({
    'migrations/2_second.sql': "insert into a values (2); -- two\n",
    'migrations/10_first.sql': 'create table a (id int);\ninsert into a values (1);',
    'seed.sql': 'insert into a values (3)',
  })
  expect(await load()).toEqual({
    applied: ['supabase/migrations/10_first.sql', 'supabase/migrations/2_second.sql'], seeded: ['supabase/seed.sql'], warnings: [],
  })
  expect(await rows('select array_agg(id order by id) as ids from a')).toEqual([{ ids: [1, 2, 3] }])
  expect(await rows('select version, name, statements from supabase_migrations.schema_migrations order by 1')).toEqual([
    { version: '10', name: 'first', statements: ['create table a (id int)', 'insert into a values (1)'] },
    { version: '2', name: 'second', statements: ['insert into a values (2)'] },
  ])
})

test('a restart runs new migrations only, and seeds no more', async () => {
  write({ 'migrations/1_a.sql': 'create table a (id int);', 'seed.sql': 'insert into a values (1);' })
  await load()
  write({ 'migrations/2_b.sql': 'insert into a values (2)', 'seed.sql': 'insert into a values (3);' })
  expect(await load()).toMatchObject({ applied: ['supabase/migrations/2_b.sql'], seeded: [] })
  expect(await rows('select id from a order by id')).toEqual([{ id: 1 }, { id: 2 }])
})

test('each file starts from the same search_path, whatever a dump before it set', async () => {
  write({
    'migrations/1_dump.sql': "select pg_catalog.set_config('search_path', '', false); set role anon; set statement_timeout = 0;",
    'migrations/2_next.sql': "create table found as select current_setting('search_path') as path, current_user::text as who;",
  })
  await load()
  expect(await rows('select * from found')).toEqual([{ path: '"$user", public, extensions', who: 'postgres' }])
})

test('names file, line, column and statement of a failing statement, and takes the whole file back', async () => {
  write({ 'migrations/1_a.sql': 'create table kept (id int);', 'migrations/2_b.sql': 'create table gone (id int);\n\n-- why\nselect id,\n  nowhere from kept;\n' })
  const error = await failure()
  expect(error).toMatchObject({ file: 'supabase/migrations/2_b.sql', line: 5, column: 3, sqlstate: '42703', statement: 'select id,\n  nowhere from kept' })
  expect(error.message).toContain('supabase/migrations/2_b.sql:5:3: column "nowhere" does not exist (SQLSTATE 42703)')
  expect(error.rolledBack).toBe('All of supabase/migrations/2_b.sql is rolled back; files applied before it stay.')
  expect(await rows("select to_regclass('gone')::text as gone, to_regclass('kept')::text as kept")).toEqual([{ gone: null, kept: 'kept' }])
})

test('finds the failing statement also when the database gives no position', async () => {
  write({ 'migrations/1_a.sql': "create table a (id int primary key);\ninsert into a values (1);\nset local role postgres;\ninsert into a values (1);\nselect 1;" })
  expect(await failure()).toMatchObject({ line: 4, column: 1, sqlstate: '23505', statement: 'insert into a values (1)' })
})

test('says what a file that commits by itself leaves behind', async () => {
  write({ 'migrations/1_a.sql': 'begin;\ncreate table stays (id int);\ncommit;\ncreate table stays (id int);' })
  const error = await failure()
  expect(error).toMatchObject({ line: 4, statement: 'create table stays (id int)' })
  expect(error.rolledBack).toContain('what came before its last COMMIT stays')
  expect(await rows("select to_regclass('stays')::text as stays")).toEqual([{ stays: 'stays' }])
})

test('finds the failing statement under another role, in a file that commits by itself too', async () => {
  write({ 'migrations/1_a.sql': 'begin;\nset role anon;\nselect 1;\nreset role;\nset role authenticated;\nselect 1/0;\ncommit;' })
  expect(await failure()).toMatchObject({ line: 6, sqlstate: '22012' })
})

test('leaves out rows of dumps about files, when they are in the columns of another version', async () => {
  write({ 'migrations/1_a.sql': 'select 1;', 'seed.sql': "insert into storage.buckets (id, name) values ('a', 'a');\ninsert into \"storage\".\"objects\" (id, bucket_id, name, level) values (gen_random_uuid(), 'a', 'x', 1);" })
  expect((await load()).warnings).toEqual([expect.stringContaining('supabase/seed.sql: left out')])
})

test('a failed seed is run again at the next start, files before it are not', async () => {
  write({ 'migrations/1_a.sql': 'create table a (id int);', 'seeds/1.sql': 'insert into a values (1);', 'seeds/2.sql': 'insert into nowhere values (1);' })
  await failure({ seedPaths: ['seeds/*.sql'] })
  write({ 'seeds/2.sql': 'insert into a values (2);' })
  expect(await load({ seedPaths: ['seeds/*.sql'] })).toMatchObject({ applied: [], seeded: ['supabase/seeds/2.sql'] })
  expect(await rows('select id from a order by id')).toEqual([{ id: 1 }, { id: 2 }])
})

test('takes seeds by list and glob, and warns of those that are missing', async () => {
  write({ 'migrations/1_a.sql': 'create table a (id text);', 'seeds/b.sql': "insert into a values ('b')", 'seeds/a.sql': "insert into a values ('a')", 'seeds/deep/c.sql': "insert into a values ('c')" })
  expect(await load({ seedPaths: ['./seeds/{b,x}.sql', 'seeds/**/*.sql', './missing.sql'] })).toMatchObject({
    seeded: ['supabase/seeds/b.sql', 'supabase/seeds/a.sql', 'supabase/seeds/deep/c.sql'],
    warnings: ['No seed file matches ./missing.sql.'],
  })
})

test('skips what is no migration with one warning', async () => {
  write({ 'migrations/README.md': '', 'migrations/draft.sql': 'broken', 'migrations/archive/1_old.sql': 'broken', 'migrations/1_a.sql': 'select 1;', 'migrations/.gitkeep': '' })
  expect((await load()).warnings).toEqual(['Not migrations, skipped: README.md, archive, draft.sql (a migration is called <digits>_<name>.sql).'])
})

test('runs roles.sql first', async () => {
  write({ 'roles.sql': "create role portico_test_role; alter role anon set statement_timeout = '9s';", 'migrations/1_a.sql': 'create table a (id int); grant select on a to portico_test_role;' })
  await load()
  expect(await rows("select has_table_privilege('portico_test_role', 'a', 'select') as may")).toEqual([{ may: true }])
  await database.script('postgres', 'drop table a; drop role portico_test_role')
})

test('does not run roles.sql again after a migration behind it failed', async () => {
  write({ 'roles.sql': 'create role portico_test_role;', 'migrations/1_a.sql': 'broken' })
  await failure()
  write({ 'migrations/1_a.sql': 'create table a (id int);' })
  expect(await load()).toMatchObject({ applied: ['supabase/migrations/1_a.sql'] })
  await database.script('postgres', 'drop role portico_test_role')
})

test('loads the data blocks of a dump', async () => {
  write({
    'migrations/1_a.sql': 'create table a (id bigint generated always as identity primary key, body text, tags text[]);',
    'seed.sql': '\\restrict x\nCOPY public.a (id, body, tags) FROM stdin;\n7\tone; two\t{a,b}\n8\t\\N\t{}\n\\.\n\nSELECT setval(\'a_id_seq\', 8);\n\\unrestrict x\n',
  })
  expect((await load()).warnings).toEqual([])
  expect(await rows('select id::int, body, tags from a order by id')).toEqual([{ id: 7, body: 'one; two', tags: ['a', 'b'] }, { id: 8, body: null, tags: [] }])
})

test('grants new tables to the API roles, or not, as the project says', async () => {
  const may = "select has_table_privilege('anon', 'a', 'select') as may"
  write({ 'migrations/1_a.sql': 'create table a (id int);' })
  await load({ exposeNewTables: false })
  expect(await rows(may)).toEqual([{ may: false }])
  await database.script('postgres', 'drop table a; delete from supabase_migrations.schema_migrations')
  await load()
  expect(await rows(may)).toEqual([{ may: true }])
})

test('does not take back at a restart what a project says about new tables itself', async () => {
  write({ 'migrations/1_a.sql': 'alter default privileges in schema public revoke all on tables from anon;' })
  await load()
  write({ 'migrations/2_b.sql': 'create table a (id int);' })
  await load()
  expect(await rows("select has_table_privilege('anon', 'a', 'select') as may")).toEqual([{ may: false }])
})

test('leaves out what dumps say of platform objects that are not here', async () => {
  write({ 'migrations/1_a.sql': 'create table a (id int);\ngrant all on function "extensions"."set_graphql_placeholder_of_old"() to postgres;\nalter system set wal_level = logical;' })
  expect((await load()).warnings).toEqual([
    'supabase/migrations/1_a.sql: ALTER SYSTEM sets the server, not the project: left out',
    'supabase/migrations/1_a.sql: left out, since it is about an object of the platform that is not here: grant all on function "extensions"."set_graphql_placeholder_of_old"() to postgres',
  ])
  expect(await rows("select to_regclass('a')::text as a")).toEqual([{ a: 'a' }])
})

test('makes the buckets of the configuration', async () => {
  write({ 'migrations/1_a.sql': 'select 1;' })
  const options = { buckets: [{ id: 'avatars', public: true, fileSizeLimitBytes: 1024, allowedMimeTypes: ['image/png'] }, { id: 'private' }] }
  await load(options)
  await load(options)
  expect(await rows('select id, public, file_size_limit::int as size, allowed_mime_types as types from storage.buckets order by id')).toEqual([
    { id: 'avatars', public: true, size: 1024, types: ['image/png'] }, { id: 'private', public: false, size: null, types: null },
  ])
})

test('refuses a folder that is no project', async () => {
  await expect(load()).rejects.toThrow(ProjectUnreadable)
})

test('a file another process applied meanwhile is passed over', async () => {
  write({ 'migrations/1_a.sql': 'create table a (id int);' })
  const onFile = () => database.script('postgres', "create table a (id int); insert into supabase_migrations.schema_migrations (version) values ('1')")
  let started: Promise<void> | undefined
  expect(await load({ onFile: () => { started = onFile() } })).toMatchObject({ applied: [] })
  await started
})

test('runs two migrations of one version, once each, and warns', async () => {
  write({ 'migrations/1_a.sql': 'create table a (id int);', 'migrations/1_b.sql': 'create table b (id int);' })
  expect(await load()).toMatchObject({
    applied: ['supabase/migrations/1_a.sql', 'supabase/migrations/1_b.sql'],
    warnings: ['Another migration has the same version: supabase/migrations/1_b.sql. The CLI refuses that; rename them.'],
  })
  expect(await load()).toMatchObject({ applied: [] })
})

test('a project without migrations or config loads as nothing', async () => {
  write({ 'functions/hello/index.ts': '' })
  expect(await load()).toEqual({ applied: [], seeded: [], warnings: [] })
})
