import { expect, test } from 'vitest'
import { reshape } from './reshape.ts'

const shape = (text: string, availableExtensions = ['pg_tle', 'pg_net', 'vector', 'uuid-ossp']) =>
  reshape({ text, offset: 0 }, { databaseName: 'my"own', availableExtensions: new Set(availableExtensions) })

test.each([
  ['create unique index concurrently if not exists a on t (b)', 'create unique index if not exists a on t (b)'],
  ['DROP INDEX CONCURRENTLY a', 'DROP INDEX a'],
  ['refresh materialized view concurrently m', 'refresh materialized view concurrently m'],
  ['set session authorization anon', 'set role anon'],
  ['SET SESSION AUTHORIZATION DEFAULT', 'set role postgres'],
  ['reset role', 'set role postgres'],
  ['ALTER DATABASE postgres SET "app.settings.x" TO \'y\'', 'ALTER DATABASE "my""own" SET "app.settings.x" TO \'y\''],
  ['create extension if not exists vector with schema extensions version \'0.8.0\' cascade', 'create extension if not exists vector with schema extensions cascade'],
  ['create extension if not exists "pg_tle"', 'create extension if not exists "pg_tle" schema extensions'],
  ['create extension pg_net cascade', 'create extension pg_net schema extensions cascade'],
  ['create extension "uuid-ossp"', 'create extension "uuid-ossp"'],
  ['select \'create index concurrently\'', 'select \'create index concurrently\''],
])('%s becomes %s', (text, expected) => {
  expect(shape(text).texts).toEqual([expected])
})

test.each(['alter system set wal_level = logical', 'vacuum full t', 'security label for pgsodium on column t.c is \'x\'', 'create database other', 'alter extension vector update to \'0.9\'', 'create extension "someone-package"', 'select pgtle.install_extension(\'a\', \'1\', \'\', \'\')'])(
  'leaves out %s and says so', (text) => {
    expect(shape(text)).toMatchObject({ texts: [], warning: expect.any(String) })
  })

test('makes the plain objects of a stand-in where the server has no files for the extension', () => {
  expect(shape('create extension if not exists "pgjwt" with schema api', []).texts).toEqual([expect.stringContaining('"api".url_encode')])
  expect(shape('create extension http', [])).toMatchObject({ warning: expect.stringContaining('http') })
  expect(shape('drop extension pg_graphql', []).texts).toEqual([])
  expect(shape('create extension vector', []).texts).toEqual(['create extension vector'])
})
