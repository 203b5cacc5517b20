import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListMultipartUploadsCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#contract/clock.ts'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { blobKey } from '#services/storage/bytes/blob-key.ts'
import type { ByteStore } from '#services/storage/bytes/byte-store.ts'
import { openTestStorage, testS3, type TestStorage } from '#services/storage/open-test-storage.ts'
import { openTestS3 } from './open-test-s3.ts'
import { createRemoteClient, type RemoteBucket } from './s3-client.ts'
import { openS3Store } from './s3-store.ts'

const megabyte = 1024 * 1024
const scratchFolder = mkdtempSync(join(tmpdir(), 'portico-s3-store-'))
let database: Database
let storage: TestStorage
let store: ByteStore
/** Answers of the bucket that fail before they count. */
let trouble: (() => Response | Error)[] = []

const target: RemoteBucket = { bucket: 'elsewhere', endpoint: 'http://storage.test/storage/v1/s3', region: 'local', forcePathStyle: true, accessKeyId: testS3.accessKeyId, secretAccessKey: testS3.secretAccessKey }

async function ask(request: Request): Promise<Response> {
  const failing = trouble.shift()?.()
  if (failing instanceof Error) throw failing
  if (failing) return failing
  const { pathname, search } = new URL(request.url)
  const body = request.body ? await request.arrayBuffer() : undefined
  // What the platform's own fetch adds.
  const headers = new Headers(request.headers)
  if (body) headers.set('content-length', String(body.byteLength))
  return storage.send(`${pathname.replace('/storage/v1', '')}${search}`, { method: request.method, headers, ...(body === undefined ? {} : { body }) })
}

const open = (more: Partial<RemoteBucket> = {}, ownsPrefix = true) =>
  openS3Store({ client: createRemoteClient({ ...target, ...more }, { clock: systemClock, fetch: ask, pauseMs: 1 }), prefix: 'project/', ownsPrefix, scratchFolder, partBytes: 5 * megabyte })

beforeAll(async () => {
  database = await openTestDatabase()
  await database.script('postgres', "insert into storage.buckets (id, name) values ('elsewhere', 'elsewhere')")
  storage = await openTestStorage(database)
  store = await open()
})
afterAll(async () => {
  rmSync(scratchFolder, { recursive: true, force: true })
  await storage?.close()
  await database?.close()
})

const key = (name: string, version = 'a1') => blobKey({ bucketId: 'b', name }, version)
async function* pieces(...bytes: (string | Buffer)[]) {
  for (const piece of bytes) yield Buffer.from(piece)
}
const read = async (name: string, range?: { first: number; last: number }) => {
  const opened = await store.get(key(name), range)
  return opened && Buffer.from(await new Response(opened.body).arrayBuffer())
}
const listed = async (from = store) => {
  const keys: string[] = []
  for await (const { key: found, storedAt } of from.list()) {
    expect(Math.abs(storedAt.getTime() - Date.now())).toBeLessThan(60_000)
    keys.push(found)
  }
  return keys
}
const lying = async () => (await openTestS3(storage).send(new ListMultipartUploadsCommand({ Bucket: 'elsewhere' }))).Uploads ?? []

test('stores a stream with its size and MD5, and reads it whole and in part', async () => {
  expect(await store.put(key('hello'), pieces('Hello ', 'World'))).toMatchObject({ sizeBytes: 11, eTag: '"b10a8db164e0754105b7a99be72e3fe5"' })
  expect(String(await read('hello'))).toBe('Hello World')
  expect(String(await read('hello', { first: 6, last: 8 }))).toBe('Wor')
  const part = await store.get(key('hello'), { first: 6, last: 8 })
  await part?.body.cancel()
  expect(part?.sizeBytes).toBe(11)
  expect(await store.sizeOf(key('hello'))).toBe(11)
  expect(await store.put(key('empty'), pieces())).toMatchObject({ sizeBytes: 0 })
  expect(String(await read('empty'))).toBe('')
  expect(await store.put(key('tagged'), pieces('x'), { eTag: '"own-2"' })).toMatchObject({ eTag: '"own-2"' })
})

