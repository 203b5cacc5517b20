import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { openTestStorage, service, type TestStorage } from './open-test-storage.ts'
import { seedFiles } from './seeded-files.ts'

let database: Database
let storage: TestStorage
const folder = mkdtempSync(join(tmpdir(), 'portico-seeded-'))
beforeAll(async () => {
  database = await openTestDatabase()
  storage = await openTestStorage(database)
  await storage.as(service).createBucket('files', { public: false })
})
afterAll(async () => {
  await storage?.close()
  await database?.close()
  rmSync(folder, { recursive: true })
})

test('a file that cannot be opened is told of, and the others are taken', async () => {
  const files = join(folder, 'files')
  mkdirSync(files)
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(files, name), name)
  // Gone after it was found and before it is read.
  const database = new Proxy(storage.parts.database, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name === 'batchAsCaller') rmSync(join(files, 'a.txt'), { force: true })
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  const warnings = await seedFiles({ ...storage.parts, database }, [{ id: 'files', folder: files }], join(folder, 'note.json'))
  expect(warnings).toEqual([expect.stringContaining('"a.txt" was not put into bucket "files"')])
  expect((await storage.as(service).from('files').list()).data?.map(({ name }) => name)).toEqual(['b.txt'])
})
