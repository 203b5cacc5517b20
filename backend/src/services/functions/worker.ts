import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServiceError } from '#contract/service-error.ts'
import { functionsFolder, type EdgeFunction } from './catalog.ts'
import { bootFailed, workerFailed, workerLimitReached } from './errors.ts'
import type { FunctionEnvironment } from './environment.ts'
import { createMask } from './mask.ts'
import { readUsage } from './process-usage.ts'
import { createThreshold, listenTo, shorten, type Listener } from './said.ts'
import type { FunctionLimits } from './settings.ts'

/** Why a worker ends before its time. */
export type EndReason = 'cpu' | 'memory' | 'wall_clock' | 'boot' | 'retired' | 'closing'

export interface WorkerOptions {
  edgeFunction: EdgeFunction
  environment: FunctionEnvironment
  limits: FunctionLimits
  /** Absolute. */
  supabaseFolder: string
  /** Absolute: where Deno keeps the modules it has downloaded. */
  cacheFolder: string
  denoPath: string
  /** Environment of Deno itself, out of the function's sight: proxies, registries. */
  denoEnvironment: Readonly<Record<string, string>>
  say: Listener['onSaid']
}

/** Where a worker listens, and the word that it answers to. */
export interface Door {
  host: string
  port: number
  secret: string
  agent: Agent
}

const megabyte = 1024 * 1024
const firstModule = fileURLToPath(new URL('./function-worker.mjs', import.meta.url))

// Besides the heap: buffers, compiled code, the runtime itself.
const residentBeside = 128 * megabyte
// A worker reserves half a gigabyte before it does anything. What is asked for in one go, faster than anyone looks, ends here.
const reservedBeside = 1024 * megabyte
const largestFile = 512 * megabyte
const settleMs = 100
const unloadMs = 500
// Loading modules is no request.
const bootCpuShare = 15

// Limits that hold even when the box is gone. Only a shell can set them.
function shellLimits({ memoryBytes, wallMs }: FunctionLimits): string {
  const limits = [`-c 0`, `-t ${Math.ceil(wallMs / 500)}`, `-d ${(reservedBeside + 2 * memoryBytes) / 1024}`, `-f ${largestFile / 512}`]
  return `${limits.map((limit) => `ulimit ${limit} 2>/dev/null`).join('; ')}; exec "$0" "$@"`
}

// What the hosted runtime gives: network, its environment, the functions' files and a temporary folder; no programs, no libraries.
const system = 'hostname,osRelease,osUptime,loadavg,systemMemoryInfo,cpus,uid,gid'

// What Deno and the shell set by themselves.
const ownVariables = ['PATH', 'PWD', 'OLDPWD', 'SHLVL', '_', 'DENO_NODE_SHIM_ACTIVE']

/** What Deno itself is told; the function sees none of it. */
function variablesOfDeno({ denoEnvironment, cacheFolder, edgeFunction }: WorkerOptions, folder: string): Record<string, string> {
  const temporary = join(folder, 'tmp')
  return {
    ...denoEnvironment,
    DENO_DIR: cacheFolder,
    DENO_NO_UPDATE_CHECK: '1',
    NO_COLOR: '1',
    ...(edgeFunction.usesPackageJson ? {} : { DENO_NO_PACKAGE_JSON: '1' }),
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
  }
}

const lockCopy = (folder: string): string => join(folder, 'deno.lock')

function denoWords({ edgeFunction, limits, supabaseFolder, cacheFolder }: WorkerOptions, folder: string, hidden: readonly string[]): string[] {
  const { importMap, usesPackageJson, entrypoint, staticFolders } = edgeFunction
  const isConfig = importMap !== undefined && /\.jsonc?$/.test(importMap) && /(^|[\\/])deno\.jsonc?$/.test(importMap)
  const modules = importMap === undefined ? (usesPackageJson ? [] : ['--no-config']) : isConfig ? [`--config=${importMap}`] : ['--no-config', `--import-map=${importMap}`]
  // Deno may add to the copy, and never to the project's own.
  const lock = edgeFunction.lockFile === undefined ? '--no-lock' : `--lock=${lockCopy(folder)}`
  // A comma would end a path in the list of paths.
  const paths = [functionsFolder(supabaseFolder), cacheFolder, folder, ...staticFolders].map((path) => path.replaceAll(',', ',,'))
  return [
    'run', '--quiet', '--no-prompt', '--unstable-no-legacy-abort', lock, '--node-modules-dir=none', ...modules,
    `--v8-flags=--max-old-space-size=${Math.floor(limits.memoryBytes / megabyte)}`,
    '--allow-net', '--allow-env', `--ignore-env=${hidden.join(',')}`, '--allow-import', `--allow-sys=${system}`, `--allow-read=${paths.join(',')}`, `--allow-write=${folder.replaceAll(',', ',,')}`,
    `--preload=${firstModule}`, entrypoint,
  ]
}

