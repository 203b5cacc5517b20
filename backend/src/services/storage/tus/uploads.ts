import { randomUUID } from 'node:crypto'
import { isServiceRole } from '#contract/caller.ts'
import { asActor, asService, type Actor } from '#services/storage/actor.ts'
import { blobKey, type ObjectAddress } from '#services/storage/bytes/blob-key.ts'
import { mimeTypeRefused } from '#services/storage/errors.ts'
import { checkBucketName, checkObjectName } from '#services/storage/names.ts'
import { findObjectRow } from '#services/storage/objects.queries.ts'
import type { StorageParts } from '#services/storage/parts.ts'
import { isHeaderText } from '#services/storage/upload-body.ts'
import { checkMimeType, getUploadLimits } from '#services/storage/upload-limits.ts'
import { checkUpload, finishUpload } from '#services/storage/upload.ts'
import { parseUserMetadata } from '#services/storage/user-metadata.ts'
import type { UserMetadata } from '#services/storage/wire.ts'
import { alreadyComplete, lengthRequired, maximumSizeExceeded, notYours, offsetConflict, sizeExceeded, uploadGone } from './errors.ts'
import type { PartialUpload, PartialUploads, UploadRecord } from './partial-uploads.ts'
import type { UploadId } from './upload-id.ts'
import type { UploadLock, UploadLocks } from './upload-locks.ts'

/** What resumable uploads are made of. */
export interface TusParts {
  storage: StorageParts
  uploads: PartialUploads
  locks: UploadLocks
}

/** On whose behalf a request comes. */
export interface Uploader {
  actor: Actor
  isUpsert: boolean
  /** The right was given by an upload link: policies were asked when it was made. */
  hasLink: boolean
}

/** An upload lives so long from its beginning, as on the hosted backend. */
export const lifetimeMs = 24 * 60 * 60_000

/** Why a client may be told that its upload is over. */
export const expiresAt = ({ createdAtMs }: UploadRecord): number => createdAtMs + lifetimeMs

const addressOf = ({ bucketId, objectName }: UploadId): ObjectAddress => ({ bucketId, name: objectName })

// What browsers and tools call a file they know nothing of.
const unknownType = 'application/octet-stream'
function mimeTypeOf(metadata: ReadonlyMap<string, string>): string {
  const type = metadata.get('contentType') || unknownType
  if (!isHeaderText(type)) throw mimeTypeRefused(type.replaceAll(/[^\x20-\x7e]/g, '?'))
  return type
}

function cacheControlOf(metadata: ReadonlyMap<string, string>): string {
  const given = metadata.get('cacheControl') ?? ''
  return /^-?\d+$/.test(given) ? `max-age=${given}` : 'no-cache'
}

const userMetadataOf = (metadata: ReadonlyMap<string, string>): UserMetadata | undefined => parseUserMetadata(metadata.get('metadata') ?? '')

interface UploadFacts {
  metadata: ReadonlyMap<string, string>
  sizeBytes: number | null
}

async function checkRight({ storage }: TusParts, { actor, isUpsert, hasLink }: Uploader, { id, facts }: { id: UploadId; facts: UploadFacts }): Promise<void> {
  if (hasLink) return
  await checkUpload(storage, actor, {
    address: addressOf(id),
    isUpsert,
    userMetadata: userMetadataOf(facts.metadata),
    mimeType: mimeTypeOf(facts.metadata),
    ...(facts.sizeBytes === null ? {} : { sizeBytes: facts.sizeBytes }),
  })
}

async function checkLimits({ storage }: TusParts, { actor }: Uploader, { id, facts }: { id: UploadId; facts: UploadFacts }): Promise<number> {
  const limits = await getUploadLimits(storage, actor, addressOf(id))
  if ((facts.sizeBytes ?? 0) > limits.maxBytes) throw maximumSizeExceeded()
  checkMimeType(mimeTypeOf(facts.metadata), limits)
  return limits.maxBytes
}

/** Bytes a request brings. */
export interface Delivery {
  body: ReadableStream<Uint8Array> | null
  /** As declared; undefined when it was not. */
  contentLength: number | undefined
}

// Somebody else may want the upload while this client says nothing any more: reading ends then, with what has come so far kept.
async function* receive({ body }: Delivery, lock: UploadLock): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  const stop = () => void reader.cancel(lock.signal.reason).catch(() => undefined)
  lock.signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      lock.signal.throwIfAborted()
      if (done) return
      lock.touch()
      yield value
    }
  } finally {
    lock.signal.removeEventListener('abort', stop)
    reader.releaseLock()
  }
}

// The object may be there already, when the box ended between its row and the note of it.
async function isThere({ storage }: TusParts, { actor }: Uploader, upload: UploadRecord): Promise<boolean> {
  if (upload.becoming === null) return false
  const current = await asActor(storage, asService(actor), (tx) => findObjectRow(tx, addressOf(upload)))
  return current?.version === upload.becoming
}

async function finish(parts: TusParts, uploader: Uploader, upload: UploadRecord): Promise<void> {
  const { storage, uploads } = parts
  const { actor, isUpsert } = uploader
  const address = addressOf(upload)
  if (await isThere(parts, uploader, upload)) return uploads.complete(upload)
  const version = randomUUID()
  await uploads.update({ ...upload, becoming: version })
  const metadata = new Map(upload.metadata)
  const facts = { mimeType: mimeTypeOf(metadata), cacheControl: cacheControlOf(metadata) }
  const stored = await storage.bytes.adopt(blobKey(address, version), await uploads.lend(upload.version), { contentType: facts.mimeType })
  await finishUpload(storage, actor, { address, isUpsert, version, stored, facts, userMetadata: userMetadataOf(metadata) })
  await uploads.complete(upload)
}

