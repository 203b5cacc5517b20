import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand, CompleteMultipartUploadCommand, CopyObjectCommand, CreateBucketCommand, CreateMultipartUploadCommand, DeleteBucketCommand,
  DeleteObjectCommand, DeleteObjectsCommand, GetBucketLocationCommand, GetBucketVersioningCommand, GetObjectCommand, GetObjectTaggingCommand,
  HeadBucketCommand, HeadObjectCommand, ListBucketsCommand, ListMultipartUploadsCommand, ListObjectsCommand, ListObjectsV2Command, ListPartsCommand,
  PutObjectAclCommand, PutObjectCommand, UploadPartCommand, UploadPartCopyCommand, type S3Client,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '#contract/clock.ts'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { openTestStorage, testS3, type TestStorage } from '#services/storage/open-test-storage.ts'
import { openTestS3 } from './open-test-s3.ts'

const anna = '5b5f3a38-6c44-4d11-9c7c-1f3e3b7a1a01'
const bert = '5b5f3a38-6c44-4d11-9c7c-1f3e3b7a1a02'
const megabyte = 1024 * 1024

let database: Database
let storage: TestStorage
let client: S3Client
let offsetMs = 0
const clock: Clock = { now: () => Date.now() + offsetMs }

beforeAll(async () => {
  database = await openTestDatabase()
  await database.script('postgres', `
    insert into storage.buckets (id, name, file_size_limit, allowed_mime_types) values ('files', 'files', null, null), ('small', 'small', 10, '{text/*}');
    create policy "people use their own folder" on storage.objects for all to authenticated
      using (bucket_id = 'files' and (storage.foldername(name))[1] in ((select auth.uid()::text), 'shared'))
      with check (bucket_id = 'files' and (storage.foldername(name))[1] in ((select auth.uid()::text), 'shared'));
  `)
  storage = await openTestStorage(database, {}, clock)
  client = openTestS3(storage)
}, 60_000)
afterAll(async () => {
  await storage?.close()
  await database?.close()
})

const as = (id: string, accessKeyId = 'test-project', secretAccessKey = 'sb_publishable_test'): S3Client =>
  openTestS3(storage, { credentials: { accessKeyId, secretAccessKey, sessionToken: id } })
const put = (Key: string, Body: string | Uint8Array, more: object = {}) => client.send(new PutObjectCommand({ Bucket: 'files', Key, Body, ContentType: 'text/plain', ...more }))
const read = async (Key: string, from = client): Promise<string> => (await from.send(new GetObjectCommand({ Bucket: 'files', Key }))).Body?.transformToString() ?? ''
const failure = (status: number, name?: string) => expect.objectContaining({ $metadata: expect.objectContaining({ httpStatusCode: status }), ...(name === undefined ? {} : { name }) })
const keysBelow = async (Prefix: string): Promise<string[]> => ((await client.send(new ListObjectsV2Command({ Bucket: 'files', Prefix }))).Contents ?? []).map(({ Key }) => Key ?? '')

describe('buckets', () => {
  test('are made, found, described and removed once they are empty', async () => {
    expect((await client.send(new CreateBucketCommand({ Bucket: 'made', ACL: 'public-read' }))).Location).toBe('/made')
    await expect(client.send(new CreateBucketCommand({ Bucket: 'made' }))).rejects.toEqual(failure(409))
    expect((await client.send(new HeadBucketCommand({ Bucket: 'made' }))).BucketRegion).toBe('local')
    expect((await client.send(new ListBucketsCommand({}))).Buckets?.map(({ Name }) => Name)).toContain('made')
    expect((await client.send(new GetBucketLocationCommand({ Bucket: 'made' }))).LocationConstraint).toBe('local')
    expect((await client.send(new GetBucketVersioningCommand({ Bucket: 'made' }))).Status).toBe('Suspended')
    await client.send(new PutObjectCommand({ Bucket: 'made', Key: 'a', Body: 'a' }))
    await expect(client.send(new DeleteBucketCommand({ Bucket: 'made' }))).rejects.toEqual(failure(409))
    await client.send(new DeleteObjectCommand({ Bucket: 'made', Key: 'a' }))
    await client.send(new DeleteBucketCommand({ Bucket: 'made' }))
    await expect(client.send(new HeadBucketCommand({ Bucket: 'made' }))).rejects.toEqual(failure(404))
  })
})

