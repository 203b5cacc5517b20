// One sender, thousands of listeners: the box's Realtime beside a bare `ws` server that hands every message on, in one run on one
// machine, the sides taking turns. Fails when a message is lost.
// node bench/realtime.mjs [--sockets 5000] [--rounds 3] [--messages 40] [--port 55310]        Needs `npm run build`.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: {
    sockets: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '3' },
    messages: { type: 'string', default: '40' },
    port: { type: 'string', default: '55310' },
  },
})
const [sockets, rounds, messages, port] = [options.sockets, options.rounds, options.messages, options.port].map(Number)
// A descriptor a socket: the soft limit is raised for this process and those it starts, once.
if (process.env.BENCH_LIMIT_RAISED === undefined) {
  const words = [process.execPath, import.meta.filename, ...process.argv.slice(2)].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  const again = spawn('sh', ['-c', `ulimit -n ${sockets * 2 + 1000} && exec ${words.join(' ')}`], { stdio: 'inherit', env: { ...process.env, BENCH_LIMIT_RAISED: '1' } })
  again.once('exit', (code) => process.exit(code ?? 1))
  await new Promise(() => undefined)
}

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'portico-bench-'))
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})
// Whatever hangs, the run ends.
setTimeout(() => {
  console.error('The run took too long.')
  process.exit(1)
}, 10 * 60_000).unref()

const bareServer = `
import { WebSocketServer } from 'ws'
const server = new WebSocketServer({ port: ${port + 1}, host: '127.0.0.1', perMessageDeflate: false })
server.on('connection', (socket) => socket.on('message', (data, isBinary) => {
  for (const client of server.clients) if (client !== socket) client.send(data, { binary: isBinary })
}))
console.log('ready')
`

function startBare() {
  const child = spawn(process.execPath, ['--max-semi-space-size=4', '--input-type=module', '-e', bareServer], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  return new Promise((resolve) => child.stdout.once('data', () => resolve({ pid: child.pid, path: '/', port: port + 1, join: undefined })))
}

async function startBox() {
  mkdirSync(join(scratch, 'supabase'))
  writeFileSync(join(scratch, 'supabase/config.toml'), 'project_id = "bench"\n')
  const env = { ...process.env, PORTICO_REALTIME_JOINS_PER_SECOND: '100000', PORTICO_REALTIME_MESSAGES_PER_SECOND: '100000', PORTICO_REALTIME_CONNECTIONS: String(sockets * 2), PORTICO_MAILBOX_PORT: String(port + 2) }
  const words = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.start.split(' ').slice(1)
  const child = spawn(process.execPath, [...words, '--project', scratch, '--port', String(port)], { cwd: root, stdio: 'ignore', env })
  children.add(child)
  const isUp = () => fetch(`http://127.0.0.1:${port}/health`).then((answer) => answer.ok, () => false)
  // It builds what is missing first.
  for (let tries = 0; !(await isUp()); tries += 1) {
    if (tries > 720 || child.exitCode !== null) throw new Error('The box did not start.')
    await sleep(250)
  }
  const status = JSON.parse(execFileSync(process.execPath, [join(root, 'tools/status.mjs'), '--json', '--project', scratch], { encoding: 'utf8' }))
  return { pid: child.pid, path: `/realtime/v1/websocket?vsn=2.0.0&apikey=${status.PUBLISHABLE_KEY}`, port, join: '["1","1","realtime:bench","phx_join",{"config":{}}]' }
}

const memoryMb = (pid) => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024)

// A client's frame with a mask of zeros: what is sent is what stands here.
function clientFrame(opcode, payload) {
  const long = payload.length > 125
  const header = Buffer.from([0x80 | opcode, 0x80 | (long ? 126 : payload.length), ...(long ? [payload.length >> 8, payload.length & 255] : []), 0, 0, 0, 0])
  return Buffer.concat([header, payload])
}

