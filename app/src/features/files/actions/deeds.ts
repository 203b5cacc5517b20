import { AppError } from '#api/app-error.ts'
import { unwrap } from '#api/unwrap.ts'
import { readTree } from '#features/files/list/list-query.ts'
import type { Entry, FileEntry } from '#features/files/names/entry.ts'
import { folderOf, joinPath, placeholderName, wirePath } from '#features/files/names/object-name.ts'
import type { FileSource } from '#features/files/source.ts'
import { runBatch, type BatchProgress, type BatchResult } from './batch.ts'

/** A place in the storage: a bucket and a folder of it. */
export interface Place {
  bucket: string
  folder: string
}

export interface Running {
  signal: AbortSignal
  onProgress: (progress: BatchProgress) => void
}

/** A file on its way to another path. */
interface Way {
  from: string
  to: string
}

/** Every file of the entries: folders have none of their own, they are what their files share. */
export async function filesOf(source: FileSource, { bucket, entries }: { bucket: string; entries: readonly Entry[] }, { signal, onProgress }: Running): Promise<{ file: FileEntry; root: Entry }[]> {
  const found: { file: FileEntry; root: Entry }[] = []
  for (const root of entries) {
    const files = root.kind === 'file' ? [root] : await readTree(source, { bucket, folder: root.path }, { signal })
    found.push(...files.map((file) => ({ file, root })))
    onProgress({ done: found.length, total: undefined, failures: [] })
  }
  return found
}

/** Moves or copies entries to another place, which may be another bucket. `nameOf` gives each its name there. */
export async function carry(
  source: FileSource,
  { verb, from, entries, to, nameOf }: { verb: 'move' | 'copy'; from: string; entries: readonly Entry[]; to: Place; nameOf: (entry: Entry) => string },
  running: Running,
): Promise<BatchResult> {
  const files = await filesOf(source, { bucket: from, entries }, running)
  const ways = files.map(({ file, root }): Way => ({ from: file.path, to: joinPath(to.folder, nameOf(root)) + file.path.slice(root.path.length) }))
  const api = source.client.storage.from(from)
  const options = to.bucket === from ? {} : { destinationBucket: to.bucket }
  return runBatch({
    ...running,
    items: ways,
    pathOf: (way) => way.from,
    work: async (way) => {
      if (verb === 'move') await unwrap(api.move(way.from, way.to, options))
      else await unwrap(api.copy(way.from, way.to, options))
    },
  })
}

/** This many paths go with one call. */
const removedAtOnce = 500

/** Deletes entries. The server passes over what the policies withhold without a word: those count as refused. */
export async function remove(source: FileSource, { bucket, entries }: { bucket: string; entries: readonly Entry[] }, running: Running): Promise<BatchResult> {
  const paths = (await filesOf(source, { bucket, entries }, running)).map(({ file }) => file.path)
  const failures: { path: string; error: AppError }[] = []
  let done = 0
  for (let start = 0; start < paths.length && !running.signal.aborted; start += removedAtOnce) {
    const some = paths.slice(start, start + removedAtOnce)
    const gone = await removeSome(source, bucket, some)
    done += gone.size
    failures.push(...some.filter((path) => !gone.has(path)).map((path) => ({ path, error: new AppError('forbidden', 'Not among what the server deleted', { status: 403 }) })))
    running.onProgress({ done, total: paths.length, failures })
  }
  return { done, failures, isWhole: done + failures.length === paths.length }
}

async function removeSome({ client }: FileSource, bucket: string, paths: string[]): Promise<Set<string>> {
  const rows = await unwrap(client.storage.from(bucket).remove(paths))
  return new Set(rows.map(({ name }) => name))
}

/** A folder is kept by an empty file of a name nobody sees, as the hosted dashboard does it. @throws AppError */
export async function createFolder({ client }: FileSource, { bucket, folder }: Place, allowedTypes: readonly string[] | null): Promise<void> {
  // A bucket that takes certain types takes no other one for this file either.
  const type = allowedTypes?.find((pattern) => !pattern.endsWith('*')) ?? 'application/octet-stream'
  await unwrap(client.storage.from(bucket).upload(wirePath(joinPath(folder, placeholderName)), new File([], placeholderName, { type }), { contentType: type }))
}

/** When a folder's last file goes it would vanish under the person: it is kept, where the policies let it. */
export async function keepFolder(source: FileSource, place: Place, allowedTypes: readonly string[] | null): Promise<void> {
  if (place.folder === '') return
  await createFolder(source, place, allowedTypes).catch(() => {})
}

/** The folder an entry lies in, as a place. */
export const placeOf = (bucket: string, entry: Entry): Place => ({ bucket, folder: folderOf(entry.path) })
