import type { KnownBucket } from '#features/files/list/bucket-query.ts'
import { readFolder } from '#features/files/list/list-query.ts'
import { isTypeAllowed, typeOf } from '#features/files/names/file-kind.ts'
import { folderOf, freeName, joinPath, nameFault, nameOf, plainName } from '#features/files/names/object-name.ts'
import type { FileSource } from '#features/files/source.ts'
import type { ChosenFile } from './dropped-files.ts'
import type { UploadWish } from './upload.ts'

/** One chosen file with the place it would get. */
export interface Planned {
  file: File
  path: string
  type: string
  clashes: boolean
}

/** A file the bucket would refuse, known before a byte is sent. */
export interface Unfit {
  name: string
  reason: 'too-large' | 'wrong-type'
}

export interface UploadPlan {
  bucket: KnownBucket
  fitting: readonly Planned[]
  unfit: readonly Unfit[]
  /** Every path known to be taken, for names beside them. */
  taken: ReadonlySet<string>
}

/** What to do with files whose place is taken. */
export type ClashAnswer = 'replace' | 'keep-both' | 'skip'

/**
 * Looks at what was chosen before anything is sent: limits of the bucket, names, and places already taken.
 *
 * @throws AppError when the folder cannot be read.
 */
export async function planUploads(source: FileSource, { bucket, folder, files }: { bucket: KnownBucket; folder: string; files: readonly ChosenFile[] }): Promise<UploadPlan> {
  const judged = files.map((chosen) => judge(chosen, bucket, folder))
  const fitting = judged.flatMap((one) => ('path' in one ? [one] : []))
  const taken = await listTaken(source, { bucket: bucket.id, top: folder, paths: fitting.map(({ path }) => path) })
  return {
    bucket,
    fitting: fitting.map((planned) => ({ ...planned, clashes: taken.has(planned.path) })),
    unfit: judged.flatMap((one) => ('reason' in one ? [one] : [])),
    taken,
  }
}

function judge({ file, relativePath }: ChosenFile, bucket: KnownBucket, folder: string): Planned | Unfit {
  const type = typeOf(file)
  if (bucket.sizeLimitBytes !== null && file.size > bucket.sizeLimitBytes) return { name: relativePath, reason: 'too-large' }
  if (!isTypeAllowed(type, bucket.allowedTypes)) return { name: relativePath, reason: 'wrong-type' }
  const parts = relativePath.split('/').filter((part) => part !== '')
  const plain = parts.map((part) => (nameFault(part) === undefined ? part : plainName(part))).join('/')
  return { file, path: joinPath(folder, plain), type, clashes: false }
}

/** Which places are taken, of the folders the files go to; a folder that is not there yet is not asked about. */
async function listTaken(source: FileSource, { bucket, top, paths }: { bucket: string; top: string; paths: readonly string[] }): Promise<ReadonlySet<string>> {
  const taken = new Set<string>()
  const wanted = [...new Set(paths.map(folderOf))].sort()
  const there = new Set([top])
  const isThere = (folder: string): boolean => there.has(folder)
  const read = async (folder: string) => {
    for (const entry of await readFolder(source, { bucket, folder })) {
      if (entry.kind === 'folder') there.add(entry.path)
      else taken.add(entry.path)
    }
  }
  const asked = new Set<string>()
  // From the top down: each folder says which of those below it are there.
  for (const folder of wanted.flatMap((each) => waysDown(top, each))) {
    if (asked.has(folder) || !isThere(folder)) continue
    asked.add(folder)
    await read(folder)
  }
  return taken
}

/** The folder at the top and every one on the way to `folder`, which lies below it. */
function waysDown(top: string, folder: string): string[] {
  const below = top === '' ? folder : folder.slice(top.length + 1)
  const steps = below === '' ? [] : below.split('/')
  return [top, ...steps.map((_, index) => joinPath(top, steps.slice(0, index + 1).join('/')))]
}

/** Turns a plan into uploads, with one answer for every place that is taken. */
export function wishesOf({ bucket, fitting, taken }: UploadPlan, answer: ClashAnswer): UploadWish[] {
  const used = new Set(taken)
  return fitting.flatMap(({ file, path, type }): UploadWish[] => {
    const isTaken = used.has(path)
    if (isTaken && answer === 'skip') return []
    const isReplacing = isTaken && answer === 'replace' && taken.has(path)
    // Two chosen files may come to the same plain name as well.
    const place = isTaken && !isReplacing ? joinPath(folderOf(path), freeName(nameOf(path), (name) => used.has(joinPath(folderOf(path), name)))) : path
    used.add(place)
    return [{ file, bucket: bucket.id, path: place, type, isReplacing }]
  })
}
