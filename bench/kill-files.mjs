// node bench/kill-files.mjs [kills=10]: four clients upload, replace, move and delete files over HTTP while the real command is killed with
// SIGKILL again and again on one data folder. After each kill it is started anew and asked for every file it had acknowledged: each must
// be there with exactly its bytes, each file it lists must be whole, and nothing half-written may lie about. Exits non-zero otherwise.
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const kills = Number(process.argv[2] ?? 10)
const root = join(import.meta.dirname, '..')
const project = mkdtempSync(join(tmpdir(), 'portico-kill-files-'))
const patienceMs = 120_000
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const digest = (bytes) => createHash('sha256').update(bytes).digest('hex')

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const port = await freePort()
const base = `http://127.0.0.1:${port}/storage/v1/object`
let child
let headers

function launch() {
  child = spawn(process.execPath, [join(root, 'cli/bin.mjs'), '--project', project, '--port', String(port)], { stdio: 'ignore' })
  child.gone = new Promise((resolve) => child.once('exit', resolve))
}

async function start() {
  launch()
  for (const until = performance.now() + patienceMs; ; await sleep(50)) {
    if (await fetch(`http://127.0.0.1:${port}/health`).then(({ ok }) => ok, () => false)) break
    if (performance.now() > until) throw new Error('the box did not start')
  }
  headers ??= { apikey: JSON.parse(readFileSync(join(project, '.portico/keys.json'), 'utf8')).secretKey }
}

async function kill(signal = 'SIGKILL') {
  child.kill(signal)
  await child.gone
}

/** What was acknowledged, by name: a digest, or null for a file that was deleted. A name in doubt was being changed when the box died. */
const known = new Map()
const doubtful = new Map()
let acknowledged = 0

const put = async (name, bytes) => (await fetch(`${base}/files/${name}`, { method: 'POST', headers: { ...headers, 'x-upsert': 'true', 'content-type': 'application/octet-stream' }, body: bytes })).ok
const remove = async (name) => (await fetch(`${base}/files/${name}`, { method: 'DELETE', headers })).ok
const move = async (from, to) => (await fetch(`${base}/move`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ bucketId: 'files', sourceKey: from, destinationKey: to }) })).ok

// Each client has names of its own, so that what it was told is the truth about them.
async function client(number, isOver) {
  for (let step = 0; !isOver(); step++) {
    const name = `${number}-${step % 20}.bin`
    const bytes = randomBytes(Math.floor(Math.random() ** 3 * 2_000_000))
    const before = known.get(name) ?? null
    const to = `${number}-moved-${acknowledged}-${step}.bin`
    const kind = before !== null && step % 7 === 3 ? 'delete' : before !== null && step % 7 === 5 ? 'move' : 'put'
    const after = kind === 'put' ? digest(bytes) : null
    const touched = [[name, [before, after]], ...(kind === 'move' ? [[to, [null, before]]] : [])]
    for (const [touchedName, either] of touched) doubtful.set(touchedName, either)
    try {
      const done = kind === 'put' ? await put(name, bytes) : kind === 'delete' ? await remove(name) : await move(name, to)
      if (!done) return
    } catch {
      return
    }
    for (const [touchedName, [, now]] of touched) {
      known.set(touchedName, now)
      doubtful.delete(touchedName)
    }
    acknowledged++
  }
}

async function read(name) {
  const response = await fetch(`${base}/files/${name}`, { headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  return response.ok ? digest(bytes) : null
}

const faults = []
async function check() {
  for (const [name, wanted] of new Map([...known, ...doubtful])) {
    const allowed = doubtful.get(name) ?? [wanted]
    const found = await read(name)
    if (!allowed.includes(found)) faults.push(`${name}: ${found === null ? 'lost' : 'other bytes'}`)
    known.set(name, found)
  }
  doubtful.clear()
  for (let offset = 0; ; offset += 1000) {
    const page = await (await fetch(`${base}/list/files`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ prefix: '', limit: 1000, offset }) })).json()
    for (const { name } of page) if ((known.get(name) ?? null) === null) faults.push(`${name}: listed, but ${known.has(name) ? 'not to be read' : 'nobody uploaded it'}`)
    if (page.length < 1000) break
  }
  const halves = readdirSync(join(project, '.portico/storage/incoming'))
  if (halves.length > 0) faults.push(`${halves.length} half-written files lie about`)
}

try {
  mkdirSync(join(project, 'supabase'), { recursive: true })
  writeFileSync(join(project, 'supabase/config.toml'), '[storage.buckets.files]\npublic = false\n')
  await start()
  for (let round = 1; round <= kills; round++) {
    let over = false
    const clients = Promise.all([1, 2, 3, 4].map((number) => client(number, () => over)))
    await sleep(200 + Math.random() * 2500)
    await kill()
    over = true
    await clients
    await start()
    await check()
    console.log(`kill ${round}: ${acknowledged} acknowledged so far, ${known.size} names, ${faults.length} faults`)
  }
  for (const fault of faults.slice(0, 20)) console.log(fault)
} finally {
  await kill('SIGTERM')
  rmSync(project, { recursive: true, force: true })
}
console.log(`${kills} kills, ${acknowledged} changes acknowledged, ${faults.length} lost, torn or left over; load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`)
process.exit(faults.length === 0 ? 0 : 1)
