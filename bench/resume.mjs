// node bench/resume.mjs [kills=10] [megabytes=256]: the official resumable client sends one file to the real command, which is killed with
// SIGKILL at as many random points of it and started anew each time. The client goes on by itself, by asking where the upload stands. Prints
// how far each kill let it come and how many bytes were sent twice; exits non-zero when the file differs, an acknowledged byte was lost, or
// something is left over.
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'

const megabyte = 1024 * 1024
const kills = Number(process.argv[2] ?? 10)
const megabytes = Number(process.argv[3] ?? 256)
// What the hosted backend asks its clients for.
const chunkBytes = 6 * megabyte
const patienceMs = 120_000
const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'portico-bench-resume-'))
const project = join(scratch, 'project')
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const md5 = (bytes) => createHash('md5').update(bytes).digest('hex')

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const port = await freePort()
const base = `http://127.0.0.1:${port}`
let child
let gone

function start() {
  child = spawn(process.execPath, [join(root, 'cli/bin.mjs'), '--project', project, '--port', String(port)], { stdio: 'ignore' })
  gone = new Promise((resolve) => child.once('exit', resolve))
}

async function untilReady() {
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(100)) {
    if (await fetch(`${base}/health`).then(({ ok }) => ok, () => false)) return
  }
  throw new Error('the box did not start')
}

async function killAndRestart() {
  // The client hands a part to the system at once; a moment later the box is somewhere within it.
  await sleep(Math.random() * 60)
  child.kill('SIGKILL')
  await gone
  start()
  await untilReady()
}

/** Where the upload stands, as the box tells it. */
async function askOffset(url, headers) {
  const answer = await fetch(url, { method: 'HEAD', headers: { ...headers, 'tus-resumable': '1.0.0' } })
  if (answer.status !== 200) throw new Error(`the upload answers ${answer.status}`)
  return Number(answer.headers.get('upload-offset'))
}

function send(content, { headers, points, report }) {
  return new Promise((resolve, reject) => {
    let acknowledged = 0
    let restarting
    const upload = new Upload(content, {
      endpoint: `${base}/storage/v1/upload/resumable`,
      chunkSize: chunkBytes,
      // A start takes a second or two, and many in a row are wanted.
      retryDelays: Array.from({ length: 600 }, () => 200),
      headers,
      metadata: { bucketName: 'large', objectName: 'resumed.bin', contentType: 'application/octet-stream', cacheControl: '3600' },
      onChunkComplete: (_size, accepted) => { acknowledged = Math.max(acknowledged, accepted) },
      onProgress: (sent) => {
        if (restarting || points.length === 0 || sent < points[0]) return
        points.shift()
        restarting = killAndRestart()
          .then(async () => report({ killedAt: sent, acknowledged, standsAt: await askOffset(upload.url, headers) }))
          .catch((error) => { upload.abort(); reject(error) })
          .finally(() => { restarting = undefined })
      },
      onError: reject,
      onSuccess: () => resolve(),
    })
    upload.start()
  })
}

const leftovers = () =>
  readdirSync(join(project, '.portico/storage'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[\\/]objects[\\/]/.test(`${entry.parentPath}/`) && !entry.name.endsWith('.json'))
    .map(({ name }) => name)

let failed = false
try {
  mkdirSync(join(project, 'supabase'), { recursive: true })
  writeFileSync(join(project, 'supabase/config.toml'), `[storage]\nfile_size_limit = "${megabytes + 1}MiB"\n[storage.buckets.large]\npublic = false\n`)
  start()
  await untilReady()
  const headers = { apikey: JSON.parse(readFileSync(join(project, '.portico/keys.json'), 'utf8')).secretKey }
  const content = randomBytes(megabytes * megabyte)
  const points = Array.from({ length: kills }, () => Math.floor(Math.random() * content.length)).sort((a, b) => a - b)
  const rows = []
  const startedAt = performance.now()
  await send(content, { headers, points, report: (row) => rows.push(row) })
  const seconds = (performance.now() - startedAt) / 1000
  const got = Buffer.from(await fetch(`${base}/storage/v1/object/large/resumed.bin`, { headers }).then((answer) => answer.arrayBuffer()))

  const inMb = (bytes) => (bytes / megabyte).toFixed(2)
  console.log('| killed at, MB sent | acknowledged | stood at after the start |\n|---:|---:|---:|')
  for (const { killedAt, acknowledged, standsAt } of rows) console.log(`| ${inMb(killedAt)} | ${inMb(acknowledged)} | ${inMb(standsAt)} |`)
  const lost = rows.filter(({ acknowledged, standsAt }) => standsAt < acknowledged).length
  const twice = rows.reduce((sum, { killedAt, standsAt }) => sum + Math.max(0, killedAt - standsAt), 0)
  const isSame = md5(got) === md5(content)
  const left = leftovers()
  console.log(`\n${megabytes} MB, ${rows.length} kills, ${seconds.toFixed(1)} s; sent twice ${inMb(twice)} MB; acknowledged and lost: ${lost}; left over: ${left.length}; the file is ${isSame ? 'identical' : 'NOT IDENTICAL'}`)
  failed = !isSame || lost > 0 || left.length > 0 || rows.length < kills
} finally {
  child?.kill()
  await gone
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0
