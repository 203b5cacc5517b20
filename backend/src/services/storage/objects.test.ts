import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError } from '#database/database-error.ts'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { actorOf, type Actor } from './actor.ts'
import { blobKey, type BlobKey } from './bytes/blob-key.ts'
import { sweep } from './discarded-bytes.ts'
import { copyObject, getObject, moveObject, openObject, removeObject, removeObjects } from './objects.ts'
import { openTestStorage, person, service, type TestStorage } from './open-test-storage.ts'
import { checkUpload, finishUpload, storeObject } from './upload.ts'

let database: Database
let storage: TestStorage
beforeAll(async () => {
  database = await openTestDatabase()
  await database.script('postgres', `
    insert into storage.buckets (id, name) values ('files', 'files'), ('other', 'other');
    create policy "people see their own files" on storage.objects for select to authenticated using (owner_id = (select auth.uid()::text));
    create policy "people upload below their id" on storage.objects for insert to authenticated
      with check (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid()::text) and storage.allow_any_operation(array['object.upload', 'object.copy']));
    create policy "people change their own files" on storage.objects for update to authenticated
      using (owner_id = (select auth.uid()::text)) with check ((storage.foldername(name))[1] = (select auth.uid()::text));
    create policy "people delete their own files" on storage.objects for delete to authenticated using (owner_id = (select auth.uid()::text));
  `)
  storage = await openTestStorage(database)
})
afterAll(async () => {
  await storage?.close()
  await database?.close()
})
beforeEach(async () => {
  await removeObjects(storage.parts, admin, { bucketId: 'files', names: await names() })
  await sweep(storage.parts, 0)
})

const anna = '5b5f3a38-6c44-4d11-9c7c-1f3e3b7a1a01'
const bert = '5b5f3a38-6c44-4d11-9c7c-1f3e3b7a1a02'
const as = (claims: { role: string }, operation = 'storage.object.upload'): Actor => actorOf({ role: claims.role, claims }, operation)
const admin = as(service)
const names = async () =>
  (await database.asAdmin('postgres', (tx) => tx.many<{ name: string }>({ text: 'select name from storage.objects', values: [] }))).map(({ name }) => name)
const at = (name: string, bucketId = 'files') => ({ bucketId, name })
async function* text(content: string) {
  yield Buffer.from(content)
}
const facts = { mimeType: 'text/plain', cacheControl: 'no-cache' }
const store = (actor: Actor, name: string, { content = 'x', isUpsert = false } = {}) =>
  storeObject(storage.parts, actor, { address: at(name), isUpsert, facts, source: text(content) })
const read = async (actor: Actor, name: string) => {
  const { opened } = await openObject(storage.parts, actor, { address: at(name) })
  return new Response(opened.body).text()
}
const filesOnDisk = () => readdirSync(storage.folder, { recursive: true, encoding: 'utf8' }).filter((path) => path !== 'owner' && statSync(join(storage.folder, path)).isFile())