describe('objects', () => {
  test('are written, described, read in whole and in part, and deleted', async () => {
    const { ETag } = await put('a/b.txt', 'hello world', { CacheControl: 'max-age=77', Metadata: { mood: 'good' } })
    expect(ETag).toBe(`"${createHash('md5').update('hello world').digest('hex')}"`)
    const head = await client.send(new HeadObjectCommand({ Bucket: 'files', Key: 'a/b.txt' }))
    expect(head).toMatchObject({ ContentLength: 11, ContentType: 'text/plain', CacheControl: 'max-age=77', Metadata: { mood: 'good' }, ETag })
    expect(await read('a/b.txt')).toBe('hello world')
    const part = await client.send(new GetObjectCommand({ Bucket: 'files', Key: 'a/b.txt', Range: 'bytes=-5' }))
    expect([await part.Body?.transformToString(), part.ContentRange]).toEqual(['world', 'bytes 6-10/11'])
    await expect(client.send(new GetObjectCommand({ Bucket: 'files', Key: 'a/b.txt', Range: 'bytes=11-' }))).rejects.toEqual(failure(416))
    expect((await client.send(new GetObjectTaggingCommand({ Bucket: 'files', Key: 'a/b.txt' }))).TagSet ?? []).toEqual([])
    await client.send(new DeleteObjectCommand({ Bucket: 'files', Key: 'a/b.txt' }))
    await client.send(new DeleteObjectCommand({ Bucket: 'files', Key: 'a/b.txt' }))
    await expect(client.send(new HeadObjectCommand({ Bucket: 'files', Key: 'a/b.txt' }))).rejects.toEqual(failure(404))
    await expect(client.send(new DeleteObjectCommand({ Bucket: 'nowhere', Key: 'a' }))).rejects.toEqual(failure(404, 'NoSuchBucket'))
  })

  test('come as streams, with a checksum after them', async () => {
    const bytes = randomBytes(3 * megabyte)
    for (const ChecksumAlgorithm of ['CRC32', 'CRC32C', 'SHA1', 'SHA256'] as const) {
      const Body = Readable.from((bytes.toString('latin1').match(/[\s\S]{1,65536}/g) ?? []).map((piece) => Buffer.from(piece, 'latin1')))
      await put('stream.bin', Body as never, { ContentLength: bytes.length, ChecksumAlgorithm })
      const got = await (await client.send(new GetObjectCommand({ Bucket: 'files', Key: 'stream.bin' }))).Body?.transformToByteArray()
      expect(Buffer.from(got ?? []).equals(bytes)).toBe(true)
    }
  })

  test('are read only if they changed, and written only if they did not', async () => {
    const { ETag } = await put('conditions.txt', 'one')
    await expect(client.send(new GetObjectCommand({ Bucket: 'files', Key: 'conditions.txt', IfNoneMatch: ETag }))).rejects.toEqual(failure(304))
    await expect(client.send(new GetObjectCommand({ Bucket: 'files', Key: 'conditions.txt', IfMatch: '"other"' }))).rejects.toEqual(failure(412))
    await expect(client.send(new GetObjectCommand({ Bucket: 'files', Key: 'conditions.txt', IfModifiedSince: new Date(Date.now() + 5000) }))).rejects.toEqual(failure(304))
    await expect(put('conditions.txt', 'two', { IfNoneMatch: '*' })).rejects.toEqual(failure(412))
    await expect(put('conditions.txt', 'two', { IfMatch: '"other"' })).rejects.toEqual(failure(412))
    await put('conditions.txt', 'two', { IfMatch: ETag })
    await put('conditions-new.txt', 'new', { IfNoneMatch: '*' })
    expect(await read('conditions.txt')).toBe('two')
    const atOnce = await Promise.allSettled(['a', 'b', 'c', 'd'].map((text) => put('conditions-once.txt', text, { IfNoneMatch: '*' })))
    expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(atOnce.filter(({ status }) => status === 'rejected')).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ reason: failure(412) })))
  })

  test('are read as they are when they are replaced just then', async () => {
    await put('hot.txt', 'old')
    const { bytes } = storage.parts
    let isReplaced = false
    storage.parts.bytes = new Proxy(bytes, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (name !== 'sizeOf' && name !== 'get') return typeof member === 'function' ? member.bind(target) : member
        return async (...given: unknown[]) => {
          if (!isReplaced) {
            isReplaced = true
            await put('hot.txt', 'newer')
          }
          return (member as (...given: unknown[]) => unknown).apply(target, given)
        }
      },
    })
    try {
      expect(await read('hot.txt')).toBe('newer')
    } finally {
      storage.parts.bytes = bytes
    }
  })

  test('are not found out by conditions of whoever may not write them', async () => {
    await put('elsewhere/secret.txt', 'secret')
    for (const name of ['secret.txt', 'nothing.txt'])
      for (const condition of [{ IfNoneMatch: '*' }, { IfNoneMatch: '"x"' }, { IfMatch: '"x"' }]) {
        await expect(as(bert).send(new PutObjectCommand({ Bucket: 'files', Key: `elsewhere/${name}`, Body: 'x', ...condition }))).rejects.toEqual(failure(403, 'AccessDenied'))
      }
  })

  test('are copied with what is known of them, or with something new', async () => {
    await put('source.txt', 'hello', { CacheControl: 'max-age=1', Metadata: { a: '1' } })
    await client.send(new CopyObjectCommand({ Bucket: 'files', Key: 'copy one.txt', CopySource: 'files/source.txt' }))
    expect(await client.send(new HeadObjectCommand({ Bucket: 'files', Key: 'copy one.txt' }))).toMatchObject({ ContentType: 'text/plain', CacheControl: 'max-age=1', Metadata: { a: '1' } })
    await client.send(new CopyObjectCommand({ Bucket: 'files', Key: 'copy.txt', CopySource: '/files/copy%20one.txt', MetadataDirective: 'REPLACE', ContentType: 'text/css', Metadata: { b: '2' } }))
    expect(await client.send(new HeadObjectCommand({ Bucket: 'files', Key: 'copy.txt' }))).toMatchObject({ ContentType: 'text/css', Metadata: { b: '2' } })
    await expect(client.send(new CopyObjectCommand({ Bucket: 'files', Key: 'x', CopySource: 'files/missing' }))).rejects.toEqual(failure(404))
    await expect(client.send(new CopyObjectCommand({ Bucket: 'files', Key: 'x', CopySource: 'files/source.txt', CopySourceIfMatch: '"other"' }))).rejects.toEqual(failure(412))
  })

  test('are listed by page, by folder, and after a name, by the bytes of their names', async () => {
    for (const name of ['l/a-b', 'l/a/1', 'l/a/2', 'l/a!', 'l/b', 'l/Z', 'l/c/x']) await put(name, name)
    expect(await keysBelow('l/')).toEqual(['l/Z', 'l/a!', 'l/a-b', 'l/a/1', 'l/a/2', 'l/b', 'l/c/x'])
    const seen: string[] = []
    let ContinuationToken: string | undefined
    do {
      const page = await client.send(new ListObjectsV2Command({ Bucket: 'files', Prefix: 'l/', Delimiter: '/', MaxKeys: 2, ContinuationToken }))
      seen.push(...(page.Contents ?? []).map(({ Key }) => Key ?? ''), ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix ?? ''))
      ContinuationToken = page.NextContinuationToken
      expect(page.IsTruncated).toBe(ContinuationToken !== undefined)
      expect(seen.length).toBeLessThan(10)
    } while (ContinuationToken !== undefined)
    expect(seen).toEqual(['l/Z', 'l/a!', 'l/a-b', 'l/a/', 'l/b', 'l/c/'])
    const first = await client.send(new ListObjectsCommand({ Bucket: 'files', Prefix: 'l/', Delimiter: '/', MaxKeys: 4 }))
    expect([first.IsTruncated, first.NextMarker]).toEqual([true, 'l/a/'])
    const second = await client.send(new ListObjectsCommand({ Bucket: 'files', Prefix: 'l/', Delimiter: '/', Marker: first.NextMarker }))
    expect([second.Contents?.map(({ Key }) => Key), second.CommonPrefixes?.map(({ Prefix }) => Prefix)]).toEqual([['l/b'], ['l/c/']])
    expect((await client.send(new ListObjectsV2Command({ Bucket: 'files', Prefix: 'l/', Delimiter: '/', StartAfter: 'l/a/1' }))).CommonPrefixes?.map(({ Prefix }) => Prefix)).toEqual(['l/a/', 'l/c/'])
    expect((await client.send(new ListObjectsV2Command({ Bucket: 'files', Prefix: 'l/', EncodingType: 'url' }))).Contents?.map(({ Key }) => Key)).toContain('l%2Fa%21')
    expect((await client.send(new ListObjectsV2Command({ Bucket: 'files', MaxKeys: 0 }))).KeyCount).toBe(0)
    await expect(client.send(new ListObjectsV2Command({ Bucket: 'nowhere' }))).rejects.toEqual(failure(404, 'NoSuchBucket'))
  })

  test('are deleted many at a time, those that are not there included', async () => {
    for (const name of ['many/1', 'many/2']) await put(name, name)
    const gone = await client.send(new DeleteObjectsCommand({ Bucket: 'files', Delete: { Objects: [{ Key: 'many/1' }, { Key: 'many/2' }, { Key: 'many/3' }] } }))
    expect(gone.Deleted?.map(({ Key }) => Key)).toEqual(['many/1', 'many/2', 'many/3'])
    expect(await keysBelow('many/')).toEqual([])
  })

  test('are held to what their bucket takes, and to names that can be kept', async () => {
    const into = (more: object) => client.send(new PutObjectCommand({ Bucket: 'small', Key: 'a', Body: 'a', ContentType: 'text/plain', ...more }))
    await expect(into({ Body: 'x'.repeat(11) })).rejects.toEqual(failure(413, 'EntityTooLarge'))
    await expect(into({ ContentType: 'image/png' })).rejects.toEqual(failure(415, 'InvalidMimeType'))
    for (const Key of ['a[b]', 'ä', '..%2fa', 'a\\b', 'a\u0000b', 'a%2f..%2fb']) await expect([Key, await into({ Key }).catch((error: Error) => error.name)]).toEqual([Key, 'InvalidKey'])
    await client.send(new PutObjectCommand({ Bucket: 'files', Key: 'folder/', Body: '' }))
    expect(await keysBelow('folder/')).toEqual(['folder/.emptyFolderPlaceholder'])
    const odd = "test!$&'() *+,:;=@ing.bin"
    await put(odd, 'odd')
    expect(await read(odd)).toBe('odd')
  })

  test('never run in a browser, whatever type their link gives them', async () => {
    await put('page.html', '<script>alert(1)</script>', { ContentType: 'text/html' })
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'files', Key: 'page.html', ResponseContentType: 'text/html' }))
    const { headers, body } = await storage.send(url.replace('http://storage.test/storage/v1', ''))
    await body?.cancel()
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const bad = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'files', Key: 'page.html', ResponseContentDisposition: 'a\r\nset-cookie: b' }))
    expect((await storage.send(bad.replace('http://storage.test/storage/v1', ''))).status).toBe(400)
  })

  test('are not touched by a request for something else that is not served', async () => {
    await put('acl.txt', 'mine')
    await expect(client.send(new PutObjectAclCommand({ Bucket: 'files', Key: 'acl.txt', ACL: 'public-read' }))).rejects.toEqual(failure(501))
    expect(await read('acl.txt')).toBe('mine')
  })
})

