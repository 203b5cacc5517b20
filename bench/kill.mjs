// node bench/kill.mjs [kills=20]: the real command, written to over HTTP by four clients, is killed with SIGKILL again and again on
// one data folder; after each kill it is started anew and asked for every write it had acknowledged. Every fifth kill hits the
// start itself. Then as many first starts are killed. Exits non-zero when anything is lost or torn, or does not start.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const kills = Number(process.argv[2] ?? 20)
const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'portico-kill-'))
const patienceMs = 60_000
const owner = '0b0f5c5e-6f0e-4bd0-9d7c-2d3d4e5f6a7b'
const rowsTogether = 5
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** A project folder and the command over it. */
class Box {
  constructor(project, port) {
    this.project = project
    this.url = `http://127.0.0.1:${port}/rest/v1/todos`
    this.port = port
  }

  static async create(name) {
    const project = join(scratch, name)
    cpSync(join(import.meta.dirname, 'project/supabase'), join(project, 'supabase'), { recursive: true })
    return new Box(project, await freePort())
  }

  spawn() {
    this.said = ''
    this.child = spawn(process.execPath, [join(root, 'tools/start.mjs'), '--project', this.project, '--port', String(this.port)], { stdio: ['ignore', 'ignore', 'pipe'] })
    this.child.stderr.on('data', (chunk) => (this.said += chunk))
    this.gone = new Promise((resolve) => this.child.once('exit', resolve))
  }

  async kill(signal = 'SIGKILL') {
    this.child.kill(signal)
    await this.gone
  }

  get headers() {
    this.key ??= JSON.parse(readFileSync(join(this.project, '.portico/keys.json'), 'utf8')).secretKey
    return { apikey: this.key, 'content-type': 'application/json' }
  }

  /** Starts it and waits for the first answered request; gives how long that took. */
  async start() {
    this.spawn()
    const startedAt = performance.now()
    while (performance.now() - startedAt < patienceMs && this.child.exitCode === null) {
      try {
        const answer = await fetch(`${this.url}?select=id&limit=1`, { headers: this.headers })
        await answer.arrayBuffer()
        if (answer.status === 200) return performance.now() - startedAt
      } catch {
        // Not listening yet, or the keys are not made.
      }
      await sleep(10)
    }
    throw new Error(`the box did not start:\n${this.said}`)
  }

  async write(id) {
    const together = id % 4 === 3 ? rowsTogether : 1
    const rows = Array.from({ length: together }, () => ({ title: `w${id}`, owner_id: owner }))
    const answer = await fetch(this.url, { method: 'POST', headers: this.headers, body: JSON.stringify(rows) })
    await answer.arrayBuffer()
    if (answer.status !== 201) throw new Error(`a write was answered with ${answer.status}`)
  }

  /** How many rows there are of each write. */
  async readAll() {
    const found = new Map()
    for (let after = 0; ; ) {
      const rows = await fetch(`${this.url}?select=id,title&id=gt.${after}&order=id&limit=1000`, { headers: this.headers }).then((answer) => answer.json())
      for (const { id, title } of rows) {
        found.set(title, (found.get(title) ?? 0) + 1)
        after = id
      }
      if (rows.length === 0) return found
    }
  }
}

let nextWrite = 0
const acknowledged = new Set()

async function writeFor(box, ms) {
  const run = { isOver: false }
  const writer = async () => {
    while (!run.isOver) {
      const id = nextWrite++
      try {
        await box.write(id)
        acknowledged.add(id)
      } catch (error) {
        if (!run.isOver) throw error
      }
    }
  }
  const writers = Array.from({ length: 4 }, writer)
  // A write that fails before the kill ends the run at once.
  await Promise.race([sleep(ms), Promise.all(writers)])
  run.isOver = true
  await box.kill()
  await Promise.allSettled(writers)
}

async function compare(box) {
  const found = await box.readAll()
  const lost = [...acknowledged].filter((id) => !found.has(`w${id}`))
  const torn = [...found].filter(([title, rows]) => rows !== (Number(title.slice(1)) % 4 === 3 ? rowsTogether : 1))
  return { lost: lost.length, torn: torn.length }
}

const startsMs = []
let lost = 0
let torn = 0
let box
try {
  box = await Box.create('kept')
  await box.start()
  for (let kill = 1; kill <= kills; kill += 1) {
    await writeFor(box, 50 + Math.random() * 1500)
    const duringStart = kill % 5 === 0
    if (duringStart) {
      box.spawn()
      await sleep(100 + Math.random() * 600)
      await box.kill()
    }
    const startMs = await box.start()
    const trial = await compare(box)
    startsMs.push(startMs)
    lost += trial.lost
    torn += trial.torn
    console.log(`kill ${kill}${duringStart ? ', and once more while starting' : ''}: ${acknowledged.size} acknowledged so far, ${trial.lost} lost, ${trial.torn} torn, started in ${Math.round(startMs)} ms`)
  }
  await box.kill('SIGINT')
  for (let kill = 1; kill <= kills; kill += 1) {
    box = await Box.create(`first-${kill}`)
    const afterMs = 60 + Math.random() * 1500
    box.spawn()
    await sleep(afterMs)
    await box.kill()
    const startMs = await box.start()
    await box.write(0)
    if ((await box.readAll()).get('w0') !== 1) lost += 1
    console.log(`first start ${kill}, killed after ${Math.round(afterMs)} ms: started in ${Math.round(startMs)} ms`)
    await box.kill('SIGINT')
    rmSync(box.project, { recursive: true, force: true })
  }
} finally {
  box?.child?.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
}
console.log(`\n${kills} kills while writing and ${kills} first starts killed: ${acknowledged.size} writes acknowledged, ${lost} lost, ${torn} torn; a start after a kill took ${Math.round(median(startsMs))} ms (median), ${Math.round(Math.max(...startsMs))} ms at most`)
process.exit(lost + torn === 0 && acknowledged.size > 0 ? 0 : 1)
