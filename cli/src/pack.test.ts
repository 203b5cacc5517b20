import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packSql } from '@portico/backend/pack'
import { afterAll, expect, test } from 'vitest'
import { writePack } from './pack.ts'

const scratch = mkdtempSync(join(tmpdir(), 'portico-pack-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const noon = new Date('2026-11-20T12:00:00Z')

test('holds what the box has built in, in one text', () => {
  for (const name of ['portico_describe', 'portico_account', 'portico_sessions', 'portico_revoke_session', 'portico_activity', 'portico_delete_account']) {
    expect(packSql).toContain(`create or replace function public.${name}(`)
  }
})

test('writes the pack as the latest migration of a folder, and makes the folder', () => {
  const folder = join(scratch, 'supabase', 'migrations')
  const file = writePack(folder, noon)
  expect(file).toBe(join(folder, '20261120120000_portico_pack.sql'))
  expect(readFileSync(file, 'utf8')).toBe(packSql)
})

test('comes after migrations that are numbered later than now', () => {
  const folder = mkdtempSync(join(scratch, 'later-'))
  writeFileSync(join(folder, '20270101000000_all.sql'), '')
  expect(writePack(folder, noon)).toBe(join(folder, '20270101000001_portico_pack.sql'))
})

test('writes no second pack beside the first, and none into a file', () => {
  const folder = mkdtempSync(join(scratch, 'twice-'))
  writePack(folder, noon)
  expect(() => writePack(folder, noon)).toThrow(/is there already/)
  expect(readdirSync(folder)).toHaveLength(1)
  expect(() => writePack(join(folder, readdirSync(folder)[0] as string), noon)).toThrow(/is a file/)
})
