import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'
import { loadProject } from './load-project.ts'
import { isPrepared, notePrepared, stampOf } from './prepared.ts'

describe('a database that an earlier start prepared', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-prepared-'))
  const write = (name: string, text: string): void => writeFileSync(join(folder, 'supabase', name), text)
  const stamp = (): string => stampOf({ folder })
  let database: Database

  beforeAll(async () => {
    mkdirSync(join(folder, 'supabase/migrations'), { recursive: true })
    write('migrations/20260101000000_one.sql', 'create table public.one (id int);')
    database = await openTestDatabase()
    await bootstrap(database)
  })
  afterAll(async () => {
    await database?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is not taken for prepared before the note is there', async () => {
    expect(await isPrepared(database, stamp())).toBe(false)
    await loadProject(database, { folder })
    expect(await isPrepared(database, stamp())).toBe(false)
    await notePrepared(database, stamp())
    expect(await isPrepared(database, stamp())).toBe(true)
  })

  it('is prepared anew once a file or a setting of the project has changed', async () => {
    const before = stamp()
    write('migrations/20260101000000_one.sql', 'create table public.one (id bigint);')
    expect(stamp()).not.toBe(before)
    write('migrations/20260101000000_one.sql', 'create table public.one (id int);')
    expect(stamp()).toBe(before)
    expect(stampOf({ folder, exposeNewTables: false })).not.toBe(before)
    write('seed.sql', 'insert into public.one values (1);')
    expect(await isPrepared(database, stamp())).toBe(false)
    rmSync(join(folder, 'supabase/seed.sql'))
  })

  it('is prepared anew once the history or the buckets were changed by hand', async () => {
    await database.script('postgres', `insert into storage.buckets (id, name) values ('by-hand', 'by-hand')`)
    expect(await isPrepared(database, stamp())).toBe(false)
    await notePrepared(database, stamp())
    expect(await isPrepared(database, stamp())).toBe(true)
    await database.script('postgres', 'delete from supabase_migrations.schema_migrations')
    expect(await isPrepared(database, stamp())).toBe(false)
  })
})
