import { randomUUID } from 'node:crypto'
import { asActor, asService, rehearse, type Actor } from './actor.ts'
import { blobKey, type ObjectAddress } from './bytes/blob-key.ts'
import type { ByteSource, StoredBytes } from './bytes/byte-store.ts'
import { removeUnwritten, removeVersions } from './discarded-bytes.ts'
import { objectExists, resourceExists } from './errors.ts'
import { checkObjectName } from './names.ts'
import { insertObject, lockName, lockObjectRow, upsertObject } from './objects.queries.ts'
import type { StorageParts } from './parts.ts'
import { ServiceError } from '#contract/service-error.ts'
import type { FileMetadata, ObjectRow, UserMetadata } from './wire.ts'

/** An upload before its bytes have come. */
export interface UploadPlan {
  address: ObjectAddress
  /** Whether an object of that name may be replaced. */
  isUpsert: boolean
  userMetadata?: UserMetadata | undefined
  mimeType?: string | undefined
  /** As declared; policies see it as `metadata ->> 'contentLength'`. */
  sizeBytes?: number | undefined
  /** Policies of a copy see the whole metadata of what is copied. */
  metadata?: Partial<FileMetadata> | undefined
}

/** How a file is to be served. */
export interface FileFacts {
  mimeType: string
  /** The header as it is sent: `max-age=3600`. */
  cacheControl: string
  xRobotsTag?: string | undefined
}

const isDuplicate = (error: unknown): boolean => error instanceof ServiceError && error.code === resourceExists().code

/**
 * Asks whether the policies let the actor upload, and whether the name is free. Nothing is written.
 *
 * @throws `InvalidKey` (400), `AccessDenied` (403), `KeyAlreadyExists` (409).
 * @see supabase/storage src/storage/uploader.ts, `canUpload`
 */
export async function checkUpload(parts: StorageParts, actor: Actor, plan: UploadPlan): Promise<void> {
  const { address, isUpsert, userMetadata, mimeType, sizeBytes } = plan
  checkObjectName(address.name)
  const metadata = plan.metadata ?? { ...(mimeType === undefined ? {} : { mimetype: mimeType }), ...(sizeBytes === undefined ? {} : { contentLength: sizeBytes }) }
  const fields = { version: '1', ownerId: actor.ownerId, metadata, userMetadata }
  try {
    await rehearse(parts, actor, (tx) => (isUpsert ? upsertObject(tx, address, fields) : insertObject(tx, address, fields)))
  } catch (error) {
    throw isDuplicate(error) ? objectExists(error) : error
  }
}

export interface FinishedUpload {
  address: ObjectAddress
  isUpsert: boolean
  /** The version the bytes were put under. */
  version: string
  stored: StoredBytes
  facts: FileFacts
  userMetadata?: UserMetadata | undefined
}

/** What is kept of a file beside its bytes. */
export const fileMetadata = (stored: StoredBytes, { mimeType, cacheControl, xRobotsTag }: FileFacts): FileMetadata => ({
  eTag: stored.eTag,
  size: stored.sizeBytes,
  mimetype: mimeType,
  cacheControl,
  lastModified: stored.storedAt.toISOString(),
  contentLength: stored.sizeBytes,
  httpStatusCode: 200,
  ...(xRobotsTag === undefined ? {} : { xRobotsTag }),
})

/**
 * Writes the row of bytes that are stored already, and lets go of those it replaces. An upload that was checked is finished with all rights.
 * When it fails, its bytes are removed.
 *
 * @throws `KeyAlreadyExists` (409) when somebody else took the name meanwhile, 404 when the bucket is gone.
 * @see supabase/storage src/storage/uploader.ts, `completeUpload`
 */
export async function finishUpload(parts: StorageParts, actor: Actor, upload: FinishedUpload): Promise<ObjectRow> {
  const { address, isUpsert, version, stored, facts, userMetadata = {} } = upload
  try {
    const { row, replaced } = await asActor(parts, asService(actor), async (tx) => {
      await lockName(tx, address)
      const current = await lockObjectRow(tx, address)
      if (current && !isUpsert) throw objectExists()
      const row = await upsertObject(tx, address, { version, ownerId: actor.ownerId, metadata: fileMetadata(stored, facts), userMetadata })
      return { row, replaced: current?.version }
    })
    if (typeof replaced === 'string' && replaced !== version) await removeVersions(parts, [{ address, version: replaced }])
    return row
  } catch (error) {
    await removeUnwritten(parts, { address, version }, error)
    throw error
  }
}

/**
 * Uploads: policies first, then the bytes, then the row.
 *
 * @throws what `checkUpload`, the source and `finishUpload` throw; nothing is left behind then.
 */
export async function storeObject(parts: StorageParts, actor: Actor, upload: UploadPlan & { facts: FileFacts; source: ByteSource }): Promise<ObjectRow> {
  const { address, facts, source, isUpsert, userMetadata, sizeBytes } = upload
  await checkUpload(parts, actor, { ...upload, mimeType: facts.mimeType })
  const version = randomUUID()
  const stored = await parts.bytes.put(blobKey(address, version), source, {
    contentType: facts.mimeType,
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
  })
  return finishUpload(parts, actor, { address, isUpsert, version, stored, facts, userMetadata })
}