/** Takes a delivery into an upload and, with the last byte, makes the object. Gives the new offset. */
async function take(parts: TusParts, uploader: Uploader, { upload, delivery, lock, maxBytes }: { upload: PartialUpload; delivery: Delivery; lock: UploadLock; maxBytes: number }): Promise<number> {
  const mostBytes = upload.sizeBytes ?? maxBytes
  if (upload.offsetBytes + (delivery.contentLength ?? 0) > mostBytes) throw sizeExceeded()
  const offset = await parts.uploads.append(upload, receive(delivery, lock), mostBytes)
  if (offset === upload.sizeBytes) await finish(parts, uploader, upload)
  return offset
}

/** What a client asks for when it begins. */
export interface NewUpload extends UploadFacts {
  bucketId: string
  objectName: string
  /** Bytes that came with the question; undefined when none did. */
  delivery: Delivery | undefined
}

const withLock = async <T>({ locks }: TusParts, version: string, work: (lock: UploadLock) => Promise<T>): Promise<T> => {
  const lock = await locks.acquire(version)
  try {
    return await work(lock)
  } finally {
    lock.release()
  }
}

/**
 * Begins an upload.
 *
 * @throws what the bucket and the policies refuse; 404 for a bucket that is not there.
 */
export async function beginUpload(parts: TusParts, uploader: Uploader, { bucketId, objectName, delivery, ...facts }: NewUpload): Promise<PartialUpload> {
  checkBucketName(bucketId)
  checkObjectName(objectName)
  const id = { bucketId, objectName, version: randomUUID() }
  const maxBytes = await checkLimits(parts, uploader, { id, facts })
  await checkRight(parts, uploader, { id, facts })
  const upload: PartialUpload = {
    ...id,
    ownerId: uploader.actor.ownerId ?? null,
    sizeBytes: facts.sizeBytes,
    metadata: [...facts.metadata],
    createdAtMs: parts.storage.clock.now(),
    becoming: null,
    isComplete: false,
    offsetBytes: 0,
  }
  return withLock(parts, id.version, async (lock) => {
    await parts.uploads.create(upload)
    if (!delivery && facts.sizeBytes !== 0) return upload
    try {
      const offsetBytes = await take(parts, uploader, { upload, delivery: delivery ?? { body: null, contentLength: 0 }, lock, maxBytes })
      return { ...upload, offsetBytes, isComplete: offsetBytes === upload.sizeBytes }
    } catch (error) {
      // Nobody was told its address.
      await parts.uploads.remove(id.version)
      throw error
    }
  })
}

/** Finds an upload that still lives. */
export async function findUpload({ uploads, storage }: TusParts, id: UploadId): Promise<PartialUpload> {
  const upload = await uploads.find(id)
  if (expiresAt(upload) <= storage.clock.now()) throw uploadGone()
  return upload
}

const factsOf = ({ metadata, sizeBytes }: UploadRecord): UploadFacts => ({ metadata: new Map(metadata), sizeBytes })

/** Gives whether the object is there already: then there is nothing left to ask for, and nothing to write. */
async function checkContinuation(parts: TusParts, uploader: Uploader, upload: PartialUpload): Promise<boolean> {
  if (!isServiceRole(uploader.actor.caller) && upload.ownerId !== (uploader.actor.ownerId ?? null)) throw notYours()
  if (await isThere(parts, uploader, upload)) return true
  await checkRight(parts, uploader, { id: upload, facts: factsOf(upload) })
  return false
}

/** More of an upload. */
export interface Continuation {
  offsetBytes: number
  /** The size of the whole, told now. */
  sizeBytes: number | undefined
  delivery: Delivery
}

async function declareSize({ uploads }: TusParts, upload: PartialUpload, { sizeBytes, maxBytes }: { sizeBytes: number; maxBytes: number }): Promise<PartialUpload> {
  if (upload.sizeBytes !== null || sizeBytes < upload.offsetBytes) throw lengthRequired()
  if (sizeBytes > maxBytes) throw maximumSizeExceeded()
  const sized = { ...upload, sizeBytes }
  await uploads.update(sized)
  return sized
}

/**
 * Goes on with an upload: policies are asked anew, one client at a time.
 *
 * @throws 409 when it stands elsewhere, 423 while somebody else sends, 413 when more comes than was announced.
 */
export async function continueUpload(parts: TusParts, uploader: Uploader, { id, ...more }: Continuation & { id: UploadId }): Promise<PartialUpload> {
  const isMade = await checkContinuation(parts, uploader, await findUpload(parts, id))
  return withLock(parts, id.version, async (lock) => {
    const found = await findUpload(parts, id)
    if (found.offsetBytes !== more.offsetBytes) throw offsetConflict()
    if (found.isComplete) return found
    if (isMade) {
      await parts.uploads.complete(found)
      return { ...found, offsetBytes: found.sizeBytes ?? found.offsetBytes, isComplete: true }
    }
    const maxBytes = await checkLimits(parts, uploader, { id, facts: factsOf(found) })
    const upload = more.sizeBytes === undefined ? found : await declareSize(parts, found, { sizeBytes: more.sizeBytes, maxBytes })
    const offsetBytes = await take(parts, uploader, { upload, delivery: more.delivery, lock, maxBytes })
    return { ...upload, offsetBytes, isComplete: offsetBytes === upload.sizeBytes }
  })
}

/** Ends an upload that is not whole yet, and forgets its bytes. */
export async function endUpload(parts: TusParts, uploader: Uploader, id: UploadId): Promise<void> {
  await checkContinuation(parts, uploader, await parts.uploads.find(id))
  await withLock(parts, id.version, async () => {
    if ((await parts.uploads.find(id)).isComplete) throw alreadyComplete()
    await parts.uploads.remove(id.version)
  })
}
