import { contentRange } from './range.ts'
import { isHeaderText } from './upload-body.ts'
import type { ByteRange } from './bytes/byte-store.ts'
import type { ObjectRow } from './wire.ts'

/** What a reply says of a file, read from its row, whoever wrote that. */
export interface ServedFile {
  mimeType: string
  cacheControl: string | undefined
  eTag: string | undefined
  lastModified: Date | undefined
  sizeBytes: number | undefined
  xRobotsTag: string
}

const headerText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' && isHeaderText(value) ? value : undefined)
const wholeNumber = (value: unknown): number | undefined => (Number.isSafeInteger(Number(value)) && value !== null && value !== '' ? Number(value) : undefined)
const moment = (value: unknown): Date | undefined => {
  const date = typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
}

export function servedFile({ metadata }: ObjectRow): ServedFile {
  const { mimetype, cacheControl, eTag, lastModified, contentLength, size, xRobotsTag } = metadata ?? {}
  return {
    mimeType: headerText(mimetype) ?? 'application/octet-stream',
    cacheControl: headerText(cacheControl),
    eTag: headerText(eTag),
    lastModified: moment(lastModified),
    sizeBytes: wholeNumber(contentLength ?? size),
    xRobotsTag: headerText(xRobotsTag) ?? 'none',
  }
}

// What ends in +xml is a document to some browsers, whatever it begins with; of several types in one header the last one counts.
const isPassive = (type: string): boolean => !type.includes(',') && /^((image\/(?!svg)|audio\/|video\/)[\w.-]+|application\/pdf) *(;|$)/.test(type)

/**
 * The headers that keep a file from acting on the origin it comes from, which may be the app's own: nothing is guessed,
 * HTML is shown as text, and what else could run runs in a sandbox, without scripts.
 *
 * @see supabase/storage src/storage/renderer/renderer.ts, `normalizeContentType`
 */
function contentHeaders(mimeType: string): [string, string][] {
  const type = mimeType.toLowerCase()
  return [
    ['content-type', type.includes('text/html') ? 'text/plain' : mimeType],
    ['x-content-type-options', 'nosniff'],
    ...(isPassive(type.trim()) ? [] : ([['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"]] satisfies [string, string][])),
  ]
}

/** `download` of a query: empty for the file's own name, else the name to save it as. */
export const contentDisposition = (download: string): string => {
  if (download === '') return 'attachment;'
  const name = encodeURIComponent(download)
  return `attachment; filename=${name}; filename*=UTF-8''${name}`
}

export interface ReplyFacts {
  /** Left out: shown in place. */
  download?: string | null
  /** Of a link: when it ends. Then caching follows the link. */
  expiresAt?: Date | undefined
  transformations?: readonly string[]
}

/** The headers of a file's reply, the length and the range excepted. */
export function fileHeaders(file: ServedFile, { download, expiresAt, transformations = [] }: ReplyFacts): Headers {
  const headers = new Headers([['accept-ranges', 'bytes'], ['x-robots-tag', file.xRobotsTag], ...contentHeaders(file.mimeType)])
  if (file.eTag !== undefined) headers.set('etag', file.eTag)
  if (file.lastModified) headers.set('last-modified', file.lastModified.toUTCString())
  if (expiresAt) headers.set('expires', expiresAt.toUTCString())
  else if (file.cacheControl !== undefined) headers.set('cache-control', file.cacheControl)
  if (transformations.length > 0) headers.set('x-transformations', transformations.join(','))
  if (typeof download === 'string') headers.set('content-disposition', contentDisposition(download))
  return headers
}

const scripts = new Set(['script', 'style', 'worker', 'sharedworker', 'serviceworker', 'audioworklet', 'paintworklet', 'xslt', 'manifest'])

/**
 * Whether a browser means to run the file as part of the very origin it comes from, which is the app's: what somebody uploaded would
 * pass for the app's own script. Pages of other origins load what they like, as from the hosted backend.
 */
export const wouldRun = (request: Headers): boolean =>
  request.has('service-worker') || (request.get('sec-fetch-site') === 'same-origin' && scripts.has(request.get('sec-fetch-dest') ?? ''))

const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether whoever asks has the file as it is. */
export function isUnchanged(request: Headers, { eTag, lastModified }: ServedFile): boolean {
  const known = request.get('if-none-match')
  if (known !== null) return eTag !== undefined && known.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(eTag))
  const since = Date.parse(request.get('if-modified-since') ?? '')
  // The header has no milliseconds.
  return lastModified !== undefined && !Number.isNaN(since) && Math.floor(lastModified.getTime() / 1000) * 1000 <= since
}

/** Whether a range is asked for of the file as it is now. */
export function wantsRange(request: Headers, { eTag, lastModified }: ServedFile): boolean {
  if (!request.has('range')) return false
  const condition = request.get('if-range')
  return condition === null || condition === eTag || (lastModified !== undefined && condition === lastModified.toUTCString())
}

/** The reply with a file's bytes, or with a part of them. */
export function fileReply(body: ReadableStream<Uint8Array>, headers: Headers, { range, sizeBytes }: { range: ByteRange | undefined; sizeBytes: number }): Response {
  headers.set('content-length', String(range ? range.last - range.first + 1 : sizeBytes))
  if (range) headers.set('content-range', contentRange(range, sizeBytes))
  return new Response(body, { status: range ? 206 : 200, headers })
}
