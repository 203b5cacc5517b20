import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { silentLogger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'
import { trusted } from '#database/sql.ts'
import { extensionBundles } from './catalog.ts'
import { isDueAt, readSchedule } from './cron-schedule.ts'
import { CronScheduler } from './cron-scheduler.ts'
import { startExtensionWorkers, type ExtensionWorkers } from './extension-workers.ts'
import { isInsideAddress } from './outside-address.ts'

let database: Database
let server: Server
let own: string
let workers: ExtensionWorkers
const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
  if (request.url === '/slow') return
  if (request.url === '/moved') response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  else response.writeHead(201, { 'content-type': 'application/json', 'x-a': 'b' }).end('{"ok":true}')
}

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => { server.listen(0, '127.0.0.1', listening) })
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  database = await openDatabase({ engine: 'pglite', extensions: extensionBundles(['pg_cron']) })
  await bootstrap(database)
  await database.script('postgres', 'create extension pg_cron')
  workers = await startExtensionWorkers(database, { clock: { now: () => Date.now() }, log: silentLogger, ownOrigin: own })
})
afterAll(async () => {
  await workers.stop()
  await database.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => { seen.length = 0 })

const rows = <Row>(text: string): Promise<Row[]> => database.asAdmin('postgres', (tx) => tx.many<Row>(trusted(text)))
const ask = async (call: string): Promise<Record<string, unknown>> => {
  const [{ id } = { id: '' }] = await rows<{ id: string }>(`select ${call}::text as id`)
  return vi.waitFor(async () => {
    const [found] = await rows<Record<string, unknown>>(`select status_code, content, content_type, timed_out, error_msg, headers ->> 'x-a' as header from net._http_response where id = ${id}`)
    if (!found) throw new Error('no answer yet')
    return found
  }, { timeout: 5_000 })
}

test('pg_net makes a request after the commit and keeps the answer', async () => {
  expect(await ask(`net.http_post('${own}/functions/v1/hello', '{"a": 1}', '{"q": "x y&"}', '{"authorization": "Bearer t"}')`)).toEqual({
    status_code: 201, content: '{"ok":true}', content_type: 'application/json', timed_out: false, error_msg: null, header: 'b',
  })
  expect(seen).toMatchObject([{ method: 'POST', url: '/functions/v1/hello?q=x%20y%26', body: '{"a": 1}', headers: { authorization: 'Bearer t', 'content-type': 'application/json' } }])
})

test('the names of the CLI\'s gateway are the box', async () => {
  await ask("net.http_get('http://kong:8000/rest/v1/a')")
  await ask("net.http_delete('http://host.docker.internal:54321/rest/v1/b')")
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /rest/v1/a', 'DELETE /rest/v1/b'])
})

test('a rolled-back transaction asks for nothing', async () => {
  await database.script('postgres', `select net.http_get('${own}/gone'); select 1/0`).catch(() => undefined)
  await ask(`net.http_get('${own}/after')`)
  expect(seen.map(({ url }) => url)).toEqual(['/after'])
})

test.each(['http://127.0.0.1:1/', 'http://localhost:1/', 'http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[::1]:1/', 'http://[::ffff:127.0.0.1]:1/', 'http://0x7f.1:1/', 'http://2130706433:1/'])(
  'does not reach into the machine\'s own networks: %s', async (url) => {
    expect(await ask(`net.http_get('${url}')`)).toMatchObject({ status_code: null, error_msg: expect.stringContaining('private network') })
  })

test('follows no redirect', async () => {
  expect(await ask(`net.http_get('${own}/moved')`)).toMatchObject({ status_code: 302, error_msg: null })
})

test('gives up when the time is over', async () => {
  expect(await ask(`net.http_get('${own}/slow', timeout_milliseconds := 100)`)).toMatchObject({ status_code: null, timed_out: true, error_msg: 'Timeout of 100 ms reached' })
})

test('takes header values of any JSON kind as text, and refuses one that would make a second header', async () => {
  await ask(`net.http_get('${own}/a', headers := '{"x-number": 1, "x-none": null, "x-list": [1]}')`)
  expect(seen[0]?.headers).toMatchObject({ 'x-number': '1', 'x-list': '[1]' })
  expect(await ask(`net.http_get('${own}/b', headers := jsonb_build_object('x-a', E'b\\r\\nx-evil: 1'))`)).toMatchObject({ status_code: null, error_msg: expect.any(String) })
  expect(seen).toHaveLength(1)
})

test('a database webhook posts the changed row', async () => {
  await database.script('postgres', `create table public.notes (id int, body text);
    create trigger hook after insert on public.notes for each row execute function supabase_functions.http_request('${own}/hook', 'POST', '{"Content-Type":"application/json"}', '{}', '1000')`)
  await database.script('postgres', "insert into public.notes values (1, 'x')")
  await vi.waitFor(() => { if (seen.length === 0) throw new Error('nothing yet') }, { timeout: 20_000 })
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ type: 'INSERT', table: 'notes', schema: 'public', record: { id: 1, body: 'x' }, old_record: null })
})

