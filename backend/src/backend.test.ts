import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { testTemplate } from '#database/open-test-database.ts'
import { createBackend, type Backend } from './backend.ts'
import { readConfig } from './config.ts'
import { signHs256 } from './keys/jwt.ts'
import { findProjectFolder, readProjectSources } from './project-folder.ts'

const origin = 'http://127.0.0.1:54321'
const folder = mkdtempSync(join(tmpdir(), 'portico-backend-'))
let backend: Backend

const migration = `
create table public.notes (
  id bigint generated always as identity primary key,
  owner_id uuid not null default auth.uid() references auth.users on delete cascade,
  body text not null
);
alter table public.notes enable row level security;
create policy "owners keep their notes" on public.notes
  for all to authenticated using (owner_id = (select auth.uid()));
create function public.seen_headers() returns json language sql stable as $$ select current_setting('request.headers')::json $$;
create function public.note_request() returns void language plpgsql as $$
begin
  if current_setting('request.headers', true)::json ->> 'x-refuse' is not null then raise sqlstate 'PT418' using message = 'as asked'; end if;
end $$;
alter role authenticator set pgrst.db_pre_request = 'public.note_request';
alter role authenticator set pgrst.db_aggregates_enabled = 'true';
create role manager nologin;
grant manager to authenticator;
grant select on public.notes to manager;`

beforeAll(async () => {
  mkdirSync(join(folder, 'supabase', 'migrations'), { recursive: true })
  writeFileSync(join(folder, 'supabase', 'migrations', '20260101000000_notes.sql'), migration)
  writeFileSync(join(folder, 'supabase', 'config.toml'), '[auth]\nminimum_password_length = 9\n[auth.email]\nenable_confirmations = true\n')
  const project = findProjectFolder(folder)
  const { config } = readConfig(readProjectSources(project, {}))
  backend = await createBackend({ config, project, origin, template: await testTemplate() })
})
afterAll(async () => {
  await backend?.close()
  rmSync(folder, { recursive: true })
})

const clientWith = (key: string) =>
  createClient(origin, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: (input, init) => backend.fetch(new Request(input, init)) },
    // Node 20 has no WebSocket of its own, and the client asks for one when it is made.
    realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
  })

async function readMailbox(path: string): Promise<string> {
  if (!backend.mailbox) throw new Error('The backend has no mailbox')
  return (await backend.mailbox.fetch(new Request(`http://127.0.0.1:54324${path}`))).text()
}

async function codeFor(address: string): Promise<string> {
  const { messages } = JSON.parse(await readMailbox('/api/v1/messages')) as { messages: { ID: string; To: { Address: string }[] }[] }
  const mail = messages.find(({ To }) => To.some((to) => to.Address === address))
  return /\b(\d{6})\b/.exec(await readMailbox(`/view/${mail?.ID}.txt`))?.[1] ?? ''
}