/** One Deno process that serves one function. */
export class FunctionWorker {
  readonly startedAt = performance.now()
  /** Settles when it listens. Rejects when it ends first. */
  readonly ready: Promise<Door>
  readonly ended: Promise<void>
  /** Requests under way, those included that wait until it listens. */
  running = 0
  lastUsedAt = performance.now()
  readonly #child: ChildProcess
  readonly #options: WorkerOptions
  readonly #folder: string
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  readonly #threshold: Listener['onSaid']
  #background = 0
  /** It listens, or did. */
  isReady = false
  #isRetired = false
  #reason: EndReason | undefined
  #exit: { code: number | null; signal: NodeJS.Signals | null } | undefined
  #ranOutOfMemory = false
  #cpuAtProgressMs = 0
  #hasProgressed = false

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#folder = mkdtempSync(join(tmpdir(), 'portico-function-'))
    mkdirSync(join(this.#folder, 'tmp'))
    if (options.edgeFunction.lockFile !== undefined) copyFileSync(options.edgeFunction.lockFile, lockCopy(this.#folder))
    mkdirSync(options.cacheFolder, { recursive: true })
    const mask = createMask(options.environment.secrets)
    this.#threshold = createThreshold((level, text) => options.say(level, shorten(mask(text))), () => performance.now())
    this.#child = this.#spawn()
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        if (this.#exit) return
        this.#exit = { code, signal }
        this.#agent.destroy()
        rmSync(this.#folder, { recursive: true, force: true })
        this.#sayHowItEnded()
        resolve()
      }
      // `close` comes after the last line of output.
      this.#child.once('close', end)
      this.#child.once('error', () => end(null, null))
    })
    this.ready = this.#listen()
    // Whoever waits for it hears of it; nobody may be waiting.
    this.ready.catch(() => undefined)
  }

  #spawn(): ChildProcess {
    const { environment, denoPath, edgeFunction, limits } = this.#options
    const variables = variablesOfDeno(this.#options, this.#folder)
    const words = denoWords(this.#options, this.#folder, [...Object.keys(variables), ...ownVariables])
    const env = { ...environment.values, ...variables }
    const options = { cwd: dirname(edgeFunction.entrypoint), env, stdio: ['pipe', 'pipe', 'pipe'] as const, windowsHide: true }
    return process.platform === 'win32' ? spawn(denoPath, words, { ...options, stdio: 'pipe' }) : spawn('/bin/sh', ['-c', shellLimits(limits), denoPath, ...words], { ...options, stdio: 'pipe' })
  }

  #listen(): Promise<Door> {
    const { stdin, stdout, stderr } = this.#child
    const { limits } = this.#options
    const secret = randomBytes(32).toString('base64url')
    const mark = `\u001e${randomBytes(16).toString('base64url')} `
    const setup = { secret, mark }
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => this.end('boot'), limits.bootMs)
      const listener: Listener = {
        onSaid: (level, text) => {
          if (/Fatal JavaScript out of memory|Fatal process out of memory/.test(text)) this.#ranOutOfMemory = true
          this.#threshold(level, text)
        },
        onTold: ({ ready, port, background }) => {
          if (typeof background === 'number') this.#setBackground(background)
          if (ready !== true) return
          clearTimeout(patience)
          this.isReady = true
          this.noteProgress()
          const bootMs = Math.round(performance.now() - this.startedAt)
          this.#threshold('debug', `booted in ${bootMs} ms`)
          resolve({ host: '127.0.0.1', port: Number(port), secret, agent: this.#agent })
        },
      }
      if (stdout) listenTo(stdout, mark, { plainLevel: 'info', listener })
      if (stderr) listenTo(stderr, mark, { plainLevel: 'error', listener })
      // A process that has ended already closes its input.
      stdin?.on('error', () => undefined)
      stdin?.end(`${JSON.stringify(setup)}\n`)
      void this.ended.then(() => {
        clearTimeout(patience)
        reject(this.failure())
      })
    })
  }

  #setBackground(count: number): void {
    this.#background = count
    this.lastUsedAt = performance.now()
    this.#endWhenIdle()
  }

  /** Settles when it has ended, or when it seems that it has not. */
  async settle(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await Promise.race([this.ended, new Promise<void>((resolve) => { timer = setTimeout(resolve, unloadMs) })])
    clearTimeout(timer)
  }

