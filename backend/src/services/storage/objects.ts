import { randomUUID } from 'node:crypto'
import { ServiceError } from '#contract/service-error.ts'
import { asActor, asService, onceAsActor, rehearse, type Actor } from './actor.ts'
import { blobKey, type ObjectAddress } from './bytes/blob-key.ts'
import type { ByteRange, OpenBytes } from './bytes/byte-store.ts'
import { removeUnwritten, removeVersions } from './discarded-bytes.ts'
import { accessDenied, bytesNotFound, objectExists, objectNotFound, resourceLocked } from './errors.ts'
import { checkObjectName } from './names.ts'
import { deleteObjectRows, findObjectRow, lockName, lockObjectRow, updateObject, upsertObject } from './objects.queries.ts'
import type { StorageParts } from './parts.ts'
import { checkUpload } from './upload.ts'
import type { FileMetadata, ObjectRow, UserMetadata } from './wire.ts'

// Somebody would have to replace it as often between two steps.
const maxAttempts = 5

const addressOf = ({ bucket_id: bucketId, name }: ObjectRow): ObjectAddress => ({ bucketId, name })

/**
 * Reads one object's row as the actor. One that policies hide is indistinguishable from one that does not exist.
 *
 * @throws `NoSuchKey` (404), `InvalidKey` (400).
 */
export async function getObject(parts: StorageParts, actor: Actor, address: ObjectAddress): Promise<ObjectRow> {
  checkObjectName(address.name)
  const row = await onceAsActor(parts, actor, (tx) => findObjectRow(tx, address))
  if (!row) throw objectNotFound()
  return row
}

/**
 * Opens the bytes of a row that was read before; the whole of them without a range.
 *
 * @throws `NoSuchKey` (404) when there are none.
 */
export async function openBytes({ bytes }: Pick<StorageParts, 'bytes'>, row: ObjectRow, range?: ByteRange): Promise<OpenBytes> {
  const opened = row.version === null ? undefined : await bytes.get(blobKey(addressOf(row), row.version), range)
  if (!opened) throw bytesNotFound()
  return opened
}

/**
 * Reads an object's row as the actor and opens its bytes. A row that is replaced just then is read again.
 *
 * @param chooseRange says which part is wanted of so many bytes; undefined is all of them. What it throws is thrown.
 * @throws `NoSuchKey` (404).
 */
export async function openObject(
  parts: StorageParts,
  actor: Actor,
  { address, chooseRange }: { address: ObjectAddress; chooseRange?: (row: ObjectRow, sizeBytes: number) => ByteRange | undefined },
): Promise<{ row: ObjectRow; range: ByteRange | undefined; opened: OpenBytes }> {
  for (let attempt = 1; ; attempt++) {
    const row = await getObject(parts, actor, address)
    try {
      const sizeBytes = row.version === null ? undefined : await parts.bytes.sizeOf(blobKey(address, row.version))
      if (sizeBytes === undefined) throw bytesNotFound()
      const range = chooseRange?.(row, sizeBytes)
      return { row, range, opened: await openBytes(parts, row, range) }
    } catch (error) {
      const isGone = error instanceof ServiceError && error.message === bytesNotFound().message
      if (!isGone || attempt === maxAttempts) throw error
    }
  }
}

/**
 * Deletes one object: the row as the actor, then the bytes.
 *
 * @throws `NoSuchKey` (404), `AccessDenied` (403) when it is there and policies keep it.
 */
export async function removeObject(parts: StorageParts, actor: Actor, address: ObjectAddress): Promise<void> {
  const [removed] = await removeObjects(parts, actor, { bucketId: address.bucketId, names: [address.name] })
  if (removed) return
  const stands = await onceAsActor(parts, asService(actor), (tx) => findObjectRow(tx, address))
  throw stands ? accessDenied('Access denied') : objectNotFound()
}

/** Deletes objects of a bucket and gives their rows. Those that are missing, or that policies keep, are passed over. */
export async function removeObjects(parts: StorageParts, actor: Actor, { bucketId, names }: { bucketId: string; names: readonly string[] }): Promise<ObjectRow[]> {
  const rows = await onceAsActor(parts, actor, (tx) => deleteObjectRows(tx, bucketId, names))
  await removeVersions(parts, rows.map((row) => ({ address: addressOf(row), version: row.version })))
  return rows
}

