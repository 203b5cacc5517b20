import { ServiceError } from '#contract/service-error.ts'
import { asActor, asService, onceAsActor, type Actor } from './actor.ts'
import { countObjectsUpTo, deleteBucketRow, findBucketRow, insertBucket, listBucketRows, updateBucketRow, type BucketFields, type BucketListing } from './buckets.queries.ts'
import { removeVersions } from './discarded-bytes.ts'
import { bucketExists, bucketNameInvalid, bucketNotEmpty, bucketNotFound, bucketTooFull, featureNotEnabled, fileSizeLimitInvalid, mimeTypeRefused, noContent, resourceExists, tooLarge } from './errors.ts'
import { checkBucketName } from './names.ts'
import { deleteSomeRows } from './objects.queries.ts'
import type { StorageParts } from './parts.ts'
import type { BucketRow } from './wire.ts'

const unitBytes: Readonly<Record<string, number>> = { gb: 1e9, mb: 1e6, kb: 1e3, b: 1 }

/** `20mb` or a number of bytes; null is the project's own limit. */
export type SizeLimit = number | string | null | undefined

function parseSizeLimit(limit: SizeLimit, { settings }: StorageParts): number | null | undefined {
  if (limit === null || limit === undefined) return limit
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(gb|mb|kb|b)$/i.exec(String(limit)) ?? []
  if (typeof limit === 'string' && amount === undefined) throw fileSizeLimitInvalid()
  const sizeBytes = typeof limit === 'number' ? limit : Number(Number(amount).toPrecision(3)) * (unitBytes[unit.toLowerCase()] ?? 1)
  if (sizeBytes > settings.fileSizeLimitBytes) throw tooLarge()
  return Math.round(sizeBytes)
}

const mimeShape = /^(([a-zA-Z0-9\-+.]+)\/([a-zA-Z0-9\-+.]+)(;\s*charset=[a-zA-Z0-9-]+)?|.*\*)$/

function checkMimeTypes(types: readonly string[] | null | undefined): string[] | null | undefined {
  const given = types?.filter((type) => type !== '')
  for (const type of given ?? []) if (type.length > 1000 || !mimeShape.test(type)) throw mimeTypeRefused(type)
  return types === null ? null : given
}

export interface BucketRequest {
  public?: boolean | undefined
  fileSizeLimit?: SizeLimit
  allowedMimeTypes?: readonly string[] | null | undefined
}

const fieldsOf = (parts: StorageParts, request: BucketRequest): BucketFields => ({
  public: request.public,
  fileSizeLimitBytes: parseSizeLimit(request.fileSizeLimit, parts),
  allowedMimeTypes: checkMimeTypes(request.allowedMimeTypes),
})

const isDuplicate = (error: unknown): boolean => error instanceof ServiceError && error.code === resourceExists().code

/**
 * Makes a bucket.
 *
 * @throws `InvalidBucketName` (400), `BucketAlreadyExists` (409), `AccessDenied` (403), `EntityTooLarge` (413) for a limit above the project's.
 */
export async function createBucket(parts: StorageParts, actor: Actor, request: BucketRequest & { id: string; name: string; type?: string | undefined }): Promise<void> {
  const { id, name, type = 'STANDARD' } = request
  if (name.trim() !== name || id.trim() !== id) throw bucketNameInvalid()
  checkBucketName(name)
  checkBucketName(id)
  if (type !== 'STANDARD') throw featureNotEnabled('iceberg_catalog')
  const fields = fieldsOf(parts, { ...request, public: request.public ?? false })
  try {
    await onceAsActor(parts, actor, (tx) => insertBucket(tx, { id, name, ownerId: actor.ownerId, ...fields }))
  } catch (error) {
    throw isDuplicate(error) ? bucketExists(error) : error
  }
}

/**
 * Reads one bucket. One that policies hide is indistinguishable from one that does not exist.
 *
 * @throws `NoSuchBucket` (404).
 */
export async function getBucket(parts: StorageParts, actor: Actor, id: string): Promise<BucketRow> {
  const bucket = await onceAsActor(parts, actor, (tx) => findBucketRow(tx, id))
  if (!bucket) throw bucketNotFound()
  return bucket
}

/** Lists the buckets the actor may see. */
export const listBuckets = (parts: StorageParts, actor: Actor, listing: BucketListing): Promise<BucketRow[]> =>
  onceAsActor(parts, actor, (tx) => listBucketRows(tx, listing))

/** @throws `NoSuchBucket` (404), `EntityTooLarge` (413), `InvalidMimeType` (415). */
export async function updateBucket(parts: StorageParts, actor: Actor, { id, ...request }: BucketRequest & { id: string }): Promise<void> {
  checkBucketName(id)
  const fields = fieldsOf(parts, request)
  if (Object.values(fields).every((value) => value === undefined)) throw noContent()
  const changed = await onceAsActor(parts, actor, (tx) => updateBucketRow(tx, id, fields))
  if (changed === 0) throw bucketNotFound()
}

/** @throws `NoSuchBucket` (404), `ResourceNotEmpty` (409). */
export async function deleteBucket(parts: StorageParts, actor: Actor, id: string): Promise<void> {
  const held = await asActor(parts, asService(actor), async (tx) => ({ bucket: await findBucketRow(tx, id), count: await countObjectsUpTo(tx, id, 1) }))
  if (!held.bucket) throw bucketNotFound()
  if (held.count > 0) throw bucketNotEmpty()
  if ((await onceAsActor(parts, actor, (tx) => deleteBucketRow(tx, id))) === 0) throw bucketNotFound()
}

const maxEmptied = 200_000
const batchSize = 1000

/**
 * Deletes every object of a bucket, some at a time.
 *
 * @throws `NoSuchBucket` (404), 409 for more than 200,000 objects.
 */
export async function emptyBucket(parts: StorageParts, actor: Actor, id: string): Promise<void> {
  await getBucket(parts, actor, id)
  if ((await onceAsActor(parts, actor, (tx) => countObjectsUpTo(tx, id, maxEmptied + 1))) > maxEmptied) throw bucketTooFull()
  for (let removed = 0; removed <= maxEmptied; ) {
    const rows = await onceAsActor(parts, actor, (tx) => deleteSomeRows(tx, id, batchSize))
    if (rows.length === 0) return
    removed += rows.length
    await removeVersions(parts, rows.map(({ bucket_id: bucketId, name, version }) => ({ address: { bucketId, name }, version })))
  }
}
