import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'
import { sql, trusted } from '#database/sql.ts'
import { extensionBundles } from './catalog.ts'
import { extensionsNamedIn } from './named-extensions.ts'
import { removeOldBundles, standInBundle } from './stand-in-bundle.ts'
import { standIns } from './stand-ins.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase({ engine: 'pglite', extensions: extensionBundles(['vector', 'pg_trgm', 'citext', 'pgmq', 'moddatetime']) })
  await bootstrap(database)
})
afterAll(() => database.close())

const one = <Row>(text: string): Promise<Row> => database.asAdmin('postgres', (tx) => tx.one<Row>(trusted(text)))

test('a project starts with the hosted base extensions', async () => {
  expect(await one("select array_agg(extname::text order by extname) as names from pg_extension where extname <> 'plpgsql'")).toEqual({
    names: ['pg_graphql', 'pg_net', 'pg_stat_statements', 'pgcrypto', 'pgjwt', 'supabase_vault', 'uuid-ossp'],
  })
})

test('an upgrade leaves one bundle in the data folder, and nothing else is touched', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-bundles-'))
  const current = fileURLToPath(standInBundle(folder))
  for (const name of ['extensions-0123456789abcdef.tar.gz', 'extensions-0123456789abcdef.tar.gz.4711', 'extensions-mine.tar.gz']) writeFileSync(join(folder, name), '')
  removeOldBundles(folder)
  expect(existsSync(current)).toBe(true)
  expect(readdirSync(folder).sort()).toEqual([basename(current), 'extensions-mine.tar.gz'].sort())
  rmSync(folder, { recursive: true })
})

test('the ciphers of pgcrypto work beside many libraries', async () => {
  expect(await one("select encode(extensions.digest('a', 'sha256'), 'hex') like 'ca978112%' as works")).toEqual({ works: true })
})

test.each(standIns.map(({ name }) => name))('%s can be made, dropped and made again, in a schema of its own or none', async (name) => {
  await database.script('postgres', `drop extension if exists "${name}" cascade; create extension "${name}"`)
  await database.script('postgres', `drop extension "${name}"; create extension if not exists "${name}" with schema ${name === 'supabase_vault' ? 'vault' : 'extensions'} cascade`)
})

test.each(['vector', 'pg_trgm', 'citext', 'pgmq', 'moddatetime'])('%s is the real one', async (name) => {
  await database.script('postgres', `create extension ${name} ${name === 'pgmq' ? '' : 'with schema extensions'}`)
})

test('finds the extensions a project names', () => {
  expect(extensionsNamedIn('CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA x;\ncreate extension PostGIS; create  extension\nvector')).toEqual(['uuid-ossp', 'postgis', 'vector'])
})

test('databases made from one template share no key: there is none before the first secret', async () => {
  expect(await one('select count(*)::int as keys from vault.root_key')).toEqual({ keys: 0 })
})

test('the vault keeps secrets encrypted and gives them back', async () => {
  const { id } = await one<{ id: string }>("select vault.create_secret('s3cret ü', 'api_key', 'of the API') as id")
  const stored = await one<{ secret: string }>("select secret from vault.secrets where name = 'api_key'")
  expect(Buffer.from(stored.secret, 'base64').toString('latin1')).not.toContain('s3cret')
  expect(await one("select decrypted_secret, description from vault.decrypted_secrets where name = 'api_key'")).toEqual({ decrypted_secret: 's3cret ü', description: 'of the API' })
  await database.asAdmin('postgres', (tx) => tx.execute(sql`select vault.update_secret(${id}, 'other')`))
  expect(await one("select decrypted_secret from vault.decrypted_secrets where name = 'api_key'")).toEqual({ decrypted_secret: 'other' })
})

test('the vault encrypts what is inserted directly, and tells of a changed cipher text by giving nothing', async () => {
  await database.script('postgres', "insert into vault.secrets (name, secret) values ('direct', 'plain text')")
  expect(await one("select secret <> 'plain text' as hidden, decrypted_secret from vault.decrypted_secrets where name = 'direct'")).toEqual({ hidden: true, decrypted_secret: 'plain text' })
  await database.script('postgres', `alter table vault.secrets disable trigger user;
    update vault.secrets set secret = overlay(secret placing 'AAAA' from 1 for 4) where name = 'direct';
    alter table vault.secrets enable trigger user`)
  expect(await one("select decrypted_secret from vault.decrypted_secrets where name = 'direct'")).toEqual({ decrypted_secret: null })
})

test.each(['anon', 'authenticated'])('%s reads no secret, encrypts none and sees no key', async (role) => {
  const asks = ['select * from vault.decrypted_secrets', 'select * from vault.secrets', 'select * from vault.root_key', "select vault.create_secret('x')", 'select vault._root()']
  for (const ask of asks)
    await expect(database.asCaller({ role, claims: {} }, (tx) => tx.many(trusted(ask)))).rejects.toMatchObject({ sqlstate: '42501' })
})

