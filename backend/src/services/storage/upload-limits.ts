import { findBucketRow } from './buckets.queries.ts'
import { asService, onceAsActor, type Actor } from './actor.ts'
import type { ByteSource } from './bytes/byte-store.ts'
import { bucketNotFound, mimeTypeRefused, tooLarge } from './errors.ts'
import { isEmptyFolder } from './names.ts'
import type { StorageParts } from './parts.ts'

/** What a bucket takes. */
export interface UploadLimits {
  maxBytes: number
  /** Empty: any. `image/*` is any image. */
  mimeTypes: readonly string[]
}

/**
 * Reads what a bucket takes, whoever asks.
 *
 * @throws `NoSuchBucket` (404).
 */
export async function getUploadLimits(parts: StorageParts, actor: Actor, { bucketId, name }: { bucketId: string; name: string }): Promise<UploadLimits> {
  const bucket = await onceAsActor(parts, asService(actor), (tx) => findBucketRow(tx, bucketId))
  if (!bucket) throw bucketNotFound()
  if (isEmptyFolder(name)) return { maxBytes: 0, mimeTypes: [] }
  const whole = parts.settings.fileSizeLimitBytes
  return { maxBytes: Math.min(bucket.file_size_limit ?? whole, whole), mimeTypes: bucket.allowed_mime_types ?? [] }
}

/** @throws `InvalidMimeType` (415). */
export function checkMimeType(mimeType: string, { mimeTypes }: UploadLimits): void {
  if (mimeTypes.length === 0) return
  const [type, subtype] = mimeType.split('/')
  const fits = (allowed: string): boolean => {
    const [allowedType, allowedSubtype] = allowed.split('/')
    return allowedType === type && (allowedSubtype === '*' || allowedSubtype === subtype)
  }
  if (subtype === undefined || !mimeTypes.some(fits)) throw mimeTypeRefused(mimeType)
}

/** @throws `EntityTooLarge` (413); a size not known yet passes. */
export function checkSize(sizeBytes: number | undefined, { maxBytes }: UploadLimits): void {
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw tooLarge()
}

/**
 * Hands bytes on until there are too many.
 *
 * @throws `EntityTooLarge` (413), out of the stream.
 */
export async function* limitBytes(source: ByteSource, maxBytes: number): AsyncGenerator<Uint8Array> {
  let seen = 0
  for await (const chunk of source) {
    seen += chunk.byteLength
    if (seen > maxBytes) throw tooLarge()
    yield chunk
  }
}
