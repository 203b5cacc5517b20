import { ServiceError } from '#contract/service-error.ts'
import { asActor, asService } from '#services/storage/actor.ts'
import { objectExists, objectNotFound, requestInvalid } from '#services/storage/errors.ts'
import { isObjectName } from '#services/storage/names.ts'
import { listObjectNames } from '#services/storage/objects.queries.ts'
import { copyObject as makeCopy, getObject as findObject, openObject, removeObject, removeObjects } from '#services/storage/objects.ts'
import { parseRange } from '#services/storage/range.ts'
import { isHeaderText } from '#services/storage/upload-body.ts'
import { fileReply, servedFile } from '#services/storage/served-file.ts'
import { checkMimeType, checkSize, getUploadLimits, limitBytes } from '#services/storage/upload-limits.ts'
import { checkUpload, storeObject, type FileFacts, type UploadPlan } from '#services/storage/upload.ts'
import type { ObjectRow, UserMetadata } from '#services/storage/wire.ts'
import { readAmzHeader, userMetadataOf, xmlAnswer, type S3Call } from './call.ts'
import { judgeConditions, type Conditions } from './conditions.ts'
import { checkCopyConditions, readCopySource } from './copy-source.ts'
import { invalidParameter, malformedXml, preconditionFailed } from './errors.ts'
import { checkBucket } from './listing.ts'
import { openBody, readText } from './request-body.ts'
import { childrenOf, readXml, textOf } from './xml.ts'

/** What the headers of a write say of the file; what they leave out is filled in. */
export function readFacts(call: S3Call): FileFacts {
  const { headers } = call.request
  const facts = { mimeType: headers.get('content-type') || 'application/octet-stream', cacheControl: headers.get('cache-control') ?? 'no-cache' }
  if (![facts.mimeType, facts.cacheControl].every(isHeaderText)) throw requestInvalid('Invalid header')
  return facts
}

// Tools make a folder as an object of no bytes whose name ends with a slash.
const nameOf = ({ address: { name } }: S3Call, sizeBytes: number | undefined): string =>
  name.endsWith('/') && sizeBytes === 0 ? `${name}.emptyFolderPlaceholder` : name

// Nothing may be there yet: the write itself sees to that, since of two that look at once both would find nothing.
const isCreation = ({ headers }: Request): boolean => headers.get('if-none-match')?.trim() === '*'

async function checkUnwritten({ request, parts, actor }: S3Call, plan: UploadPlan): Promise<void> {
  const { headers } = request
  const [ifMatch, ifNoneMatch] = [headers.get('if-match') ?? undefined, isCreation(request) ? undefined : (headers.get('if-none-match') ?? undefined)]
  if (ifMatch === undefined && ifNoneMatch === undefined) return
  // Whoever may not write here learns nothing of what is here.
  await checkUpload(parts.storage, actor, plan)
  const current = await findObject(parts.storage, asService(actor), plan.address).catch(undefinedIfMissing)
  const isMet = current
    ? judgeConditions({ ifMatch, ifNoneMatch, ifModifiedSince: undefined, ifUnmodifiedSince: undefined }, servedFile(current)) === 'holds'
    : ifMatch === undefined
  if (!isMet) throw preconditionFailed()
}

function failedIfTaken(error: unknown): never {
  throw error instanceof ServiceError && error.code === objectExists().code ? preconditionFailed() : error
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === objectNotFound().code) return undefined
  throw error
}

/** `PutObject` */
export async function putObject(call: S3Call): Promise<Response> {
  const { parts, actor, address, request, authenticated } = call
  const body = openBody(request, authenticated)
  const target = { ...address, name: nameOf(call, body.declaredBytes) }
  const limits = await getUploadLimits(parts.storage, actor, target)
  const facts = readFacts(call)
  checkSize(body.declaredBytes, limits)
  checkMimeType(facts.mimeType, limits)
  const plan = { address: target, isUpsert: true, userMetadata: userMetadataOf(call), mimeType: facts.mimeType, sizeBytes: body.declaredBytes }
  await checkUnwritten(call, plan)
  const upload = { ...plan, isUpsert: !isCreation(request), facts, source: limitBytes(body.bytes, limits.maxBytes) }
  const row = await storeObject(parts.storage, actor, upload).catch(failedIfTaken)
  return new Response(null, { headers: { etag: servedFile(row).eTag ?? '' } })
}

