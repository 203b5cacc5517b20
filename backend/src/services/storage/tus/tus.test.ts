import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '#contract/clock.ts'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { actorOf } from '#services/storage/actor.ts'
import { getObject, openObject } from '#services/storage/objects.ts'
import { openTestStorage, person, service, type TestCaller, type TestStorage } from '#services/storage/open-test-storage.ts'
import { createTusProtocol } from './protocol.ts'
import { lifetimeMs } from './uploads.ts'

const anna = '5b5f3a38-6c44-4d11-9c7c-1f3e3b7a1a01'
const bert = '5b5f3a38-6c44-4d11-9c7c-1f3e3b7a1a02'

let database: Database
let storage: TestStorage
let nowMs = Date.parse('2026-11-20T18:00:00Z')
const clock: Clock = { now: () => nowMs }

beforeAll(async () => {
  database = await openTestDatabase()
  await database.script('postgres', `
    insert into storage.buckets (id, name, file_size_limit, allowed_mime_types) values ('files', 'files', null, null), ('small', 'small', 10, '{image/*}');
    create policy "people upload below their id" on storage.objects for insert to authenticated
      with check (bucket_id = 'files' and (storage.foldername(name))[1] in (select auth.uid()::text union select 'shared'));
    create policy "people see files" on storage.objects for select to authenticated using (true);
  `)
  storage = await openTestStorage(database, {}, clock)
})
afterAll(async () => {
  await storage?.close()
  await database?.close()
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const metadataOf = (fields: Record<string, string>): string => Object.entries(fields).map(([name, value]) => `${name} ${base64(value)}`).join(',')

interface Sent {
  as?: TestCaller
  headers?: Record<string, string>
  body?: string | ReadableStream<Uint8Array>
}

const version = { 'tus-resumable': '1.0.0' }
const bytesType = { 'content-type': 'application/offset+octet-stream' }

const send = (method: string, path: string, { as, headers = {}, body }: Sent = {}): Promise<Response> =>
  storage.send(path, { method, headers: { ...version, ...headers }, ...(as === undefined ? {} : { as }), ...(body === undefined ? {} : { body, duplex: 'half' as const }) })

interface Begun extends Sent {
  bucketName?: string
  objectName: string
  length?: number
  metadata?: Record<string, string>
}

const begin = ({ bucketName = 'files', objectName, length, metadata = {}, headers = {}, ...rest }: Begun): Promise<Response> =>
  send('POST', '/upload/resumable', {
    ...rest,
    headers: {
      ...(length === undefined ? {} : { 'upload-length': String(length) }),
      'upload-metadata': metadataOf({ bucketName, objectName, contentType: 'text/plain', ...metadata }),
      ...(rest.body === undefined ? {} : bytesType),
      ...headers,
    },
  })

const pathOf = (answer: Response): string => new URL(answer.headers.get('location') ?? '').pathname.replace('/storage/v1', '')
const patch = (path: string, offset: number, { body, headers, ...rest }: Sent): Promise<Response> =>
  send('PATCH', path, { ...rest, headers: { ...bytesType, 'upload-offset': String(offset), ...headers }, ...(body === undefined ? {} : { body }) })
const head = (path: string, rest: Sent = {}): Promise<Response> => send('HEAD', path, rest)
const offsetOf = async (path: string): Promise<number> => Number((await head(path)).headers.get('upload-offset'))

const admin = actorOf({ role: 'service_role', claims: service }, 'storage.object.get')
const read = async (name: string): Promise<string> => {
  const { opened } = await openObject(storage.parts, admin, { address: { bucketId: 'files', name } })
  return new Response(opened.body).text()
}
const rowOf = (name: string) => getObject(storage.parts, admin, { bucketId: 'files', name })
const leftovers = (): string[] => readdirSync(join(storage.folder, 'scratch', 'uploads')).filter((name) => !name.endsWith('.json'))

describe('a resumable upload', () => {
  test('is described to whoever asks, without a version of the protocol', async () => {
    const answer = await storage.send('/upload/resumable', { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,creation-defer-length,termination,expiration',
      'tus-max-size': String(50 * 1024 * 1024),
    })
  })

  test('becomes an object with its last byte, with type, caching, metadata and owner', async () => {
    const begun = await begin({ as: person(anna), objectName: `${anna}/a.txt`, length: 11, metadata: { cacheControl: '60', metadata: '{"a":1}' } })
    expect(begun.status).toBe(201)
    expect(begun.headers.get('upload-expires')).toBe(new Date(nowMs + lifetimeMs).toUTCString())
    const path = pathOf(begun)
    expect(path).toMatch(/^\/upload\/resumable\/[\w-]+$/)
    expect((await patch(path, 0, { as: person(anna), body: 'hello ' })).headers.get('upload-offset')).toBe('6')
    await expect(rowOf(`${anna}/a.txt`)).rejects.toMatchObject({ code: 'NoSuchKey' })
    const told = await head(path, { as: person(anna) })
    expect([told.status, told.headers.get('upload-offset'), told.headers.get('upload-length'), told.headers.get('cache-control')]).toEqual([200, '6', '11', 'no-store'])
    expect(told.headers.get('upload-metadata')).toContain(`objectName ${base64(`${anna}/a.txt`)}`)
    const last = await patch(path, 6, { as: person(anna), body: 'world' })
    expect([last.status, last.headers.get('upload-offset'), last.headers.get('upload-expires')]).toEqual([204, '11', null])
    expect(await read(`${anna}/a.txt`)).toBe('hello world')
    expect(await rowOf(`${anna}/a.txt`)).toMatchObject({ owner_id: anna, user_metadata: { a: 1 }, metadata: { mimetype: 'text/plain', cacheControl: 'max-age=60', size: 11, eTag: '"5eb63bbbe01eeed093cb22bb8f5acdc3"' } })
    expect(leftovers()).toEqual([])
    // A client whose last answer was lost asks again.
    expect(await offsetOf(path)).toBe(11)
    const ending = await send('DELETE', path, { headers: { 'x-upsert': 'true' } })
    expect([ending.status, await ending.text()]).toEqual([400, 'Cannot terminate an already completed upload'])
  })

  test('takes bytes with the question, a length told later, and files of no bytes', async () => {
    const begun = await begin({ objectName: 'with-data.txt', length: 6, body: 'abc' })
    expect([begun.status, begun.headers.get('upload-offset')]).toEqual([201, '3'])
    await patch(pathOf(begun), 3, { body: 'def' })
    expect(await read('with-data.txt')).toBe('abcdef')

    const deferred = await begin({ objectName: 'deferred.txt', headers: { 'upload-defer-length': '1' } })
    await patch(pathOf(deferred), 0, { body: 'abc' })
    expect((await head(pathOf(deferred))).headers.get('upload-defer-length')).toBe('1')
    expect((await patch(pathOf(deferred), 3, { body: '', headers: { 'upload-length': '2' } })).status).toBe(400)
    expect((await patch(pathOf(deferred), 3, { body: '', headers: { 'upload-length': '3' } })).headers.get('tus-complete')).toBe('1')
    expect(await read('deferred.txt')).toBe('abc')

    const empty = await begin({ objectName: 'empty.txt', length: 0 })
    expect([empty.status, empty.headers.get('upload-offset')]).toEqual([201, '0'])
    expect((await rowOf('empty.txt')).metadata).toMatchObject({ size: 0 })
  })

  test('is ended and forgotten', async () => {
    const path = pathOf(await begin({ objectName: 'ended.txt', length: 6, body: 'abc' }))
    expect((await send('DELETE', path)).status).toBe(204)
    expect((await head(path)).status).toBe(404)
    expect((await patch(path, 3, { body: 'def' })).status).toBe(404)
    expect(leftovers()).toEqual([])
  })

  test('expires after a day, and its bytes are cleared away', async () => {
    const path = pathOf(await begin({ objectName: 'late.txt', length: 6, body: 'abc' }))
    nowMs += lifetimeMs + 1
    expect((await head(path)).status).toBe(410)
    expect((await patch(path, 3, { body: 'def' })).status).toBe(410)
    await createTusProtocol(storage.parts).cleanUp()
    expect((await head(path)).status).toBe(404)
    expect(leftovers()).toEqual([])
  })

  test('replaces an object only when it was asked to', async () => {
    const first = await begin({ objectName: 'twice.txt', length: 3, body: 'one' })
    expect(first.status).toBe(201)
    const second = await begin({ objectName: 'twice.txt', length: 3, body: 'two' })
    expect([second.status, await second.text()]).toEqual([409, 'The resource already exists'])
    expect((await begin({ objectName: 'twice.txt', length: 3, body: 'two', headers: { 'x-upsert': 'true' } })).status).toBe(201)
    expect(await read('twice.txt')).toBe('two')
  })

  test('keeps its bytes when the object cannot be made, and makes it once it can', async () => {
    // The rehearsal of an upload has version 1; what follows is the real row.
    await database.script('postgres', `
      create function public.refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create trigger refuse before insert on storage.objects for each row when (new.name = 'not-now.txt' and new.version <> '1') execute function public.refuse();
    `)
    const path = pathOf(await begin({ objectName: 'not-now.txt', length: 6, body: 'abc' }))
    const failed = await patch(path, 3, { body: 'def' })
    expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining('not now')])
    // The last byte counts only once the object is there.
    expect(await offsetOf(path)).toBe(5)
    await database.script('postgres', 'drop trigger refuse on storage.objects')
    expect((await patch(path, 5, { body: 'f' })).status).toBe(204)
    expect(await read('not-now.txt')).toBe('abcdef')
  })

  // Its object is made, and what is written last, the note of it, cannot be: its place is taken.
  const becomeUnnoted = async (objectName: string): Promise<string> => {
    const path = pathOf(await begin({ objectName, length: 6, body: 'abc' }))
    const uploads = join(storage.folder, 'scratch', 'uploads')
    const record = readdirSync(uploads).find((name) => name.endsWith('.json') && readFileSync(join(uploads, name), 'utf8').includes(objectName)) ?? ''
    await database.script('postgres', `
      create or replace function public.slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return new; end $$;
      create trigger slow before insert on storage.objects for each row when (new.version <> '1') execute function public.slow();
    `)
    const last = patch(path, 3, { body: 'def' })
    await expect.poll(() => JSON.parse(readFileSync(join(uploads, record), 'utf8')).becoming).not.toBeNull()
    mkdirSync(join(uploads, `${record}.new`))
    expect((await last).status).toBe(500)
    await database.script('postgres', 'drop trigger slow on storage.objects')
    rmdirSync(join(uploads, `${record}.new`))
    expect([await read(objectName), await offsetOf(path)]).toEqual(['abcdef', 5])
    return path
  }

  test('that became an object just before the process ended is done when its last byte is sent again', async () => {
    const path = await becomeUnnoted('became.txt')
    const again = await patch(path, 5, { body: 'X' })
    expect([again.status, again.headers.get('upload-offset'), await offsetOf(path)]).toEqual([204, '6', 6])
    expect(await read('became.txt')).toBe('abcdef')
    expect(leftovers()).toEqual([])
  })

  test('never changes the bytes of an object that it became, wherever that was moved', async () => {
    const path = await becomeUnnoted('became-there.txt')
    expect((await storage.as(service).from('files').move('became-there.txt', 'moved.txt')).error).toBeNull()
    // A line that breaks before the byte came, and one that brings another byte.
    for (const body of ['', 'X']) {
      expect((await patch(path, 5, { body })).status).toBe(204)
      expect(await read('moved.txt')).toBe('abcdef')
    }
    expect(await read('became-there.txt')).toBe('abcdeX')
    expect(leftovers()).toEqual([])
  })

  test('is not cleared away because it cannot be read for a moment', async () => {
    const path = pathOf(await begin({ objectName: 'unreadable.txt', length: 6, body: 'abc' }))
    const uploads = join(storage.folder, 'scratch', 'uploads')
    const record = readdirSync(uploads).find((name) => name.endsWith('.json') && readFileSync(join(uploads, name), 'utf8').includes('unreadable.txt')) ?? ''
    renameSync(join(uploads, record), join(uploads, 'aside'))
    mkdirSync(join(uploads, record))
    await createTusProtocol(storage.parts).cleanUp()
    rmdirSync(join(uploads, record))
    renameSync(join(uploads, 'aside'), join(uploads, record))
    expect((await patch(path, 3, { body: 'def' })).status).toBe(204)
    expect(await read('unreadable.txt')).toBe('abcdef')
  })

  test('goes on after the process was replaced, where the bytes on disk end', async () => {
    const path = pathOf(await begin({ objectName: 'resumed.txt', length: 6, body: 'abc' }))
    const again = createTusProtocol(storage.parts)
    await again.cleanUp()
    const request = new Request(`http://storage.test/storage/v1${path}`, { method: 'HEAD', headers: version })
    const context = { requestId: 't', ip: '127.0.0.1', origin: 'http://storage.test', path, url: new URL(request.url), log: storage.parts.logger, caller: { role: 'service_role', claims: service } }
    expect((await again.answer(request, context))?.headers.get('upload-offset')).toBe('3')
    await patch(path, 3, { body: 'def' })
    expect(await read('resumed.txt')).toBe('abcdef')
  })
})

