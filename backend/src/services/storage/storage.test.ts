import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { anon, openTestStorage, person, service, type TestStorage } from './open-test-storage.ts'

const anna = '5b5f3a38-6c44-4d11-9c7c-1f3e3b7a1a01'
const bert = '5b5f3a38-6c44-4d11-9c7c-1f3e3b7a1a02'

let database: Database
let storage: TestStorage
beforeAll(async () => {
  database = await openTestDatabase()
  await database.script('postgres', `
    create policy "everybody sees the bucket called files" on storage.buckets for select to anon, authenticated using (id in ('files', 'open'));
    create policy "people keep their own folder" on storage.objects for all to authenticated
      using ((storage.foldername(name))[1] = (select auth.uid()::text)) with check ((storage.foldername(name))[1] = (select auth.uid()::text));
  `)
  storage = await openTestStorage(database, { fileSizeLimitBytes: 2_000_000 })
})
afterAll(async () => {
  await storage?.close()
  await database?.close()
})

const all = () => storage.as(service)
const files = (caller: Parameters<TestStorage['as']>[0] = service, bucket = 'files') => storage.as(caller).from(bucket)
beforeEach(async () => {
  for (const { id } of (await all().listBuckets()).data ?? []) {
    await all().emptyBucket(id)
    await all().deleteBucket(id)
  }
  await all().createBucket('files', { public: false })
  await all().createBucket('open', { public: true })
})

const put = (path: string, content = 'hello', headers: Record<string, string> = {}) =>
  storage.send(`/object/files/${path}`, { method: 'POST', body: content, headers: { 'content-type': 'text/plain', 'x-upsert': 'true', ...headers } })
const bodyOf = async (response: Response): Promise<Record<string, unknown>> => ({ http: response.status, ...((await response.json()) as Record<string, unknown>) })
// A reply that nobody reads keeps its file open.
const factsOf = async (asked: Promise<Response>) => {
  const response = await asked
  await response.body?.cancel()
  return { status: response.status, header: (name: string) => response.headers.get(name) }
}
const statusOf = async (asked: Promise<Response>) => (await factsOf(asked)).status

describe('buckets', () => {
  test('are made, read, changed and deleted', async () => {
    expect((await all().createBucket('made', { public: true, fileSizeLimit: '1mb', allowedMimeTypes: ['image/*'] })).data).toEqual({ name: 'made' })
    const { data } = await all().getBucket('made')
    expect(data).toEqual({ id: 'made', name: 'made', owner: '', public: true, file_size_limit: 1_000_000, allowed_mime_types: ['image/*'], created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/), updated_at: expect.any(String) })
    expect((await all().updateBucket('made', { public: false, fileSizeLimit: null, allowedMimeTypes: null })).data).toEqual({ message: 'Successfully updated' })
    expect((await all().getBucket('made')).data).toMatchObject({ public: false, file_size_limit: null, allowed_mime_types: null })
    expect((await all().deleteBucket('made')).data).toEqual({ message: 'Successfully deleted' })
    expect((await all().getBucket('made')).error).toMatchObject({ message: 'Bucket not found', status: 400, statusCode: '404' })
  })

  test('are listed by the policies, sorted and searched', async () => {
    await all().createBucket('secret')
    const names = async (caller: Parameters<TestStorage['as']>[0], options = {}) => (await storage.as(caller).listBuckets(options)).data?.map(({ name }) => name)
    expect(await names(service, { sortColumn: 'name', sortOrder: 'desc' })).toEqual(['secret', 'open', 'files'])
    expect(await names(service, { sortColumn: 'name', limit: 1, offset: 1 })).toEqual(['open'])
    expect(await names(service, { search: 'ECR' })).toEqual(['secret'])
    expect(await names(person(anna), { sortColumn: 'id' })).toEqual(['files', 'open'])
    expect((await storage.as(person(anna)).getBucket('secret')).error?.message).toBe('Bucket not found')
  })

  test('are refused by name, size, type, owner and emptiness', async () => {
    const code = async (asked: Promise<{ error: { message: string } | null }>) => (await asked).error?.message
    expect(await code(all().createBucket('files'))).toBe('The resource already exists')
    for (const name of ['a/b', ' a', 'a ', '', 'ä', 'x'.repeat(101), 'a\\b', 'a%b', 'a"b']) expect([name, await code(all().createBucket(name))]).not.toEqual([name, undefined])
    expect(await code(all().createBucket('big', { public: false, fileSizeLimit: '1gb' }))).toBe('The object exceeded the maximum allowed size')
    expect(await code(all().createBucket('odd', { public: false, fileSizeLimit: '1 parsec' }))).toContain('file_size_limit')
    expect(await code(all().createBucket('types', { public: false, allowedMimeTypes: ['nonsense'] }))).toBe('mime type nonsense is not supported')
    expect(await code(storage.as(person(anna)).createBucket('mine'))).toBe('new row violates row-level security policy')
    await put('a.txt')
    expect(await code(all().deleteBucket('files'))).toBe('The bucket you tried to delete is not empty')
    expect(await bodyOf(await storage.send('/bucket/files/empty', { method: 'POST', as: person(anna) }))).toMatchObject({ http: 403, message: 'Access denied: Invalid role' })
    expect(await bodyOf(await storage.send('/bucket', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }))).toEqual({ http: 400, statusCode: '400', error: 'Error', message: "body must have required property 'name'", code: 'InvalidRequest' })
  })

  test('hold back what is too large or of another kind', async () => {
    await all().createBucket('small', { public: false, fileSizeLimit: 10, allowedMimeTypes: ['image/png', 'text/*'] })
    const small = files(service, 'small')
    expect((await small.upload('a.txt', new Blob(['12345'], { type: 'text/plain' }))).error).toBeNull()
    expect((await small.upload('b.txt', new Blob(['12345678901'], { type: 'text/plain' }))).error).toMatchObject({ statusCode: '413', message: 'The object exceeded the maximum allowed size' })
    expect((await small.upload('c.txt', Buffer.from('12345678901'), { contentType: 'text/plain' })).error?.message).toContain('exceeded')
    expect((await small.upload('d.pdf', Buffer.from('1'), { contentType: 'application/pdf' })).error).toMatchObject({ statusCode: '415', message: 'mime type application/pdf is not supported' })
    expect((await small.list()).data?.map(({ name }) => name)).toEqual(['a.txt'])
    const unknownLength = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(10_000)) })
    const endless = await storage.send('/object/files/big.bin', { method: 'POST', body: unknownLength, duplex: 'half' })
    expect(await bodyOf(endless)).toMatchObject({ http: 400, statusCode: '413', code: 'EntityTooLarge' })
  })
})