describe('uploads in parts', () => {
  const begin = async (Key: string, more: object = {}) => (await client.send(new CreateMultipartUploadCommand({ Bucket: 'files', Key, ...more }))).UploadId
  const part = async (Key: string, UploadId: string | undefined, [PartNumber, Body]: [number, Buffer]) =>
    ({ PartNumber, ETag: (await client.send(new UploadPartCommand({ Bucket: 'files', Key, UploadId, PartNumber, Body }))).ETag })
  const complete = (Key: string, UploadId: string | undefined, Parts: { PartNumber: number; ETag: string | undefined }[]) =>
    client.send(new CompleteMultipartUploadCommand({ Bucket: 'files', Key, UploadId, MultipartUpload: { Parts } }))
  const partFolders = () => readdirSync(join(storage.folder, 'scratch', 'multipart'))

  test('become one object, in the order of their numbers, with type and metadata, and leave nothing', async () => {
    const [one, two] = [randomBytes(5 * megabyte), randomBytes(1000)]
    const id = await begin('parts.bin', { ContentType: 'application/x-parts', Metadata: { a: 'b' } })
    const second = await part('parts.bin', id, [2, two])
    await part('parts.bin', id, [1, randomBytes(100)])
    const first = await part('parts.bin', id, [1, one])
    const listed = await client.send(new ListPartsCommand({ Bucket: 'files', Key: 'parts.bin', UploadId: id, MaxParts: 1 }))
    expect([listed.IsTruncated, listed.NextPartNumberMarker, listed.Parts?.[0]?.Size]).toEqual([true, '1', 5 * megabyte])
    expect((await client.send(new ListPartsCommand({ Bucket: 'files', Key: 'parts.bin', UploadId: id, PartNumberMarker: '1' }))).Parts?.map(({ PartNumber }) => PartNumber)).toEqual([2])
    await expect(client.send(new DeleteBucketCommand({ Bucket: 'files' }))).rejects.toEqual(failure(409))
    const done = await complete('parts.bin', id, [first, second])
    const hash = (bytes: Buffer) => createHash('md5').update(bytes).digest()
    expect(done.ETag).toBe(`"${createHash('md5').update(Buffer.concat([hash(one), hash(two)])).digest('hex')}-2"`)
    const got = await client.send(new GetObjectCommand({ Bucket: 'files', Key: 'parts.bin' }))
    expect(got).toMatchObject({ ContentType: 'application/x-parts', Metadata: { a: 'b' } })
    expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(Buffer.concat([one, two]))).toBe(true)
    expect(partFolders()).toEqual([])
    await expect(complete('parts.bin', id, [first, second])).rejects.toEqual(failure(404, 'NoSuchUpload'))
  })

  test('are refused with a part that is not there, too small, out of order, or more than the limit', async () => {
    const id = await begin('bad-parts.bin')
    const [one, two] = [await part('bad-parts.bin', id, [1, randomBytes(10)]), await part('bad-parts.bin', id, [2, randomBytes(10)])]
    await expect(complete('bad-parts.bin', id, [one, { ...two, PartNumber: 3 }])).rejects.toEqual(failure(400, 'InvalidPart'))
    await expect(complete('bad-parts.bin', id, [{ ...one, ETag: two.ETag }])).rejects.toEqual(failure(400, 'InvalidPart'))
    await expect(complete('bad-parts.bin', id, [two, one])).rejects.toEqual(failure(400, 'InvalidPartOrder'))
    await expect(complete('bad-parts.bin', id, [one, two])).rejects.toEqual(failure(400, 'EntityTooSmall'))
    await expect(part('bad-parts.bin', id, [0, randomBytes(1)])).rejects.toEqual(failure(400))
    await expect(part('bad-parts.bin', id, [10_001, randomBytes(1)])).rejects.toEqual(failure(400))
    for (const PartNumber of [3, 4]) await part('bad-parts.bin', id, [PartNumber, Buffer.alloc(24 * megabyte)])
    await expect(part('bad-parts.bin', id, [5, Buffer.alloc(3 * megabyte)])).rejects.toEqual(failure(413))
    await client.send(new AbortMultipartUploadCommand({ Bucket: 'files', Key: 'bad-parts.bin', UploadId: id }))
    await expect(part('bad-parts.bin', id, [1, randomBytes(10)])).rejects.toEqual(failure(404, 'NoSuchUpload'))
    expect(partFolders()).toEqual([])
  })

  test('take parts of other objects', async () => {
    await put('whole.txt', '0123456789')
    const id = await begin('from-copy.txt')
    const copy = (PartNumber: number, CopySourceRange?: string) =>
      client.send(new UploadPartCopyCommand({ Bucket: 'files', Key: 'from-copy.txt', UploadId: id, PartNumber, CopySource: 'files/whole.txt', CopySourceRange }))
    await expect(copy(1, 'bytes=-5')).rejects.toEqual(failure(400))
    await expect(copy(1, 'bytes=5-10')).rejects.toEqual(failure(416))
    const { CopyPartResult } = await copy(1, 'bytes=2-4')
    await complete('from-copy.txt', id, [{ PartNumber: 1, ETag: CopyPartResult?.ETag }])
    expect(await read('from-copy.txt')).toBe('234')
  })

  test('are listed by key, and belong to a key', async () => {
    const ids = [await begin('up/a'), await begin('up/b')]
    const all = await client.send(new ListMultipartUploadsCommand({ Bucket: 'files', Prefix: 'up/' }))
    expect(all.Uploads?.map(({ Key, UploadId }) => [Key, UploadId])).toEqual([['up/a', ids[0]], ['up/b', ids[1]]])
    const first = await client.send(new ListMultipartUploadsCommand({ Bucket: 'files', Prefix: 'up/', MaxUploads: 1 }))
    expect([first.IsTruncated, first.NextKeyMarker]).toEqual([true, 'up/a'])
    expect((await client.send(new ListMultipartUploadsCommand({ Bucket: 'files', KeyMarker: first.NextKeyMarker }))).Uploads?.map(({ Key }) => Key)).toEqual(['up/b'])
    for (const wrong of ['up/b', 'up/a/', 'up']) await expect(part(wrong, ids[0], [1, randomBytes(1)])).rejects.toEqual(failure(404, 'NoSuchUpload'))
    for (const id of ['../../../etc', 'nothing', '00000000-0000-0000-0000-000000000000']) await expect(part('up/a', id, [1, randomBytes(1)])).rejects.toEqual(failure(404, 'NoSuchUpload'))
  })
})

