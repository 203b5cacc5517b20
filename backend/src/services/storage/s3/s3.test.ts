import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand, CompleteMultipartUploadCommand, CopyObjectCommand, CreateBucketCommand, CreateMultipartUploadCommand,
  DeleteBucketCommand, DeleteObjectCommand, DeleteObjectsCommand, GetBucketLocationCommand, GetBucketVersioningCommand, GetObjectCommand,
  GetObjectTaggingCommand, HeadBucketCommand, HeadObjectCommand, ListBucketsCommand, ListObjectsCommand, ListObjectsV2Command, PutObjectAclCommand,
  PutObjectCommand, UploadPartCommand, type S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { describe, expect, test } from 'vitest'
import { openTestStorage, testS3 } from '#services/storage/open-test-storage.ts'
import { openTestS3 } from './open-test-s3.ts'
import { anna, as, bert, client, database, failure, keysBelow, megabyte, put, read, setTestFiles, storage } from './test-files.ts'

setTestFiles()

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

test('switched off, the protocol is not there', async () => {
  const without = await openTestStorage(database, { s3Protocol: false })
  const answer = await without.send('/s3/files')
  expect([answer.status, (await answer.json() as { error: string }).error]).toEqual([404, 'Not Found'])
  await without.close()
})
