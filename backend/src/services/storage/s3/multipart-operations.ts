import { asActor, asService } from '#services/storage/actor.ts'
import { getObject as findObject, openBytes } from '#services/storage/objects.ts'
import { servedFile } from '#services/storage/served-file.ts'
import { userMetadataOf, xmlAnswer, readAmzHeader, type S3Call } from './call.ts'
import { readCopyRange } from './conditions.ts'
import { checkCopyConditions, readCopySource } from './copy-source.ts'
import { invalidParameter, malformedXml, missingContentLength } from './errors.ts'
import { checkBucket, readEncoding, readNumber } from './listing.ts'
import { abortMultipart, beginMultipart, completeMultipart, findMultipart, mostParts, takePart, type NamedPart, type UploadRef } from './multipart.ts'
import { listPartRows, listUploadRows } from './multipart.queries.ts'
import { readFacts } from './object-operations.ts'
import { openBody, readText } from './request-body.ts'
import { childrenOf, readXml, textOf } from './xml.ts'

const refOf = ({ address, query }: S3Call): UploadRef => ({ address, uploadId: query.get('uploadId') ?? '' })

function readPartNumber(text: string | null | undefined): number {
  const number = /^\d{1,5}$/.test(text ?? '') ? Number(text) : 0
  if (number < 1 || number > mostParts) throw invalidParameter('PartNumber')
  return number
}

/** `CreateMultipartUpload` */
export async function createMultipartUpload(call: S3Call): Promise<Response> {
  const { parts, actor, address } = call
  const uploadId = await beginMultipart(parts, actor, { address, facts: readFacts(call), userMetadata: userMetadataOf(call) })
  return xmlAnswer('InitiateMultipartUploadResult', { Bucket: address.bucketId, Key: address.name, UploadId: uploadId })
}

/** `UploadPart` */
export async function uploadPart(call: S3Call): Promise<Response> {
  const { parts, actor, request, authenticated, query } = call
  const { bytes, declaredBytes } = openBody(request, authenticated)
  if (declaredBytes === undefined) throw missingContentLength()
  const etag = await takePart(parts, actor, { ...refOf(call), partNumber: readPartNumber(query.get('partNumber')), source: bytes, sizeBytes: declaredBytes })
  return new Response(null, { headers: { etag } })
}

/** `UploadPartCopy` */
export async function uploadPartCopy(call: S3Call): Promise<Response> {
  const { parts, actor, query } = call
  const partNumber = readPartNumber(query.get('partNumber'))
  const source = await findObject(parts.storage, actor, readCopySource(call))
  checkCopyConditions(call, source)
  const wholeBytes = servedFile(source).sizeBytes ?? 0
  const wanted = readAmzHeader(call, 'x-amz-copy-source-range')
  const range = wanted === undefined ? undefined : readCopyRange(wanted, wholeBytes)
  await findMultipart(parts, actor, refOf(call))
  const { body } = await openBytes(parts.storage, source, range)
  const sizeBytes = range ? range.last - range.first + 1 : wholeBytes
  const etag = await takePart(parts, actor, { ...refOf(call), partNumber, source: body, sizeBytes }).catch(async (error: unknown) => {
    await body.cancel().catch(() => undefined)
    throw error
  })
  return xmlAnswer('CopyPartResult', { ETag: etag, LastModified: new Date().toISOString() })
}

// Ten thousand parts with their checksums.
const mostXmlBytes = 4 * 1024 * 1024

function readNamedParts(text: string): NamedPart[] {
  if (text.trim() === '') return []
  const root = readXml(text)
  if (root.name !== 'CompleteMultipartUpload') throw malformedXml('The XML you provided was not well-formed or did not validate against our published schema')
  return childrenOf(root, 'Part').map((part) => ({ partNumber: readPartNumber(textOf(part, 'PartNumber')), etag: textOf(part, 'ETag') ?? '' }))
}

/** `CompleteMultipartUpload` */
export async function completeMultipartUpload(call: S3Call): Promise<Response> {
  const { parts, actor, request, authenticated, address, context } = call
  const named = readNamedParts(await readText(openBody(request, authenticated), mostXmlBytes))
  const row = await completeMultipart(parts, actor, { ...refOf(call), named })
  return xmlAnswer('CompleteMultipartUploadResult', {
    Location: `${context.origin}${context.url.pathname}`,
    Bucket: address.bucketId,
    Key: address.name,
    ETag: servedFile(row).eTag,
  })
}

/** `AbortMultipartUpload` */
export async function abortMultipartUpload(call: S3Call): Promise<Response> {
  await abortMultipart(call.parts, call.actor, refOf(call))
  return new Response(null, { status: 204 })
}

/** `ListParts` */
export async function listParts(call: S3Call): Promise<Response> {
  const { parts, actor, address, query } = call
  const { uploadId } = refOf(call)
  await findMultipart(parts, actor, { uploadId, address })
  const [after, most] = [readNumber(query, 'part-number-marker', { most: mostParts }), readNumber(query, 'max-parts')]
  const marker = query.has('part-number-marker') ? after : 0
  const found = await asActor(parts.storage, asService(actor), (tx) => listPartRows(tx, uploadId, { after: marker, limit: most + 1 }))
  const shown = found.slice(0, most)
  const isTruncated = found.length > most
  return xmlAnswer('ListPartsResult', {
    Bucket: address.bucketId,
    Key: address.name,
    UploadId: uploadId,
    PartNumberMarker: marker,
    NextPartNumberMarker: isTruncated ? shown.at(-1)?.part_number : undefined,
    MaxParts: most,
    IsTruncated: isTruncated,
    Part: shown.map((part) => ({ PartNumber: part.part_number, LastModified: part.created_at, ETag: part.etag, Size: part.size })),
  })
}

/** `ListMultipartUploads`: those the actor may see. */
export async function listMultipartUploads(call: S3Call): Promise<Response> {
  const { parts, actor, address: { bucketId }, query } = call
  await checkBucket(parts.storage, actor, bucketId)
  const encode = readEncoding(query)
  const most = readNumber(query, 'max-uploads', { least: 1 })
  const [prefix, delimiter, afterKey, afterId] = ['prefix', 'delimiter', 'key-marker', 'upload-id-marker'].map((name) => query.get(name) ?? '') as [string, string, string, string]
  const found = await asActor(parts.storage, actor, (tx) => listUploadRows(tx, { bucketId, prefix, delimiter, afterKey, afterId, limit: most + 1 }))
  const shown = found.slice(0, most)
  const last = found.length > most ? shown.at(-1) : undefined
  return xmlAnswer('ListMultipartUploadsResult', {
    Bucket: bucketId,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    KeyMarker: encode(afterKey),
    UploadIdMarker: afterId,
    NextKeyMarker: last && encode(last.entry),
    NextUploadIdMarker: last?.id ?? undefined,
    MaxUploads: most,
    EncodingType: query.get('encoding-type') ?? undefined,
    IsTruncated: last !== undefined,
    Upload: shown.filter(({ id }) => id !== null).map(({ entry, id, created_at: createdAt }) => ({ Key: encode(entry), UploadId: id ?? '', Initiated: createdAt ?? undefined, StorageClass: 'STANDARD' })),
    CommonPrefixes: shown.filter(({ id }) => id === null).map(({ entry }) => ({ Prefix: encode(entry) })),
  })
}