describe('a person\'s own token', () => {
  test('lets them do what policies let them do, and no more', async () => {
    const mine = as(anna)
    const own = new PutObjectCommand({ Bucket: 'files', Key: `${anna}/a.txt`, Body: 'mine' })
    await mine.send(own)
    expect(await read(`${anna}/a.txt`, mine)).toBe('mine')
    await expect(as(bert).send(own)).rejects.toEqual(failure(403, 'AccessDenied'))
    await expect(read(`${anna}/a.txt`, as(bert))).rejects.toEqual(failure(404))
    await expect(as(bert).send(new CopyObjectCommand({ Bucket: 'files', Key: `${bert}/a.txt`, CopySource: `files/${anna}/a.txt` }))).rejects.toEqual(failure(404))
    const refused = await as(bert).send(new DeleteObjectsCommand({ Bucket: 'files', Delete: { Objects: [{ Key: `${anna}/a.txt` }] } }))
    expect(refused.Errors?.map(({ Code }) => Code)).toEqual(['AccessDenied'])
    expect((await as(bert).send(new ListObjectsV2Command({ Bucket: 'files' }))).KeyCount).toBe(0)
    expect((await mine.send(new ListObjectsV2Command({ Bucket: 'files' }))).KeyCount).toBe(1)
    await expect(mine.send(new CreateBucketCommand({ Bucket: 'another' }))).rejects.toEqual(failure(403))
    const upload = await mine.send(new CreateMultipartUploadCommand({ Bucket: 'files', Key: `${anna}/p` }))
    await expect(as(bert).send(new UploadPartCommand({ Bucket: 'files', Key: `${anna}/p`, UploadId: upload.UploadId, PartNumber: 1, Body: 'x' }))).rejects.toEqual(failure(403))
    await expect(as(bert).send(new AbortMultipartUploadCommand({ Bucket: 'files', Key: `${anna}/p`, UploadId: upload.UploadId }))).rejects.toEqual(failure(403))
    await mine.send(new AbortMultipartUploadCommand({ Bucket: 'files', Key: `${anna}/p`, UploadId: upload.UploadId }))
  })

  test('does not let them go on with another\'s upload, even where policies let both upload', async () => {
    const { UploadId } = await as(anna).send(new CreateMultipartUploadCommand({ Bucket: 'files', Key: 'shared/p' }))
    const part = (by: S3Client) => by.send(new UploadPartCommand({ Bucket: 'files', Key: 'shared/p', UploadId, PartNumber: 1, Body: 'x' }))
    await expect(part(as(bert))).rejects.toEqual(failure(403))
    await part(as(anna))
    await expect(as(bert).send(new CompleteMultipartUploadCommand({ Bucket: 'files', Key: 'shared/p', UploadId }))).rejects.toEqual(failure(403))
    await as(anna).send(new AbortMultipartUploadCommand({ Bucket: 'files', Key: 'shared/p', UploadId }))
  })

  test('is worth nothing by itself, nor under another project, nor with the pair of keys', async () => {
    const list = () => new ListObjectsV2Command({ Bucket: 'files' })
    await expect(as('not a token').send(list())).rejects.toEqual(failure(400, 'InvalidJWT'))
    await expect(as(anna, 'other-project').send(list())).rejects.toEqual(failure(403, 'AccessDenied'))
    await expect(as(anna, 'test-project', 'wrong').send(list())).rejects.toEqual(failure(403, 'SignatureDoesNotMatch'))
    await expect(as(anna, testS3.accessKeyId, testS3.secretAccessKey).send(list())).rejects.toEqual(failure(403, 'AccessDenied'))
    await expect(openTestS3(storage, { credentials: { accessKeyId: 'test-project', secretAccessKey: 'sb_publishable_test' } }).send(list())).rejects.toEqual(failure(403, 'AccessDenied'))
  })
})

