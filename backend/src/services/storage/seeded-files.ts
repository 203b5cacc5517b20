import { createReadStream } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { asService, type Actor } from './actor.ts'
import type { ByteSource } from './bytes/byte-store.ts'
import { isObjectName } from './names.ts'
import type { StorageParts } from './parts.ts'
import { checkMimeType, checkSize, getUploadLimits } from './upload-limits.ts'
import { storeObject } from './upload.ts'

/** A bucket that the project brings files for. */
export interface SeededBucket {
  id: string
  /** Absolute path of the folder with the files; their paths below it become their names. */
  folder: string
}

const types: Readonly<Record<string, string>> = {
  avif: 'image/avif', bmp: 'image/bmp', css: 'text/css', csv: 'text/csv', doc: 'application/msword', gif: 'image/gif', gz: 'application/gzip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', htm: 'text/html', html: 'text/html', ico: 'image/x-icon',
  jpeg: 'image/jpeg', jpg: 'image/jpeg', js: 'text/javascript', json: 'application/json', m4a: 'audio/mp4', md: 'text/markdown', mov: 'video/quicktime',
  mp3: 'audio/mpeg', mp4: 'video/mp4', ogg: 'audio/ogg', pdf: 'application/pdf', png: 'image/png', svg: 'image/svg+xml', tar: 'application/x-tar',
  txt: 'text/plain', wasm: 'application/wasm', wav: 'audio/wav', webm: 'video/webm', webp: 'image/webp', xml: 'text/xml', zip: 'application/zip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const mimeTypeOf = (name: string): string => types[extname(name).slice(1).toLowerCase()] ?? 'application/octet-stream'

const nobody: Actor = asService({ caller: { role: 'service_role', claims: {} }, operation: 'storage.object.upload' })

// Opened by whoever reads it: a stream that fails before anybody listens ends the process.
async function* bytesOf(path: string): ByteSource {
  yield* createReadStream(path) as AsyncIterable<Uint8Array>
}

async function seedFile(parts: StorageParts, { id, folder }: SeededBucket, name: string): Promise<void> {
  const path = join(folder, name)
  const { size: sizeBytes } = await stat(path)
  const address = { bucketId: id, name }
  const limits = await getUploadLimits(parts, nobody, address)
  const facts = { mimeType: mimeTypeOf(name), cacheControl: 'max-age=3600' }
  checkSize(sizeBytes, limits)
  checkMimeType(facts.mimeType, limits)
  await storeObject(parts, nobody, { address, isUpsert: true, facts, sizeBytes, source: bytesOf(path) })
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function seedBucket(parts: StorageParts, bucket: SeededBucket): Promise<string[]> {
  let entries
  try {
    entries = await readdir(bucket.folder, { withFileTypes: true, recursive: true })
  } catch (error) {
    return [`The files of bucket "${bucket.id}" could not be read: ${reasonOf(error)}`]
  }
  const warnings: string[] = []
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(bucket.folder.length + 1).replaceAll('\\', '/'))
  for (const name of names.sort()) {
    // Leavings of editors and desktops, which nobody means to publish.
    if (!isObjectName(name) || /(^|\/)\.(DS_Store|gitkeep|gitignore)$/.test(name)) continue
    await seedFile(parts, bucket, name).catch((error: unknown) => warnings.push(`"${name}" was not put into bucket "${bucket.id}": ${reasonOf(error)}`))
  }
  return warnings
}

async function readNote(path: string): Promise<string[]> {
  try {
    const found: unknown = JSON.parse(await readFile(path, 'utf8'))
    return Array.isArray(found) ? found.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/**
 * Puts the project's own files into its buckets, each bucket once: what people change afterwards stays.
 *
 * @param notePath the file that remembers which were filled.
 * @returns a sentence for each file or folder that could not be taken.
 * @see https://supabase.com/docs/guides/local-development/cli/config, `storage.buckets.bucket_name.objects_path`
 */
export async function seedFiles(parts: StorageParts, buckets: readonly SeededBucket[], notePath: string): Promise<string[]> {
  const done = buckets.length === 0 ? [] : await readNote(notePath)
  const open = buckets.filter(({ id }) => !done.includes(id))
  if (open.length === 0) return []
  const warnings: string[] = []
  for (const bucket of open) warnings.push(...(await seedBucket(parts, bucket)))
  await writeFile(notePath, JSON.stringify([...done, ...open.map(({ id }) => id)]))
  return warnings
}
