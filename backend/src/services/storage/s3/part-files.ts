import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ByteSource } from '#services/storage/bytes/byte-store.ts'
import { noSuchUpload } from './errors.ts'

/** One part as it lies on disk. */
export interface PartFile {
  partNumber: number
  /** Hexadecimal, without quotes; names the bytes, so that a part sent twice never mixes. */
  md5: string
}

/** Parts of uploads that are not whole yet: a folder an upload, a file a part. */
export interface PartFiles {
  begin(uploadId: string): Promise<void>
  /**
   * Takes a part. All of it is on disk when this settles, or nothing is.
   *
   * @throws whatever the source throws, `NoSuchUpload` when the upload was ended meanwhile.
   */
  write(uploadId: string, partNumber: number, source: ByteSource): Promise<PartFile & { sizeBytes: number }>
  /** Gives the bytes of parts one after the other. */
  read(uploadId: string, parts: readonly PartFile[]): ByteSource
  removePart(uploadId: string, part: PartFile): Promise<void>
  remove(uploadId: string): Promise<void>
  /** Ids of the uploads that have a folder, with when it was last changed. */
  list(): Promise<{ uploadId: string; changedAtMs: number }[]>
}

const isUploadId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

const readBytes = 256 * 1024

async function writeAside(path: string, source: ByteSource): Promise<{ md5: string; sizeBytes: number }> {
  const file = await open(path, 'wx', 0o600)
  try {
    const hash = createHash('md5')
    let sizeBytes = 0
    for await (const piece of source) {
      hash.update(piece)
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at, piece.length - at, sizeBytes + at)).bytesWritten
      sizeBytes += piece.length
    }
    await file.datasync()
    return { md5: hash.digest('hex'), sizeBytes }
  } finally {
    await file.close()
  }
}

/** Opens the folder of parts, made when it is not there. */
export async function openPartFiles(folder: string): Promise<PartFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const folderOf = (uploadId: string): string => {
    // Whatever an upload is called, only ids of ours become paths.
    if (!isUploadId(uploadId)) throw noSuchUpload()
    return join(folder, uploadId)
  }
  const pathOf = (uploadId: string, { partNumber, md5 }: PartFile): string => join(folderOf(uploadId), `${partNumber}-${md5}`)

  return {
    begin: (uploadId) => mkdir(folderOf(uploadId), { mode: 0o700 }),
    async write(uploadId, partNumber, source) {
      const aside = join(folderOf(uploadId), `${randomUUID()}.new`)
      try {
        const { md5, sizeBytes } = await writeAside(aside, source)
        await rename(aside, pathOf(uploadId, { partNumber, md5 }))
        return { partNumber, md5, sizeBytes }
      } catch (error) {
        await rm(aside, { force: true })
        throw isMissing(error) ? noSuchUpload() : error
      }
    },
    async *read(uploadId, parts) {
      for (const part of parts) yield* createReadStream(pathOf(uploadId, part), { highWaterMark: readBytes }) as AsyncIterable<Uint8Array>
    },
    removePart: (uploadId, part) => rm(pathOf(uploadId, part), { force: true }),
    remove: (uploadId) => rm(folderOf(uploadId), { recursive: true, force: true }),
    async list() {
      const found: { uploadId: string; changedAtMs: number }[] = []
      for (const name of (await readdir(folder)).filter(isUploadId)) {
        const at = await stat(join(folder, name)).catch(() => undefined)
        if (at) found.push({ uploadId: name, changedAtMs: at.mtimeMs })
      }
      return found
    },
  }
}
