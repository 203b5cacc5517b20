// The thread the embedded engine lives in. Plain JavaScript and one file, so that it runs from the sources and beside a bundle alike.
import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { parentPort } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

/**
 * @typedef {{ name: string, bundle?: string, module?: string, exportName?: string }} Extension
 * @typedef {{ dataDir?: string, snapshot?: string, extensions: Extension[], fsync: boolean, progress: SharedArrayBuffer }} Setup
 * @typedef {{ seq: number, bytes: Uint8Array } | { dump: 'none' | 'gzip' } | { close: true }} Order
 */

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)

// The thread may be started ahead: what needs no folder is made ready before it is told which one.
const beside = (/** @type {string} */ name) => readFile(new URL(name, import.meta.resolve('@electric-sql/pglite')))
const parts = Promise.all([beside('./pglite.wasm').then((bytes) => WebAssembly.compile(bytes)), beside('./pglite.data')])
// Told when it is awaited.
parts.catch(() => undefined)

// One listener from first to last: without any, the thread's loop would run out, and end by waiting for every compilation under way.
const setup = await new Promise((/** @type {(setup: Setup) => void} */ resolve) => {
  let last = Promise.resolve()
  port.on('message', (/** @type {{ setup: Setup } | Order} */ order) => {
    if ('setup' in order) resolve(order.setup)
    else last = last.then(() => obey(order))
  })
})
// [0]: the request begun last, [1]: the request finished last, written here and read by the host when it must end this thread.
// [3]: when the request begun last was begun, in milliseconds, as far as it fits.
// [2]: the newest promised write of the write-ahead log that the host has seen to the disk.
const progress = new Int32Array(setup.progress)

const settings = {
  search_path: '"$user", public, extensions',
  shared_buffers: '16MB',
  // Half the usual: what recurses without end fails in about a second (54001), some 1,100 plpgsql calls deep.
  max_stack_depth: '1MB',
  exit_on_error: 'false',
  log_checkpoints: 'false',
  max_worker_processes: '0',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  io_method: 'sync',
  // The engine's fdatasync is an empty stub; its fsync reaches the file system, and there ours.
  wal_sync_method: 'fsync',
}
const startParams = [
  '--single',
  ...(setup.fsync ? [] : ['-F']),
  '-O',
  '-j',
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]

/**
 * The engine's fsync calls, carried out. A commit's fsync of the write-ahead log is only promised here: the host does it, for many
 * commits at once and while this thread works on, before it tells anyone of the commit. What would overtake the log on its way to
 * the disk (a data page, a removed file) first waits for the log.
 */
const sync = {
  /** Counts the promises. */
  promised: 0,
  /** Name of the log file promised last. */
  file: '',
  /** @type {Set<number>} */
  logs: new Set(),
  flush() {
    if (sync.logs.size === 0) return
    if (Atomics.load(progress, 2) < sync.promised) for (const log of sync.logs) fdatasyncSync(log)
    sync.logs.clear()
  },
}