test('refuses what is no web address', async () => {
  await expect(rows("select net.http_get('file:///etc/passwd')")).rejects.toMatchObject({ sqlstate: '22023' })
})

test('tells addresses of private networks', () => {
  expect(['127.0.0.1', '192.168.1.1', '::1', 'fd00::1', '::ffff:10.0.0.1', '::ffff:a00:1', '100.64.0.1', 'nonsense'].every(isInsideAddress)).toBe(true)
  expect(['1.1.1.1', '2606:4700::1111', '::ffff:1.1.1.1'].some(isInsideAddress)).toBe(false)
})

const due = (line: string, at: string): boolean => {
  const schedule = readSchedule(line)
  if ('everySeconds' in schedule || 'atStart' in schedule) throw new Error('not a cron line')
  return isDueAt(schedule, new Date(at))
}

test.each([
  ['*/15 * * * *', '2026-01-01T00:30:10Z', true], ['*/15 * * * *', '2026-01-01T00:31:00Z', false],
  ['0 3 * * mon-fri', '2026-11-20T03:00:00Z', true], ['0 3 * * 1-5', '2026-11-21T03:00:00Z', false],
  ['0 0 13 * 5', '2026-11-20T00:00:00Z', true], ['0 0 13 * *', '2026-11-20T00:00:00Z', false],
  ['0 0 $ * *', '2026-02-28T00:00:00Z', true], ['@hourly', '2026-02-28T05:00:59Z', true], ['5-10/5 * * jan 7', '2026-01-04T01:10:00Z', true],
])('%s at %s: %s', (line, at, expected) => { expect(due(line, at)).toBe(expected) })

test.each(['61 * * * *', '* * * *', 'soon', '*/0 * * * *', '5-1 * * * *'])('%s is no schedule', (line) => {
  expect(() => readSchedule(line)).toThrow(RangeError)
})

test('pg_cron runs a job when it is due, as who made it, and notes how it went', async () => {
  let now = Date.parse('2026-01-01T00:00:30Z')
  const scheduler = await CronScheduler.start(database, { clock: { now: () => now }, log: silentLogger })
  await database.script('postgres', `create table public.ticks (who text);
    select cron.schedule('tick', '* * * * *', 'insert into public.ticks values (current_user)'); select cron.schedule('bad', '* * * * *', 'select 1/0')`)
  await vi.waitFor(async () => {
    now += 60_000
    scheduler.tick()
    expect(await rows('select who from public.ticks limit 1')).toEqual([{ who: 'postgres' }])
    expect(await rows("select from cron.job_run_details where status = 'failed' limit 1")).toHaveLength(1)
  }, { timeout: 20_000 })
  await scheduler.stop()
  expect(await rows("select distinct j.jobname, d.status, d.return_message from cron.job_run_details d join cron.job j using (jobid) where d.status <> 'running' order by 1")).toEqual([
    { jobname: 'bad', status: 'failed', return_message: 'division by zero' }, { jobname: 'tick', status: 'succeeded', return_message: 'OK' },
  ])
})

test('a job is replaced by its name, altered and taken away', async () => {
  await database.script('postgres', "select cron.schedule('one', '0 0 * * *', 'select 1'); select cron.schedule('one', '0 1 * * *', 'select 2')")
  expect(await rows("select schedule, command from cron.job where jobname = 'one'")).toEqual([{ schedule: '0 1 * * *', command: 'select 2' }])
  await database.script('postgres', "select cron.unschedule('one')")
  await expect(rows("select cron.unschedule('one')")).rejects.toThrow("could not find valid entry for job 'one'")
  await expect(rows("select cron.schedule('x', 'every day', 'select 1')")).rejects.toThrow('invalid schedule: every day')
})
