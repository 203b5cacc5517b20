import { asService, onceAsActor, type Actor } from './actor.ts'
import { anybody, findActor, getActor } from './authenticate.ts'
import { findBucketRow } from './buckets.queries.ts'
import type { ObjectAddress } from './bytes/blob-key.ts'
import { bucketNotFound, requestInvalid } from './errors.ts'
import { describeTransformation, transformation } from './images/transformation.ts'
import { addressIn } from './object-routes.ts'
import { getObject, openObject } from './objects.ts'
import type { StorageParts } from './parts.ts'
import { json } from './reply.ts'
import { parseRange } from './range.ts'
import type { Call, Route } from './router.ts'
import { fileHeaders, fileReply, isUnchanged, servedFile, wantsRange, wouldRun, type ReplyFacts } from './served-file.ts'
import { readQuery } from './shape.ts'
import type { ObjectRow } from './wire.ts'

class Unchanged extends Error {
  readonly row: ObjectRow

  constructor(row: ObjectRow) {
    super('unchanged')
    this.row = row
  }
}

/** Serves an object's bytes to an actor, whole or in part, or says that they are as known. */
export async function fileOf(parts: StorageParts, actor: Actor, { call, address, reply }: { call: Call; address: ObjectAddress; reply: ReplyFacts }): Promise<Response> {
  const { headers: asked } = call.request
  if (wouldRun(asked)) throw requestInvalid('Files are not served as scripts of the origin they come from')
  const chooseRange = (row: ObjectRow, sizeBytes: number) => {
    const file = servedFile(row)
    if (isUnchanged(asked, file)) throw new Unchanged(row)
    return wantsRange(asked, file) ? parseRange(asked.get('range') ?? '', sizeBytes) : undefined
  }
  try {
    const { row, range, opened } = await openObject(parts, actor, { address, chooseRange })
    return fileReply(opened.body, fileHeaders(servedFile(row), reply), { range, sizeBytes: opened.sizeBytes })
  } catch (error) {
    if (error instanceof Unchanged) return new Response(null, { status: 304, headers: fileHeaders(servedFile(error.row), reply) })
    throw error
  }
}

/**
 * Who reads: anybody what a public bucket holds, the actor what policies let it see of others.
 *
 * @throws `NoSuchBucket` (404) also for whoever may not know of the bucket.
 */
async function readerOf(parts: StorageParts, call: Call, { actor, operation }: { actor: Actor | undefined; operation: string }): Promise<Actor> {
  const { bucketId } = addressIn(call)
  const all = asService(actor ?? anybody(call, operation))
  const bucket = await onceAsActor(parts, all, (tx) => findBucketRow(tx, bucketId))
  if (bucket?.public) return all
  if (!bucket || !actor) throw bucketNotFound()
  return actor
}

const downloadOf = ({ context }: Call): ReplyFacts => ({ download: context.url.searchParams.getAll('download').at(-1) ?? null })

const infoOf = (row: ObjectRow) => {
  const { sizeBytes, mimeType, cacheControl, eTag } = servedFile(row)
  return {
    id: row.id,
    name: row.name,
    version: row.version ?? '',
    bucket_id: row.bucket_id,
    size: sizeBytes ?? null,
    content_type: row.metadata?.mimetype === undefined ? null : mimeType,
    cache_control: cacheControl ?? null,
    etag: eTag ?? null,
    metadata: row.user_metadata,
    last_modified: row.updated_at,
    created_at: row.created_at,
  }
}

const transformationsAsked = ({ context }: Call): string[] => describeTransformation(readQuery(context.url.searchParams, transformation))

function headReply(call: Call, row: ObjectRow): Response {
  const file = servedFile(row)
  const headers = fileHeaders(file, { transformations: transformationsAsked(call) })
  if (isUnchanged(call.request.headers, file)) return new Response(null, { status: 304, headers })
  if (file.sizeBytes !== undefined) headers.set('content-length', String(file.sizeBytes))
  return new Response(null, { status: 200, headers })
}

function infoReply(call: Call, row: ObjectRow): Response {
  const { eTag, cacheControl, lastModified } = servedFile(row)
  const transformations = transformationsAsked(call)
  return json(infoOf(row), {
    headers: {
      ...(eTag === undefined ? {} : { etag: eTag }),
      ...(cacheControl === undefined ? {} : { 'cache-control': cacheControl }),
      ...(lastModified ? { 'last-modified': lastModified.toUTCString() } : {}),
      ...(transformations.length > 0 ? { 'x-transformations': transformations.join(',') } : {}),
    },
  })
}

type Access = 'authenticated' | 'optional' | 'public'

const findReader: Readonly<Record<Access, (call: Call, operation: string) => Actor | undefined>> = {
  authenticated: getActor,
  optional: findActor,
  public: () => undefined,
}

interface Reading {
  access: Access
  operation: string
}

const reading = (parts: StorageParts, { access, operation }: Reading, call: Call): Promise<Actor> =>
  readerOf(parts, call, { actor: findReader[access](call, operation), operation })

/** What one may read is kept by a browser for whoever asked, not for the next one who sits there. */
export function keptFor(access: Access, reply: Response): Response {
  if (access !== 'public') reply.headers.append('vary', 'authorization, apikey')
  return reply
}

const get = (parts: StorageParts, pattern: string, how: Reading): Route => ({
  method: 'GET',
  pattern,
  answer: async (call) => keptFor(how.access, await fileOf(parts, await reading(parts, how, call), { call, address: addressIn(call), reply: downloadOf(call) })),
})

const head = (parts: StorageParts, pattern: string, how: Reading): Route => ({
  method: 'HEAD',
  pattern,
  answer: async (call) => keptFor(how.access, headReply(call, await getObject(parts, await reading(parts, how, call), addressIn(call)))),
})

const info = (parts: StorageParts, pattern: string, how: Reading): Route => ({
  method: 'GET',
  alsoHead: true,
  pattern,
  answer: async (call) => keptFor(how.access, infoReply(call, await getObject(parts, await reading(parts, how, call), addressIn(call)))),
})

/** What reads objects. @see supabase/storage src/http/routes/object/getObject.ts, getPublicObject.ts, getObjectInfo.ts */
export const downloadRoutes = (parts: StorageParts): Route[] => [
  info(parts, '/object/info/public/:bucket/*', { access: 'public', operation: 'storage.object.info_public' }),
  info(parts, '/object/info/authenticated/:bucket/*', { access: 'authenticated', operation: 'object.get_authenticated_info' }),
  info(parts, '/object/info/:bucket/*', { access: 'optional', operation: 'object.get_authenticated_info' }),
  get(parts, '/object/public/:bucket/*', { access: 'public', operation: 'storage.object.get_public' }),
  head(parts, '/object/public/:bucket/*', { access: 'public', operation: 'storage.object.info_public' }),
  get(parts, '/object/authenticated/:bucket/*', { access: 'authenticated', operation: 'storage.object.get_authenticated' }),
  head(parts, '/object/authenticated/:bucket/*', { access: 'authenticated', operation: 'object.head_authenticated_info' }),
  get(parts, '/object/:bucket/*', { access: 'optional', operation: 'storage.object.get_authenticated' }),
  head(parts, '/object/:bucket/*', { access: 'optional', operation: 'object.head_authenticated_info' }),
]
