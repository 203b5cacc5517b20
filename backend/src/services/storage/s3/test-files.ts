import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Clock } from '#contract/clock.ts'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { openTestStorage, type TestStorage } from '#services/storage/open-test-storage.ts'
import { openTestS3 } from './open-test-s3.ts'

export const anna = '5b5f3a38-6c44-4d11-9c7c-1f3e3b7a1a01'
export const bert = '5b5f3a38-6c44-4d11-9c7c-1f3e3b7a1a02'
export const megabyte = 1024 * 1024

// What the tests of one file share, set by `setTestFiles`.
export let database: Database
export let storage: TestStorage
export let client: S3Client
/** How far the service's clock is ahead of the signer's. */
export const ahead = { ms: 0 }
const clock: Clock = { now: () => Date.now() + ahead.ms }

/** For the tests of one file: a bucket `files` in which people have a folder each, and `small`, which takes ten bytes of text. */
export function setTestFiles(): void {
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
  })
  afterAll(async () => {
    await storage?.close()
    await database?.close()
  })
}

export const as = (id: string, accessKeyId = 'test-project', secretAccessKey = 'sb_publishable_test'): S3Client =>
  openTestS3(storage, { credentials: { accessKeyId, secretAccessKey, sessionToken: id } })
export const put = (Key: string, Body: string | Uint8Array, more: object = {}) => client.send(new PutObjectCommand({ Bucket: 'files', Key, Body, ContentType: 'text/plain', ...more }))
export const read = async (Key: string, from = client): Promise<string> => (await from.send(new GetObjectCommand({ Bucket: 'files', Key }))).Body?.transformToString() ?? ''
export const failure = (status: number, name?: string) => expect.objectContaining({ $metadata: expect.objectContaining({ httpStatusCode: status }), ...(name === undefined ? {} : { name }) })
export const keysBelow = async (Prefix: string): Promise<string[]> => ((await client.send(new ListObjectsV2Command({ Bucket: 'files', Prefix }))).Contents ?? []).map(({ Key }) => Key ?? '')