describe('an upload', () => {
  test('is stored with owner, version and metadata, and read back', async () => {
    const row = await store(as(person(anna)), `${anna}/a.txt`, { content: 'hello' })
    expect(row).toMatchObject({ owner: anna, owner_id: anna, user_metadata: {}, metadata: { size: 5, contentLength: 5, mimetype: 'text/plain', cacheControl: 'no-cache', httpStatusCode: 200 } })
    expect(await read(as(person(anna)), `${anna}/a.txt`)).toBe('hello')
  })

  test('that policies forbid never reads its bytes', async () => {
    let isRead = false
    async function* watched() {
      isRead = true
      yield Buffer.from('x')
    }
    const upload = { address: at(`${bert}/a.txt`), isUpsert: false, facts, source: watched() }
    await expect(storeObject(storage.parts, as(person(anna)), upload)).rejects.toMatchObject({ status: 403, message: 'new row violates row-level security policy' })
    expect(isRead).toBe(false)
    expect(filesOnDisk()).toEqual([])
  })

  test('tells policies what is being done', async () => {
    await expect(store(as(person(anna), 'storage.s3.upload'), `${anna}/a.txt`, { content: 'x' })).rejects.toMatchObject({ status: 403 })
  })

  test('of a name that is taken is refused, and replaces when asked to, under the same id', async () => {
    const first = await store(admin, 'a.txt', { content: 'one' })
    await expect(store(admin, 'a.txt', { content: 'two' })).rejects.toMatchObject({ status: 409, code: 'KeyAlreadyExists' })
    const second = await store(admin, 'a.txt', { content: 'two', isUpsert: true })
    expect(second.id).toBe(first.id)
    expect(second.version).not.toBe(first.version)
    expect(await read(admin, 'a.txt')).toBe('two')
    expect(filesOnDisk()).toHaveLength(1)
  })

  test('keeps what another uploaded at the same moment', async () => {
    const results = await Promise.allSettled(Array.from({ length: 5 }, (_, index) => store(admin, 'race.txt', { content: String(index) })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(filesOnDisk()).toHaveLength(1)
  })

  test('leaves no bytes when its row cannot be written', async () => {
    const upload = { address: at('a.txt'), isUpsert: false, facts, source: dropBucket() }
    async function* dropBucket() {
      yield Buffer.from('x')
      await database.script('postgres', `set storage.allow_delete_query = 'true'; delete from storage.buckets where id = 'files'`)
    }
    await expect(storeObject(storage.parts, admin, upload)).rejects.toMatchObject({ status: 404 })
    await database.script('postgres', `insert into storage.buckets (id, name) values ('files', 'files')`)
    expect(filesOnDisk()).toEqual([])
  })

  test('keeps its bytes when nobody can tell whether its row was written', async () => {
    await store(admin, 'a.txt', { content: 'old' })
    // The row is written, and then the connection is lost before anybody is told.
    const losing = new Proxy(database, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (name !== 'asCaller') return typeof member === 'function' ? member.bind(target) : member
        return async (...asked: Parameters<Database['asCaller']>) => {
          await target.asCaller(...asked)
          throw new DatabaseError({ sqlstate: '08006', message: 'the connection was lost' })
        }
      },
    })
    const upload = { address: at('a.txt'), isUpsert: true, version: randomUUID(), facts }
    const stored = await storage.parts.bytes.put(blobKey(upload.address, upload.version), text('new'))
    await expect(finishUpload({ ...storage.parts, database: losing }, admin, { ...upload, stored })).rejects.toMatchObject({ status: 544 })
    expect(await read(admin, 'a.txt')).toBe('new')
    await sweep(storage.parts, 0)
    expect(await read(admin, 'a.txt')).toBe('new')
    expect(filesOnDisk()).toHaveLength(1)
  })

  test('may not be called anything', async () => {
    for (const name of ['../a', 'a/../b', '..', './a', 'a\\b', 'a\0b', 'ä', 'a%2e', '', `${'x'.repeat(1025)}`, 'a\r\nb', 'a"b', 'a<b'])
      await expect(checkUpload(storage.parts, admin, { address: at(name), isUpsert: false })).rejects.toMatchObject({ code: 'InvalidKey' })
  })
})