test('stores a large stream in parts, cut on the way wherever it is', async () => {
  const bytes = randomBytes(12 * megabyte + 7)
  await store.put(key('large'), pieces(...Array.from({ length: 13 }, (_, index) => bytes.subarray(index * megabyte, (index + 1) * megabyte))))
  expect((await read('large'))?.equals(bytes)).toBe(true)
  expect(await lying()).toEqual([])
  const exact = bytes.subarray(0, 10 * megabyte)
  await store.put(key('exact'), pieces(exact))
  expect((await read('exact'))?.equals(exact)).toBe(true)
})

test('leaves nothing behind of a stream that breaks, early or late', async () => {
  for (const before of [10, 11 * megabyte]) {
    async function* broken() {
      yield Buffer.alloc(before)
      throw new Error('the line went dead')
    }
    await expect(store.put(key('broken'), broken())).rejects.toThrow('the line went dead')
  }
  expect(await store.sizeOf(key('broken'))).toBeUndefined()
  expect(await store.get(key('broken'))).toBeUndefined()
  expect(await lying()).toEqual([])
})

test('copies, and a copy outlives its original', async () => {
  await store.put(key('one'), pieces('same'))
  expect(await store.copy(key('one'), key('two'))).toBe(true)
  await store.remove([key('one'), key('never there')])
  expect(await read('one')).toBeUndefined()
  expect(String(await read('two'))).toBe('same')
  expect(await store.copy(key('one'), key('three'))).toBe(false)
})

test('takes over a finished file of the scratch folder', async () => {
  const path = join(store.scratchFolder, 'part')
  writeFileSync(path, 'adopted')
  expect(await store.adopt(key('adopted'), path)).toMatchObject({ sizeBytes: 7 })
  expect(String(await read('adopted'))).toBe('adopted')
  expect(existsSync(path)).toBe(false)
})

test('lists what is its own, and nothing where another box may know better', async () => {
  await openTestS3(storage).send(new PutObjectCommand({ Bucket: 'elsewhere', Key: 'project/not-ours.txt', Body: 'x' }))
  await openTestS3(storage).send(new PutObjectCommand({ Bucket: 'elsewhere', Key: `other/${key('hello')}`, Body: 'x' }))
  expect(await listed()).toContain(key('hello'))
  expect((await listed()).length).toBe(((await openTestS3(storage).send(new ListObjectsV2Command({ Bucket: 'elsewhere', Prefix: 'project/' }))).KeyCount ?? 0) - 1)
  expect(await listed(await open({}, false))).toEqual([])
})

test('is taken by one database, for good', async () => {
  expect(await store.claim('one')).toBe(true)
  expect(await (await open()).claim('one')).toBe(true)
  expect(await store.claim('two')).toBe(false)
  expect(await listed()).not.toContain('owner')
})

test('asks again when the bucket is busy or gone for a moment, and says what it met in the end', async () => {
  trouble = [() => new Response(null, { status: 503 }), () => new Error('ECONNRESET'), () => new Response(null, { status: 500 })]
  await store.put(key('patient'), pieces('x'))
  expect(String(await read('patient'))).toBe('x')
  trouble = Array.from({ length: 4 }, () => () => new Error('ECONNREFUSED'))
  await expect(store.sizeOf(key('patient'))).rejects.toThrow('The bucket at http://storage.test does not answer')
  expect(trouble).toEqual([])
})

test('does not open a bucket that is not there or not open to its keys', async () => {
  await expect(open({ bucket: 'nowhere' })).rejects.toThrow('The bucket "nowhere" at http://storage.test/storage/v1/s3 cannot be used')
  const failure = await open({ secretAccessKey: 'not-the-secret' }).catch((error: unknown) => error)
  expect(String(failure)).toContain('SignatureDoesNotMatch')
  expect(String(failure)).not.toContain('not-the-secret')
})
