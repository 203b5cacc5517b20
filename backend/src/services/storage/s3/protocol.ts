import { join } from 'node:path'
import { ServiceError } from '#contract/service-error.ts'
import type { RequestContext } from '#contract/service.ts'
import { actorOf } from '#services/storage/actor.ts'
import type { StorageParts } from '#services/storage/parts.ts'
import type { StorageProtocol } from '#services/storage/protocols.ts'
import { authenticate, type AuthenticationDeps } from './authenticate.ts'
import { createBucket, deleteBucket, getBucketLocation, getBucketVersioning, headBucket, listBuckets } from './bucket-operations.ts'
import type { Operation, S3Parts } from './call.ts'
import { invalidRequest, noSuchRoute, notImplemented } from './errors.ts'
import { listObjects, listObjectsV2 } from './listing.ts'
import { forgetOldMultiparts } from './multipart.ts'
import {
  abortMultipartUpload, completeMultipartUpload, createMultipartUpload, listMultipartUploads, listParts, uploadPart, uploadPartCopy,
} from './multipart-operations.ts'
import { copyObject, deleteObject, deleteObjects, getObject, getObjectTagging, headObject, putObject } from './object-operations.ts'
import { openPartFiles } from './part-files.ts'
import { postObject } from './post-object.ts'
import type { S3Access } from './settings.ts'
import { writeXml } from './xml.ts'

const root = '/s3'

interface OperationRule {
  method: string
  on: 'service' | 'bucket' | 'object'
  /** Names the query must hold. */
  query?: readonly string[]
  header?: string
  /** What `storage.operation()` tells policies, after `storage.s3.`. */
  operation: string
  run: Operation
}

// The first that fits, so the more exact ones stand first. @see supabase/storage src/http/routes/s3/commands/
const operations: readonly OperationRule[] = [
  { method: 'GET', on: 'service', operation: 'bucket.list', run: listBuckets },
  { method: 'PUT', on: 'bucket', operation: 'bucket.create', run: createBucket },
  { method: 'HEAD', on: 'bucket', operation: 'bucket.head', run: headBucket },
  { method: 'DELETE', on: 'bucket', operation: 'bucket.delete', run: deleteBucket },
  { method: 'GET', on: 'bucket', query: ['location'], operation: 'bucket.get_location', run: getBucketLocation },
  { method: 'GET', on: 'bucket', query: ['versioning'], operation: 'bucket.get_versioning', run: getBucketVersioning },
  { method: 'GET', on: 'bucket', query: ['uploads'], operation: 'upload.list_multipart', run: listMultipartUploads },
  { method: 'GET', on: 'bucket', query: ['list-type'], operation: 'object.list', run: listObjectsV2 },
  { method: 'GET', on: 'bucket', operation: 'object.list', run: listObjects },
  { method: 'POST', on: 'bucket', query: ['delete'], operation: 'object.delete_many', run: deleteObjects },
  { method: 'PUT', on: 'object', query: ['partNumber', 'uploadId'], header: 'x-amz-copy-source', operation: 'upload.part_copy', run: uploadPartCopy },
  { method: 'PUT', on: 'object', query: ['partNumber', 'uploadId'], operation: 'upload.part', run: uploadPart },
  { method: 'PUT', on: 'object', header: 'x-amz-copy-source', operation: 'object.copy', run: copyObject },
  { method: 'PUT', on: 'object', operation: 'upload', run: putObject },
  { method: 'POST', on: 'object', query: ['uploads'], operation: 'upload.create_multipart', run: createMultipartUpload },
  { method: 'POST', on: 'object', query: ['uploadId'], operation: 'upload.complete_multipart', run: completeMultipartUpload },
  { method: 'DELETE', on: 'object', query: ['uploadId'], operation: 'upload.abort_multipart', run: abortMultipartUpload },
  { method: 'DELETE', on: 'object', operation: 'object.delete', run: deleteObject },
  { method: 'GET', on: 'object', query: ['uploadId'], operation: 'upload.list_parts', run: listParts },
  { method: 'GET', on: 'object', query: ['tagging'], operation: 'object.get_tagging', run: getObjectTagging },
  { method: 'GET', on: 'object', operation: 'object.get', run: getObject },
  { method: 'HEAD', on: 'object', operation: 'object.info', run: headObject },
]