const isPrintable = (text: string): boolean => /^[\u0020-\u007e]*$/.test(text)

// Values that no header can carry are counted, as Amazon does.
function metadataHeaders(metadata: UserMetadata | null): Record<string, string> {
  const headers: Record<string, string> = {}
  let missing = 0
  for (const [name, value] of Object.entries(metadata ?? {})) {
    if (typeof value === 'string' && isPrintable(value) && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) headers[`x-amz-meta-${name.toLowerCase()}`] = value
    else missing += 1
  }
  return missing === 0 ? headers : { ...headers, 'x-amz-missing-meta': String(missing) }
}

// A signed URL may be opened in a browser, on the origin of the app: whatever type it claims, nothing in it runs.
const harmless = { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }

function describeObject(row: ObjectRow): Headers {
  const { eTag, cacheControl, mimeType, lastModified } = servedFile(row)
  const headers = new Headers({ ...harmless, ...metadataHeaders(row.user_metadata), 'accept-ranges': 'bytes', 'content-type': mimeType })
  if (eTag !== undefined) headers.set('etag', eTag)
  if (cacheControl !== undefined) headers.set('cache-control', cacheControl)
  const changedAt = lastModified ?? new Date(row.updated_at)
  if (!Number.isNaN(changedAt.getTime())) headers.set('last-modified', changedAt.toUTCString())
  return headers
}

const overridable = ['content-disposition', 'content-type', 'cache-control', 'content-encoding', 'content-language', 'expires'] as const

function override(headers: Headers, query: URLSearchParams): void {
  for (const name of overridable) {
    const value = query.get(`response-${name}`)
    if (value === null) continue
    if (!isHeaderText(value)) throw invalidParameter(`response-${name}`)
    const date = name === 'expires' ? new Date(value) : undefined
    if (date && Number.isNaN(date.getTime())) throw invalidParameter('response-expires')
    headers.set(name, date ? date.toUTCString() : value)
  }
}

const conditionsOf = ({ headers }: Request): Conditions => ({
  ifMatch: headers.get('if-match') ?? undefined,
  ifNoneMatch: headers.get('if-none-match') ?? undefined,
  ifModifiedSince: headers.get('if-modified-since') ?? undefined,
  ifUnmodifiedSince: headers.get('if-unmodified-since') ?? undefined,
})

/** Judges the request's conditions and gives the object's headers; a response is the answer to them. */
function describeAsAsked({ request }: S3Call, row: ObjectRow): Headers | Response {
  const headers = describeObject(row)
  const verdict = judgeConditions(conditionsOf(request), servedFile(row))
  if (verdict === 'failed') throw preconditionFailed()
  if (verdict === 'holds') return headers
  headers.delete('content-type')
  return new Response(null, { status: 304, headers })
}

/** `HeadObject` */
export async function headObject(call: S3Call): Promise<Response> {
  const { parts, actor, address } = call
  const row = await findObject(parts.storage, actor, address)
  const headers = describeAsAsked(call, row)
  if (headers instanceof Response) return headers
  headers.set('content-length', String(servedFile(row).sizeBytes ?? 0))
  return new Response(null, { headers })
}

class Answered extends Error {
  readonly answer: Response

  constructor(answer: Response) {
    super('answered')
    this.answer = answer
  }
}

