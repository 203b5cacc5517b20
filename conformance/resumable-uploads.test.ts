import { randomBytes } from 'node:crypto'
import { DetailedError, Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminClient, person, target } from './target.ts'

const bucket = `resumable-${process.pid}-${Date.now()}`
const chunkBytes = 100_000
const content = randomBytes(1_000_000)

beforeAll(async () => {
  const { error } = await adminClient().storage.createBucket(bucket, { public: false, fileSizeLimit: 2_000_000 })
  expect(error).toBeNull()
})
afterAll(async () => {
  await adminClient().storage.emptyBucket(bucket)
  await adminClient().storage.deleteBucket(bucket)
})

interface Sending {
  objectName: string
  headers: Record<string, string>
  body?: Buffer
  endpoint?: string
  uploadUrl?: string
  /** Stops, as a lost line does, once so much was taken. */
  stopAt?: number
}

function send({ objectName, headers, body = content, endpoint = '/storage/v1/upload/resumable', uploadUrl, stopAt }: Sending): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(body, {
      endpoint: `${target().API_URL}${endpoint}`,
      ...(uploadUrl === undefined ? {} : { uploadUrl }),
      chunkSize: chunkBytes,
      retryDelays: null,
      headers,
      metadata: { bucketName: bucket, objectName, contentType: 'text/plain', cacheControl: '60', metadata: JSON.stringify({ from: 'test' }) },
      onChunkComplete: (_size, taken) => {
        if (stopAt !== undefined && taken >= stopAt) void upload.abort().then(() => resolve(upload))
      },
      onError: reject,
      onSuccess: () => resolve(upload),
    })
    upload.start()
  })
}

const asAdmin = () => ({ apikey: target().SECRET_KEY })
const download = async (objectName: string): Promise<Buffer> => {
  const { data, error } = await adminClient().storage.from(bucket).download(objectName)
  expect(error).toBeNull()
  return Buffer.from(await (data as Blob).arrayBuffer())
}

describe('the official resumable client', () => {
  test('sends a file in parts', async () => {
    await send({ objectName: 'parts.bin', headers: asAdmin() })
    expect((await download('parts.bin')).equals(content)).toBe(true)
    const { data } = await adminClient().storage.from(bucket).info('parts.bin')
    expect(data).toMatchObject({ size: content.length, contentType: 'text/plain', cacheControl: 'max-age=60', metadata: { from: 'test' } })
  })

  test('goes on where it was stopped', async () => {
    const { url } = await send({ objectName: 'stopped.bin', headers: asAdmin(), stopAt: 350_000 })
    expect((await adminClient().storage.from(bucket).exists('stopped.bin')).data).toBe(false)
    const head = await fetch(url ?? '', { method: 'HEAD', headers: { ...asAdmin(), 'tus-resumable': '1.0.0' } })
    expect(Number(head.headers.get('upload-offset'))).toBeGreaterThanOrEqual(350_000)
    await send({ objectName: 'stopped.bin', headers: asAdmin(), uploadUrl: url ?? '' })
    expect((await download('stopped.bin')).equals(content)).toBe(true)
  })

  test('sends with an upload link alone', async () => {
    const { data } = await adminClient().storage.from(bucket).createSignedUploadUrl('linked.bin')
    await send({ objectName: 'linked.bin', headers: { 'x-signature': data?.token ?? '' }, endpoint: '/storage/v1/upload/resumable/sign' })
    expect((await download('linked.bin')).equals(content)).toBe(true)
    const elsewhere = await send({ objectName: 'other.bin', headers: { 'x-signature': data?.token ?? '' }, endpoint: '/storage/v1/upload/resumable/sign' }).catch((error: unknown) => error)
    expect((elsewhere as DetailedError).originalResponse?.getStatus()).toBe(400)
  })

  test('is told what policies and limits refuse', async () => {
    const { client } = await person()
    const token = (await client.auth.getSession()).data.session?.access_token ?? ''
    const statusOf = async (sending: Sending) => ((await send(sending).catch((error: unknown) => error)) as DetailedError).originalResponse?.getStatus()
    expect(await statusOf({ objectName: 'refused.bin', headers: { apikey: target().PUBLISHABLE_KEY, authorization: `Bearer ${token}` } })).toBe(403)
    expect(await statusOf({ objectName: 'refused.bin', headers: { apikey: target().PUBLISHABLE_KEY } })).toBe(403)
    expect(await statusOf({ objectName: 'large.bin', headers: asAdmin(), body: randomBytes(2_000_001) })).toBe(413)
    expect(await statusOf({ objectName: 'parts.bin', headers: asAdmin() })).toBe(409)
  })
})
