import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, opendir, readFile, rename, rm, stat, unlink, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseBlobKey, type BlobKey } from './blob-key.ts'
import type { ByteSource, ByteStore, PutOptions, StoredBytes } from './byte-store.ts'
import { streamFile } from './file-stream.ts'
import { removeUntouched } from './storage-folder.ts'

export interface DiskStoreOptions {
  /** Holds `objects/`, `incoming/`, `scratch/` and the note `owner`, made when missing. */
  folder: string
  /** Whether bytes must be on the disk before they count as stored. Default true. */
  durable?: boolean
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'
const unlessMissing = (error: unknown): undefined => {
  if (!isMissing(error)) throw error
  return undefined
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let done = 0
  while (done < bytes.byteLength) done += (await file.write(bytes, done)).bytesWritten
}

/** Keeps each version in a file of its own, written aside and moved into place when it is whole. */
class DiskStore implements ByteStore {
  readonly scratchFolder: string
  readonly #objects: string
  readonly #incoming: string
  readonly #owner: string
  readonly #durable: boolean

  constructor({ folder, durable = true }: DiskStoreOptions) {
    this.#objects = join(folder, 'objects')
    this.#incoming = join(folder, 'incoming')
    this.#owner = join(folder, 'owner')
    this.scratchFolder = join(folder, 'scratch')
    this.#durable = durable
  }

  async open(): Promise<this> {
    for (const folder of [this.#objects, this.#incoming, this.scratchFolder]) await mkdir(folder, { recursive: true, mode: 0o700 })
    return this
  }

  async put(key: BlobKey, source: ByteSource, { eTag, signal }: PutOptions = {}): Promise<StoredBytes> {
    const aside = join(this.#incoming, randomUUID())
    const file = await open(aside, 'wx', 0o600)
    try {
      const hash = createHash('md5')
      let sizeBytes = 0
      for await (const chunk of source) {
        signal?.throwIfAborted()
        hash.update(chunk)
        sizeBytes += chunk.byteLength
        await writeAll(file, chunk)
      }
      if (this.#durable) await file.sync()
      await file.close()
      await this.#place(aside, key)
      return { sizeBytes, eTag: eTag ?? `"${hash.digest('hex')}"`, storedAt: new Date() }
    } catch (error) {
      await file.close().catch(() => undefined)
      await rm(aside, { force: true })
      throw error
    }
  }

  async adopt(key: BlobKey, path: string, { eTag }: PutOptions = {}): Promise<StoredBytes> {
    const { size } = await stat(path)
    const known = eTag ?? `"${await md5OfFile(path)}"`
    if (this.#durable) await syncPath(path)
    await this.#place(path, key)
    return { sizeBytes: size, eTag: known, storedAt: new Date() }
  }

  async get(key: BlobKey, range?: { first: number; last: number }) {
    const file = await open(this.#pathOf(key), 'r').catch(unlessMissing)
    if (!file) return undefined
    try {
      const { size } = await file.stat()
      return { sizeBytes: size, body: streamFile(file, range ?? { first: 0, last: size - 1 }) }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async sizeOf(key: BlobKey): Promise<number | undefined> {
    return (await stat(this.#pathOf(key)).catch(unlessMissing))?.size
  }

  async copy(from: BlobKey, to: BlobKey): Promise<boolean> {
    const aside = join(this.#incoming, randomUUID())
    try {
      // Files are never written again, so a second name for the same bytes is a copy.
      await link(this.#pathOf(from), aside).catch((error: unknown) => {
        if (isMissing(error)) throw error
        return this.#duplicate(from, aside)
      })
      await this.#place(aside, to)
      return true
    } catch (error) {
      await rm(aside, { force: true })
      if (isMissing(error)) return false
      throw error
    }
  }

  async #duplicate(from: BlobKey, aside: string): Promise<void> {
    await copyFile(this.#pathOf(from), aside, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    if (this.#durable) await syncPath(aside)
  }

  async remove(keys: readonly BlobKey[]): Promise<void> {
    for (const key of keys) await unlink(this.#pathOf(key)).catch(unlessMissing)
  }

  async *list() {
    for await (const folder of await opendir(this.#objects)) {
      if (!folder.isDirectory()) continue
      for await (const entry of await opendir(join(this.#objects, folder.name))) {
        const key = parseBlobKey(entry.name)
        const found = key && (await stat(join(this.#objects, folder.name, entry.name)).catch(unlessMissing))
        // A second name keeps the first one's time of writing, but not its time of change.
        if (key && found) yield { key, storedAt: found.ctime }
      }
    }
  }

  async removeAbandoned(olderThanMs: number): Promise<void> {
    await removeUntouched(this.#incoming, olderThanMs)
  }

  async claim(ownerId: string): Promise<boolean> {
    try {
      await writeFile(this.#owner, ownerId, { flag: 'wx', mode: 0o600 })
      return true
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      return (await readFile(this.#owner, 'utf8')) === ownerId
    }
  }

  async close(): Promise<void> {}

  #pathOf(key: BlobKey): string {
    return join(this.#objects, key.slice(0, 2), key)
  }

  async #place(path: string, key: BlobKey): Promise<void> {
    const target = this.#pathOf(key)
    const folder = dirname(target)
    const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined
    await rename(path, target)
    if (!this.#durable) return
    await syncPath(folder)
    if (isNew) await syncPath(this.#objects)
  }
}

// A folder is synced like a file: its names are its content.
async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function md5OfFile(path: string): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Opens a store on this machine's disk. */
export const openDiskStore = (options: DiskStoreOptions): Promise<ByteStore> => new DiskStore(options).open()