/** `GetObject`; one that is replaced just then is looked at again. */
export async function getObject(call: S3Call): Promise<Response> {
  const { parts, actor, address, request, query } = call
  let headers = new Headers()
  const chooseRange = (row: ObjectRow, sizeBytes: number) => {
    const described = describeAsAsked(call, row)
    if (described instanceof Response) throw new Answered(described)
    headers = described
    override(headers, query)
    const wanted = request.headers.get('range')
    return wanted === null ? undefined : parseRange(wanted, sizeBytes)
  }
  try {
    const { range, opened } = await openObject(parts.storage, actor, { address, chooseRange })
    return fileReply(opened.body, headers, { range, sizeBytes: opened.sizeBytes })
  } catch (error) {
    if (error instanceof Answered) return error.answer
    throw error
  }
}

/** `GetObjectTagging`: there are no tags. */
export async function getObjectTagging({ parts, actor, address }: S3Call): Promise<Response> {
  await findObject(parts.storage, actor, address)
  return xmlAnswer('Tagging', { TagSet: '' })
}

/** `CopyObject` */
export async function copyObject(call: S3Call): Promise<Response> {
  const { parts, actor, address, request: { headers } } = call
  const from = readCopySource(call)
  const directive = readAmzHeader(call, 'x-amz-metadata-directive') ?? 'COPY'
  if (directive !== 'COPY' && directive !== 'REPLACE') throw invalidParameter('MetadataDirective')
  checkCopyConditions(call, await findObject(parts.storage, actor, from))
  const facts = readFacts(call)
  const isReplaced = directive === 'REPLACE'
  if (isReplaced) checkMimeType(facts.mimeType, await getUploadLimits(parts.storage, actor, address))
  const row = await makeCopy(parts.storage, actor, {
    from,
    to: address,
    isUpsert: true,
    ...(isReplaced
      ? { replace: { metadata: { cacheControl: headers.get('cache-control') ?? undefined, mimetype: headers.get('content-type') ?? undefined }, userMetadata: userMetadataOf(call), forgetUnnamed: true } }
      : {}),
  })
  const { eTag, lastModified } = servedFile(row)
  return xmlAnswer('CopyObjectResult', { ETag: eTag, LastModified: lastModified?.toISOString() })
}

/** `DeleteObject`: one that is not there is as good as deleted. */
export async function deleteObject({ parts, actor, address }: S3Call): Promise<Response> {
  try {
    await removeObject(parts.storage, actor, address)
  } catch (error) {
    undefinedIfMissing(error)
    await checkBucket(parts.storage, actor, address.bucketId)
  }
  return new Response(null, { status: 204 })
}

const mostDeleted = 1000
const mostXmlBytes = 4 * 1024 * 1024

/** `DeleteObjects` */
export async function deleteObjects({ parts, actor, address: { bucketId }, request, authenticated }: S3Call): Promise<Response> {
  const root = readXml(await readText(openBody(request, authenticated), mostXmlBytes))
  const keys = root.name === 'Delete' ? childrenOf(root, 'Object').map((object) => textOf(object, 'Key')) : []
  if (keys.length === 0 || keys.length > mostDeleted) throw malformedXml('The XML you provided was not well-formed or did not validate against our published schema')
  const names = keys.filter((key): key is string => key !== undefined && isObjectName(key))
  await checkBucket(parts.storage, actor, bucketId)
  const removed = new Set((await removeObjects(parts.storage, actor, { bucketId, names })).map(({ name }) => name))
  const kept = names.filter((name) => !removed.has(name))
  const standing = new Set((await asActor(parts.storage, asService(actor), (tx) => listObjectNames(tx, bucketId, kept))).map(({ name }) => name))
  const isGone = (key: string | undefined) => key !== undefined && !standing.has(key)
  return xmlAnswer('DeleteResult', {
    Deleted: textOf(root, 'Quiet') === 'true' ? [] : keys.filter(isGone).map((Key) => ({ Key })),
    Error: keys.filter((key) => !isGone(key)).map((Key) => ({ Key, Code: 'AccessDenied', Message: 'Access Denied' })),
  })
}
