import { asActor, asService, type Actor } from '#services/storage/actor.ts'
import { findBucketRow } from '#services/storage/buckets.queries.ts'
import { bucketNotFound } from '#services/storage/errors.ts'
import type { StorageParts } from '#services/storage/parts.ts'
import { xmlAnswer, type S3Call } from './call.ts'
import { invalidParameter } from './errors.ts'
import { lastCharacter, listEntries, type ListedEntry } from './listing.queries.ts'
import { encodeStrictly } from './signature.ts'
import type { XmlElements } from './xml.ts'

const mostKeys = 1000

/** @throws `InvalidParameter` (400). */
export function readNumber(query: URLSearchParams, name: string, { least = 0, most = mostKeys }: { least?: number; most?: number } = {}): number {
  const text = query.get(name)
  if (text === null || text === '') return most
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) throw invalidParameter(name)
  return Math.min(Number(text), most)
}

/** Names with signs that XML cannot hold may be asked for in percent-encoding. */
export function readEncoding(query: URLSearchParams): (text: string) => string {
  const encoding = query.get('encoding-type')
  if (encoding !== null && encoding !== 'url') throw invalidParameter('encoding-type')
  return encoding === 'url' ? encodeStrictly : (text) => text
}

/** @throws `NoSuchBucket` (404), whoever asks. */
export async function checkBucket(storage: StorageParts, actor: Actor, bucketId: string): Promise<void> {
  if (!(await asActor(storage, asService(actor), (tx) => findBucketRow(tx, bucketId)))) throw bucketNotFound()
}

interface Page {
  entries: readonly ListedEntry[]
  isTruncated: boolean
  /** The last entry; undefined when there is none. */
  last: string | undefined
}

interface Question {
  prefix: string
  delimiter: string
  maxKeys: number
  /** Names after this one. */
  after: string
  /** Whether `after` was our own last entry: behind a folder is then behind all that is in it. */
  isOwnMark: boolean
}

async function readPage({ parts, actor, address: { bucketId } }: S3Call, { prefix, delimiter, maxKeys, after, isOwnMark }: Question): Promise<Page> {
  await checkBucket(parts.storage, actor, bucketId)
  if (maxKeys === 0) return { entries: [], isTruncated: false, last: undefined }
  const isFolder = isOwnMark && delimiter !== '' && after.length > prefix.length && after.endsWith(delimiter)
  const listing = { bucketId, prefix, delimiter, after: isFolder ? after + lastCharacter : after, limit: maxKeys + 1 }
  const found = await asActor(parts.storage, actor, (tx) => listEntries(tx, listing))
  const entries = found.slice(0, maxKeys)
  return { entries, isTruncated: found.length > maxKeys, last: entries.at(-1)?.entry }
}

const describeEntries = ({ entries }: Page, encode: (text: string) => string): XmlElements => ({
  Contents: entries.filter(({ is_folder: isFolder }) => !isFolder).map((object) => ({
    Key: encode(object.entry),
    LastModified: String(object.updated_at),
    ETag: object.e_tag ?? '',
    Size: object.size ?? 0,
    StorageClass: 'STANDARD',
  })),
  CommonPrefixes: entries.filter(({ is_folder: isFolder }) => isFolder).map(({ entry }) => ({ Prefix: encode(entry) })),
})

// The hosted tokens look the same, and hold the last name too.
const writeToken = (last: string): string => Buffer.from(`l:${last}`).toString('base64')

function readToken(token: string): string {
  const text = Buffer.from(token, 'base64').toString('utf8')
  if (!text.startsWith('l:')) throw invalidParameter('continuation-token')
  return text.slice(2)
}

const optional = (text: string): string | undefined => (text === '' ? undefined : text)

/** `ListObjectsV2` */
export async function listObjectsV2(call: S3Call): Promise<Response> {
  const { query, address } = call
  const encode = readEncoding(query)
  const token = query.get('continuation-token')
  const startAfter = query.get('start-after') ?? ''
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const maxKeys = readNumber(query, 'max-keys')
  const page = await readPage(call, { prefix, delimiter, maxKeys, after: token === null ? startAfter : readToken(token), isOwnMark: token !== null })
  return xmlAnswer('ListBucketResult', {
    Name: address.bucketId,
    Prefix: encode(prefix),
    Delimiter: optional(encode(delimiter)),
    StartAfter: optional(encode(startAfter)),
    EncodingType: query.get('encoding-type') ?? undefined,
    MaxKeys: maxKeys,
    KeyCount: page.entries.length,
    IsTruncated: page.isTruncated,
    ContinuationToken: token ?? undefined,
    NextContinuationToken: page.isTruncated && page.last !== undefined ? writeToken(page.last) : undefined,
    ...describeEntries(page, encode),
  })
}

/** `ListObjects`, the first version. */
export async function listObjects(call: S3Call): Promise<Response> {
  const { query, address } = call
  const encode = readEncoding(query)
  const marker = query.get('marker') ?? ''
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const maxKeys = readNumber(query, 'max-keys')
  const page = await readPage(call, { prefix, delimiter, maxKeys, after: marker, isOwnMark: true })
  return xmlAnswer('ListBucketResult', {
    Name: address.bucketId,
    Prefix: encode(prefix),
    Marker: encode(marker),
    // Without a delimiter the last key is the next mark, and clients know it.
    NextMarker: page.isTruncated && delimiter !== '' && page.last !== undefined ? encode(page.last) : undefined,
    Delimiter: optional(encode(delimiter)),
    EncodingType: query.get('encoding-type') ?? undefined,
    MaxKeys: maxKeys,
    IsTruncated: page.isTruncated,
    ...describeEntries(page, encode),
  })
}
