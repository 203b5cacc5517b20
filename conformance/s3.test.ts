import { randomBytes } from 'node:crypto'
import { CreateBucketCommand, GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminClient, person, target } from './target.ts'

const bucket = `s3-${process.pid}-${Date.now()}`
const clients: S3Client[] = []

function connect(credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }): S3Client {
  const { STORAGE_S3_URL: endpoint, S3_PROTOCOL_REGION: region } = target()
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials, maxAttempts: 1 })
  clients.push(client)
  return client
}

const admin = () => connect({ accessKeyId: target().S3_PROTOCOL_ACCESS_KEY_ID, secretAccessKey: target().S3_PROTOCOL_ACCESS_KEY_SECRET })

beforeAll(async () => {
  await admin().send(new CreateBucketCommand({ Bucket: bucket }))
})
afterAll(async () => {
  await adminClient().storage.emptyBucket(bucket)
  await adminClient().storage.deleteBucket(bucket)
  for (const client of clients) client.destroy()
})

describe('the S3 protocol', () => {
  test('and the storage API show the same files', async () => {
    const content = randomBytes(1_000_000)
    await admin().send(new PutObjectCommand({ Bucket: bucket, Key: 'by/s3 (1).bin', Body: content, ContentType: 'application/x-test', Metadata: { from: 's3' } }))
    const storage = adminClient().storage.from(bucket)
    const { data } = await storage.download('by/s3 (1).bin')
    expect(Buffer.from(await (data as Blob).arrayBuffer()).equals(content)).toBe(true)
    expect((await storage.info('by/s3 (1).bin')).data).toMatchObject({ size: content.length, contentType: 'application/x-test', metadata: { from: 's3' } })
    await storage.upload('by/api.txt', 'from the API', { contentType: 'text/plain', metadata: { from: 'api' } })
    const got = await admin().send(new GetObjectCommand({ Bucket: bucket, Key: 'by/api.txt' }))
    expect([await got.Body?.transformToString(), got.Metadata]).toEqual(['from the API', { from: 'api' }])
    expect((await admin().send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'by/' }))).Contents?.map(({ Key }) => Key)).toEqual(['by/api.txt', 'by/s3 (1).bin'])
  })

  test('gives links that anybody may open until they end', async () => {
    await admin().send(new PutObjectCommand({ Bucket: bucket, Key: 'linked.txt', Body: 'linked' }))
    const url = await getSignedUrl(admin(), new GetObjectCommand({ Bucket: bucket, Key: 'linked.txt' }), { expiresIn: 60 })
    expect(await (await fetch(url)).text()).toBe('linked')
    expect((await fetch(url.replace('linked.txt', 'by/api.txt'))).status).toBe(403)
  })

  test('is held to policies with a person\'s own token', async () => {
    const { client } = await person()
    const sessionToken = (await client.auth.getSession()).data.session?.access_token ?? ''
    const own = connect({ accessKeyId: 'local', secretAccessKey: target().ANON_KEY, sessionToken })
    expect((await own.send(new ListObjectsV2Command({ Bucket: bucket }))).KeyCount).toBe(0)
    await expect(own.send(new PutObjectCommand({ Bucket: bucket, Key: 'mine.txt', Body: 'x' }))).rejects.toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } })
    await expect(own.send(new HeadObjectCommand({ Bucket: bucket, Key: 'linked.txt' }))).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } })
    const forged = connect({ accessKeyId: 'local', secretAccessKey: target().ANON_KEY, sessionToken: `${sessionToken.slice(0, -4)}AAAA` })
    await expect(forged.send(new ListObjectsV2Command({ Bucket: bucket }))).rejects.toMatchObject({ name: 'InvalidJWT' })
  })
})