describe('the whole backend, by the official client', () => {
  test('takes a person from sign-up over the mailed code to rows that are theirs alone', async () => {
    const client = clientWith(backend.keys.publishableKey)
    const email = 'ada@example.com'
    const weak = await client.auth.signUp({ email, password: 'short-1' })
    expect(weak.error?.code).toBe('weak_password')
    expect((await client.auth.signUp({ email, password: 'long-enough-1' })).error).toBeNull()
    expect((await client.auth.signInWithPassword({ email, password: 'long-enough-1' })).error?.code).toBe('email_not_confirmed')
    const confirmed = await client.auth.verifyOtp({ type: 'email', email, token: await codeFor(email) })
    expect(confirmed.error).toBeNull()

    const written = await client.from('notes').insert({ body: 'mine' }).select('body').single()
    expect(written.data).toEqual({ body: 'mine' })
    const anonymous = clientWith(backend.keys.publishableKey)
    expect((await anonymous.from('notes').select()).data).toEqual([])
    expect((await clientWith(backend.keys.secretKey).from('notes').select('body')).data).toEqual([{ body: 'mine' }])
    expect((await clientWith(backend.keys.serviceRoleKey).from('notes').select('body')).data).toEqual([{ body: 'mine' }])
    const claims = await client.auth.getClaims()
    expect(claims.data?.claims).toMatchObject({ iss: `${origin}/auth/v1`, role: 'authenticated', aal: 'aal1' })
  })

  test('never shows SQL the key that has all rights', async () => {
    const { data } = await clientWith(backend.keys.secretKey).rpc('seen_headers')
    expect(JSON.stringify(data)).toContain('x-client-info')
    expect(JSON.stringify(data)).not.toContain('sb_secret')
  })

  test('lets a token take a role of the project\'s own, and no other', async () => {
    const ask = (role: string) =>
      backend.fetch(new Request(`${origin}/rest/v1/notes?select=body`, { headers: { apikey: backend.keys.publishableKey, authorization: `Bearer ${signHs256(backend.keys.jwtSecret, { role })}` } }))
    expect((await ask('manager')).status).toBe(200)
    for (const role of ['postgres', 'supabase_admin', 'supabase_auth_admin', 'authenticator', 'pg_read_all_data']) {
      expect([role, (await ask(role)).status]).toEqual([role, 401])
    }
  })

  test('heeds what a migration sets for the data API on authenticator', async () => {
    const headers = { apikey: backend.keys.secretKey }
    const refused = await backend.fetch(new Request(`${origin}/rest/v1/notes`, { headers: { ...headers, 'x-refuse': '1' } }))
    expect([refused.status, await refused.json()]).toEqual([418, expect.objectContaining({ message: 'as asked' })])
    const counted = await backend.fetch(new Request(`${origin}/rest/v1/notes?select=id.count()`, { headers }))
    expect(counted.status).toBe(200)
  })

  test('answers what is not there yet so that the client makes an error of it', async () => {
    const answer = await backend.fetch(new Request(`${origin}/graphql/v1`, { method: 'POST', headers: { apikey: backend.keys.publishableKey } }))
    expect([answer.status, await answer.json()]).toEqual([501, { errors: [{ message: 'This service is not part of this backend yet' }] }])
    const unknown = await clientWith(backend.keys.publishableKey).functions.invoke('hello')
    expect([unknown.error?.name, unknown.response?.status]).toEqual(['FunctionsHttpError', 404])
  })

  test('does not serve what the project switches off, and still loads its seed', async () => {
    const off = mkdtempSync(join(tmpdir(), 'portico-off-'))
    mkdirSync(join(off, 'supabase', 'migrations'), { recursive: true })
    writeFileSync(join(off, 'supabase', 'migrations', '1_gone.sql'), 'create table public.gone (id int);')
    writeFileSync(join(off, 'supabase', 'seed.sql'), 'create table public.kept (id int);')
    writeFileSync(join(off, 'supabase', 'config.toml'), '[api]\nenabled = false\n[auth]\nenabled = false\n[db.migrations]\nenabled = false\n')
    const project = findProjectFolder(off)
    const quiet = await createBackend({ config: readConfig(readProjectSources(project, {})).config, project, origin, template: await testTemplate() })
    try {
      expect(quiet.warnings).toEqual(['config.toml switches migrations off: none was run.'])
      const client = createClient(origin, quiet.keys.secretKey, {
        auth: { persistSession: false, autoRefreshToken: false },
        global: { fetch: (input, init) => quiet.fetch(new Request(input, init)) },
        realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
      })
      expect(await client.from('kept').select()).toMatchObject({ status: 501, error: { message: 'This service is switched off by [api] of config.toml' } })
      const refused = await client.auth.signUp({ email: 'ada@example.com', password: 'long-enough-1' })
      expect(refused.error).toMatchObject({ status: 422, code: 'feature_disabled', message: 'This service is switched off by [auth] of config.toml' })
    } finally {
      await quiet.close()
      rmSync(off, { recursive: true })
    }
  })

  test('says that it is well', async () => {
    expect((await backend.fetch(new Request(`${origin}/health`))).status).toBe(200)
  })
})
