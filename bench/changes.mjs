// node bench/changes.mjs [changes=10000] [subscribers=200] [postgres://…]: subscribers with policies hear exactly their own rows' changes,
// each once and in order, also when the box is killed with SIGKILL in between; and what a write costs that somebody hears of. One writer
// over HTTP, twenty rows a request; sockets speak the wire protocol themselves. Exits non-zero when one change is lost, doubled, out of
// order or somebody else's.
import { createHmac, randomUUID } from 'node:crypto'
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'

const changes = Number(process.argv[2] ?? 10_000)
const subscribers = Number(process.argv[3] ?? 200)
const databaseUrl = process.argv[4]
const rowsPerRequest = 20
const patienceMs = 180_000
const root = join(import.meta.dirname, '..')
const project = mkdtempSync(join(tmpdir(), 'portico-changes-'))
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const at = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
const fault = (message) => { throw new Error(message) }

const migration = `
create table public.live_rows (id bigint primary key, owner_id uuid not null, version int not null);
create index live_rows_owner on public.live_rows (owner_id);
alter table public.live_rows enable row level security;
create policy "owners read their rows" on public.live_rows for select to authenticated using (owner_id = (select auth.uid()));
create table public.quiet_rows (like public.live_rows including all);
alter table public.quiet_rows enable row level security;
alter publication supabase_realtime add table public.live_rows;`

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

let port
let keys
let child
let said = ''

async function startBox() {
  const words = ['--project', project, '--port', String(port), ...(databaseUrl === undefined ? [] : ['--database', databaseUrl])]
  child = spawn(process.execPath, [join(root, 'tools/start.mjs'), ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.on('data', (chunk) => (said = (said + chunk).slice(-4_000)))
  const end = performance.now() + patienceMs
  while (performance.now() < end && child.exitCode === null) {
    try {
      if ((await fetch(`http://127.0.0.1:${port}/health`)).status === 200) {
        keys = JSON.parse(readFileSync(join(project, '.portico/keys.json'), 'utf8'))
        return
      }
    } catch {
      // Not listening yet.
    }
    await sleep(20)
  }
  fault(`the box did not start:\n${said}`)
}

async function stopBox(signal) {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}

const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

function tokenOf(userId) {
  const now = Math.floor(Date.now() / 1000)
  const text = `${base64({ alg: 'HS256', typ: 'JWT' })}.${base64({ role: 'authenticated', aud: 'authenticated', sub: userId, iat: now, exp: now + 3600 })}`
  return `${text}.${createHmac('sha256', keys.jwtSecret).update(text).digest('base64url')}`
}

async function rest(path, init = {}, token) {
  const headers = { apikey: token === undefined ? keys.secretKey : keys.publishableKey, 'content-type': 'application/json', prefer: 'return=minimal,resolution=merge-duplicates', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`http://127.0.0.1:${port}/rest/v1/${path}`, { ...init, headers, signal: AbortSignal.timeout(30_000) })
  const text = await answer.text()
  if (!answer.ok) fault(`${path} was answered with ${answer.status}: ${text.slice(0, 300)}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Hears the changes of its own rows, keeps the newest version of each, and comes back by itself. */
class Subscriber {
  constructor() {
    this.id = randomUUID()
    this.heard = []
    this.strangers = 0
    this.times = 0
    this.rows = new Map()
  }

  /** Settles when changes count; then, and after each loss, reads what is there, as an app does. */
  async join() {
    this.times += 1
    const { times } = this
    const token = tokenOf(this.id)
    const socket = new WebSocket(`ws://127.0.0.1:${port}/realtime/v1/websocket?apikey=${keys.publishableKey}&vsn=1.0.0`, { perMessageDeflate: false })
    this.socket = socket
    await new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('closed')))
      socket.on('open', () => {
        const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'live_rows' }] }
        socket.send(JSON.stringify({ topic: 'realtime:bench', event: 'phx_join', ref: '1', join_ref: '1', payload: { config, access_token: token } }))
      })
      socket.on('message', (bytes) => {
        const { event, payload } = JSON.parse(bytes)
        if (event === 'postgres_changes') this.take(payload.data, times)
        else if (event === 'system' && payload.extension === 'postgres_changes') {
          if (payload.status === 'ok') resolve()
          else reject(new Error(payload.message))
        }
      })
    })
    this.beat = setInterval(() => socket.readyState === 1 && socket.send(JSON.stringify({ topic: 'phoenix', event: 'heartbeat', ref: '2', payload: {} })), 20_000).unref()
    for (const row of await rest(`live_rows?select=id,version&limit=100000`, {}, token)) this.keep(row)
  }

  async joinUntilDone() {
    clearInterval(this.beat)
    const end = performance.now() + patienceMs
    while (performance.now() < end) {
      try {
        return await this.join()
      } catch {
        this.socket.terminate()
        await sleep(50 + Math.random() * 200)
      }
    }
    fault('a subscriber did not come back')
  }

  take({ record, type }, times) {
    if (record?.owner_id !== this.id) this.strangers += 1
    this.heard.push({ id: record.id, version: record.version, type, times, at: performance.now() })
    this.keep(record)
  }

  keep({ id, version }) {
    if (version > (this.rows.get(id) ?? 0)) this.rows.set(id, version)
  }
}

