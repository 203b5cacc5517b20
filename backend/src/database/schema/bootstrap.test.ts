import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { sql, trusted } from '#database/sql.ts'
import { bootstrap } from './bootstrap.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase({ engine: 'pglite', extensions: [] })
  await bootstrap(database)
})
afterAll(() => database.close())

test('can be laid again without a change', async () => {
  await bootstrap(database)
})

test('knows auth.uid(), role, email and jwt from the claims', async () => {
  const claims = { sub: '8c2f7a9e-7a41-4c3a-9f0d-0d9a2b6f1e55', role: 'authenticated', email: 'a@b.c' }
  const row = await database.asCaller({ role: 'authenticated', claims }, (tx) =>
    tx.one(sql`select auth.uid() as uid, auth.role() as role, auth.email() as email, auth.jwt() as jwt`))
  expect(row).toEqual({ uid: claims.sub, role: 'authenticated', email: 'a@b.c', jwt: claims })
})

test('auth triggers of a project run as supabase_auth_admin', async () => {
  await database.script('postgres', `
    create table public.seen (who text, path text);
    create function public.note() returns trigger language plpgsql as
      $$ begin insert into public.seen values (current_user, current_setting('search_path')); return new; end $$;
    grant insert on public.seen to supabase_auth_admin;
    create trigger noted after insert on auth.users for each row execute function public.note();`)
  await database.asAdmin('supabase_auth_admin', (tx) => tx.execute(sql`insert into auth.users (id, email) values (gen_random_uuid(), 'x@y.z')`))
  expect(await database.asAdmin('postgres', (tx) => tx.many(trusted('select * from public.seen')))).toEqual([{ who: 'supabase_auth_admin', path: 'auth' }])
})