/** @param {string} path */
function syncFolder(path) {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** @param {any} nodefs emscripten's file system over the host's files */
function carryOutSync(nodefs) {
  const { stream_ops: streams, node_ops: nodes } = nodefs
  const isLog = (/** @type {any} */ stream) => stream.node.parent.name === 'pg_wal'
  streams.fsync = (/** @type {any} */ stream) => {
    if (stream.nfd !== undefined && isLog(stream)) {
      sync.promised += 1
      sync.file = stream.node.name
      sync.logs.add(stream.nfd)
      return 0
    }
    sync.flush()
    if (stream.nfd === undefined) syncFolder(nodefs.realPath(stream.node))
    else fdatasyncSync(stream.nfd)
    return 0
  }
  const { write, close } = streams
  streams.write = (/** @type {any[]} */ ...call) => {
    if (sync.logs.size > 0 && !isLog(call[0])) sync.flush()
    return write(...call)
  }
  streams.close = (/** @type {any} */ stream) => {
    if (sync.logs.has(stream.nfd)) sync.flush()
    return close(stream)
  }
  for (const name of ['rename', 'unlink', 'rmdir', 'setattr']) {
    const change = nodes[name]
    nodes[name] = (/** @type {any[]} */ ...call) => {
      sync.flush()
      return change(...call)
    }
  }
}

// An extension without files: its setup is the one place that sees the file system before the engine does.
const syncing = {
  name: 'portico-sync',
  setup: async (/** @type {any} */ _engine, /** @type {any} */ options) => {
    options.preRun.unshift((/** @type {any} */ module) => carryOutSync(module.FS.filesystems.NODEFS))
    return { emscriptenOpts: options }
  },
}

async function loadExtensions() {
  // With many libraries registered before it, pgcrypto has been seen to lose its ciphers: it comes last.
  const ordered = [...setup.extensions].sort((a, b) => Number(a.name === 'pgcrypto') - Number(b.name === 'pgcrypto'))
  /** @type {Record<string, any>} */
  const loaded = setup.dataDir && setup.fsync ? { 'portico-sync': syncing } : {}
  for (const { name, bundle, module, exportName } of ordered)
    loaded[name] = bundle ? new URL(bundle) : (await import(/** @type {string} */ (module)))[exportName ?? name]
  return loaded
}

async function loadSnapshot() {
  if (setup.dataDir || !setup.snapshot) return {}
  const bytes = await readFile(setup.snapshot)
  const tar = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
  return { loadDataDir: new Blob([tar]) }
}

// Nobody asks this engine for arrays as JavaScript arrays, so what it would look up for that is left out.
class Engine extends PGlite {
  async _initArrayTypes() {}
}

const [pgliteWasmModule, data] = await parts
const engine = new Engine({
  pgliteWasmModule,
  // The one thing that is asked of it; a real blob would be two more copies of five megabytes.
  fsBundle: /** @type {Blob} */ (/** @type {unknown} */ ({ arrayBuffer: async () => data.buffer })),
  ...(setup.dataDir ? { dataDir: setup.dataDir } : {}),
  ...(await loadSnapshot()),
  extensions: await loadExtensions(),
  startParams,
})
await engine.waitReady

// Many libraries together have been seen to leave pgcrypto without its ciphers: better no start than tokens that cannot be hashed.
const manyLibraries = 8
if (setup.extensions.length > manyLibraries) {
  const { rows: [crypto] } = await engine.query(
    `select quote_ident(n.nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pgcrypto'`)
  if (crypto) await engine.query(`select ${crypto.schema}.digest('a', 'sha256')`)
}

/**
 * What the library would pass over: an overflown stack of this thread, a trap of the engine's code. Its session is broken then; it
 * answers empty results as if all were well, or never again.
 *
 * @type {unknown}
 */
let broken

/* oxlint-disable no-underscore-dangle -- the names are the library's */
function watchForTraps() {
  const wasm = /** @type {any} */ (engine.Module)
  const loopOnce = wasm._PostgresMainLoopOnce
  wasm._PostgresMainLoopOnce = () => {
    try {
      return loopOnce()
    } catch (thrown) {
      // The engine's own way out of an error has a status. After anything else the library's loop must not go on.
      if (typeof (/** @type {any} */ (thrown)?.status) !== 'number') {
        broken = thrown
        const leave = () => { throw thrown }
        Object.assign(wasm, { stackRestore: leave, _PostgresSendReadyForQueryIfNecessary: () => undefined, _pgl_pq_flush: () => undefined })
      }
      throw thrown
    }
  }
}

/* oxlint-enable no-underscore-dangle */

// A bare Sync: at its first call each of the library's functions puts another in its own place, so the watch comes after that.
await engine.execProtocolRawStream(Uint8Array.of(0x53, 0, 0, 0, 4), { syncToFs: false, onRawData: () => undefined })
watchForTraps()

/** @param {Uint8Array} bytes */
function run(bytes) {
  /** @type {Uint8Array[]} */
  const parts = []
  // This road alone keeps no copy of what was answered.
  engine.execProtocolRawStream(bytes, { syncToFs: false, onRawData: (data) => parts.push(data.slice()) }).catch(() => undefined)
  // Ends this thread; the host starts another one over the same folder.
  if (broken) throw new Error('the engine lost its stack', { cause: broken })
  if (parts.length === 1) return parts[0]
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** @param {Order} order */
async function obey(order) {
  if ('seq' in order) {
    Atomics.store(progress, 3, Date.now() | 0)
    Atomics.store(progress, 0, order.seq)
    const bytes = run(order.bytes)
    Atomics.store(progress, 1, order.seq)
    port.postMessage({ seq: order.seq, bytes, promised: sync.promised, file: sync.file }, [bytes.buffer])
  } else if ('dump' in order) {
    const file = await engine.dumpDataDir(order.dump)
    const dump = await file.arrayBuffer()
    port.postMessage({ dump }, [dump])
  } else {
    await engine.close()
    port.postMessage({ closed: true })
    port.close()
  }
}

port.postMessage({ ready: true })
