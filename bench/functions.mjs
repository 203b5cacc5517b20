// Calls of an edge function beside the same program run by Deno alone, the sides taking turns, in one run on one machine.
// node bench/functions.mjs [--rounds 15] [--seconds 3] [--port 55921]        Prints a table; nothing is kept.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '15' }, seconds: { type: 'string', default: '3' }, port: { type: 'string', default: '55921' } } })
const rounds = Math.min(200, Number(options.rounds))
const seconds = Math.min(60, Number(options.seconds))
const port = Number(options.port)
const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'portico-bench-'))
const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

const fromDeno = createRequire(createRequire(join(root, 'backend/package.json')).resolve('deno/package.json'))
const suffix = process.platform === 'linux' ? '-glibc' : ''
const deno = join(dirname(fromDeno.resolve(`@deno/${process.platform}-${process.arch}${suffix}/package.json`)), process.platform === 'win32' ? 'deno.exe' : 'deno')

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const sorted = (numbers) => numbers.toSorted((one, other) => one - other)
const at = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))]

function call(url, { agent, body, method = body === undefined ? 'GET' : 'POST' } = {}) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers: body === undefined ? {} : { 'content-length': body.byteLength } }, (answer) => {
      let length = 0
      answer.on('data', (chunk) => { length += chunk.length })
      answer.on('end', () => (answer.statusCode === 200 ? resolve(length) : reject(new Error(`${url}: ${answer.statusCode}`))))
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

async function untilAnswered(url, patienceMs = 60_000) {
  for (const end = performance.now() + patienceMs; performance.now() < end;) {
    try {
      return await call(url)
    } catch {
      await sleep(1)
    }
  }
  throw new Error(`${url} does not answer`)
}

const residentMb = (pid) => {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
  } catch {
    return Number.NaN
  }
}

// Holds on a busy machine, where times do not. The system counts in hundredths of a second.
const processorMs = (pid) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

const source = (round, listen) => `// ${round}
const name = Deno.env.get('SUPABASE_URL') ?? 'alone'
Deno.serve(${listen}async (request: Request) => {
  if (request.method === 'POST') return new Response(request.body)
  return Response.json({ message: 'hello', name, at: request.url })
})
`

async function coldAlone(round) {
  const file = join(scratch, 'alone.ts')
  writeFileSync(file, source(round, `{ hostname: '127.0.0.1', port: ${port + 1}, onListen() {} }, `))
  const startedAt = performance.now()
  const child = spawn(deno, ['run', '--no-config', '--no-lock', '--quiet', '--allow-net', '--allow-env', file], { stdio: 'ignore', env: { ...process.env, DENO_DIR: join(scratch, 'cache'), DENO_NO_UPDATE_CHECK: '1' } })
  children.add(child)
  await untilAnswered(`http://127.0.0.1:${port + 1}/`)
  return { child, ms: performance.now() - startedAt }
}

const end = (child) => new Promise((resolve) => {
  child.once('exit', () => {
    children.delete(child)
    resolve()
  })
  child.kill('SIGKILL')
})

const boxUrl = `http://127.0.0.1:${port}/functions/v1/hello`

async function coldBox(round) {
  writeFileSync(join(scratch, 'project/supabase/functions/hello/index.ts'), source(round, ''))
  await sleep(300)
  const startedAt = performance.now()
  await call(boxUrl)
  return performance.now() - startedAt
}

async function measure(url, { together, body }, pid) {
  const usedMs = processorMs(pid)
  const agent = new Agent({ keepAlive: true, maxSockets: together })
  const times = []
  const until = performance.now() + seconds * 1000
  const startedAt = performance.now()
  const loop = async () => {
    while (performance.now() < until) {
      const beganAt = performance.now()
      await call(url, { agent, body })
      times.push(performance.now() - beganAt)
    }
  }
  await Promise.all(Array.from({ length: together }, loop))
  agent.destroy()
  return { perSecond: times.length / ((performance.now() - startedAt) / 1000), p50: at(times, 0.5), p99: at(times, 0.99), usedMs: (processorMs(pid) - usedMs) / times.length }
}

mkdirSync(join(scratch, 'project/supabase/functions/hello'), { recursive: true })
writeFileSync(join(scratch, 'project/supabase/config.toml'), 'project_id = "bench"\n[functions.hello]\nverify_jwt = false\n')
writeFileSync(join(scratch, 'project/supabase/functions/hello/index.ts'), source('first', ''))
execFileSync(process.execPath, [join(root, 'tools/build.mjs'), '--without-app'], { stdio: ['ignore', 'ignore', 'inherit'] })
const box = spawn(process.execPath, ['--max-semi-space-size=4', join(root, 'dist/cli/portico.js'), '--project', join(scratch, 'project'), '--port', String(port)], {
  stdio: 'ignore', env: { ...process.env, PORTICO_MAILBOX_PORT: String(port + 2) },
})
children.add(box)
await untilAnswered(`http://127.0.0.1:${port}/health`)
await sleep(1000)
const before = residentMb(box.pid)
await call(boxUrl)
const after = residentMb(box.pid)

const cold = { alone: [], box: [] }
for (let round = 0; round < rounds; round += 1) {
  const { child, ms } = await coldAlone(round)
  await end(child)
  cold.alone.push(ms)
  cold.box.push(await coldBox(round))
}

const { child: alone } = await coldAlone('warm')
const aloneUrl = `http://127.0.0.1:${port + 1}/`
const body = Buffer.alloc(1024 * 1024, 120)
const kinds = [['one at a time', { together: 1 }], ['16 at a time', { together: 16 }], ['1 MB there and back, 4 at a time', { together: 4, body }]]
// Nobody is measured while the engine still warms up.
await measure(aloneUrl, { together: 4 })
await measure(boxUrl, { together: 4 })
const rows = []
for (const [name, how] of kinds) rows.push({ name, alone: await measure(aloneUrl, how, alone.pid), box: await measure(boxUrl, how, box.pid) })

const fixed = (number, digits = 1) => number.toFixed(digits)
console.log(`\nDeno ${execFileSync(deno, ['--version'], { encoding: 'utf8' }).split(/\s+/)[1]}, load ${fixed(loadavg()[0])}, ${rounds} rounds, ${seconds} s each\n`)
console.log('| | Deno alone | the box | ratio |\n|---|---:|---:|---:|')
const line = (name, [one, other], digits) => console.log(`| ${name} | ${fixed(one, digits)} | ${fixed(other, digits)} | ${fixed(other / one, 2)} |`)
line('first answer of a new program, ms (median)', [at(cold.alone, 0.5), at(cold.box, 0.5)])
line('the same, slowest', [Math.max(...cold.alone), Math.max(...cold.box)])
for (const row of rows) {
  line(`${row.name}, per second`, [row.alone.perSecond, row.box.perSecond], 0)
  line(`${row.name}, p50 ms`, [row.alone.p50, row.box.p50], 2)
  line(`${row.name}, p99 ms`, [row.alone.p99, row.box.p99], 2)
  line(`${row.name}, processor ms a call (the box's beside its worker's)`, [row.alone.usedMs, row.box.usedMs], 3)
}
console.log(`\nMemory of the box before and after its first function: ${before} and ${after} MB; of Deno alone: ${residentMb(alone.pid)} MB`)
await end(alone)
box.kill('SIGTERM')
await new Promise((resolve) => box.once('exit', resolve))
children.delete(box)
