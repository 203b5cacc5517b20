import { getActor, getServiceActor } from './authenticate.ts'
import { createBucket, deleteBucket, emptyBucket, getBucket, listBuckets, updateBucket } from './buckets.ts'
import { requestInvalid } from './errors.ts'
import { readJson } from './json-body.ts'
import type { StorageParts } from './parts.ts'
import { json } from './reply.ts'
import type { Route } from './router.ts'
import { flag, integer, nullable, object, oneOf, readQuery, text, textList, type Reader } from './shape.ts'

const sizeText = /^\d+(\.\d+)?([gmk]?b)$/i

// Either shape is taken; neither fitting, the checker's words name both.
const sizeLimit: Reader<number | string> = (value, place) => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  if (typeof value === 'string' && /^\d+$/.test(value)) return Number(value)
  if (typeof value === 'string' && sizeText.test(value)) return value
  throw requestInvalid(`${place} must match a schema in anyOf`)
}

const limits = { public: flag, file_size_limit: nullable(sizeLimit), allowed_mime_types: nullable(textList()) }
const newBucket = object({ ...limits, id: text, name: text, type: oneOf('STANDARD', 'ANALYTICS') }, ['name'])
const changes = object(limits)
const listing = object({
  limit: integer({ min: 1 }),
  offset: integer({ min: 0 }),
  sortColumn: oneOf('id', 'name', 'created_at', 'updated_at'),
  sortOrder: oneOf('asc', 'desc'),
  search: text,
})

const said = (message: string): Response => json({ message })
const idOf = ({ bucket = '' }: Readonly<Record<string, string>>): string => bucket

/** `/bucket`. @see supabase/storage src/http/routes/bucket */
export const bucketRoutes = (parts: StorageParts): Route[] => [
  {
    method: 'POST',
    pattern: '/bucket',
    async answer(call) {
      const actor = getActor(call, 'storage.bucket.create')
      const { id, name, type, public: isPublic, file_size_limit: fileSizeLimit, allowed_mime_types: allowedMimeTypes } = await readJson(call.request, newBucket)
      await createBucket(parts, actor, { id: id || name, name, type, public: isPublic, fileSizeLimit, allowedMimeTypes })
      return json({ name })
    },
  },
  {
    method: 'GET',
    alsoHead: true,
    pattern: '/bucket',
    async answer(call) {
      const actor = getActor(call, 'storage.bucket.list')
      return json(await listBuckets(parts, actor, readQuery(call.context.url.searchParams, listing)))
    },
  },
  {
    method: 'GET',
    alsoHead: true,
    pattern: '/bucket/:bucket',
    async answer(call) {
      const { type: _type, ...bucket } = await getBucket(parts, getActor(call, 'storage.bucket.get'), idOf(call.params))
      return json(bucket)
    },
  },
  {
    method: 'PUT',
    pattern: '/bucket/:bucket',
    async answer(call) {
      const actor = getActor(call, 'storage.bucket.update')
      const { public: isPublic, file_size_limit: fileSizeLimit, allowed_mime_types: allowedMimeTypes } = await readJson(call.request, changes)
      await updateBucket(parts, actor, { id: idOf(call.params), public: isPublic, fileSizeLimit, allowedMimeTypes })
      return said('Successfully updated')
    },
  },
  {
    method: 'POST',
    pattern: '/bucket/:bucket/empty',
    async answer(call) {
      await emptyBucket(parts, getServiceActor(call, 'storage.bucket.empty'), idOf(call.params))
      return said('Empty bucket has been queued. Completion may take up to an hour.')
    },
  },
  {
    method: 'DELETE',
    pattern: '/bucket/:bucket',
    async answer(call) {
      await deleteBucket(parts, getActor(call, 'storage.bucket.delete'), idOf(call.params))
      return said('Successfully deleted')
    },
  },
]