describe('a resumable upload is refused', () => {
  test.each<[string, number, RegExp, Begun]>([
    ['to a bucket that is not there', 404, /Bucket not found/, { bucketName: 'nowhere', objectName: 'a', length: 1 }],
    ['with a bucket name that is none', 400, /Bucket name invalid/, { bucketName: '../x', objectName: 'a', length: 1 }],
    ['above the bucket\'s size', 413, /Maximum size exceeded/, { bucketName: 'small', objectName: 'a', length: 11 }],
    ['of a type the bucket does not take', 415, /mime type text\/plain is not supported/, { bucketName: 'small', objectName: 'a', length: 5 }],
    ['with steps upwards in its name', 400, /Invalid key/, { objectName: '../../etc/passwd', length: 1 }],
    ['with a name of other signs', 400, /Invalid key/, { objectName: 'a\u0000b', length: 1 }],
    ['without a length', 400, /Upload-Length or Upload-Defer-Length/, { objectName: 'a' }],
    ['with two lengths', 400, /Upload-Length or Upload-Defer-Length/, { objectName: 'a', length: 1, headers: { 'upload-defer-length': '1' } }],
    ['with a length below nothing', 400, /Invalid upload-length/, { objectName: 'a', headers: { 'upload-length': '-1' } }],
    ['with a length in words', 400, /Invalid upload-length/, { objectName: 'a', headers: { 'upload-length': '1e3' } }],
    ['with metadata that is not base64', 400, /Upload-Metadata is invalid/, { objectName: 'a', length: 1, headers: { 'upload-metadata': 'bucketName !!!!' } }],
    ['with metadata of two equal names', 400, /Upload-Metadata is invalid/, { objectName: 'a', length: 1, headers: { 'upload-metadata': 'a YQ==,a YQ==' } }],
    ['with empty metadata', 400, /Upload-Metadata is invalid/, { objectName: 'a', length: 1, headers: { 'upload-metadata': ' ' } }],
    ['in parts that are to be joined', 501, /Concatenation/, { objectName: 'a', length: 1, headers: { 'upload-concat': 'partial' } }],
    ['when policies say no', 403, /row-level security/, { as: person(anna), objectName: `${bert}/a.txt`, length: 1 }],
  ])('%s', async (...[, status, text, begun]) => {
    const answer = await begin(begun)
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(text)])
    expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
  })

  test('in another version of the protocol', async () => {
    const answer = await send('POST', '/upload/resumable', { headers: { 'tus-resumable': '0.2.1' } })
    expect([answer.status, answer.headers.get('tus-version')]).toEqual([412, '1.0.0'])
  })

  test('at another offset, with more bytes than announced, or of another type', async () => {
    const path = pathOf(await begin({ objectName: 'lies.txt', length: 6, body: 'abc' }))
    const conflict = await patch(path, 0, { body: 'def' })
    expect([conflict.status, await conflict.text()]).toEqual([409, 'Upload-Offset conflict\n'])
    expect((await patch(path, 3, { body: 'defghi' })).status).toBe(413)
    expect((await patch(path, 3, { body: 'def', headers: { 'content-type': 'text/plain' } })).status).toBe(400)
    expect((await patch(path, 3, { body: 'def', headers: { 'upload-offset': '' } })).status).toBe(400)
    expect(await offsetOf(path)).toBe(3)
    expect((await patch(path, 3, { body: 'def' })).status).toBe(204)
  })

  test('to whoever did not begin it, even where policies let both upload', async () => {
    const path = pathOf(await begin({ as: person(anna), objectName: 'shared/a.txt', length: 6, body: 'abc' }))
    for (const answer of [await patch(path, 3, { as: person(bert), body: 'def' }), await send('DELETE', path, { as: person(bert) }), await patch(path, 3, { as: { role: 'anon' }, body: 'def' })]) {
      expect(answer.status).toBe(403)
    }
    expect((await patch(path, 3, { as: person(anna), body: 'def' })).status).toBe(204)
  })

  test('under an id that was put together', async () => {
    const real = pathOf(await begin({ objectName: 'guessed.txt', length: 6, body: 'abc' }))
    const id = Buffer.from(real.split('/').at(-1) ?? '', 'base64url').toString()
    const forged = [
      id.replace('guessed.txt', 'other.txt'), id.replace('files/', 'small/'), 'files/a/../../../../etc/passwd', 'files/a/..', `files/guessed.txt/${'0'.repeat(36)}`, 'files', '', '\u0000',
    ]
    for (const text of forged) {
      const answer = await head(`/upload/resumable/${Buffer.from(text).toString('base64url') || '!'}`)
      expect([text, [400, 404].includes(answer.status)]).toEqual([text, true])
    }
  })
})

