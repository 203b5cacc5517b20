/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
import type { Worker } from 'node:worker_threads'
import type { ExtensionBundle } from '#database/engine-options.ts'
import { takeThread } from './engine-thread.ts'

export interface WorkerSetup {
  dataDir?: string
  /** A template archive to start from in memory. */
  snapshot?: string
  extensions: readonly ExtensionBundle[]
  fsync: boolean
}

/** What of the write-ahead log must reach the disk before the reply may be told. */
export interface LogPromise {
  /** Grows with each fsync the engine asked for; 0 before the first. */
  promised: number
  /** The log file's name. */
  file: string
}

export interface WorkerEvents {
  reply(seq: number, bytes: Uint8Array, promise: LogPromise): void
  /** The thread is gone without having been asked to go. */
  lost(reason: Error): void
}

type Word =
  | { ready: true }
  | ({ seq: number; bytes: Uint8Array } & LogPromise)
  | { dump: ArrayBuffer }
  | { closed: true }

const plainBundle = (extension: ExtensionBundle) =>
  'bundle' in extension ? { name: extension.name, bundle: String(extension.bundle) } : extension

/** The engine's thread as the rest of the process sees it: bytes in, bytes out, and an end at any moment. */
export class WorkerHost {
  readonly #worker: Worker
  readonly #events: WorkerEvents
  readonly #progress = new Int32Array(new SharedArrayBuffer(16))
  #isReady = false
  #ending = false
  #awaited: { resolve: (word: Word) => void; reject: (error: Error) => void } | undefined

  private constructor(setup: WorkerSetup, events: WorkerEvents) {
    this.#events = events
    this.#worker = takeThread()
    this.#worker.on('message', (word: Word) => this.#hear(word))
    this.#worker.on('error', (error) => this.#gone(error))
    this.#worker.on('exit', () => this.#gone(new Error('the database engine stopped')))
    this.#worker.postMessage({ setup: { ...setup, extensions: setup.extensions.map(plainBundle), progress: this.#progress.buffer } })
  }

  static async start(setup: WorkerSetup, events: WorkerEvents): Promise<WorkerHost> {
    const host = new WorkerHost(setup, events)
    await host.#await()
    host.#isReady = true
    return host
  }

  get begun(): number {
    return Atomics.load(this.#progress, 0)
  }

  /** How long a request has been running; 0 while it has not begun. */
  runningMs(seq: number): number {
    return this.begun === seq ? (Date.now() - Atomics.load(this.#progress, 3)) | 0 : 0
  }

  get finished(): number {
    return Atomics.load(this.#progress, 1)
  }

  /** Tells the engine's thread how far the write-ahead log is on the disk. */
  noteSynced(promised: number): void {
    Atomics.store(this.#progress, 2, promised)
  }

  send(seq: number, bytes: Uint8Array): void {
    this.#worker.postMessage({ seq, bytes })
  }

  /** The data folder as a tar archive. Nothing else may run meanwhile. */
  async dump(compression: 'none' | 'gzip'): Promise<ArrayBuffer> {
    this.#worker.postMessage({ dump: compression })
    return ((await this.#await()) as { dump: ArrayBuffer }).dump
  }

  async close(): Promise<void> {
    this.#ending = true
    this.#worker.postMessage({ close: true })
    await this.#await().catch(() => undefined)
    await this.#worker.terminate()
  }

  /** Ends the thread in the middle of whatever it does. */
  async terminate(): Promise<void> {
    this.#ending = true
    await this.#worker.terminate()
  }

  #await(): Promise<Word> {
    return new Promise((resolve, reject) => { this.#awaited = { resolve, reject } })
  }

  #hear(word: Word): void {
    if ('seq' in word) return this.#events.reply(word.seq, word.bytes, word)
    this.#awaited?.resolve(word)
    this.#awaited = undefined
  }

  #gone(error: Error): void {
    this.#awaited?.reject(error)
    this.#awaited = undefined
    // Whoever waits for the start has been told, and tries again or gives up.
    if (this.#isReady && !this.#ending) this.#events.lost(error)
    this.#ending = true
  }
}
