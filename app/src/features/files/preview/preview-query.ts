import { queryOptions } from '@tanstack/react-query'
import { AppError } from '#api/app-error.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { nameOf, wirePath } from '#features/files/names/object-name.ts'
import type { FileSource } from '#features/files/source.ts'

/** All that the project tells of one file. */
export interface FileInfo {
  id: string
  path: string
  name: string
  sizeBytes: number
  type: string
  /** ISO moments; empty when not told. */
  updatedAt: string
  createdAt: string
  cacheControl: string
  etag: string
  version: string
  /** What the uploader wrote beside it. */
  metadata: Readonly<Record<string, unknown>>
}

interface At {
  bucket: string
  path: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export const infoQuery = (source: FileSource, { bucket, path }: At) =>
  queryOptions({
    queryKey: [...source.scope, 'info', bucket, path] as const,
    staleTime: 30_000,
    queryFn: async (): Promise<FileInfo> => {
      const found = await unwrap(source.client.storage.from(bucket).info(wirePath(path)))
      return {
        id: found.id,
        path,
        name: nameOf(path),
        sizeBytes: found.size ?? 0,
        type: text(found.contentType),
        updatedAt: text(found.lastModified),
        createdAt: text(found.createdAt),
        cacheControl: text(found.cacheControl),
        etag: text(found.etag),
        version: text(found.version),
        metadata: found.metadata ?? {},
      }
    },
  })

/** Longer than one looks at a file; a link made for looking is not one to pass on. */
const linkSeconds = 3600

/** An address the browser can read the file from by itself, piece by piece. `width` asks for a smaller picture. */
export const viewLinkQuery = (source: FileSource, { bucket, path, width }: At & { width?: number | undefined }) =>
  queryOptions({
    queryKey: [...source.scope, 'view', bucket, path, width ?? 0] as const,
    staleTime: (linkSeconds - 300) * 1000,
    gcTime: 60_000,
    queryFn: async (): Promise<string> => {
      const options = width === undefined ? {} : { transform: { width, resize: 'contain' as const } }
      return (await unwrap(source.client.storage.from(bucket).createSignedUrl(wirePath(path), linkSeconds, options))).signedUrl
    },
  })

/** No more than this of a text is shown. */
export const shownTextBytes = 512 * 1024

export interface ReadText {
  text: string
  /** False when only its beginning was read. */
  isWhole: boolean
}

/** The beginning of a file as text. */
export const textQuery = (source: FileSource, { bucket, path, sizeBytes }: At & { sizeBytes: number }) =>
  queryOptions({
    queryKey: [...source.scope, 'text', bucket, path] as const,
    staleTime: 30_000,
    gcTime: 60_000,
    queryFn: async ({ signal }): Promise<ReadText> => {
      const { signedUrl } = await unwrap(source.client.storage.from(bucket).createSignedUrl(wirePath(path), 60))
      const isPart = sizeBytes > shownTextBytes
      const reply = await ask(source, signedUrl, { signal, ...(isPart ? { headers: { range: `bytes=0-${shownTextBytes - 1}` } } : {}) })
      return { text: await decode(reply), isWhole: !isPart }
    },
  })

async function ask({ connection }: FileSource, url: string, init: RequestInit): Promise<Response> {
  try {
    const reply = await connection.fetch(url, init)
    if (!reply.ok) throw new AppError(reply.status === 404 ? 'missing' : 'broken', await reply.text(), { status: reply.status })
    return reply
  } catch (cause) {
    throw toAppError(cause)
  }
}

// A server that knows no ranges sends everything: reading stops where showing does.
async function decode(reply: Response): Promise<string> {
  const reader = reply.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  let read = 0
  while (read < shownTextBytes) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    read += value.length
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return text
}

/** A larger document is downloaded instead of shown. */
export const shownPdfBytes = 60 * 1024 * 1024

/** A document as the browser's own viewer takes it. Its type is set here: whatever it holds, it is never run as a page. */
export const documentQuery = (source: FileSource, { bucket, path }: At) =>
  queryOptions({
    queryKey: [...source.scope, 'document', bucket, path] as const,
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async (): Promise<Blob> => new Blob([await unwrap(source.client.storage.from(bucket).download(wirePath(path)))], { type: 'application/pdf' }),
  })
