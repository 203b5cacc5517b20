import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { findPostgres, startTestCluster, type TestCluster } from '#database/postgres/test-cluster.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'
import { trusted } from '#database/sql.ts'
import { loadProject, type LoadedProject } from './load-project.ts'

const bin = findPostgres()

const migrations: Record<string, string> = {
  '1_extensions.sql': `create extension if not exists pgcrypto with schema extensions; create extension if not exists pg_net with schema extensions;
    create extension if not exists pg_cron with schema pg_catalog; create extension if not exists pg_jsonschema with schema extensions;`,
  '2_notes.sql': 'create table notes (id int primary key); alter table notes enable row level security; create policy "all" on notes for select to anon using (id < 3);',
  '3_job.sql': `select cron.schedule('tidy', '0 3 * * *', 'delete from notes'); select vault.create_secret('s3cret', 'key'); select net.http_get('http://kong:8000/');`,
  '4_again.sql': 'create extension if not exists pg_cron; create index concurrently on notes (id);',
}

describe.skipIf(bin === undefined)('on a real server', () => {
  let cluster: TestCluster
  let folder: string
  const databases: Database[] = []
  let loaded: LoadedProject[]

  beforeAll(async () => {
    cluster = await startTestCluster(bin as string)
    folder = mkdtempSync(join(tmpdir(), 'portico-project-'))
    mkdirSync(join(folder, 'supabase/migrations'), { recursive: true })
    for (const [name, text] of Object.entries(migrations)) writeFileSync(join(folder, 'supabase/migrations', name), text)
    writeFileSync(join(folder, 'supabase/seed.sql'), 'copy notes from stdin;\n1\n2\n3\n\\.\n')
    for (let process = 0; process < 3; process += 1) databases.push(await openDatabase({ engine: 'postgres', url: cluster.url('postgres') }))
    loaded = await Promise.all(databases.map(async (database) => {
      await bootstrap(database)
      return loadProject(database, { folder })
    }))
  })
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()))
    cluster?.remove()
    rmSync(folder, { recursive: true })
  })

  const one = <Row>(text: string): Promise<Row> => (databases[0] as Database).asAdmin('postgres', (tx) => tx.one<Row>(trusted(text)))

  test('processes that start at once apply each file once between them', async () => {
    expect(loaded.flatMap(({ applied }) => applied).sort()).toEqual(Object.keys(migrations).map((name) => `supabase/migrations/${name}`))
    expect(loaded.flatMap(({ seeded }) => seeded)).toEqual(['supabase/seed.sql'])
    expect(await one('select count(*)::int as notes from notes')).toEqual({ notes: 3 })
  })

  test('what the server has no extension for works all the same', async () => {
    expect(await one("select array_agg(extname::text order by extname) as real from pg_extension where extname in ('pg_net', 'pgjwt', 'supabase_vault', 'pgcrypto')")).toEqual({ real: ['pgcrypto'] })
    expect(await one('select jobname, username from cron.job')).toEqual({ jobname: 'tidy', username: 'postgres' })
    expect(await one("select decrypted_secret from vault.decrypted_secrets where name = 'key'")).toEqual({ decrypted_secret: 's3cret' })
    expect(await one('select method::text, url from net.http_request_queue')).toEqual({ method: 'GET', url: 'http://kong:8000/' })
    expect(await one(`select extensions.json_matches_schema('{"type":"string"}', '1') as matches`)).toEqual({ matches: false })
    expect(await one(`select (extensions.verify(extensions.sign('{"a":1}', 's'), 's')).valid as valid`)).toEqual({ valid: true })
  })

  test('callers see what policies let them', async () => {
    const rows = await (databases[1] as Database).asCaller({ role: 'anon', claims: {} }, (tx) => tx.many(trusted('select id from notes order by id')))
    expect(rows).toEqual([{ id: 1 }, { id: 2 }])
  })
})
