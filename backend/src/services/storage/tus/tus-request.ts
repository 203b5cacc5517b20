import { contentTypeRequired, invalidHeader, invalidMetadata, lengthRequired, notSupported, offsetRequired, versionRequired } from './errors.ts'
import { readUploadMetadata } from './upload-metadata.ts'
import type { Delivery } from './uploads.ts'

/** The version of the protocol that is spoken. */
export const tusVersion = '1.0.0'

const chunkType = 'application/offset+octet-stream'

// The largest whole number that JSON and JavaScript agree on.
function readCount(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  if (text === null) return undefined
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 0 || String(count) !== text) throw invalidHeader(name)
  return count
}

/** Some networks let no other methods through than GET and POST. */
export function readMethod({ method, headers }: Request): string {
  const meant = headers.get('x-http-method-override')?.toUpperCase()
  return method === 'POST' && meant !== undefined && ['PATCH', 'DELETE', 'HEAD'].includes(meant) ? meant : method
}

/** @throws 412 for any other version, or none. */
export function checkVersion({ headers }: Request): void {
  if (headers.get('tus-resumable') !== tusVersion) throw versionRequired()
}

const delivery = ({ body, headers }: Request): Delivery => ({ body, contentLength: readCount(headers, 'content-length') })

export interface Beginning {
  sizeBytes: number | null
  metadata: ReadonlyMap<string, string> | undefined
  /** Undefined when no bytes come with the question. */
  delivery: Delivery | undefined
}

/** Reads the question to begin an upload. */
export function readBeginning(request: Request): Beginning {
  const { headers } = request
  if (headers.has('upload-concat')) throw notSupported()
  const sizeBytes = readCount(headers, 'upload-length')
  const isDeferred = headers.get('upload-defer-length')
  if (isDeferred !== null && isDeferred !== '1') throw invalidHeader('upload-defer-length')
  if ((sizeBytes === undefined) === (isDeferred === null)) throw lengthRequired()
  const metadata = headers.get('upload-metadata')
  if (metadata?.trim() === '') throw invalidMetadata()
  return {
    sizeBytes: sizeBytes ?? null,
    metadata: metadata === null ? undefined : readUploadMetadata(metadata),
    delivery: headers.get('content-type') === chunkType ? delivery(request) : undefined,
  }
}

/** Reads more of an upload. */
export function readContinuation(request: Request): { offsetBytes: number; sizeBytes: number | undefined; delivery: Delivery } {
  const { headers } = request
  const offsetBytes = readCount(headers, 'upload-offset')
  if (offsetBytes === undefined) throw offsetRequired()
  const type = headers.get('content-type')
  if (type === null) throw contentTypeRequired()
  if (type !== chunkType) throw invalidHeader('content-type')
  return { offsetBytes, sizeBytes: readCount(headers, 'upload-length'), delivery: delivery(request) }
}