describe('an object', () => {
  test('that is replaced between the look at its row and the opening of its bytes is opened as it is then', async () => {
    await store(admin, 'hot.txt', { content: 'old' })
    let replaced = 0
    const replacing = new Proxy(storage.parts.bytes, {
      get(bytes, name) {
        const member: unknown = Reflect.get(bytes, name)
        if (name !== 'sizeOf') return typeof member === 'function' ? member.bind(bytes) : member
        return async (key: BlobKey) => {
          if (replaced++ < 2) await store(admin, 'hot.txt', { content: `new ${replaced}`, isUpsert: true })
          return bytes.sizeOf(key)
        }
      },
    })
    const { opened } = await openObject({ ...storage.parts, bytes: replacing }, admin, { address: at('hot.txt') })
    expect(await new Response(opened.body).text()).toBe('new 2')
    expect(filesOnDisk()).toHaveLength(1)
  })

  test('that policies hide does not exist', async () => {
    await store(as(person(anna)), `${anna}/a.txt`, { content: 'x' })
    await expect(getObject(storage.parts, as(person(bert)), at(`${anna}/a.txt`))).rejects.toMatchObject({ code: 'NoSuchKey' })
    await expect(copyObject(storage.parts, as(person(bert), 'storage.object.copy'), { from: at(`${anna}/a.txt`), to: at(`${bert}/a.txt`), isUpsert: false })).rejects.toMatchObject({ code: 'NoSuchKey' })
    await expect(moveObject(storage.parts, as(person(bert)), { from: at(`${anna}/a.txt`), to: at(`${bert}/a.txt`) })).rejects.toMatchObject({ code: 'NoSuchKey' })
    await expect(removeObject(storage.parts, as(person(bert)), at(`${anna}/a.txt`))).rejects.toMatchObject({ status: 403, message: 'Access denied' })
    expect(await read(as(person(anna)), `${anna}/a.txt`)).toBe('x')
  })

  test('never serves bytes that another row names, whatever its version says', async () => {
    const secret = await store(admin, 'secret.txt', { content: 'secret' })
    await store(as(person(anna)), `${anna}/a.txt`, { content: 'mine' })
    await database.asAdmin('postgres', (tx) => tx.execute({ text: 'update storage.objects set version = $1 where name = $2', values: [secret.version, `${anna}/a.txt`] }))
    await expect(read(as(person(anna)), `${anna}/a.txt`)).rejects.toMatchObject({ code: 'NoSuchKey' })
  })

  test('is copied, and moved, and bytes go with it', async () => {
    await store(as(person(anna)), `${anna}/a.txt`, { content: 'x' })
    const copy = await copyObject(storage.parts, as(person(anna), 'storage.object.copy'), { from: at(`${anna}/a.txt`), to: at(`${anna}/b.txt`), isUpsert: false })
    expect(copy.metadata).toMatchObject({ mimetype: 'text/plain', size: 1 })
    const moved = await moveObject(storage.parts, as(person(anna), 'storage.object.move'), { from: at(`${anna}/b.txt`), to: at(`${anna}/c.txt`) })
    expect(moved.id).toBe(copy.id)
    expect(await read(as(person(anna)), `${anna}/c.txt`)).toBe('x')
    await expect(moveObject(storage.parts, as(person(anna)), { from: at(`${anna}/c.txt`), to: at(`${anna}/a.txt`) })).rejects.toMatchObject({ status: 409 })
    await expect(moveObject(storage.parts, as(person(anna)), { from: at(`${anna}/c.txt`), to: at(`${bert}/c.txt`) })).rejects.toMatchObject({ status: 403 })
    await removeObject(storage.parts, as(person(anna)), at(`${anna}/a.txt`))
    expect(await names()).toEqual([`${anna}/c.txt`])
    expect(filesOnDisk()).toHaveLength(1)
  })

  test('whose database is another one is not swept away', async () => {
    await store(admin, 'a.txt')
    const other = await openTestDatabase()
    const warnings: string[] = []
    const logger = { ...storage.parts.logger, warn: (message: string) => void warnings.push(message) }
    expect(await sweep({ ...storage.parts, database: other, logger }, 0)).toBe(0)
    await other.close()
    expect(warnings).toEqual(['the folder of the files belongs to another database: nothing in it is cleaned up'])
    expect(await read(admin, 'a.txt')).toBe('x')
  })

  test('deleted by SQL takes its bytes with it at the next sweep', async () => {
    await store(admin, 'a.txt', { content: 'x' })
    await store(admin, 'b.txt', { content: 'x' })
    await database.script('postgres', `set storage.allow_delete_query = 'true'; delete from storage.objects where name = 'a.txt'`)
    expect(await sweep(storage.parts, 60_000)).toBe(0)
    expect(await sweep(storage.parts, 0)).toBe(1)
    expect(await read(admin, 'b.txt')).toBe('x')
    expect(filesOnDisk()).toHaveLength(1)
  })
})
