// node bench/storage.mjs [megabytes=2048]: the real command takes one large file, raw and as a form, and gives it
// back whole and in parts, while its memory is watched. The same bytes then go through a bare Node server that hashes and writes them, and
// reads them: what this machine can do at all. Prints MB/s and the peak of resident memory; exits non-zero when a byte is wrong.
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const megabyte = 1024 * 1024
const megabytes = Number(process.argv[2] ?? 2048)
const sizeBytes = megabytes * megabyte
const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'portico-bench-storage-'))
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const patienceMs = 60_000

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

// One block, again and again, each time with its number: no two places are alike, and making it costs next to nothing.
const block = randomBytes(megabyte)
function* content(from = 0, to = megabytes) {
  for (let index = from; index < to; index++) {
    block.writeUInt32BE(index, 0)
    yield Buffer.from(block)
  }
}
const digestOf = (pieces) => {
  const hash = createHash('md5')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}
const wanted = digestOf(content())

const residentMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
/** Watches a process' memory while something runs; gives what it gave, the peak and the time. */
async function measure(pid, work) {
  let peakMb = 0
  const look = () => (peakMb = Math.max(peakMb, residentMb(pid)))
  const watch = setInterval(look, 50)
  const startedAt = performance.now()
  const result = await work()
  const seconds = (performance.now() - startedAt) / 1000
  clearInterval(watch)
  look()
  return { result, mbPerSecond: Math.round(megabytes / seconds), peakMb: Math.round(peakMb) }
}

const send = (url, { method, headers, pieces = [] }) =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers }, async (response) => {
      const hash = createHash('md5')
      let bytes = 0
      let text = ''
      for await (const chunk of response) {
        hash.update(chunk)
        bytes += chunk.length
        if (bytes < 10_000) text += chunk
      }
      resolve({ status: response.statusCode, bytes, digest: hash.digest('hex'), text })
    })
    request.on('error', reject)
    pipeline(pieces, request).catch(reject)
  })

function expect(condition, what, answer) {
  if (condition) return
  throw new Error(`${what}: ${answer.status} ${answer.bytes} bytes ${answer.text.slice(0, 300)}`)
}

function* form(boundary) {
  yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="cacheControl"\r\n\r\n3600\r\n`)
  yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name=""; filename="large.bin"\r\ncontent-type: application/octet-stream\r\n\r\n`)
  yield* content()
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

async function startBox(port) {
  const project = join(scratch, 'project')
  mkdirSync(join(project, 'supabase'), { recursive: true })
  writeFileSync(join(project, 'supabase/config.toml'), `[storage]\nfile_size_limit = "${megabytes + 1}MiB"\n[storage.buckets.large]\npublic = false\n`)
  const child = spawn(process.execPath, ['--max-semi-space-size=4', join(root, 'cli/bin.mjs'), '--project', project, '--port', String(port)], { stdio: 'ignore' })
  const base = `http://127.0.0.1:${port}`
  for (const until = performance.now() + patienceMs; ; await sleep(100)) {
    if (await fetch(`${base}/health`).then(({ ok }) => ok, () => false)) break
    if (performance.now() > until) throw new Error('the box did not start')
  }
  return { child, base: `${base}/storage/v1`, key: JSON.parse(readFileSync(join(project, '.portico/keys.json'), 'utf8')).secretKey }
}

async function measureBox(rows) {
  const { child, base, key } = await startBox(await freePort())
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const apikey = { apikey: key }
  try {
    await sleep(1000)
    const restMb = Math.round(residentMb(child.pid))
    const up = (name, pieces, headers) =>
      measure(child.pid, () => send(`${base}/object/large/${name}`, { method: 'POST', headers: { ...apikey, ...headers }, pieces }))
    const raw = await up('raw.bin', content(), { 'content-type': 'application/octet-stream', 'content-length': String(sizeBytes) })
    expect(raw.result.status === 200, 'raw upload', raw.result)
    const chunked = await up('chunked.bin', content(), { 'content-type': 'application/octet-stream' })
    expect(chunked.result.status === 200, 'chunked upload', chunked.result)
    const multipart = await up('form.bin', form('portico-boundary'), { 'content-type': 'multipart/form-data; boundary=portico-boundary' })
    expect(multipart.result.status === 200, 'form upload', multipart.result)
    const down = await measure(child.pid, () => send(`${base}/object/large/form.bin`, { method: 'GET', headers: apikey }))
    expect(down.result.digest === wanted, 'download', down.result)
    const part = await send(`${base}/object/large/raw.bin`, { method: 'GET', headers: { ...apikey, range: `bytes=${megabyte}-${3 * megabyte - 1}` } })
    expect(part.status === 206 && part.digest === digestOf(content(1, 3)), 'range', part)
    const copied = await measure(child.pid, () =>
      send(`${base}/object/copy`, { method: 'POST', headers: { ...apikey, 'content-type': 'application/json' }, pieces: [Buffer.from(JSON.stringify({ bucketId: 'large', sourceKey: 'raw.bin', destinationKey: 'copy.bin' }))] }))
    expect(copied.result.status === 200, 'copy', copied.result)
    rows.push(['at rest', '', restMb], ['upload, raw', raw.mbPerSecond, raw.peakMb], ['upload, raw, length not told', chunked.mbPerSecond, chunked.peakMb], ['upload, form', multipart.mbPerSecond, multipart.peakMb], ['download', down.mbPerSecond, down.peakMb])
  } finally {
    child.kill()
    await gone
  }
}

// Hash, write, sync; read: nothing else.
const bareServer = `
  const http = require('node:http'), fs = require('node:fs'), { createHash } = require('node:crypto')
  http.createServer(async (request, response) => {
    if (request.method === 'GET') return void fs.createReadStream(process.argv[1], { highWaterMark: 262144 }).pipe(response)
    const file = await fs.promises.open(process.argv[1], 'w'), hash = createHash('md5')
    for await (const chunk of request) { hash.update(chunk); await file.write(chunk) }
    await file.sync(); await file.close(); response.end(hash.digest('hex'))
  }).listen(Number(process.argv[2]), '127.0.0.1')`

async function measureBare(rows) {
  const port = await freePort()
  const child = spawn(process.execPath, ['-e', bareServer, join(scratch, 'bare.bin'), String(port)], { stdio: 'ignore' })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  try {
    await sleep(500)
    const up = await measure(child.pid, () => send(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { 'content-length': String(sizeBytes) }, pieces: content() }))
    expect(up.result.text === wanted, 'bare upload', up.result)
    const down = await measure(child.pid, () => send(`http://127.0.0.1:${port}/`, { method: 'GET', headers: {} }))
    expect(down.result.digest === wanted, 'bare download', down.result)
    rows.push(['bare Node server, upload', up.mbPerSecond, up.peakMb], ['bare Node server, download', down.mbPerSecond, down.peakMb])
  } finally {
    child.kill()
    await gone
  }
}

try {
  const rows = []
  await measureBox(rows)
  await measureBare(rows)
  console.log(`${megabytes} MB, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}\n`)
  console.log('| | MB/s | peak of resident memory, MB |\n|---|---:|---:|')
  for (const [what, rate, peak] of rows) console.log(`| ${what} | ${rate} | ${peak} |`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
