import { getActor } from './authenticate.ts'
import type { Actor } from './actor.ts'
import type { ObjectAddress } from './bytes/blob-key.ts'
import { requestInvalid } from './errors.ts'
import { readJson } from './json-body.ts'
import { listFolder, listPage } from './listing.ts'
import { checkBucketName, checkObjectName } from './names.ts'
import { copyObject, moveObject, removeObject, removeObjects } from './objects.ts'
import type { StorageParts } from './parts.ts'
import { json } from './reply.ts'
import type { Call, Route } from './router.ts'
import { flag, integer, object, oneOf, text, textList } from './shape.ts'
import { readUpload } from './upload-body.ts'
import { getUploadLimits } from './upload-limits.ts'
import { storeObject } from './upload.ts'
import { readMetadataHeader } from './user-metadata.ts'
import type { ObjectRow } from './wire.ts'

/** The object a path names. @throws `InvalidBucketName` (400). */
export function addressIn({ params }: Call): ObjectAddress {
  const { bucket: bucketId = '', '*': name = '' } = params
  checkBucketName(bucketId)
  return { bucketId, name }
}

/** Takes the file of a request, and gives its row. */
export async function upload(parts: StorageParts, actor: Actor, { call, isUpsert }: { call: Call; isUpsert: boolean }): Promise<ObjectRow> {
  const address = addressIn(call)
  const limits = await getUploadLimits(parts, actor, address)
  checkObjectName(address.name)
  const body = await readUpload(call.request, limits)
  return storeObject(parts, actor, { ...body, address, isUpsert })
}

const place = { bucketId: text, sourceKey: text, destinationBucket: text, destinationKey: text }
const required = ['bucketId', 'sourceKey', 'destinationKey'] as const
const moving = object(place, required)
const copying = object({ ...place, copyMetadata: flag, metadata: object({ cacheControl: text, mimetype: text }) }, required)
const listing = object(
  {
    prefix: text,
    limit: integer({ min: 1 }),
    offset: integer({ min: 0 }),
    search: text,
    sortBy: object({ column: oneOf('name', 'updated_at', 'created_at', 'last_accessed_at'), order: oneOf('asc', 'desc') }, ['column']),
  },
  ['prefix'],
)
const paging = object({
  prefix: text,
  limit: integer({ min: 1 }),
  cursor: text,
  with_delimiter: flag,
  sortBy: object({ column: oneOf('name', 'updated_at', 'created_at'), order: oneOf('asc', 'desc') }, ['column']),
})
const maxNames = 1000
const deleting = object({ prefixes: textList({ min: 1 }) }, ['prefixes'])

// The hosted API writes an empty text where there is nothing.
const shownRow = ({ owner, owner_id, version, ...row }: ObjectRow) => ({ ...row, owner: owner ?? '', owner_id: owner_id ?? '', version: version ?? '' })

interface Place {
  bucketId: string
  sourceKey: string
  destinationBucket?: string | undefined
  destinationKey: string
}

function ends({ bucketId, sourceKey, destinationBucket, destinationKey }: Place): { from: ObjectAddress; to: ObjectAddress } {
  checkBucketName(bucketId)
  return { from: { bucketId, name: sourceKey }, to: { bucketId: destinationBucket || bucketId, name: destinationKey } }
}

async function answerUpload(parts: StorageParts, call: Call, { operation, isUpsert }: { operation: string; isUpsert: boolean }): Promise<Response> {
  const row = await upload(parts, getActor(call, operation), { call, isUpsert })
  return json({ Id: row.id, Key: `${row.bucket_id}/${row.name}` })
}

async function answerCopy(parts: StorageParts, call: Call): Promise<Response> {
  const actor = getActor(call, 'storage.object.copy')
  const { copyMetadata = true, metadata, ...asked } = await readJson(call.request, copying)
  const isUpsert = call.request.headers.get('x-upsert') === 'true'
  const replace = copyMetadata ? {} : { replace: { metadata, userMetadata: readMetadataHeader(call.request.headers) } }
  const row = await copyObject(parts, actor, { ...ends(asked), isUpsert, ...replace })
  return json({ Id: row.id, Key: `${row.bucket_id}/${row.name}`, ...shownRow(row) })
}

async function answerMove(parts: StorageParts, call: Call): Promise<Response> {
  const actor = getActor(call, 'storage.object.move')
  await moveObject(parts, actor, ends(await readJson(call.request, moving)))
  return json({ message: 'Successfully moved' })
}

async function answerRemoval(parts: StorageParts, call: Call): Promise<Response> {
  const actor = getActor(call, 'storage.object.delete_many')
  const { bucket: bucketId = '' } = call.params
  checkBucketName(bucketId)
  const { prefixes: names } = await readJson(call.request, deleting)
  if (names.length > maxNames) throw requestInvalid(`Bulk object requests are limited to ${maxNames} objects per request.`, 'InvalidRequest')
  return json((await removeObjects(parts, actor, { bucketId, names })).map(shownRow))
}

async function answerList(parts: StorageParts, call: Call): Promise<Response> {
  const actor = getActor(call, 'storage.object.list')
  const { sortBy, ...search } = await readJson(call.request, listing)
  const sort = { ...(sortBy ? { sortColumn: sortBy.column } : {}), ...(sortBy?.order ? { sortOrder: sortBy.order } : {}) }
  const { prefix, limit = 100, offset = 0, search: part = '' } = search
  return json(await listFolder(parts, actor, { bucketId: call.params.bucket ?? '', prefix, limit, offset, search: part, ...sort }))
}

async function answerPage(parts: StorageParts, call: Call): Promise<Response> {
  const actor = getActor(call, 'storage.object.list_v2')
  const { sortBy, with_delimiter: byFolder, ...page } = await readJson(call.request, paging)
  return json(await listPage(parts, actor, { ...page, bucketId: call.params.bucket ?? '', byFolder, sortColumn: sortBy?.column, sortOrder: sortBy?.order }))
}

/** What changes and lists objects. @see supabase/storage src/http/routes/object */
export const objectRoutes = (parts: StorageParts): Route[] => [
  { method: 'POST', pattern: '/object/move', answer: (call) => answerMove(parts, call) },
  { method: 'POST', pattern: '/object/copy', answer: (call) => answerCopy(parts, call) },
  { method: 'POST', pattern: '/object/list/:bucket', answer: (call) => answerList(parts, call) },
  { method: 'POST', pattern: '/object/list-v2/:bucket', answer: (call) => answerPage(parts, call) },
  {
    method: 'POST',
    pattern: '/object/:bucket/*',
    answer: (call) => answerUpload(parts, call, { operation: 'storage.object.upload', isUpsert: call.request.headers.get('x-upsert') === 'true' }),
  },
  { method: 'PUT', pattern: '/object/:bucket/*', answer: (call) => answerUpload(parts, call, { operation: 'storage.object.upload_update', isUpsert: true }) },
  {
    method: 'DELETE',
    pattern: '/object/:bucket/*',
    async answer(call) {
      await removeObject(parts, getActor(call, 'storage.object.delete'), addressIn(call))
      return json({ message: 'Successfully deleted' })
    },
  },
  { method: 'DELETE', pattern: '/object/:bucket', answer: (call) => answerRemoval(parts, call) },
]