test('service_role reads secrets but not their key', async () => {
  const asService = (text: string) => database.asCaller({ role: 'service_role', claims: {} }, (tx) => tx.many(trusted(text)))
  expect(await asService("select decrypted_secret from vault.decrypted_secrets where name = 'api_key'")).toEqual([{ decrypted_secret: 'other' }])
  await expect(asService('select * from vault.root_key')).rejects.toMatchObject({ sqlstate: '42501' })
  await expect(asService('select vault._root()')).rejects.toMatchObject({ sqlstate: '42501' })
})

test('pgjwt signs and verifies, and refuses a wrong secret or an expired token', async () => {
  expect(await one("select extensions.sign('{\"sub\":\"1234567890\",\"name\":\"John Doe\",\"admin\":true}', 'secret') as token")).toEqual({
    token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiYWRtaW4iOnRydWV9.TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ',
  })
  expect(await one(`select (extensions.verify(extensions.sign('{"a":1}', 's'), 's')).valid as good, (extensions.verify(extensions.sign('{"a":1}', 's'), 't')).valid as bad,
    (extensions.verify(extensions.sign('{"exp":1}', 's'), 's')).valid as old`)).toEqual({ good: true, bad: false, old: false })
})

test('pgsodium keys encrypt and decrypt, and a changed text is refused', async () => {
  await database.script('postgres', 'create extension if not exists pgsodium')
  const { id } = await one<{ id: string }>("select (pgsodium.create_key(name := 'k')).id")
  const round = `select convert_from(pgsodium.crypto_aead_det_decrypt(pgsodium.crypto_aead_det_encrypt('hello', 'context', '${id}'::uuid), 'context', '${id}'::uuid), 'utf8') as text`
  expect(await one(round)).toEqual({ text: 'hello' })
  await expect(one(round.replace("'context', '", "'another', '"))).rejects.toMatchObject({ sqlstate: '22000' })
})

test.each([
  ['{"type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":1}},"additionalProperties":false}', '{"a":1}', true],
  ['{"type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":1}},"additionalProperties":false}', '{"a":0}', false],
  ['{"type":"object","additionalProperties":false}', '{"b":1}', false],
  ['{"type":["string","null"],"maxLength":2}', '"abc"', false],
  ['{"type":["string","null"]}', 'null', true],
  ['{"type":"integer"}', '1.0', true],
  ['{"type":"array","items":{"$ref":"#/$defs/n"},"$defs":{"n":{"enum":[1,2]}},"uniqueItems":true}', '[1,2]', true],
  ['{"type":"array","items":{"$ref":"#/$defs/n"},"$defs":{"n":{"enum":[1,2]}},"uniqueItems":true}', '[1,1]', false],
  ['{"items":[{"type":"string"}],"additionalItems":false}', '["a",1]', false],
  ['{"oneOf":[{"type":"number"},{"minimum":2}]}', '3', false],
  ['{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"required":["b"]}}', '{"a":1}', false],
  ['{"not":{"type":"string"}}', '1', true],
  ['{"patternProperties":{"^x_":{"type":"string"}},"additionalProperties":false}', '{"x_a":"1"}', true],
  ['{"properties":{"child":{"$ref":"#"}},"additionalProperties":false}', '{"child":{"child":{"other":1}}}', false],
])('pg_jsonschema: %s with %s is %s', async (schema, instance, matches) => {
  await database.script('postgres', 'create extension if not exists pg_jsonschema with schema extensions')
  expect(await database.asAdmin('postgres', (tx) => tx.one(sql`select extensions.json_matches_schema(${schema}::json, ${instance}::json) as matches`))).toEqual({ matches })
})

test('what cannot work says so when it is called', async () => {
  await database.script('postgres', `create extension if not exists http with schema extensions; create extension if not exists dblink with schema extensions;
    create extension if not exists plv8; create extension if not exists wrappers with schema extensions;
    create function public.in_plv8() returns int language plv8 as 'return 1';
    create foreign data wrapper w handler extensions.stripe_fdw_handler validator extensions.stripe_fdw_validator;
    create server s foreign data wrapper w options (api_key_id 'x'); create foreign table public.customers (id text) server s options (object 'customers')`)
  await expect(one("select extensions.http_get('http://127.0.0.1')")).rejects.toMatchObject({ sqlstate: '0A000', facts: { hint: expect.stringContaining('pg_net') } })
  await expect(one("select * from extensions.dblink('select 1') as t (a int)")).rejects.toMatchObject({ sqlstate: '0A000' })
  await expect(one('select public.in_plv8()')).rejects.toMatchObject({ sqlstate: '0A000' })
  await expect(one('select * from public.customers')).rejects.toMatchObject({ sqlstate: '0A000' })
})

test('GraphQL answers with an error in its own form', async () => {
  expect(await one("select graphql_public.graphql(query := '{ a }') -> 'errors' -> 0 ? 'message' as told")).toEqual({ told: true })
})
