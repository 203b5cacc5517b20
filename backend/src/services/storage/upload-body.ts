import { Readable } from 'node:stream'
import { ServiceError } from '#contract/service-error.ts'
import type { ByteSource } from './bytes/byte-store.ts'
import { mimeTypeRefused, noContent, requestInvalid } from './errors.ts'
import type { FormFile } from './form.ts'
import { checkRobotsTag } from './robots-tag.ts'
import type { FileFacts } from './upload.ts'
import { checkMimeType, checkSize, limitBytes, type UploadLimits } from './upload-limits.ts'
import { parseUserMetadata, readMetadataHeader } from './user-metadata.ts'
import type { UserMetadata } from './wire.ts'

/** A file as a request brings it, its bytes still on their way. */
export interface UploadBody {
  source: ByteSource
  facts: FileFacts
  userMetadata: UserMetadata | undefined
  /** The body's declared length; of a form that is more than the file. */
  sizeBytes: number | undefined
}

/** Whether a text may stand in a header. */
export const isHeaderText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

function declaredLength(headers: Headers): number | undefined {
  const given = headers.get('content-length')
  return given !== null && /^\d+$/.test(given) ? Number(given) : undefined
}

function checkFacts({ mimeType, cacheControl, xRobotsTag }: FileFacts, limits: UploadLimits): void {
  if (!isHeaderText(mimeType)) throw mimeTypeRefused(mimeType.replaceAll(/[^\x20-\x7e]/g, '?'))
  if (!isHeaderText(cacheControl)) throw requestInvalid('Invalid cache control')
  if (xRobotsTag !== undefined) checkRobotsTag(xRobotsTag)
  checkMimeType(mimeType, limits)
}

const asRefusal = (error: unknown): unknown => (error instanceof ServiceError ? error : noContent(error instanceof Error ? error.message : undefined))

async function readFormUpload(request: Request, body: ReadableStream<Uint8Array>): Promise<Omit<UploadBody, 'sizeBytes'>> {
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  // The two libraries' stream types are of different makes.
  const incoming = Readable.fromWeb(body as never)
  let form: FormFile
  try {
    // Most boxes on loopback are sent none in their first second.
    const { readForm } = await import('./form.ts')
    form = await readForm(incoming, headers)
  } catch (error) {
    incoming.destroy()
    throw asRefusal(error)
  }
  const { fields, mimeType, stream } = form
  const seconds = fields.get('cacheControl')
  const metadata = fields.get('metadata') ?? fields.get('userMetadata')
  return {
    source: endWith(stream, incoming),
    facts: { mimeType: fields.get('contentType') || mimeType, cacheControl: seconds ? `max-age=${seconds}` : 'no-cache' },
    userMetadata: metadata === undefined ? undefined : parseUserMetadata(metadata),
  }
}

async function* endWith(stream: Readable, incoming: Readable): ByteSource {
  try {
    yield* stream as AsyncIterable<Uint8Array>
  } finally {
    incoming.destroy()
  }
}

function readRawUpload(request: Request, body: ReadableStream<Uint8Array> | null): Omit<UploadBody, 'sizeBytes'> {
  const { headers } = request
  return {
    source: body ?? nothing(),
    facts: { mimeType: headers.get('content-type') || 'application/octet-stream', cacheControl: headers.get('cache-control') ?? 'no-cache' },
    userMetadata: readMetadataHeader(headers),
  }
}

async function* nothing(): ByteSource {}

// A body that breaks off, or a form that is none: whoever sent it is to know.
async function* whole(source: ByteSource): ByteSource {
  try {
    yield* source
  } catch (error) {
    throw asRefusal(error)
  }
}

/**
 * Reads the file of an upload, as the body itself or as the first file of a form, and holds it to the limits.
 *
 * @throws `InvalidMimeType` (415), `EntityTooLarge` (413; also out of the stream), `InvalidRequest` (400).
 * @see supabase/storage src/storage/uploader.ts, `fileUploadFromRequest`
 */
export async function readUpload(request: Request, limits: UploadLimits): Promise<UploadBody> {
  const isForm = /^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')
  const sizeBytes = declaredLength(request.headers)
  if (!isForm) checkSize(sizeBytes, limits)
  const read = isForm && request.body ? await readFormUpload(request, request.body) : readRawUpload(request, request.body)
  const xRobotsTag = request.headers.get('x-robots-tag') ?? undefined
  const facts = { ...read.facts, ...(xRobotsTag === undefined ? {} : { xRobotsTag }) }
  checkFacts(facts, limits)
  return { ...read, facts, sizeBytes, source: limitBytes(whole(read.source), limits.maxBytes) }
}
