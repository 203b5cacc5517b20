import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blobKey, parseBlobKey } from './blob-key.ts'
import type { ByteStore } from './byte-store.ts'
import { openDiskStore } from './disk-store.ts'
import { openStorageFolder } from './storage-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'portico-disk-'))
let store: ByteStore
beforeAll(async () => {
  store = await openDiskStore({ folder })
})
afterAll(() => rmSync(folder, { recursive: true }))

const key = (name: string, version = 'a1') => blobKey({ bucketId: 'b', name }, version)
async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}
const read = async (name: string, range?: { first: number; last: number }) => {
  const opened = await store.get(key(name), range)
  return opened && new Response(opened.body).text()
}
const incoming = () => readdirSync(join(folder, 'incoming'))

test('stores a stream with its size and MD5, and reads it whole and in part', async () => {
  const stored = await store.put(key('hello'), pieces('Hello ', 'World'))
  expect(stored).toMatchObject({ sizeBytes: 11, eTag: '"b10a8db164e0754105b7a99be72e3fe5"' })
  expect(await read('hello')).toBe('Hello World')
  expect(await read('hello', { first: 6, last: 8 })).toBe('Wor')
  expect(await store.sizeOf(key('hello'))).toBe(11)
})

test('stores an empty stream', async () => {
  expect((await store.put(key('empty'), pieces())).sizeBytes).toBe(0)
  expect(await read('empty')).toBe('')
})

test('leaves nothing behind of a stream that breaks', async () => {
  async function* broken() {
    yield Buffer.from('half')
    throw new Error('the line went dead')
  }
  await expect(store.put(key('broken'), broken())).rejects.toThrow('the line went dead')
  expect(await store.sizeOf(key('broken'))).toBeUndefined()
  expect(incoming()).toEqual([])
})

test('leaves nothing behind of a stream that is called off', async () => {
  const controller = new AbortController()
  async function* endless() {
    for (let sent = 0; sent < 100; sent++) {
      yield Buffer.alloc(1024)
      if (sent === 3) controller.abort()
    }
  }
  await expect(store.put(key('off'), endless(), { signal: controller.signal })).rejects.toThrow()
  expect(incoming()).toEqual([])
})

test('copies, and a copy outlives its original', async () => {
  await store.put(key('one'), pieces('same'))
  expect(await store.copy(key('one'), key('two'))).toBe(true)
  await store.remove([key('one'), key('never there')])
  expect(await read('one')).toBeUndefined()
  expect(await read('two')).toBe('same')
  expect(await store.copy(key('one'), key('three'))).toBe(false)
  expect(incoming()).toEqual([])
})

test('takes over a finished file of the scratch folder', async () => {
  const path = join(store.scratchFolder, 'part')
  writeFileSync(path, 'Hello World')
  expect(await store.adopt(key('adopted'), path)).toMatchObject({ sizeBytes: 11, eTag: '"b10a8db164e0754105b7a99be72e3fe5"' })
  expect(await read('adopted')).toBe('Hello World')
  expect(readdirSync(store.scratchFolder)).toEqual([])
  writeFileSync(path, 'x')
  expect((await store.adopt(key('parts'), path, { eTag: '"abc-2"' })).eTag).toBe('"abc-2"')
})

test('forgets what an ended process left, and spares what is young', async () => {
  writeFileSync(join(folder, 'incoming', 'left'), 'half')
  await store.removeAbandoned(60_000)
  expect(incoming()).toEqual(['left'])
  await store.removeAbandoned(0)
  expect(incoming()).toEqual([])
})

test('lists what it holds', async () => {
  const keys: string[] = []
  for await (const { key, storedAt } of store.list()) {
    keys.push(key)
    expect(Math.abs(storedAt.getTime() - Date.now())).toBeLessThan(60_000)
  }
  expect(keys).toContain(key('hello'))
})

test('never makes a path of a name or a version', async () => {
  for (const [name, version] of [['../../../etc/passwd', 'a1'], ['a\0b', '../..'], ['..\\..\\x', '/etc'], ['%2e%2e/x', 'A1'], ['x'.repeat(5000), 'v'.repeat(500)]] as const) {
    const made = blobKey({ bucketId: '..', name }, version)
    expect(parseBlobKey(made)).toBe(made)
    await store.put(made, pieces('kept'))
  }
  const [...names] = readdirSync(join(folder, 'objects'), { recursive: true, encoding: 'utf8' })
  expect(names.every((path) => /^[0-9a-f]{2}(\/[0-9a-f-]+)?$/.test(path))).toBe(true)
})

test('cuts a download short when a file is shorter than asked for', async () => {
  await store.put(key('short'), pieces('abc'))
  await expect(read('short', { first: 0, last: 9 })).rejects.toThrow()
  expect(readFileSync(join(folder, 'objects', key('short').slice(0, 2), key('short')), 'utf8')).toBe('abc')
})

test('without a data folder files are kept in a temporary one that goes at the end', async () => {
  const { path, isTemporary, close } = await openStorageFolder(undefined)
  const kept = await openDiskStore({ folder: path, durable: !isTemporary })
  await kept.put(key('hello'), pieces('Hello'))
  await close()
  expect(existsSync(path)).toBe(false)
})
