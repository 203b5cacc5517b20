import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query'
import { toAppError, unwrap } from '#api/unwrap.ts'
import type { FilesAddress } from '#features/files/address.ts'
import { fileEntry, folderEntry, isShown, type Entry } from '#features/files/names/entry.ts'
import { joinPath, nameOf } from '#features/files/names/object-name.ts'
import type { FileSource } from '#features/files/source.ts'

export type Listed = Pick<FilesAddress, 'bucket' | 'folder' | 'search' | 'sort'>

/** Where the next page starts. Servers without the newer list count rows instead. */
export type PageStart = { by: 'cursor'; cursor: string | undefined } | { by: 'offset'; offset: number }

export interface ListPage {
  entries: Entry[]
  next: PageStart | undefined
}

const pageSize = 500

/** Everything known of a bucket; what changes there makes all of it stale. */
export const bucketKey = (source: FileSource, bucket: string) => [...source.scope, 'list', bucket] as const

/** One folder, a page of names at a time, as its server sorts them. */
export const listQuery = (source: FileSource, listed: Listed) =>
  infiniteQueryOptions({
    queryKey: [...bucketKey(source, listed.bucket), listed.folder, listed.search, listed.sort.column, listed.sort.isDescending] as const,
    initialPageParam: { by: 'cursor', cursor: undefined } as PageStart,
    queryFn: ({ pageParam, signal }) => readPage(source, listed, { start: pageParam, signal, size: pageSize }),
    getNextPageParam: (page) => page.next,
    staleTime: 15_000,
  })

/** What has been read so far, without what is never shown. */
export const entriesOf = (data: InfiniteData<ListPage> | undefined): Entry[] => {
  const seen = new Set<string>()
  // A name can come twice where something was added between two pages.
  return (data?.pages ?? []).flatMap(({ entries }) => entries).filter((entry) => isShown(entry) && !seen.has(entry.path) && seen.add(entry.path) !== undefined)
}

export interface PageWanted {
  start: PageStart
  signal?: AbortSignal | undefined
  size: number
}

/**
 * Reads one page of a folder.
 *
 * @throws AppError; a bucket the policies withhold reads as an empty one.
 */
export async function readPage(source: FileSource, listed: Listed, { start, signal, size }: PageWanted): Promise<ListPage> {
  if (start.by === 'offset') return readByOffset(source, listed, { offset: start.offset, signal, size })
  try {
    return await readByCursor(source, listed, { cursor: start.cursor, signal, size })
  } catch (cause) {
    const error = toAppError(cause)
    // A server from before the newer list knows no such route; one that has it switched off says so.
    const isAbsent = (error.status === 404 && error.code === '') || error.status === 501 || error.code === 'FeatureNotEnabled'
    if (!isAbsent || start.cursor !== undefined) throw error
    return readByOffset(source, listed, { offset: 0, signal, size })
  }
}

const parameters = (signal: AbortSignal | undefined) => (signal ? { signal } : {})

async function readByCursor({ client }: FileSource, { bucket, folder, search, sort }: Listed, { cursor, signal, size }: { cursor: string | undefined; signal: AbortSignal | undefined; size: number }): Promise<ListPage> {
  const { folders, objects, hasNext, nextCursor } = await unwrap(
    client.storage.from(bucket).listV2(
      {
        prefix: folder === '' ? search : `${folder}/${search}`,
        with_delimiter: true,
        limit: size,
        sortBy: { column: sort.column, order: sort.isDescending ? 'desc' : 'asc' },
        ...(cursor === undefined ? {} : { cursor }),
      },
      parameters(signal),
    ),
  )
  return {
    entries: [
      ...folders.map(({ name }) => folderEntry(joinPath(folder, nameOf(name.replace(/\/+$/, ''))))),
      ...objects.map((object) => fileEntry(joinPath(folder, nameOf(object.name)), object)),
    ],
    next: hasNext && nextCursor !== undefined ? { by: 'cursor', cursor: nextCursor } : undefined,
  }
}

async function readByOffset({ client }: FileSource, { bucket, folder, search, sort }: Listed, { offset, signal, size }: { offset: number; signal: AbortSignal | undefined; size: number }): Promise<ListPage> {
  const found = await unwrap(
    client.storage.from(bucket).list(
      folder,
      { limit: size, offset, sortBy: { column: sort.column, order: sort.isDescending ? 'desc' : 'asc' }, ...(search === '' ? {} : { search }) },
      parameters(signal),
    ),
  )
  return {
    entries: found.map((object) => (object.id === null ? folderEntry(joinPath(folder, object.name)) : fileEntry(joinPath(folder, object.name), object))),
    next: found.length === size ? { by: 'offset', offset: offset + size } : undefined,
  }
}

/** Every entry of one folder, however many pages; `limit` stops a walk that would never end. */
export async function readFolder(source: FileSource, at: { bucket: string; folder: string }, { signal, limit = 100_000 }: { signal?: AbortSignal | undefined; limit?: number } = {}): Promise<Entry[]> {
  const listed: Listed = { ...at, search: '', sort: { column: 'name', isDescending: false } }
  const entries: Entry[] = []
  let start: PageStart | undefined = { by: 'cursor', cursor: undefined }
  while (start && entries.length < limit) {
    const page: ListPage = await readPage(source, listed, { start, signal, size: 1000 })
    entries.push(...page.entries)
    start = page.next
  }
  return entries
}

/** Every file below a folder, placeholders included: what moving or deleting the folder touches. */
export async function readTree(source: FileSource, at: { bucket: string; folder: string }, { signal, onFound }: { signal?: AbortSignal | undefined; onFound?: (files: number) => void } = {}): Promise<Extract<Entry, { kind: 'file' }>[]> {
  const files: Extract<Entry, { kind: 'file' }>[] = []
  const folders = [at.folder]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readFolder(source, { bucket: at.bucket, folder }, { signal })) {
      if (entry.kind === 'folder') folders.push(entry.path)
      else files.push(entry)
    }
    onFound?.(files.length)
  }
  return files
}