/** A body that is fed by hand and can be left hanging. */
function openBody() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (given) => { controller = given } })
  return { body, push: (text: string) => controller?.enqueue(Buffer.from(text)), end: () => controller?.close(), fail: () => controller?.error(new Error('socket hang up')) }
}

describe('two clients at one upload', () => {
  test('the second is told to wait while the first sends, and what the first sent holds', async () => {
    const path = pathOf(await begin({ objectName: 'busy.txt', length: 100 }))
    const line = openBody()
    const first = patch(path, 0, { body: line.body })
    line.push('a')
    await expect.poll(() => offsetOf(path), { timeout: 10_000 }).toBe(1)
    const sending = setInterval(() => line.push('a'), 100)
    const second = await patch(path, 0, { body: 'b'.repeat(100) })
    clearInterval(sending)
    expect(second.status).toBe(423)
    line.end()
    const { status, headers } = await first
    expect(status).toBe(204)
    expect(await offsetOf(path)).toBe(Number(headers.get('upload-offset')))
  }, 20_000)

  test('a silent one gives way, and its bytes are kept', async () => {
    const path = pathOf(await begin({ objectName: 'silent.txt', length: 6 }))
    const line = openBody()
    const first = patch(path, 0, { body: line.body })
    line.push('abc')
    await expect.poll(() => offsetOf(path), { timeout: 10_000 }).toBe(3)
    const second = await patch(path, 3, { body: 'def' })
    expect(second.status).toBe(204)
    expect((await first).status).toBe(400)
    expect(await read('silent.txt')).toBe('abcdef')
  }, 20_000)

  test('one whose line breaks lets go at once', async () => {
    const path = pathOf(await begin({ objectName: 'broken.txt', length: 6 }))
    const line = openBody()
    const first = patch(path, 0, { body: line.body })
    line.push('abc')
    await expect.poll(() => offsetOf(path), { timeout: 10_000 }).toBe(3)
    line.fail()
    await first
    expect((await patch(path, 3, { body: 'def' })).status).toBe(204)
    expect(await read('broken.txt')).toBe('abcdef')
  }, 20_000)
})
