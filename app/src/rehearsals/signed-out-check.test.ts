import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBackend, findProjectFolder, readConfig, type Backend } from '@portico/backend'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProjectClient, type ProjectClient } from '#api/client.ts'
import { openTestPage, openTestStorage } from '#api/open-test-page.ts'
import { compareAddress, compareTable, isReadable } from '#api/signed-out-check.ts'

/** A socket no test opens: the official client wants one to be there, and older Nodes have none. */
class NoSocket {
  close() {}
}
globalThis.WebSocket ??= NoSocket as unknown as typeof WebSocket

const migration = `
create table public.prices (id integer primary key, name text not null);
create table public.letters (id integer primary key, body text not null);
create table public.payroll (id integer primary key, amount integer not null);
alter table public.letters enable row level security;
alter table public.payroll enable row level security;
create policy "signed-in people read" on public.letters for select to authenticated using (true);
create policy "signed-in people read" on public.payroll for select to authenticated using (true);
grant select on public.prices, public.letters to anon, authenticated;
grant select on public.payroll to authenticated;
revoke all on public.payroll from anon;
insert into public.prices values (1, 'tea'), (2, 'coffee');
insert into public.letters values (1, 'a'), (2, 'b'), (3, 'c');
insert into public.payroll values (1, 100);
`

const folder = mkdtempSync(join(tmpdir(), 'signed-out-'))
const origin = 'http://127.0.0.1:54321'
const person = { email: 'ada@example.org', password: 'a long pass word' }
const refusedTokens: number[] = []
let backend: Backend
let connection: ProjectClient

beforeAll(async () => {
  mkdirSync(join(folder, 'supabase/migrations'), { recursive: true })
  writeFileSync(join(folder, 'supabase/migrations/20260101000000_lists.sql'), migration)
  backend = await createBackend({ config: readConfig({ env: {} }).config, project: findProjectFolder(folder), origin })
  const { secretKey, publishableKey } = backend.keys
  const headers = { apikey: secretKey, authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
  await backend.fetch(new Request(`${origin}/auth/v1/admin/users`, { method: 'POST', headers, body: JSON.stringify({ ...person, email_confirm: true }) }))
  const project = { id: 'signed-out', name: 'Lists', url: origin, key: publishableKey }
  connection = createProjectClient(project, { fetch: (input, init) => backend.fetch(new Request(input, init)), document: openTestPage(new Map()), userStorage: openTestStorage(), tabStorage: openTestStorage() })
  await connection.client.auth.signInWithPassword(person)
  // As the session store does while someone is in: from now on a call as nobody is held back, but for those asked aside.
  connection.expectUser(true)
  connection.onRefusedToken(() => refusedTokens.push(Date.now()))
}, 120_000)

afterAll(async () => {
  connection.close()
  await backend?.close()
  rmSync(folder, { recursive: true })
})

const look = async (name: string) => {
  const { signedIn, signedOut } = await compareTable(connection, { schema: 'public', name })
  return [signedIn, signedOut].map((sight) => (sight.kind === 'rows' ? [sight.count, sight.columns] : sight.kind === 'refused' ? sight.error.code : sight.status))
}

test('an open table is told with its rows and columns, a closed one by its refusal or its emptiness', async () => {
  expect(await look('prices')).toEqual([[2, ['id', 'name']], [2, ['id', 'name']]])
  expect(await look('letters')).toEqual([[3, ['id', 'body']], [0, []]])
  expect(await look('payroll')).toEqual([[1, ['id', 'amount']], '42501'])
})

test('an address is read for both, and counts what it lists', async () => {
  const { signedIn, signedOut } = await compareAddress(connection, '/rest/v1/letters?select=id')
  expect(signedIn).toMatchObject({ kind: 'answer', status: 200, rows: 3 })
  expect(signedOut).toMatchObject({ kind: 'answer', status: 200, rows: 0 })
  expect((await compareAddress(connection, '/rest/v1/payroll')).signedOut).toMatchObject({ kind: 'refused', error: { code: '42501', status: 401 } })
})

test('asking as nobody is logged as such, and is no refusal of the session', async () => {
  await look('payroll')
  const asked = connection.calls.list().filter(({ path }) => path.startsWith('/rest/v1/payroll')).map(({ role, status }) => [role, status])
  expect(asked).toContainEqual(['user', 200])
  expect(asked).toContainEqual(['public', 401])
  expect(refusedTokens).toEqual([])
  expect((await connection.client.auth.getSession()).data.session).not.toBeNull()
})

test('only what changes nothing may be read', () => {
  expect(['/rest/v1/x?select=id', '/storage/v1/object/public/a/b', '/auth/v1/settings'].every(isReadable)).toBe(true)
  expect(['/auth/v1/logout', '/auth/v1/verify?token=x', '/functions/v1/x', 'https://elsewhere.example/rest/v1/', '/rest/v1x', '/rest/v1/../../functions/v1/x', '/storage/v1/%2e%2e/../auth/v1/verify?token=x', '/rest/v1/..\\..\\functions/v1/x'].some(isReadable)).toBe(false)
})