  /** Whether it takes further requests. */
  get isOpen(): boolean {
    return !this.#isRetired && this.#exit === undefined && this.#reason === undefined
  }

  get isIdle(): boolean {
    return this.isReady && this.running === 0 && this.#background === 0
  }

  get hasEnded(): boolean {
    return this.#exit !== undefined
  }

  begin(): void {
    if (this.running === 0) this.noteProgress()
    this.running += 1
    this.lastUsedAt = performance.now()
  }

  finish(): void {
    this.running -= 1
    this.lastUsedAt = performance.now()
    this.noteProgress()
    this.#endWhenIdle()
  }

  /** From here on processor time is counted anew. It is read at the next check: reading it for each request would take a while. */
  noteProgress(): void {
    this.#hasProgressed = true
  }

  #usage() {
    return this.#child.pid === undefined || this.#exit ? undefined : readUsage(this.#child.pid)
  }

  /** Takes no more requests; ends when those under way and what they left to do are done. */
  retire(): void {
    if (this.#isRetired) return
    this.#isRetired = true
    this.#endWhenIdle()
  }

  #endWhenIdle(): void {
    if (!this.#isRetired || !this.isIdle) return
    // That there is work left in the background is told by another way than the reply, and may come a moment after it.
    setTimeout(() => {
      if (this.isIdle) void this.#unload().finally(() => this.end('retired'))
    }, settleMs)
  }

  // The function hears that it ends, as on the hosted runtime.
  async #unload(): Promise<void> {
    const { host, port, secret, agent } = await this.ready
    await new Promise<void>((resolve) => {
      const asked = request({ host, port, agent, method: 'POST', path: '/', timeout: unloadMs, headers: { 'x-portico-worker': secret, 'x-portico-unload': 'early_drop' } })
      asked.on('response', (answer) => answer.resume().once('close', resolve))
      asked.on('timeout', () => asked.destroy())
      asked.on('error', () => resolve())
      asked.end()
    })
  }

  /** Holds the worker to its limits; called a few times a second. */
  check(): void {
    const { limits } = this.#options
    const ageMs = performance.now() - this.startedAt
    if (ageMs > limits.wallMs) return this.end('wall_clock')
    if (this.isReady && (ageMs > limits.wallMs / 2 || (this.isIdle && performance.now() - this.lastUsedAt > limits.idleMs))) this.retire()
    const usage = this.#usage()
    if (!usage) return
    if (usage.residentBytes > limits.memoryBytes + residentBeside) return this.end('memory')
    if (this.#hasProgressed) this.#cpuAtProgressMs = usage.cpuMs
    this.#hasProgressed = false
    const usedMs = usage.cpuMs - this.#cpuAtProgressMs
    if (!this.isReady) {
      if (usedMs > limits.cpuMs * bootCpuShare) this.end('cpu')
      return
    }
    if (usedMs > limits.cpuMs / 2) this.retire()
    if (usedMs > limits.cpuMs * Math.max(1, this.running)) this.end('cpu')
  }

  /** Ends it at once. */
  end(reason: EndReason): void {
    if (this.#reason !== undefined || this.#exit) return
    this.#reason = reason
    this.#child.kill('SIGKILL')
  }

  /** What those are told whose request it did not answer. */
  failure(): ServiceError {
    if (this.#reason === 'cpu' || this.#reason === 'memory' || this.#reason === 'wall_clock') return this.isReady ? workerLimitReached() : bootFailed()
    if (this.#ranOutOfMemory || this.#exit?.signal === 'SIGXCPU' || this.#exit?.signal === 'SIGXFSZ') return workerLimitReached()
    if (!this.isReady && this.#exit?.code !== 0) return bootFailed()
    return workerFailed()
  }

  #sayHowItEnded(): void {
    const { limits, say } = this.#options
    const { code, signal } = this.#exit ?? {}
    const reasons: Readonly<Record<EndReason, string | undefined>> = {
      cpu: `CPU time limit reached: ${limits.cpuMs} ms for a request`,
      memory: `memory limit reached: ${Math.round(limits.memoryBytes / megabyte)} MB`,
      wall_clock: `wall clock limit reached: ${limits.wallMs / 1000} s`,
      boot: `did not listen within ${limits.bootMs / 1000} s`,
      retired: undefined,
      closing: undefined,
    }
    const how = signal ?? `code ${code}`
    const unread = code === 0 ? 'ended without calling Deno.serve' : `did not boot (${how})`
    const unasked = this.#ranOutOfMemory ? reasons.memory : this.isReady ? `ended by itself (${how})` : unread
    const text = this.#reason === undefined ? unasked : reasons[this.#reason]
    if (text !== undefined) say('error', text)
  }
}