let nextId = 1
const rowsOf = new Map()

/** The next request's rows: three of five new, two of five changed; each with the version it gets. */
function nextRows(everybody) {
  const fresh = Math.ceil(rowsPerRequest * 0.6)
  const rows = Array.from({ length: fresh }, () => ({ id: nextId++, owner_id: everybody[Math.floor(Math.random() * everybody.length)].id, version: 1 }))
  const known = [...rowsOf.values()]
  const older = new Set()
  while (known.length >= rowsPerRequest && older.size < rowsPerRequest - fresh) older.add(known[Math.floor(Math.random() * known.length)])
  while (rows.length + older.size < rowsPerRequest) rows.push({ id: nextId++, owner_id: everybody[Math.floor(Math.random() * everybody.length)].id, version: 1 })
  const changed = [...older].map((row) => ({ ...row, version: row.version + 1 }))
  for (const row of [...rows, ...changed]) rowsOf.set(row.id, row)
  // Two requests, so that the order of what is heard is known.
  return [rows, changed].filter((part) => part.length > 0)
}

/** An app asks again when the box is gone: the same rows in the same versions. */
async function writeUntilDone(rows, tries = 600) {
  try {
    await rest('live_rows?on_conflict=id', { method: 'POST', body: JSON.stringify(rows) })
  } catch (error) {
    if (tries === 0) throw error
    await sleep(100)
    await writeUntilDone(rows, tries - 1)
  }
}

async function writeAll(count, everybody, onWrite = () => undefined) {
  const written = []
  for (let done = 0; done < count; ) {
    for (const rows of nextRows(everybody)) {
      await writeUntilDone(rows)
      const ended = performance.now()
      for (const row of rows) written.push({ ...row, ended })
      done += rows.length
    }
    onWrite(written.length)
  }
  return written
}

async function until(holds, what) {
  const end = performance.now() + patienceMs
  while (!holds()) {
    if (performance.now() > end) fault(`still not: ${what()}`)
    await sleep(20)
  }
}

const keyOf = ({ id, version }) => `${id}/${version}`

/** Everybody hears exactly their own, in the order written. */
async function measureDelivery(everybody) {
  const startedAt = performance.now()
  const written = await writeAll(changes, everybody)
  const writtenMs = performance.now() - startedAt
  const heard = () => everybody.reduce((total, { heard: own }) => total + own.length, 0)
  await until(() => heard() >= written.length, () => `${heard()} of ${written.length} heard`)
  await sleep(1_000)
  const heardMs = Math.max(...everybody.flatMap(({ heard: own }) => own.map((change) => change.at))) - startedAt
  const latencies = []
  for (const one of everybody) {
    const mine = written.filter(({ owner_id: owner }) => owner === one.id)
    if (one.strangers > 0) fault(`a subscriber heard ${one.strangers} changes of others`)
    if (one.heard.map(keyOf).join() !== mine.map(keyOf).join()) fault(`a subscriber heard ${one.heard.length} changes, not its ${mine.length} in their order`)
    one.heard.forEach((change, index) => latencies.push(change.at - mine[index].ended))
  }
  console.log(`${written.length} changes under ${everybody.length} subscribers with policies: each heard exactly its own, in order (${heard()} deliveries).`)
  console.log(`  written in ${(writtenMs / 1000).toFixed(1)} s (${Math.round(written.length / writtenMs * 1000)}/s), all heard ${(Math.max(0, heardMs - writtenMs) / 1000).toFixed(2)} s after the last was acknowledged`)
  console.log(`  heard after the acknowledgement: median ${at(latencies, 0.5).toFixed(0)} ms, p99 ${at(latencies, 0.99).toFixed(0)} ms, last ${at(latencies, 1).toFixed(0)} ms`)
}