const pathOf = (url: string): string => url.replace('http://storage.test/storage/v1', '')

describe('a signature', () => {
  test('of another secret, another key, another place or another time is refused', async () => {
    const list = () => new ListObjectsV2Command({ Bucket: 'files' })
    const listWith = (credentials: { accessKeyId: string; secretAccessKey: string }, region = 'local') => openTestS3(storage, { credentials, region }).send(list())
    await expect(listWith({ ...testS3, secretAccessKey: 'wrong' })).rejects.toEqual(failure(403, 'SignatureDoesNotMatch'))
    await expect(listWith({ ...testS3, accessKeyId: 'wrong' })).rejects.toEqual(failure(403, 'AccessDenied'))
    await expect(listWith(testS3, 'eu-central-1')).rejects.toEqual(failure(403, 'AccessDenied'))
    await listWith(testS3, 'us-east-1')
    for (const skewMs of [-16 * 60_000, 16 * 60_000]) {
      offsetMs = skewMs
      await expect(client.send(list())).rejects.toEqual(failure(403, 'RequestTimeTooSkewed'))
    }
    offsetMs = 0
    const unsigned = await storage.send('/s3/files')
    expect([unsigned.status, unsigned.headers.get('content-type'), await unsigned.text()]).toEqual([
      403, 'application/xml; charset=utf-8', '<?xml version="1.0" encoding="UTF-8"?><Error><Resource>files</Resource><Code>AccessDenied</Code><Message>Missing signature</Message></Error>',
    ])
    expect((await storage.send('/s3/files', { headers: { authorization: 'Bearer x' } })).status).toBe(403)
  })

  test('in a link is good for its path, its method, its headers and its time', async () => {
    await put('linked.txt', 'linked')
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'files', Key: 'linked.txt' }), { expiresIn: 60 })
    const get = (path: string, init: RequestInit = {}) => storage.send(path, init)
    expect(await (await get(pathOf(url))).text()).toBe('linked')
    // A link may be opened with a header of somebody else's.
    expect(await (await get(pathOf(url), { headers: { authorization: 'Bearer x' } })).text()).toBe('linked')
    const changed: [string, string, RequestInit?][] = [
      ['another path', pathOf(url).replace('linked.txt', 'conditions.txt')],
      ['another bucket', pathOf(url).replace('/files/', '/small/')],
      ['a longer life', pathOf(url).replace('X-Amz-Expires=60', 'X-Amz-Expires=600')],
      ['a life without end', pathOf(url).replace('X-Amz-Expires=60&', '')],
      ['one more word', `${pathOf(url)}&response-content-type=text/html`],
      ['another method', pathOf(url), { method: 'DELETE' }],
      ['a header of the protocol', pathOf(url), { headers: { 'x-amz-acl': 'public-read' } }],
      ['another signature', pathOf(url).replace(/X-Amz-Signature=\w{64}/, `X-Amz-Signature=${'0'.repeat(64)}`)],
      ['no signature', pathOf(url).replace(/&X-Amz-Signature=\w{64}/, '')],
    ]
    for (const [what, path, init] of changed) expect([what, [400, 403].includes((await get(path, init)).status)]).toEqual([what, true])
    offsetMs = 61_000
    const late = await get(pathOf(url))
    expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('ExpiredToken')])
    offsetMs = 0
    await expect(read('linked.txt')).resolves.toBe('linked')
  })

  test('in a link to write is good for what it says, and for no copy of something else', async () => {
    await put('secret.txt', 'secret')
    const url = pathOf(await getSignedUrl(client, new PutObjectCommand({ Bucket: 'files', Key: 'written.txt', Metadata: { a: 'b' } })))
    expect((await storage.send(url, { method: 'PUT', body: 'x', headers: { 'x-amz-copy-source': 'files/secret.txt' } })).status).toBe(403)
    expect((await storage.send(`${url}&x-amz-copy-source=files/secret.txt`, { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await storage.send(url, { method: 'PUT', body: 'written' })).status).toBe(200)
    expect(await read('written.txt')).toBe('written')
    expect((await client.send(new HeadObjectCommand({ Bucket: 'files', Key: 'written.txt' }))).Metadata).toEqual({ a: 'b' })
  })

  test('covers the body: another one is not kept', async () => {
    let headers: Record<string, string> = {}
    const spy = openTestS3(storage, { requestChecksumCalculation: 'WHEN_REQUIRED' })
    spy.middlewareStack.add((next) => async (args) => {
      headers = { ...(args.request as { headers: Record<string, string> }).headers }
      return next(args)
    }, { step: 'finalizeRequest', priority: 'low' })
    await spy.send(new PutObjectCommand({ Bucket: 'files', Key: 'body.txt', Body: 'one' }))
    const again = (body: string) => storage.send('/s3/files/body.txt?x-id=PutObject', { method: 'PUT', headers, body })
    expect((await again('one')).status).toBe(200)
    expect((await again('two')).status).toBe(400)
    expect(await read('body.txt')).toBe('one')
    await expect(put('md5.txt', 'one', { ContentMD5: createHash('md5').update('two').digest('base64') })).rejects.toEqual(failure(400, 'InvalidChecksum'))
    await expect(read('md5.txt')).rejects.toEqual(failure(404))
  })
})