// Sub-resources that are not served. Without this list a request to set an object's rights would be taken for the object.
const unserved = new Set([
  'accelerate', 'acl', 'analytics', 'attributes', 'cors', 'encryption', 'intelligent-tiering', 'inventory', 'legal-hold', 'lifecycle', 'logging', 'metrics',
  'notification', 'object-lock', 'ownershipControls', 'policy', 'policyStatus', 'publicAccessBlock', 'replication', 'requestPayment', 'restore', 'retention',
  'select', 'session', 'tagging', 'torrent', 'versioning', 'versionId', 'versions', 'website',
])

interface Place {
  on: OperationRule['on']
  bucketId: string
  name: string
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidRequest('The request URL is not well encoded')
  }
}

/** Where a path leads; undefined for one that is not of this protocol. */
function readPlace(path: string): Place | undefined {
  if (path !== root && !path.startsWith(`${root}/`)) return undefined
  const below = path.slice(root.length + 1)
  const slash = below.indexOf('/')
  const [bucket, key] = slash < 0 ? [below, ''] : [below.slice(0, slash), below.slice(slash + 1)]
  return { on: bucket === '' ? 'service' : key === '' ? 'bucket' : 'object', bucketId: decode(bucket), name: decode(key) }
}

function findRule(request: Request, { on }: Place, query: URLSearchParams): OperationRule {
  const fits = ({ query: names = [], header, ...rule }: OperationRule) =>
    rule.method === request.method && rule.on === on && names.every((name) => query.has(name)) && (header === undefined || request.headers.has(header) || query.has(header))
  const rule = operations.find(fits)
  if ([...query.keys()].some((name) => unserved.has(name) && rule?.query?.includes(name) !== true)) throw notImplemented()
  if (!rule) throw noSuchRoute()
  return rule
}

const resourceOf = ({ path }: RequestContext): string => path.slice(root.length).split('/').filter((part) => part !== '').join('/')

// What is wrong is told in XML with its true status: that is what clients of this protocol decide by.
function render(error: unknown, request: Request, context: RequestContext): Response {
  const isExpected = error instanceof ServiceError
  if (!isExpected || error.status >= 500) context.log.error('S3 request failed', { error })
  const { status, code, message, headers } = isExpected ? error : { status: 500, code: 'InternalError', message: 'Internal Server Error', headers: {} }
  const body = request.method === 'HEAD' ? null : writeXml('Error', { Resource: resourceOf(context), Code: code, Message: message })
  return new Response(body, { status, headers: { ...headers, 'content-type': 'application/xml; charset=utf-8' } })
}

// Clients show it where they report a failure.
function named(answer: Response, { requestId }: RequestContext): Response {
  answer.headers.set('x-amz-request-id', requestId)
  return answer
}

const isForm = ({ method, headers }: Request): boolean => method === 'POST' && /^multipart\/form-data\b/i.test(headers.get('content-type') ?? '')

/**
 * Serves the S3 protocol at `/s3`, path style, to whoever signs with the project's pair of keys, or with a public key and a user's access token.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */
export function createS3Protocol(storage: StorageParts, access: S3Access): StorageProtocol {
  const { keys, clock, bytes } = storage
  const deps: AuthenticationDeps = { access, clock, publicKeys: [keys.anonKey, keys.publishableKey] }
  let opened: S3Parts | undefined
  const open = async (): Promise<S3Parts> =>
    (opened ??= { storage, region: access.region, partFiles: await openPartFiles(join(bytes.scratchFolder, 'multipart')) })

  const handle = async (request: Request, context: RequestContext, place: Place): Promise<Response> => {
    const parts = await open()
    if (place.on === 'bucket' && isForm(request)) return postObject(request, context, { parts, deps, bucketId: place.bucketId })
    const authenticated = await authenticate(request, context, deps)
    const query = new URL(request.url).searchParams
    const rule = findRule(request, place, query)
    const actor = actorOf(authenticated.caller, `storage.s3.${rule.operation}`)
    return rule.run({ parts, request, context, query, actor, authenticated, address: { bucketId: place.bucketId, name: place.name } })
  }

  return {
    async answer(request, context) {
      try {
        const place = readPlace(context.path)
        return place && named(await handle(request, context, place), context)
      } catch (error) {
        return named(render(error, request, context), context)
      }
    },
    async cleanUp() {
      await forgetOldMultiparts(await open())
    },
  }
}