/** The box is killed in the middle; everybody comes back and ends with what is there, having heard nothing twice. */
async function measureKill(everybody) {
  for (const one of everybody) one.heard = []
  const count = Math.ceil(changes / 4)
  let killed
  const kill = async () => {
    await stopBox('SIGKILL')
    const downAt = performance.now()
    await startBox()
    const upMs = performance.now() - downAt
    await Promise.all(everybody.map((one) => one.joinUntilDone()))
    return { upMs, backMs: performance.now() - downAt }
  }
  const written = await writeAll(count, everybody, (sofar) => { if (sofar >= count / 2) killed ??= kill() })
  const { upMs, backMs } = await killed
  const missing = () => [...rowsOf.values()].filter(({ id, owner_id: owner, version }) => everybody.find((one) => one.id === owner).rows.get(id) !== version).length
  await until(() => missing() === 0, () => `${missing()} rows are not known as they are`)
  await sleep(1_000)
  for (const one of everybody) {
    const seen = new Set(one.heard.map(keyOf))
    if (seen.size < one.heard.length) fault(`a subscriber heard ${one.heard.length - seen.size} changes twice`)
    if (one.strangers > 0) fault(`a subscriber heard ${one.strangers} changes of others`)
  }
  const heard = everybody.reduce((total, { heard: own }) => total + own.length, 0)
  console.log(`killed in the middle of ${written.length} changes: the box back after ${(upMs / 1000).toFixed(1)} s, all ${everybody.length} subscribers after ${(backMs / 1000).toFixed(1)} s, ${heard} changes heard live, none twice; all know every row as it is.`)
}

/** Median of a write in milliseconds, one at a time. */
async function timeWrites(table, count = 400) {
  const times = []
  for (let turn = 0; turn < count; turn += 1) {
    const row = { id: table === 'quiet_rows' ? turn + 1 : 1_000_000_000 + turn, owner_id: everybodyElse, version: 1 }
    const startedAt = performance.now()
    await rest(`${table}?on_conflict=id`, { method: 'POST', body: JSON.stringify([row]) })
    times.push(performance.now() - startedAt)
  }
  return at(times, 0.5)
}
const everybodyElse = randomUUID()

async function measureCost() {
  const rounds = { quiet: [], alone: [], heard: [] }
  for (let round = 0; round < 3; round += 1) {
    rounds.quiet.push(await timeWrites('quiet_rows'))
    rounds.alone.push(await timeWrites('live_rows'))
    const one = new Subscriber()
    await one.join()
    rounds.heard.push(await timeWrites('live_rows'))
    one.socket.terminate()
    clearInterval(one.beat)
    // Triggers of the embedded engine go a little after the last subscriber.
    await sleep(7_000)
  }
  const best = (values) => Math.min(...values).toFixed(2)
  console.log(`one write over HTTP, best median of 3 rounds: ${best(rounds.quiet)} ms unpublished, ${best(rounds.alone)} ms published with nobody there, ${best(rounds.heard)} ms with a subscriber`)
}

try {
  mkdirSync(join(project, 'supabase'))
  cpSync(join(import.meta.dirname, 'project/supabase/config.toml'), join(project, 'supabase/config.toml'))
  mkdirSync(join(project, 'supabase/migrations'))
  writeFileSync(join(project, 'supabase/migrations/20260901090000_rows.sql'), migration)
  port = await freePort()
  await startBox()
  await measureCost()
  const everybody = Array.from({ length: subscribers }, () => new Subscriber())
  const joiningAt = performance.now()
  await Promise.all(everybody.map((one) => one.join()))
  console.log(`${everybody.length} subscribers joined at once in ${((performance.now() - joiningAt) / 1000).toFixed(1)} s`)
  await measureDelivery(everybody)
  await measureKill(everybody)
  for (const { socket } of everybody) socket.terminate()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await stopBox('SIGTERM').catch(() => undefined)
  rmSync(project, { recursive: true, force: true })
}
process.exit()