const handshake = ({ path, port: at }) =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${at}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`

// Numbers of fixed width stand at the end, so that a listener reads them without parsing.
const pad = 'x'.repeat(150)
const makePayload = (number) => Buffer.from(`{"pad":"${pad}","n":"${String(number).padStart(10, '0')}","at":"${String(Math.round(performance.now() * 1000)).padStart(12, '0')}"}`)

class Listener {
  constructor(side, onMessage) {
    this.rest = Buffer.alloc(0)
    this.last = 0
    this.onMessage = onMessage
    this.socket = connect(side.port, '127.0.0.1')
    this.socket.setNoDelay(true)
    this.ready = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.socket.once('error', reject)
      this.socket.once('close', () => reject(new Error('closed')))
    })
    this.socket.write(handshake(side))
    this.side = side
    this.socket.on('data', (chunk) => this.take(chunk))
  }

  take(chunk) {
    let data = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk
    if (!this.isOpen) {
      const end = data.indexOf('\r\n\r\n')
      if (end < 0) return void (this.rest = data)
      if (!data.subarray(0, 12).toString().endsWith('101')) throw new Error(data.toString())
      this.isOpen = true
      data = data.subarray(end + 4)
      if (this.side.join === undefined) this.resolve()
      else this.socket.write(clientFrame(1, Buffer.from(this.side.join)))
    }
    let at = 0
    while (data.length - at >= 2) {
      const short = data[at + 1]
      const headerLength = short === 126 ? 4 : 2
      if (data.length - at < headerLength) break
      const length = short === 126 ? data.readUInt16BE(at + 2) : short
      const end = at + headerLength + length
      if (data.length < end) break
      if ((data[at] & 15) === 2) this.count(data, end)
      else this.resolve()
      at = end
    }
    this.rest = at === data.length ? Buffer.alloc(0) : Buffer.from(data.subarray(at))
  }

  count(data, end) {
    const number = Number(data.latin1Slice(end - 32, end - 22))
    const sentAt = Number(data.latin1Slice(end - 14, end - 2)) / 1000
    if (number !== this.last + 1) throw new Error(`message ${number} after ${this.last}`)
    this.last = number
    this.onMessage(number, performance.now() - sentAt)
  }
}

class Crowd {
  constructor(side) {
    this.side = side
    this.listeners = []
    this.latencies = []
    this.sent = 0
    this.arrived = 0
  }

  async gather() {
    const hear = (_number, ms) => {
      this.arrived += 1
      this.latencies.push(ms)
      if (this.arrived % sockets === 0) this.wake?.()
    }
    for (let count = 0; count <= sockets; count += 100) {
      const some = Array.from({ length: Math.min(100, sockets + 1 - count) }, () => new Listener(this.side, hear))
      await Promise.all(some.map(({ ready }) => ready))
      this.listeners.push(...some)
    }
    // The one more is the sender.
    this.sender = this.listeners.pop()
  }

  send() {
    this.sent += 1
    const payload = makePayload(this.sent)
    const words = ['1', '', 'realtime:bench', 'x', ''].map((word) => Buffer.from(word))
    const push = Buffer.concat([Buffer.from([3, ...words.map((word) => word.length), 1]), ...words, payload])
    this.sender.socket.write(clientFrame(2, this.side.join === undefined ? payload : push))
  }

  async untilArrived(all) {
    const deadline = performance.now() + 30_000
    while (this.arrived < all * sockets) {
      if (performance.now() > deadline) throw new Error(`lost: ${this.arrived} of ${all * sockets} deliveries came`)
      await new Promise((resolve) => {
        this.wake = resolve
        setTimeout(resolve, 1000)
      })
    }
  }

  /** Deliveries a second with four messages under way. */
  async rate() {
    const first = this.sent
    const startedAt = performance.now()
    while (this.sent - first < messages) {
      this.send()
      await this.untilArrived(this.sent - 3)
    }
    await this.untilArrived(this.sent)
    return (messages * sockets) / ((performance.now() - startedAt) / 1000)
  }

  /** Milliseconds from sending to each listener, two messages a second. */
  async delays() {
    this.latencies = []
    for (let count = 0; count < 10; count += 1) {
      this.send()
      await sleep(500)
    }
    await this.untilArrived(this.sent)
    const sorted = Float64Array.from(this.latencies).sort()
    this.latencies = []
    const at = (share) => sorted[Math.floor((sorted.length - 1) * share)]
    return { p50: at(0.5), p99: at(0.99), max: at(1) }
  }

  beat() {
    if (this.side.join === undefined) return
    const frame = clientFrame(1, Buffer.from('[null,"9","phoenix","heartbeat",{}]'))
    for (const { socket } of [...this.listeners, this.sender]) socket.write(frame)
  }

  close() {
    for (const { socket } of [...this.listeners, this.sender]) socket.destroy()
  }
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
const round = (value) => Math.round(value * 10) / 10

const sides = { box: await startBox(), ws: await startBare() }
const results = Object.fromEntries(Object.keys(sides).map((name) => [name, { rates: [], p50: [], p99: [], max: [], memory: {} }]))
const crowds = {}
for (const [name, side] of Object.entries(sides)) {
  results[name].memory.before = memoryMb(side.pid)
  const startedAt = performance.now()
  crowds[name] = new Crowd(side)
  await crowds[name].gather()
  results[name].joinedMs = Math.round(performance.now() - startedAt)
  await sleep(1000)
  results[name].memory.joined = memoryMb(side.pid)
}
for (let count = 0; count < rounds; count += 1) {
  for (const [name, crowd] of Object.entries(crowds)) {
    for (const each of Object.values(crowds)) each.beat()
    await sleep(1000)
    const result = results[name]
    result.rates.push(await crowd.rate())
    const { p50, p99, max } = await crowd.delays()
    result.p50.push(p50)
    result.p99.push(p99)
    result.max.push(max)
  }
}
for (const [name, side] of Object.entries(sides)) results[name].memory.after = memoryMb(side.pid)
const rows = Object.entries(results).map(([name, { rates, p50, p99, max, memory, joinedMs }]) => ({
  side: name,
  'deliveries/s': Math.round(median(rates)),
  'p50 ms': round(median(p50)),
  'p99 ms': round(median(p99)),
  'max ms': round(Math.max(...max)),
  'MB before': memory.before,
  'MB joined': memory.joined,
  'MB after': memory.after,
  'gathered ms': joinedMs,
  lost: crowds[name].sent * sockets - crowds[name].arrived,
}))
console.table(rows)
const ratios = results.box.rates.map((rate, at) => rate / results.ws.rates[at])
console.log(`deliveries, box to ws: ${round(median(ratios) * 100)} % (rounds ${ratios.map((ratio) => Math.round(ratio * 100)).join(', ')})`)
for (const crowd of Object.values(crowds)) crowd.close()
process.exit(rows.every(({ lost }) => lost === 0) ? 0 : 1)
