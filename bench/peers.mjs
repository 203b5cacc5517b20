// The box beside @supabase/lite, both on PGlite with the same table, policy, rows and requests, in one run on one machine.
// node bench/peers.mjs [--rounds 3] [--seconds 4]        Prints a table and the ratios; nothing is kept.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '4' }, only: { type: 'string' } } })
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const root = join(import.meta.dirname, '..')
const peerVersion = '0.10.0'
const scratch = mkdtempSync(join(tmpdir(), 'portico-bench-'))
const running = new Set()
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
const account = { email: 'bench@peers.example', password: 'bench-password-1' }

function started(child) {
  running.add(child.pid)
  return child
}
const endGroup = (pid, signal) => {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended already.
  }
}
process.on('exit', () => running.forEach((pid) => endGroup(pid, 'SIGKILL')))

function preparePeer() {
  const home = join(import.meta.dirname, '.peer')
  if (!existsSync(join(home, 'node_modules/@supabase/lite'))) {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'package.json'), '{ "private": true }')
    execFileSync('npm', ['install', '--save-exact', `@supabase/lite@${peerVersion}`], { cwd: home, stdio: 'inherit' })
  }
  const bin = join(home, 'node_modules/.bin/lite')
  const project = join(scratch, 'peer')
  mkdirSync(project)
  const env = { ...process.env, LITE_TELEMETRY: '0', DO_NOT_TRACK: '1' }
  execFileSync(bin, ['init', '--pglite'], { cwd: project, env, stdio: 'ignore' })
  const config = join(project, 'supabase/config.toml')
  writeFileSync(config, readFileSync(config, 'utf8').replace('54321', '55911'))
  cpSync(join(import.meta.dirname, 'project/supabase/migrations/20260901090000_todos.sql'), join(project, 'supabase/schemas/schema.sql'))
  const key = /SUPABASE_PUBLISHABLE_KEY=(\S+)/.exec(readFileSync(join(project, '.env'), 'utf8'))[1]
  const run = (word) => started(spawn(bin, [word], { cwd: project, env, stdio: 'ignore', detached: true }))
  return { name: `@supabase/lite ${peerVersion}`, url: 'http://127.0.0.1:55911', key: () => key, first: () => run('dev'), again: () => run('start') }
}

function prepareOurs() {
  const project = join(scratch, 'portico')
  cpSync(join(import.meta.dirname, 'project'), project, { recursive: true })
  // As `npm start` runs it, without npm around it.
  const [, ...words] = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.start.split(' ')
  const run = () => started(spawn(process.execPath, [...words, '--project', project, '--port', '55912'], { cwd: root, stdio: 'ignore', detached: true }))
  const key = () => JSON.parse(execFileSync(process.execPath, [join(root, 'tools/status.mjs'), '--json', '--project', project], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })).PUBLISHABLE_KEY
  return { name: 'portico', url: 'http://127.0.0.1:55912', key, first: run, again: run }
}

// The status is told once everything is up, a moment after the first answer.
async function patiently(ask) {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return ask()
    } catch {
      await sleep(200)
    }
  }
  return ask()
}

async function answered(url, headers, accepts = (status) => status === 200) {
  const startedAt = performance.now()
  while (performance.now() - startedAt < 90_000) {
    const status = await fetch(url, { headers }).then(async (answer) => (await answer.arrayBuffer(), answer.status), () => 0)
    if (accepts(status)) return performance.now() - startedAt
    await sleep(10)
  }
  throw new Error(`${url} did not answer`)
}

// The process and all below it: a command may start its server as a child.
function descendants(pid) {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((name) => {
    try {
      return /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1] === String(pid)
    } catch {
      return false
    }
  })
  return [pid, ...children.flatMap((child) => descendants(Number(child)))]
}
const memoryMb = (pid) => {
  const kb = descendants(pid).map((each) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1] ?? 0))
  return Math.round(kb.reduce((sum, each) => sum + each, 0) / 1024)
}
async function stop(child) {
  const over = new Promise((resolve) => child.once('exit', resolve))
  endGroup(child.pid, 'SIGINT')
  await Promise.race([over, sleep(5000)])
  endGroup(child.pid, 'SIGKILL')
  await sleep(300)
}

const json = (headers, body) => ({ method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) })
const load = (job) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'load.mjs'), JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.on('exit', () => (out ? resolve(JSON.parse(out)) : reject(new Error('the load generator gave nothing'))))
  })