describe('an upload', () => {
  test('takes a form as browsers send it, and a raw body', async () => {
    const { data } = await files().upload('folder/a.txt', new Blob(['hello'], { type: 'text/plain' }), { cacheControl: '60', metadata: { tone: 'friendly' } })
    expect(data).toMatchObject({ path: 'folder/a.txt', fullPath: 'files/folder/a.txt', id: expect.any(String) })
    expect((await files().info('folder/a.txt')).data).toMatchObject({ name: 'folder/a.txt', size: 5, contentType: 'text/plain', cacheControl: 'max-age=60', metadata: { tone: 'friendly' } })
    expect((await files().upload('folder/b.bin', Buffer.from('raw'), { metadata: { tone: 'flat' } })).error).toBeNull()
    expect((await files().info('folder/b.bin')).data).toMatchObject({ size: 3, metadata: { tone: 'flat' } })
  })

  test('is refused where a name is taken, replaced by update and upsert, under the same id', async () => {
    const first = await files().upload('a.txt', 'one')
    expect((await files().upload('a.txt', 'two')).error).toMatchObject({ statusCode: '409', message: 'The resource already exists' })
    const second = await files().update('a.txt', 'three')
    expect(second.data?.id).toBe(first.data?.id)
    await files().upload('a.txt', 'four', { upsert: true })
    expect(await (await files().download('a.txt')).data?.text()).toBe('four')
  })

  test('follows the policies', async () => {
    expect((await files(person(anna)).upload(`${anna}/a.txt`, 'x')).error).toBeNull()
    expect((await files(person(anna)).upload(`${bert}/a.txt`, 'x')).error).toMatchObject({ statusCode: '403', message: 'new row violates row-level security policy' })
    expect((await files(anon).upload('a.txt', 'x')).error).toMatchObject({ statusCode: '403' })
    expect((await files(person(bert)).download(`${anna}/a.txt`)).error?.message).toBeTruthy()
    expect((await files(person(bert)).list(anna)).data).toEqual([])
    expect((await files(person(bert)).remove([`${anna}/a.txt`])).data).toEqual([])
    expect((await files(person(anna)).exists(`${anna}/a.txt`)).data).toBe(true)
    expect((await files(person(bert)).exists(`${anna}/a.txt`)).data).toBe(false)
  })

  test('of a form without a file, of no bucket, and of a bad form is refused', async () => {
    const form = new FormData()
    form.append('cacheControl', '60')
    expect(await bodyOf(await storage.send('/object/files/a', { method: 'POST', body: form }))).toMatchObject({ http: 400, code: 'InvalidRequest' })
    expect(await bodyOf(await storage.send('/object/none/a', { method: 'POST', body: 'x' }))).toMatchObject({ http: 400, statusCode: '404', message: 'Bucket not found' })
    const torn = await storage.send('/object/files/a', { method: 'POST', body: '--x\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\nhalf', headers: { 'content-type': 'multipart/form-data; boundary=x' } })
    expect((await bodyOf(torn)).http).toBe(400)
    expect(await statusOf(storage.send('/object/files/a', { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data' } }))).toBe(400)
    expect((await files().list()).data).toEqual([])
  })
})

describe('a download', () => {
  beforeEach(() => put('a.txt', 'Hello World', { 'cache-control': 'max-age=60' }))
  const get = (headers: Record<string, string> = {}, query = '') => storage.send(`/object/files/a.txt${query}`, { headers })

  test('says what it is', async () => {
    const response = await get()
    expect(await response.text()).toBe('Hello World')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes', 'cache-control': 'max-age=60', 'content-length': '11', 'content-type': 'text/plain', etag: '"b10a8db164e0754105b7a99be72e3fe5"',
      'x-robots-tag': 'none', 'x-content-type-options': 'nosniff', 'last-modified': expect.stringMatching(/GMT$/),
    })
    const head = await storage.send('/object/files/a.txt', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), head.body]).toEqual([200, '11', null])
  })

  test('gives parts', async () => {
    for (const [range, status, text, content] of [['bytes=0-4', 206, 'Hello', 'bytes 0-4/11'], ['bytes=6-', 206, 'World', 'bytes 6-10/11'], ['bytes=-3', 206, 'rld', 'bytes 8-10/11'], ['bytes=9-99', 206, 'ld', 'bytes 9-10/11']] as const) {
      const response = await get({ range })
      expect([response.status, await response.text(), response.headers.get('content-range'), response.headers.get('content-length')]).toEqual([status, text, content, String(text.length)])
    }
    for (const range of ['bytes=11-', 'bytes=5-2', 'bytes=-0', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-'])
      expect(await bodyOf(await get({ range }))).toEqual({ http: 416, statusCode: '416', error: 'invalid_range', message: 'invalid range provided', code: 'InvalidRange' })
    expect(await statusOf(get({ range: 'bytes=0-4', 'if-range': '"another"' }))).toBe(200)
  })

  test('is not sent again to whoever has it', async () => {
    const etag = (await factsOf(get())).header('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) expect(await statusOf(get({ 'if-none-match': known }))).toBe(304)
    expect(await statusOf(get({ 'if-none-match': '"x"' }))).toBe(200)
    const modified = (await factsOf(get())).header('last-modified') ?? ''
    expect(await statusOf(get({ 'if-modified-since': modified }))).toBe(304)
    expect(await statusOf(get({ 'if-modified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' }))).toBe(200)
  })

  test('is saved under the name one asks for', async () => {
    expect((await factsOf(get({}, '?download'))).header('content-disposition')).toBe('attachment;')
    expect((await factsOf(get({}, '?download=a%20b.txt'))).header('content-disposition')).toBe("attachment; filename=a%20b.txt; filename*=UTF-8''a%20b.txt")
  })

  test('of a public bucket needs nobody, of another one a token', async () => {
    await files(service, 'open').upload('a.txt', 'open')
    for (const path of ['/object/public/open/a.txt', '/object/open/a.txt']) expect(await (await storage.send(path, { as: undefined })).text()).toBe('open')
    expect(await statusOf(storage.send('/object/info/public/open/a.txt', { as: undefined }))).toBe(200)
    expect(await bodyOf(await storage.send('/object/public/files/a.txt'))).toMatchObject({ http: 400, message: 'Bucket not found' })
    expect(await bodyOf(await storage.send('/object/files/a.txt', { as: undefined }))).toMatchObject({ message: 'Bucket not found' })
    expect(await bodyOf(await storage.send('/object/authenticated/files/a.txt', { as: undefined }))).toMatchObject({ http: 400, statusCode: '403', error: 'Unauthorized', message: 'Invalid Compact JWS', code: 'AccessDenied' })
    expect(await bodyOf(await storage.send('/object/authenticated/files/a.txt', { as: { tokenFault: 'expired' } }))).toMatchObject({ message: '"exp" claim timestamp check failed' })
    expect(await bodyOf(await storage.send('/object/authenticated/files/none.txt'))).toEqual({ http: 400, statusCode: '404', error: 'not_found', message: 'Object not found', code: 'NoSuchKey' })
  })

  test('is kept by a browser for whoever asked, unless it is for anybody', async () => {
    await files(service, 'open').upload('kept.txt', 'open')
    const varies = async (path: string, method = 'GET') => {
      const { headers, body } = await storage.send(path, { method })
      await body?.cancel()
      return headers.get('vary')
    }
    for (const path of ['/object/files/a.txt', '/object/authenticated/files/a.txt', '/object/info/files/a.txt']) for (const method of ['GET', 'HEAD']) expect([path, await varies(path, method)]).toEqual([path, 'authorization, apikey'])
    expect(await varies('/object/public/open/kept.txt')).toBeNull()
  })
})

describe('a listing', () => {
  beforeEach(async () => {
    for (const name of ['b.txt', 'a.txt', 'Folder/one.txt', 'Folder/deep/two.txt', 'z_100%/x.txt']) await put(encodeURI(name).replace('%25', '_'))
  })

  test('shows one level, folders among files', async () => {
    const { data } = await files().list()
    expect(data?.map(({ name, id }) => [name, id === null])).toEqual([['a.txt', false], ['b.txt', false], ['Folder', true], ['z_100_', true]])
    expect((await files().list('Folder')).data?.map(({ name }) => name)).toEqual(['deep', 'one.txt'])
    expect((await files().list('', { limit: 1, offset: 1 })).data?.map(({ name }) => name)).toEqual(['b.txt'])
    expect(await files().list('', { limit: 9_000_000_000, offset: 9_000_000_000 })).toMatchObject({ data: [], error: null })
    expect((await files().list('', { search: 'a.' })).data?.map(({ name }) => name)).toEqual(['a.txt'])
    expect((await files().list('', { sortBy: { column: 'created_at', order: 'desc' } })).data?.map(({ name }) => name).slice(-2)).toEqual(['a.txt', 'b.txt'])
  })

  test('pages behind a cursor, by folder or not', async () => {
    const pages: string[][] = []
    let cursor: string | undefined
    for (let page = 0; page < 5; page++) {
      const { data } = await files().listV2({ limit: 2, with_delimiter: false, ...(cursor ? { cursor } : {}) })
      pages.push(data?.objects.map(({ name }) => name) ?? [])
      cursor = data?.nextCursor
      if (!data?.hasNext) break
    }
    expect(pages).toEqual([['Folder/deep/two.txt', 'Folder/one.txt'], ['a.txt', 'b.txt'], ['z_100_/x.txt']])
    for (const order of ['asc', 'desc'] as const) {
      const walked: string[] = []
      for (let step = 0, next: string | undefined; step < 9; step++) {
        const { data } = await files().listV2({ limit: 1, with_delimiter: true, sortBy: { column: 'name', order }, ...(next ? { cursor: next } : {}) })
        walked.push(...[...(data?.folders ?? []), ...(data?.objects ?? [])].map(({ name }) => name))
        next = data?.nextCursor
        if (!data?.hasNext) break
      }
      const expected = ['Folder/', 'a.txt', 'b.txt', 'z_100_/']
      expect(walked).toEqual(order === 'asc' ? expected : expected.toReversed())
    }
    const inside = await files().listV2({ prefix: 'Folder/', with_delimiter: true })
    expect([inside.data?.folders, inside.data?.objects.map(({ key, name }) => [key, name])]).toEqual([[{ key: 'deep', name: 'Folder/deep/', id: null, metadata: null, updated_at: null, created_at: null, last_accessed_at: null }], [['one.txt', 'Folder/one.txt']]])
    expect((await files().listV2({ prefix: 'Folder/o', with_delimiter: true })).data?.objects.map(({ name }) => name)).toEqual(['Folder/one.txt'])
    expect((await files(anon).listV2({ with_delimiter: true })).data).toMatchObject({ hasNext: false, folders: [], objects: [] })
    expect((await files().listV2({ prefix: 'a\u0000', with_delimiter: true })).error).toMatchObject({ status: 400 })
    const { data } = await files().listV2({ with_delimiter: true })
    expect([data?.folders.map(({ name }) => name), data?.objects.map(({ name }) => name)]).toEqual([['Folder/', 'z_100_/'], ['a.txt', 'b.txt']])
    const byTime = await files().listV2({ limit: 4, sortBy: { column: 'created_at', order: 'desc' } })
    const rest = await files().listV2({ limit: 4, sortBy: { column: 'created_at', order: 'desc' }, cursor: byTime.data?.nextCursor ?? '' })
    expect([...(byTime.data?.objects ?? []), ...(rest.data?.objects ?? [])].map(({ name }) => name).sort()).toHaveLength(5)
    expect((await files().listV2({ cursor: 'nonsense' })).error?.message).toBe('Invalid Parameter continuation token')
    expect((await files().listV2({ cursor: Buffer.from("l:a\nc:name; drop table x").toString('base64') })).error?.message).toBe('Invalid Parameter continuation token')
  })
})

describe('moving, copying, deleting', () => {
  beforeEach(() => put('a.txt'))

  test('answer as the hosted API does', async () => {
    expect((await files().copy('a.txt', 'copy.txt')).data).toEqual({ path: 'files/copy.txt' })
    expect((await files().copy('a.txt', 'copy.txt')).error).toMatchObject({ statusCode: '409' })
    expect((await files().move('copy.txt', 'moved.txt')).data).toEqual({ message: 'Successfully moved' })
    expect((await files().copy('a.txt', 'b.txt', { destinationBucket: 'open' })).data).toEqual({ path: 'open/b.txt' })
    expect((await files().move('none.txt', 'x.txt')).error).toMatchObject({ statusCode: '404' })
    const removed = await files().remove(['a.txt', 'none.txt'])
    expect(removed.data?.map(({ name, bucket_id }) => [name, bucket_id])).toEqual([['a.txt', 'files']])
    expect((await files().list()).data?.map(({ name }) => name)).toEqual(['moved.txt'])
    expect(await bodyOf(await storage.send('/object/files/none.txt', { method: 'DELETE' }))).toMatchObject({ http: 400, statusCode: '404' })
    expect(await bodyOf(await storage.send('/object/files/moved.txt', { method: 'DELETE' }))).toEqual({ http: 200, message: 'Successfully deleted' })
  })
})

describe('a link', () => {
  beforeEach(async () => {
    await put(`${anna}/a.txt`)
    await put('b.txt')
  })
  const pathOf = (url: string) => url.slice(url.indexOf('/storage/v1') + '/storage/v1'.length)

  test('to download carries its own right, for one object, until it ends', async () => {
    const { data } = await files(person(anna)).createSignedUrl(`${anna}/a.txt`, 60, { download: 'x.txt' })
    const path = pathOf(data?.signedUrl ?? '')
    const response = await storage.send(path, { as: undefined })
    expect([response.status, await response.text(), response.headers.get('content-disposition')]).toEqual([200, 'hello', "attachment; filename=x.txt; filename*=UTF-8''x.txt"])
    expect(response.headers.get('expires')).toMatch(/GMT$/)
    expect(response.headers.get('cache-control')).toBeNull()
    expect(await bodyOf(await storage.send(path.replace(`${anna}/a.txt`, 'b.txt'), { as: undefined }))).toMatchObject({ http: 400, code: 'InvalidSignature', message: 'Invalid signature' })
    expect(await bodyOf(await storage.send(path.replace(`${anna}/a.txt`, `x/../${anna}/a.txt`).replace('/../', '%2F..%2F'), { as: undefined }))).toMatchObject({ http: 400 })
    expect((await files(person(bert)).createSignedUrl(`${anna}/a.txt`, 60)).error?.message).toBe('Object not found')
  })

  test('is worth nothing when it is changed, over, or of another kind', async () => {
    const { data } = await files().createSignedUrl('b.txt', 60)
    const path = pathOf(data?.signedUrl ?? '')
    const token = new URLSearchParams(path.split('?')[1]).get('token') ?? ''
    const [head = '', body = '', signature = ''] = token.split('.')
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { exp: number }
    expect(claims).toEqual({ url: 'files/b.txt', scope: 'download', iat: expect.any(Number), exp: expect.any(Number) })
    for (const forged of [`${part({ alg: 'none' })}.${body}.`, `${part({ alg: 'none' })}.${body}.${signature}`, `${head}.${part({ ...claims, exp: claims.exp + 1 })}.${signature}`, `${head}.${body}.${signature.slice(0, -2)}`, 'x', ''])
      expect([forged, (await bodyOf(await storage.send(`/object/sign/files/b.txt?token=${forged}`, { as: undefined }))).code]).toEqual([forged, 'InvalidJWT'])
    expect(await bodyOf(await storage.send('/object/sign/files/b.txt'))).toMatchObject({ http: 400, message: "querystring must have required property 'token'" })
    expect(await bodyOf(await storage.send(`/object/upload/sign/files/b.txt?token=${token}`, { method: 'PUT', body: 'x', as: undefined }))).toMatchObject({ message: 'Token is not scoped for upload' })
    const upload = (await files().createSignedUploadUrl('c.txt')).data
    expect(await bodyOf(await storage.send(`/object/sign/files/c.txt?token=${upload?.token}`, { as: undefined }))).toMatchObject({ message: 'Token is not scoped for download' })
    const late = { ...storage.parts, clock: { now: () => Date.now() + 61_000 } }
    const { verifyLink } = await import('./links.ts')
    expect(() => verifyLink(late, token, { scope: 'download', address: { bucketId: 'files', name: 'b.txt' } })).toThrow('"exp" claim timestamp check failed')
  })

  test('for many at once tells which were not found', async () => {
    const { data } = await files(person(anna)).createSignedUrls([`${anna}/a.txt`, 'b.txt'], 60)
    expect(data?.map(({ error, path }) => [path, error])).toEqual([[`${anna}/a.txt`, null], ['b.txt', 'Either the object does not exist or you do not have access to it']])
    expect(await statusOf(storage.send(pathOf(data?.[0]?.signedUrl ?? ''), { as: undefined }))).toBe(200)
  })

  test('to upload works once, in the name of who made it', async () => {
    const { data } = await files(person(anna)).createSignedUploadUrl(`${anna}/new.txt`)
    const send = () => storage.as(undefined).from('files').uploadToSignedUrl(`${anna}/new.txt`, data?.token ?? '', new Blob(['signed']))
    expect((await send()).data).toMatchObject({ path: `${anna}/new.txt`, fullPath: `files/${anna}/new.txt` })
    expect((await send()).error).toMatchObject({ statusCode: '409' })
    const [row] = await database.asAdmin('postgres', (tx) => tx.many<{ owner_id: string }>({ text: 'select owner_id from storage.objects where name = $1', values: [`${anna}/new.txt`] }))
    expect(row?.owner_id).toBe(anna)
    expect((await files(person(anna)).createSignedUploadUrl(`${bert}/new.txt`)).error?.message).toBe('new row violates row-level security policy')
  })
})

test('unknown paths, methods and bodies are answered in the API\'s words', async () => {
  expect(await bodyOf(await storage.send('/nope?x=1'))).toEqual({ http: 404, statusCode: '404', error: 'Not Found', message: 'Route GET:/nope?x=1 not found', code: 'InvalidRequest' })
  const json = { 'content-type': 'application/json' }
  expect(await bodyOf(await storage.send('/object/list/files', { method: 'POST', body: '{', headers: json }))).toMatchObject({ http: 400, code: 'InvalidRequest' })
  expect(await bodyOf(await storage.send('/object/list/files', { method: 'POST', body: '', headers: json }))).toMatchObject({ message: "Body cannot be empty when content-type is set to 'application/json'" })
  expect(await bodyOf(await storage.send('/object/list/files', { method: 'POST', body: '{"prefix":"","limit":0}', headers: json }))).toMatchObject({ message: 'body/limit must be >= 1' })
  expect(await bodyOf(await storage.send('/object/list/files', { method: 'POST', body: '<a/>', headers: { 'content-type': 'text/xml' } }))).toMatchObject({ http: 400, statusCode: '415' })
  expect(await bodyOf(await storage.send('/object/list/files', { method: 'POST', body: JSON.stringify({ prefix: 'x'.repeat(3_000_000) }), headers: json }))).toMatchObject({ http: 413 })
  expect(await bodyOf(await storage.send('/object/files', { method: 'DELETE', body: JSON.stringify({ prefixes: Array(1001).fill('a') }), headers: json }))).toMatchObject({ http: 400, message: 'Bulk object requests are limited to 1000 objects per request.' })
  expect(await bodyOf(await storage.send('/cdn/files', { method: 'DELETE' }))).toEqual({ http: 200, message: 'success' })
  expect(await bodyOf(await storage.send('/cdn/files', { method: 'DELETE', as: anon }))).toMatchObject({ http: 403 })
  expect(await statusOf(storage.send('/status'))).toBe(200)
})