/** Copies an object's bytes as they are now, and gives the row they belong to. One that is replaced just then is read again. */
async function copyBytes(parts: StorageParts, actor: Actor, { from, to, version }: { from: ObjectAddress; to: ObjectAddress; version: string }): Promise<ObjectRow> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const source = await getObject(parts, actor, from)
    if (source.version !== null && (await parts.bytes.copy(blobKey(from, source.version), blobKey(to, version)))) return source
  }
  throw bytesNotFound()
}

export interface Copy {
  from: ObjectAddress
  to: ObjectAddress
  isUpsert: boolean
  /** Left out: the source's own is kept, `userMetadata` included. */
  replace?: {
    metadata?: { cacheControl?: string | undefined; mimetype?: string | undefined } | undefined
    userMetadata?: UserMetadata | undefined
    /** Forgets type and caching that are not given anew, as S3 does. */
    forgetUnnamed?: boolean
  }
}

function metadataOfCopy({ metadata }: ObjectRow, replace: Copy['replace']): Partial<FileMetadata> {
  const made: Record<string, unknown> = { ...metadata }
  if (replace?.forgetUnnamed) {
    delete made.cacheControl
    delete made.mimetype
  }
  for (const [name, value] of Object.entries(replace?.metadata ?? {})) if (value !== undefined) made[name] = value
  return made as Partial<FileMetadata>
}

/**
 * Copies an object: the actor must see the source and be allowed to upload the copy.
 *
 * @throws `NoSuchKey` (404), `AccessDenied` (403), `KeyAlreadyExists` (409), `InvalidKey` (400).
 * @see supabase/storage src/storage/object.ts, `copyObject`
 */
export async function copyObject(parts: StorageParts, actor: Actor, { from, to, isUpsert, replace }: Copy): Promise<ObjectRow> {
  checkObjectName(to.name)
  const fields = (source: ObjectRow) => ({ metadata: metadataOfCopy(source, replace), userMetadata: (replace ? replace.userMetadata : source.user_metadata) ?? null })
  const { metadata, userMetadata } = fields(await getObject(parts, actor, from))
  await checkUpload(parts, actor, { address: to, isUpsert, metadata, userMetadata: userMetadata ?? undefined })
  const version = randomUUID()
  try {
    const copied = fields(await copyBytes(parts, actor, { from, to, version }))
    const { row, replaced } = await asActor(parts, asService(actor), async (tx) => {
      await lockName(tx, to)
      const current = await lockObjectRow(tx, to)
      if (current && !isUpsert) throw objectExists()
      const written = { ...copied.metadata, lastModified: new Date().toISOString() }
      const row = await upsertObject(tx, to, { ...copied, version, ownerId: actor.ownerId, metadata: written })
      return { row, replaced: current }
    })
    if (replaced) await removeVersions(parts, [{ address: to, version: replaced.version }])
    return row
  } catch (error) {
    await removeUnwritten(parts, { address: to, version }, error)
    throw error
  }
}

/**
 * Moves an object: the actor must see it and be allowed to update it to its new place.
 *
 * @throws `NoSuchKey` (404), `AccessDenied` (403), `ResourceAlreadyExists` (409), `ResourceLocked` (423) when it is
 * replaced just then, `InvalidKey` (400).
 * @see supabase/storage src/storage/object.ts, `moveObject`
 */
export async function moveObject(parts: StorageParts, actor: Actor, { from, to }: { from: ObjectAddress; to: ObjectAddress }): Promise<ObjectRow> {
  checkObjectName(to.name)
  const version = randomUUID()
  await rehearse(parts, actor, async (tx) => {
    if (!(await findObjectRow(tx, from))) throw objectNotFound()
    if (!(await updateObject(tx, from, { to, version, ownerId: actor.ownerId }))) throw objectNotFound()
  })
  if (from.bucketId === to.bucketId && from.name === to.name) return getObject(parts, asService(actor), from)
  try {
    const source = await copyBytes(parts, asService(actor), { from, to, version })
    const row = await asActor(parts, asService(actor), async (tx) => {
      await lockName(tx, to)
      const current = await lockObjectRow(tx, from)
      if (!current) throw objectNotFound()
      // Replaced since it was copied: moving would lose the newer bytes.
      if (current.version !== source.version) throw resourceLocked()
      const metadata = { ...source.metadata, lastModified: new Date().toISOString() } as Partial<FileMetadata>
      return updateObject(tx, from, { to, version, ownerId: actor.ownerId, metadata })
    })
    if (!row) throw objectNotFound()
    await removeVersions(parts, [{ address: from, version: source.version }])
    return row
  } catch (error) {
    await removeUnwritten(parts, { address: to, version }, error)
    throw error
  }
}