// First start with data: an account and 1,000 rows of its own, written through the API.
async function fill(side) {
  const child = side.first()
  await answered(`${side.url}/auth/v1/health`, {}, (status) => status > 0)
  const headers = { apikey: await patiently(side.key) }
  const session = await fetch(`${side.url}/auth/v1/signup`, json(headers, account)).then((answer) => answer.json())
  if (!session.access_token) throw new Error(`${side.name}: no session: ${JSON.stringify(session)}`)
  const rows = Array.from({ length: 1000 }, (_, n) => ({ title: `Todo ${n}`, is_done: n % 3 === 0 }))
  const written = await fetch(`${side.url}/rest/v1/todos`, json({ ...headers, authorization: `Bearer ${session.access_token}` }, rows))
  if (written.status !== 201) throw new Error(`${side.name}: rows not written: ${written.status} ${await written.text()}`)
  await stop(child)
}

async function measure(side) {
  const key = side.lastKey
  const startedAt = performance.now()
  const child = side.again()
  await answered(`${side.url}/rest/v1/todos?select=id&limit=1`, { apikey: key, ...side.bearer })
  const startMs = performance.now() - startedAt
  const headers = { apikey: key, ...side.bearer }
  const idleMb = memoryMb(child.pid)
  const read = { url: `${side.url}/rest/v1/todos?select=*&limit=20`, headers, connections: 8 }
  await load({ ...read, seconds: 1.5 })
  const reads = await load({ ...read, seconds })
  const signIn = { url: `${side.url}/auth/v1/token?grant_type=password`, connections: 4, seconds, ...json({ apikey: key }, account) }
  const [signIns, meanwhile] = await Promise.all([load(signIn), load({ ...read, connections: 1, everyMs: 20, seconds })])
  const loadedMb = memoryMb(child.pid)
  await stop(child)
  return { startMs, idleMb, loadedMb, reads, signIns, meanwhile }
}

// A token that outlives the run, and the key, taken once while the side is up.
async function credentials(side) {
  const child = side.again()
  await answered(`${side.url}/auth/v1/health`, {}, (status) => status > 0)
  side.lastKey = await patiently(side.key)
  const session = await fetch(`${side.url}/auth/v1/token?grant_type=password`, json({ apikey: side.lastKey }, account)).then((answer) => answer.json())
  side.bearer = { authorization: `Bearer ${session.access_token}` }
  await stop(child)
}

const known = { portico: prepareOurs, lite: preparePeer }
const sides = (options.only ? [options.only] : Object.keys(known)).map((name) => known[name]())
const results = new Map(sides.map((side) => [side, []]))
try {
  for (const side of sides) {
    await fill(side)
    await credentials(side)
  }
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) results.get(side).push(await measure(side))
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

const figures = {
  'start to first answered request, ms': (r) => Math.round(r.startMs),
  'memory after start, MB': (r) => r.idleMb,
  'memory after load, MB': (r) => r.loadedMb,
  '20-row select under policies, 8 connections, per second': (r) => r.reads.perSecond,
  '  p50 ms': (r) => r.reads.p50Ms,
  '  p99 ms': (r) => r.reads.p99Ms,
  'password sign-ins, 4 connections, per second': (r) => r.signIns.perSecond,
  '  a read meanwhile, p50 ms': (r) => r.meanwhile.p50Ms,
  '  a read meanwhile, p99 ms': (r) => r.meanwhile.p99Ms,
}
const refused = sides.flatMap((side) => results.get(side).flatMap((r) => [r.reads, r.signIns, r.meanwhile].flatMap((l) => Object.keys(l.statuses)))).filter((status) => status !== '200')
console.log(`\nMedian of ${rounds} rounds, ${seconds} s each; Node ${process.version}.${refused.length > 0 ? ` NOT ALL ANSWERS WERE 200: ${[...new Set(refused)]}` : ''}\n`)
console.log(`| | ${sides.map((side) => side.name).join(' | ')} | ratio |\n|---|${sides.map(() => '---:|').join('')}---:|`)
for (const [label, of] of Object.entries(figures)) {
  const row = sides.map((side) => median(results.get(side).map(of)))
  const ratio = row.length === 2 ? (Math.max(...row) / Math.min(...row)).toFixed(1) : ''
  console.log(`| ${label} | ${row.join(' | ')} | ${ratio} |`)
}
