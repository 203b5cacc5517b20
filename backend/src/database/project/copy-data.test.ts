import { expect, test } from 'vitest'
import { copyAsInserts } from './copy-data.ts'

test('turns copied lines into inserts with the same values', () => {
  expect(copyAsInserts('COPY public.notes (id, body) FROM stdin', "1\tit's\n2\t\\N\n3\ttwo\\nlines \\\\ and\\ta tab\n")).toEqual([
    `insert into public.notes (id, body) overriding system value values\n('1', 'it''s'),\n('2', null),\n('3',  E'two\nlines \\\\ and\ta tab')`,
  ])
})

test('gives no statement for no data', () => {
  expect(copyAsInserts('copy t from stdin', '')).toEqual([])
})

test('reads CSV with a header, quotes and its own delimiter', () => {
  const data = 'id;name\n1;"a ""b""; c\nd"\n2;\n'
  expect(copyAsInserts(`copy t (id, name) from stdin with (format csv, header, delimiter ';')`, data)).toEqual([
    `insert into t (id, name) overriding system value values\n('1', 'a "b"; c\nd'),\n('2', null)`,
  ])
})

test('keeps each insert to some hundred rows', () => {
  expect(copyAsInserts('copy t from stdin', 'x\n'.repeat(1_200))).toHaveLength(3)
})
