import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { uploadNotFound, sizeExceeded } from './errors.ts'
import { isVersion, type UploadId } from './upload-id.ts'

const record = z.object({
  bucketId: z.string(),
  objectName: z.string(),
  version: z.string(),
  /** Who began it; null for the box's own role. */
  ownerId: z.string().nullable(),
  /** Null: not told yet. */
  sizeBytes: z.number().nullable(),
  metadata: z.array(z.tuple([z.string(), z.string()])),
  /** Milliseconds since the epoch. */
  createdAtMs: z.number(),
  /** The object's version it was last about to become; null until all bytes had come. */
  becoming: z.string().nullable(),
  /** The object is there; the bytes lie with it. */
  isComplete: z.boolean(),
})

/** What is known of an upload besides its bytes. */
export type UploadRecord = z.output<typeof record>

/** An upload and how far it has come. */
export interface PartialUpload extends UploadRecord {
  /** Bytes that lie on disk and count. */
  offsetBytes: number
}

/** Uploads that are not whole yet, in one folder: `<version>.json` says what it is, `<version>.part` holds its bytes. */
export interface PartialUploads {
  create(upload: UploadRecord): Promise<void>
  /** @throws 404 when there is no such upload. */
  find(id: UploadId): Promise<PartialUpload>
  /**
   * Writes bytes behind those that count and makes them safe. What came before a failure is kept.
   *
   * @returns the bytes that now lie on disk.
   * @throws 413 when more come than `mostBytes` in all.
   */
  append(upload: PartialUpload, source: AsyncIterable<Uint8Array>, mostBytes: number): Promise<number>
  update(upload: UploadRecord): Promise<void>
  /** Gives the bytes a second name, for whoever takes the file over; the first stays until `complete`. */
  lend(version: string): Promise<string>
  /** Forgets the bytes and keeps the record, so that a client whose last answer was lost learns that it is done. */
  complete(upload: UploadRecord): Promise<void>
  remove(version: string): Promise<void>
  /** Removes what was begun before a moment, and what is left of an interrupted start. */
  removeOlder(thanMs: number, isInUse: (version: string) => boolean): Promise<void>
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

const isSystemFault = (error: unknown): boolean => (error as NodeJS.ErrnoException).errno !== undefined

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return 0
    throw error
  }
}

async function writeSafely(path: string, text: string): Promise<void> {
  const aside = `${path}.new`
  const file = await open(aside, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(aside, path)
}

// Until the object is there the last byte does not count: a client that lost its answer, or whose box was killed in between, sends
// it once more and so ends the upload.
function offsetOf({ isComplete, sizeBytes }: UploadRecord, onDisk: number): number {
  if (sizeBytes === null) return onDisk
  return isComplete ? sizeBytes : Math.max(0, Math.min(onDisk, sizeBytes - 1))
}

// A file that was lent is an object by now, or may be: the bytes of an object are never changed in place.
async function keepOwn(path: string): Promise<void> {
  if ((await stat(path)).nlink < 2) return
  const copy = `${path}.copy`
  await copyFile(path, copy)
  await rename(copy, path)
}

async function append(path: string, { from, most }: { from: number; most: number }, source: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'r+')
  let end = from
  try {
    await file.truncate(from)
    for await (const piece of source) {
      if (end + piece.length > most) throw sizeExceeded()
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at, piece.length - at, end + at)).bytesWritten
      end += piece.length
    }
    return end
  } finally {
    await file.datasync()
    await file.close()
  }
}

/** Opens the folder of unfinished uploads, made when it is not there. */
export async function openPartialUploads(folder: string): Promise<PartialUploads> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const recordPath = (version: string) => join(folder, `${version}.json`)
  const pathOf = (version: string) => join(folder, `${version}.part`)
  const lentPath = (version: string) => join(folder, `${version}.lent`)
  const update = (upload: UploadRecord) => writeSafely(recordPath(upload.version), JSON.stringify(upload))

  const read = async (version: string): Promise<UploadRecord> => {
    if (!isVersion(version)) throw uploadNotFound()
    try {
      return record.parse(JSON.parse(await readFile(recordPath(version), 'utf8')))
    } catch (error) {
      if (isMissing(error)) throw uploadNotFound()
      throw error
    }
  }

  const remove = async (version: string): Promise<void> => {
    if (!isVersion(version)) return
    // The record first: bytes without one are nobody's and go with the next clearing.
    await rm(recordPath(version), { force: true })
    for (const path of [pathOf(version), lentPath(version), `${pathOf(version)}.copy`]) await rm(path, { force: true })
  }

  return {
    update,
    remove,
    lend: async (version) => {
      const lent = lentPath(version)
      await rm(lent, { force: true })
      // Some file systems know no second names.
      await link(pathOf(version), lent).catch(() => copyFile(pathOf(version), lent))
      return lent
    },
    create: async (upload) => {
      await (await open(pathOf(upload.version), 'wx', 0o600)).close()
      await update(upload)
    },
    find: async ({ bucketId, objectName, version }) => {
      const upload = await read(version)
      if (upload.bucketId !== bucketId || upload.objectName !== objectName) throw uploadNotFound()
      return { ...upload, offsetBytes: offsetOf(upload, upload.isComplete ? 0 : await sizeOf(pathOf(version))) }
    },
    append: async ({ version, offsetBytes }, source, mostBytes) => {
      await rm(lentPath(version), { force: true })
      await keepOwn(pathOf(version))
      return append(pathOf(version), { from: offsetBytes, most: mostBytes }, source)
    },
    complete: async (upload) => {
      await update({ ...upload, isComplete: true })
      await rm(pathOf(upload.version), { force: true })
    },
    removeOlder: async (thanMs, isInUse) => {
      const versions = new Set((await readdir(folder)).map((name) => name.slice(0, name.indexOf('.'))).filter(isVersion))
      for (const version of versions) {
        if (isInUse(version)) continue
        const upload = await read(version).catch((error: unknown) => (isSystemFault(error) ? 'kept' : undefined))
        // What cannot be read just now may be whole.
        if (upload === 'kept') continue
        if (upload === undefined || upload.createdAtMs < thanMs) await remove(version)
      }
    },
  }
}
