import { join } from 'node:path'
import type { RequestContext } from '#contract/service.ts'
import { ServiceError } from '#contract/service-error.ts'
import type { Actor } from '#services/storage/actor.ts'
import { anybody, getActor } from '#services/storage/authenticate.ts'
import type { ObjectAddress } from '#services/storage/bytes/blob-key.ts'
import { signatureInvalid } from '#services/storage/errors.ts'
import { verifyLink } from '#services/storage/links.ts'
import type { StorageParts } from '#services/storage/parts.ts'
import type { StorageProtocol } from '#services/storage/protocols.ts'
import { metadataRequired } from './errors.ts'
import { openPartialUploads, type PartialUpload } from './partial-uploads.ts'
import { checkVersion, readBeginning, readContinuation, readMethod, tusVersion } from './tus-request.ts'
import { readUploadId, writeUploadId, type UploadId } from './upload-id.ts'
import { createUploadLocks } from './upload-locks.ts'
import { writeUploadMetadata } from './upload-metadata.ts'
import { beginUpload, continueUpload, endUpload, expiresAt, findUpload, lifetimeMs, type TusParts, type Uploader } from './uploads.ts'

const root = '/upload/resumable'

/** A request to one of the paths of this protocol. */
interface TusCall {
  request: Request
  context: RequestContext
  /** Below `/upload/resumable/sign`: an upload link gives the right. */
  isSigned: boolean
  /** The last part of the path; undefined for the collection. */
  id: string | undefined
  method: string
  /** Who asks; below `sign` anybody may. */
  actor: Actor
}

const operations: Readonly<Record<string, string>> = {
  OPTIONS: 'storage.tus.options',
  HEAD: 'storage.tus.upload.get',
  POST: 'storage.tus.upload.create',
  PATCH: 'storage.tus.upload.part',
  DELETE: 'storage.tus.upload.delete',
}

function findActor(request: Request, context: RequestContext, { isSigned, method }: { isSigned: boolean; method: string }): Actor {
  const call = { request, context, params: {} }
  const operation = `${operations[method] ?? ''}${isSigned ? '_signed' : ''}`
  return isSigned || method === 'OPTIONS' ? anybody(call, operation) : getActor(call, operation)
}

function readCall(request: Request, context: RequestContext): TusCall | undefined {
  if (context.path !== root && !context.path.startsWith(`${root}/`)) return undefined
  const [first = '', ...rest] = context.path.slice(root.length + 1).split('/')
  const isSigned = first === 'sign'
  const [id = '', ...more] = isSigned ? rest : [first, ...rest]
  if (more.some((part) => part !== '')) return undefined
  const method = readMethod(request)
  return { request, context, isSigned, id: id === '' ? undefined : id, method, actor: findActor(request, context, { isSigned, method }) }
}

// An upload link was asked of the policies when it was made, and is for one object.
function uploaderOf({ request, isSigned, actor }: TusCall, { storage }: TusParts, address: ObjectAddress): Uploader {
  if (!isSigned) return { actor, isUpsert: request.headers.get('x-upsert') === 'true', hasLink: false }
  const token = request.headers.get('x-signature')
  if (!token) throw signatureInvalid('Missing x-signature header')
  const { upsert, owner } = verifyLink(storage, token, { scope: 'upload', address })
  return { actor: { ...actor, ...(owner === undefined ? {} : { ownerId: owner }) }, isUpsert: upsert, hasLink: true }
}

const uploaderTo = (call: TusCall, parts: TusParts, { bucketId, objectName }: UploadId): Uploader => uploaderOf(call, parts, { bucketId, name: objectName })

const answer = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers: { 'tus-resumable': tusVersion, ...headers } })

const expiry = (upload: PartialUpload): Record<string, string> => (upload.isComplete ? {} : { 'upload-expires': new Date(expiresAt(upload)).toUTCString() })

function describe({ storage }: TusParts): Response {
  return answer(204, {
    'tus-version': tusVersion,
    'tus-extension': 'creation,creation-with-upload,creation-defer-length,termination,expiration',
    'tus-max-size': String(storage.settings.fileSizeLimitBytes),
  })
}

