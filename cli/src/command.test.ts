import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const scratch = mkdtempSync(join(tmpdir(), 'portico-command-'))
const running = new Set<ChildProcess>()

interface Run {
  child: ChildProcess
  said(): string
  ended: Promise<number | null>
}

function run(words: readonly string[], tool = 'dist/cli/portico.js', env: Readonly<Record<string, string>> = {}): Run {
  const child = spawn(process.execPath, [tool, ...words], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PORTICO_DURABLE: 'false', ...env } })
  running.add(child)
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => {
    running.delete(child)
    resolve(code)
  }))
  return { child, said: () => said, ended }
}

async function runToEnd(words: readonly string[], tool?: string, env?: Readonly<Record<string, string>>): Promise<{ code: number | null; said: string }> {
  const { ended, said } = run(words, tool, env)
  return { code: await ended, said: said() }
}

async function untilUp(box: Run): Promise<string> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    const url = /App and API\s+(\S+)/.exec(box.said())?.[1]
    if (url !== undefined && box.said().includes('Ctrl-C')) return url
    if (box.child.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The box did not come up:\n${box.said()}`)
}

function makeProject(name: string, migrations: Readonly<Record<string, string>>, configToml?: string): string {
  const folder = join(scratch, name)
  mkdirSync(join(folder, 'supabase', 'migrations'), { recursive: true })
  for (const [file, text] of Object.entries(migrations)) writeFileSync(join(folder, 'supabase', 'migrations', file), text)
  if (configToml !== undefined) writeFileSync(join(folder, 'supabase', 'config.toml'), configToml)
  return folder
}

// Two boxes of other tests may be looking for a port too.
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const notes = { '20260101000000_notes.sql': 'create table public.notes (id bigint generated always as identity primary key, body text);\nalter table public.notes enable row level security;' }

// Builds when a source is newer, so that what follows runs what is there.
beforeAll(async () => {
  const { code, said } = await runToEnd(['--version'], 'tools/start.mjs')
  expect([code, said]).toEqual([0, expect.stringMatching(/\d+\.\d+\.\d+\n$/)])
}, 180_000)
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('a start', () => {
  test('says where it is and what opens it, keeps data and keys from start to start, and ends cleanly', async () => {
    const project = makeProject('kept', notes, 'project_id = "kept"\nsurprise = 1\n')
    const port = await freePort()
    const first = run(['--project', project, '--port', String(port)])
    const url = await untilUp(first)
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(first.said()).toMatch(/Portico \S+ — Kept/)
    expect(first.said()).toMatch(/Public key\s+sb_publishable_\S+/)
    expect(first.said()).toContain('keys that are not known here and are left aside: surprise')

    const { code, said } = await runToEnd(['--json', '--project', project], 'tools/status.mjs')
    const status = JSON.parse(said) as Record<string, string>
    expect(code).toBe(0)
    expect(Object.keys(status)).toEqual(expect.arrayContaining(['API_URL', 'APP_URL', 'MAILBOX_URL', 'ANON_KEY', 'SERVICE_ROLE_KEY', 'PUBLISHABLE_KEY', 'SECRET_KEY', 'JWT_SECRET']))
    expect(statSync(join(project, '.portico', 'run.json')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(project, '.portico', '.gitignore'), 'utf8')).toBe('*\n')

    const headers = { apikey: status.SECRET_KEY ?? '', 'content-type': 'application/json' }
    const written = await fetch(`${url}/rest/v1/notes`, { method: 'POST', headers, body: JSON.stringify({ body: 'kept' }) })
    expect(written.status).toBe(201)
    const portico = await (await fetch(`${url}/portico.json`)).json()
    expect(portico).toEqual({ projects: [{ name: 'Kept', url: '/', key: status.PUBLISHABLE_KEY }], functions: [], door: { password: { minLength: 6, classes: [] }, secondFactor: { kinds: ['totp'] } } })

    first.child.kill('SIGINT')
    expect(await first.ended).toBe(0)
    expect(existsSync(join(project, '.portico', 'run.json'))).toBe(false)
    expect((await runToEnd(['--project', project], 'tools/status.mjs')).said).toMatch(/^Nothing runs over /)

    const second = run(['--project', project, '--port', String(port)])
    await untilUp(second)
    const read = await fetch(`${url}/rest/v1/notes?select=body`, { headers })
    expect(await read.json()).toEqual([{ body: 'kept' }])

    const taken = await runToEnd(['--project', project])
    expect(taken.code).toBe(1)
    expect(taken.said).toMatch(/data folder .* is in use by process \d+/)

    second.child.kill('SIGKILL')
    await second.ended
    expect((await runToEnd(['--project', project], 'tools/status.mjs')).code).toBe(1)
    const third = run(['--project', project, '--port', String(port)])
    await untilUp(third)
    expect(await (await fetch(`${url}/rest/v1/notes?select=body`, { headers })).json()).toEqual([{ body: 'kept' }])
    third.child.kill('SIGTERM')
    expect(await third.ended).toBe(0)
  }, 120_000)

  test('anew forgets the data when told so, and not without being told', async () => {
    const project = makeProject('anew', notes)
    const port = String(await freePort())
    const first = run(['--project', project, '--port', port])
    await untilUp(first)
    const whileRunning = await runToEnd(['--project', project, '--reset', '--yes'])
    expect([whileRunning.code, whileRunning.said]).toEqual([1, expect.stringContaining('Stop it before')])
    first.child.kill('SIGINT')
    await first.ended
    const keys = readFileSync(join(project, '.portico', 'keys.json'), 'utf8')
    const unasked = await runToEnd(['--project', project, '--reset'])
    expect([unasked.code, unasked.said]).toEqual([1, expect.stringContaining('Add --yes')])
    expect(existsSync(join(project, '.portico', 'data'))).toBe(true)
    writeFileSync(join(project, '.portico', 'data', 'mark'), '')
    const second = run(['--project', project, '--port', port, '--reset', '--yes'])
    await untilUp(second)
    expect(existsSync(join(project, '.portico', 'data', 'mark'))).toBe(false)
    expect(readFileSync(join(project, '.portico', 'keys.json'), 'utf8')).toBe(keys)
    second.child.kill('SIGINT')
    expect(await second.ended).toBe(0)
  }, 120_000)

  test('of the app alone serves a project elsewhere', async () => {
    const app = run(['--url', 'https://abc.supabase.co', '--key', 'sb_publishable_x', '--port', String(await freePort())])
    const url = await untilUp(app)
    expect(await (await fetch(`${url}/portico.json`)).json()).toEqual({ projects: [{ name: 'abc', url: 'https://abc.supabase.co', key: 'sb_publishable_x' }] })
    expect((await fetch(`${url}/rest/v1/notes`)).headers.get('content-type')).toContain('text/html')
    app.child.kill('SIGINT')
    expect(await app.ended).toBe(0)
  })
})

describe('a fault is said without a stack, with exit code 1:', () => {
  const expectFault = async (words: readonly string[], message: RegExp, env?: Readonly<Record<string, string>>) => {
    const { code, said } = await runToEnd(words, undefined, env)
    expect(said).toMatch(message)
    expect(said).not.toMatch(/\n\s+at .*:\d+/)
    expect(code).toBe(1)
  }

  test('a wrong option', () => expectFault(['--prot', '1'], /Unknown option '--prot'/))
  test('a folder that is no project', () => expectFault(['--project', join(scratch, 'gone')], /is not a folder/))
  test('a configuration with faults, all of them', () =>
    expectFault(['--project', makeProject('faulty', {}, '[api]\nmax_rows = "many"\n[auth]\njwt_expiry = 0\n')], /2 faults:[^]*api\.max_rows[^]*auth\.jwt_expiry/))
  test('a migration the database refuses, with file, line, statement and what was undone', () =>
    expectFault(
      ['--project', makeProject('broken', { ...notes, '20260102000000_more.sql': 'create table public.more (id int);\n\nalter table public.gone add x int;\n' })],
      /20260102000000_more\.sql:3:\d+: relation "public\.gone" does not exist \(SQLSTATE 42P01\)[^]*alter table public\.gone[^]*rolled back/,
    ), 60_000)
  test('a data folder that cannot be made', () => {
    const project = makeProject('in-the-way', notes)
    writeFileSync(join(project, '.portico'), '')
    return expectFault(['--project', project], /\.portico is in the way: it must be a folder/)
  })
  test('a reset of data that lies in another database', () =>
    expectFault(['--project', makeProject('not-mine', notes), '--reset', '--yes'], /PORTICO_DATABASE_URL names another/, { PORTICO_DATABASE_URL: 'postgres://u@127.0.0.1:1/d' }))
  test('a port that is taken', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)))
    await expectFault(['--project', makeProject('port', notes), '--port', String(port)], new RegExp(`Port ${port} is in use`))
    server.close()
  })
  test('a database that is not there', async () =>
    expectFault(['--project', makeProject('elsewhere', notes), '--database', `postgres://postgres:hush@127.0.0.1:${await freePort()}/postgres`], /^(?![^]*hush)[^]*cannot be reached/))
})
