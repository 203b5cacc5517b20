import { open, readdir, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogPromise } from './worker-host.ts'

interface Waiting {
  promised: number
  resolve: () => void
  reject: (error: unknown) => void
}

/** Brings the engine's write-ahead log to the disk beside the engine's own work: one fdatasync for all commits that wait. */
export class LogSync {
  readonly #folder: string
  readonly #noteSynced: (promised: number) => void
  #file: { name: string; handle: FileHandle } | undefined
  #wanted: LogPromise = { promised: 0, file: '' }
  #synced = 0
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined

  constructor(dataDir: string, noteSynced: (promised: number) => void) {
    this.#folder = join(dataDir, 'pg_wal')
    this.#noteSynced = noteSynced
  }

  /** Waits until the log is on the disk as far as a reply needs it; undefined when it is already. */
  reached(promise: LogPromise): Promise<void> | undefined {
    if (promise.promised <= this.#synced) return undefined
    this.#wanted = promise
    return new Promise((resolve, reject) => {
      this.#waiting.push({ promised: promise.promised, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.#running
    await this.#file?.handle.close()
    this.#file = undefined
  }

  async #run(): Promise<void> {
    // Replies that are already here join the first sync.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const { promised, file } = this.#wanted
      try {
        await this.#syncFile(file)
        this.#synced = promised
        this.#noteSynced(promised)
        for (const waiting of this.#take((entry) => entry.promised <= promised)) waiting.resolve()
      } catch (error) {
        // After a failed sync the kernel may have dropped the pages: trying again would only seem to work.
        for (const waiting of this.#take(() => true)) waiting.reject(error)
      }
    }
    this.#running = undefined
  }

  #take(which: (entry: Waiting) => boolean): Waiting[] {
    const taken = this.#waiting.filter(which)
    this.#waiting = this.#waiting.filter((entry) => !which(entry))
    return taken
  }

  // The engine syncs a log file itself before it turns to the next one, so only the newest is left to sync here.
  async #syncFile(name: string): Promise<void> {
    if (this.#file?.name !== name) {
      await this.#file?.handle.close()
      this.#file = undefined
      this.#file = { name, handle: await this.#openLog(name) }
    }
    await this.#file.handle.datasync()
  }

  async #openLog(name: string): Promise<FileHandle> {
    try {
      return await open(join(this.#folder, name), 'r')
    } catch (error) {
      // Recycled under a later name, after the engine synced it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      const newest = (await readdir(this.#folder)).filter((file) => /^[0-9A-F]{24}$/.test(file)).sort().at(-1)
      return open(join(this.#folder, newest ?? ''), 'r')
    }
  }
}
