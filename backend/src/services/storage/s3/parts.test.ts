import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  AbortMultipartUploadCommand, CompleteMultipartUploadCommand, CreateMultipartUploadCommand, DeleteBucketCommand, GetObjectCommand,
  ListMultipartUploadsCommand, ListPartsCommand, UploadPartCommand, UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { client, failure, megabyte, put, read, setTestFiles, storage } from './test-files.ts'

setTestFiles()

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