test('switched off, the protocol is not there', async () => {
  const without = await openTestStorage(database, { s3Protocol: false })
  const answer = await without.send('/s3/files')
  expect([answer.status, (await answer.json() as { error: string }).error]).toEqual([404, 'Not Found'])
  await without.close()
})

describe('a form', () => {
  const post = async (more: Parameters<typeof createPresignedPost>[1] extends infer Options ? Partial<Options> : never, change: (form: FormData) => void = () => {}) => {
    const { url, fields } = await createPresignedPost(client, { Bucket: 'files', Key: 'form/a.txt', Expires: 60, ...more })
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    change(form)
    if (!form.has('file')) form.set('file', new Blob(['posted']), 'a.txt')
    return storage.send(pathOf(url).replace(/\/$/, ''), { method: 'POST', body: form })
  }

  test('is stored as its policy says', async () => {
    const answer = await post({ Fields: { 'Content-Type': 'text/css', 'x-amz-meta-a': 'b', success_action_status: '201' }, Conditions: [['content-length-range', 1, 10]] })
    expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining('<Key>form/a.txt</Key>')])
    expect(await client.send(new HeadObjectCommand({ Bucket: 'files', Key: 'form/a.txt' }))).toMatchObject({ ContentType: 'text/css', Metadata: { a: 'b' }, ContentLength: 6 })
  })

  test('is refused with a field its policy does not name, another key, a changed policy, another size or too late', async () => {
    const statuses = [
      await post({}, (form) => form.set('x-amz-meta-role', 'admin')),
      await post({}, (form) => form.set('key', 'other.txt')),
      await post({}, (form) => form.set('KEY', 'other.txt')),
      await post({}, (form) => form.set('Policy', Buffer.from(Buffer.from(String(form.get('Policy')), 'base64').toString().replace('form/a.txt', 'form/b.txt')).toString('base64'))),
      await post({}, (form) => form.delete('X-Amz-Signature')),
      await post({ Key: 'form/big.txt', Conditions: [['content-length-range', 1, 3]] }),
      await post({ Key: 'form/small.txt', Conditions: [['content-length-range', 100, 200]] }),
      await post({ Key: '../form' }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([403, 403, 400, 403, 400, 413, 400, 400])
    offsetMs = 61_000
    expect((await post({ Key: 'form/late.txt' })).status).toBe(400)
    offsetMs = 0
    expect(await keysBelow('form/')).toEqual(['form/a.txt'])
  })
})