async function begin(parts: TusParts, call: TusCall): Promise<Response> {
  const { request, context, isSigned } = call
  const { sizeBytes, metadata, delivery } = readBeginning(request)
  if (!metadata) throw metadataRequired()
  const [bucketId, objectName] = [metadata.get('bucketName') ?? '', metadata.get('objectName') ?? '']
  const uploader = uploaderOf(call, parts, { bucketId, name: objectName })
  const upload = await beginUpload(parts, uploader, { bucketId, objectName, sizeBytes, metadata, delivery })
  // The address as this client reached it: a trusted proxy's, or the operator's own.
  const prefix = context.url.pathname.slice(0, context.url.pathname.indexOf(root))
  return answer(201, {
    location: `${context.origin}${prefix}${root}${isSigned ? '/sign' : ''}/${writeUploadId(upload)}`,
    ...(delivery || upload.isComplete ? { 'upload-offset': String(upload.offsetBytes) } : {}),
    ...expiry(upload),
  })
}

async function tell(parts: TusParts, call: TusCall, id: UploadId): Promise<Response> {
  if (call.isSigned) uploaderTo(call, parts, id)
  const upload = await findUpload(parts, id)
  return new Response(null, {
    status: 200,
    headers: {
      'tus-resumable': tusVersion,
      'cache-control': 'no-store',
      'upload-offset': String(upload.offsetBytes),
      ...(upload.sizeBytes === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(upload.sizeBytes) }),
      ...(upload.metadata.length === 0 ? {} : { 'upload-metadata': writeUploadMetadata(upload.metadata) }),
      ...expiry(upload),
    },
  })
}

async function goOn(parts: TusParts, call: TusCall, id: UploadId): Promise<Response> {
  const more = readContinuation(call.request)
  const upload = await continueUpload(parts, uploaderTo(call, parts, id), { id, ...more })
  return answer(204, { 'upload-offset': String(upload.offsetBytes), ...expiry(upload), ...(upload.isComplete ? { 'tus-complete': '1' } : {}) })
}

async function handle(parts: TusParts, call: TusCall): Promise<Response> {
  const { method } = call
  if (method === 'OPTIONS') return describe(parts)
  checkVersion(call.request)
  if (call.id === undefined) return method === 'POST' ? begin(parts, call) : textOf(404, 'Not found\n')
  const id = readUploadId(call.id)
  if (method === 'HEAD') return tell(parts, call, id)
  if (method === 'PATCH') return goOn(parts, call, id)
  if (method !== 'DELETE') return textOf(404, 'Not found\n')
  await endUpload(parts, uploaderTo(call, parts, id), id)
  return answer(204)
}

const textOf = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'tus-resumable': tusVersion, ...headers } })

// Failures are told in plain words with their true status: that is what clients of this protocol decide by.
function render(error: unknown, { context, request }: TusCall): Response {
  const isExpected = error instanceof ServiceError
  if (!isExpected) context.log.error('resumable upload failed', { error })
  const told = isExpected ? textOf(error.status, error.message, error.headers) : textOf(500, 'Something went wrong with that request\n')
  return request.method === 'HEAD' ? new Response(null, told) : told
}

/**
 * Serves resumable uploads at `/upload/resumable`. Parts lie in a folder of their own beside the objects, until the last byte has come.
 *
 * @see https://tus.io/protocols/resumable-upload
 */
export function createTusProtocol(storage: StorageParts): StorageProtocol {
  const locks = createUploadLocks()
  let opened: TusParts | undefined
  const open = async (): Promise<TusParts> =>
    (opened ??= { storage, locks, uploads: await openPartialUploads(join(storage.bytes.scratchFolder, 'uploads')) })
  return {
    async answer(request, context) {
      // A token that is not accepted is told in the JSON API's words, as the hosted backend does.
      const call = readCall(request, context)
      if (!call) return undefined
      try {
        return await handle(await open(), call)
      } catch (error) {
        return render(error, call)
      }
    },
    async cleanUp() {
      const { uploads } = await open()
      await uploads.removeOlder(storage.clock.now() - lifetimeMs, locks.isHeld)
    },
  }
}
