import { expect, test } from 'vitest'
import type { Relation } from '#features/data/description/relations.ts'
import type { Embed } from '#features/data/rows/selection.ts'
import { recordTitle } from './cell-text.ts'
import { exactNumber } from './cell-value.tsx'
import { moved } from './column-layout.ts'
import { tellingFields } from './telling-fields.ts'
import type { ShownColumn } from './shown-column.ts'
import { step } from './use-grid-keys.ts'
import { extent } from './use-rows.ts'

const page = (number: number, rows: number) => ({ page: number, rows: Array.from({ length: rows }) })

test('scrolls as far as was counted, and ends where the rows do', () => {
  expect(extent([page(0, 100)], { rows: 5000, exact: true })).toEqual({ total: 5000, isExact: true })
  expect(extent([page(0, 37)], undefined)).toEqual({ total: 37, isExact: true })
  expect(extent([page(0, 100), page(1, 20)], { rows: 5000, exact: true })).toEqual({ total: 120, isExact: true })
  expect(extent([page(0, 0)], { rows: 3, exact: false })).toEqual({ total: 0, isExact: true })
})

test('lets one scroll on past an estimate that was too low, and past the end of one too high', () => {
  expect(extent([page(0, 100)], { rows: 50, exact: false })).toEqual({ total: 200, isExact: false })
  expect(extent([page(0, 100), page(7, 0)], { rows: 900, exact: false })).toEqual({ total: 900, isExact: false })
  expect(extent([], undefined)).toEqual({ total: 0, isExact: false })
})

const shape = { rows: 100, columns: 5, pageRows: 20, rightToLeft: false }
const press = (key: string, more: object = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more })

test('moves the cell by arrows, pages and ends, mirrored where one reads from the right', () => {
  const from = { row: 30, column: 2 }
  expect(step(press('ArrowRight'), from, shape)).toEqual({ row: 30, column: 3 })
  expect(step(press('ArrowRight'), from, { ...shape, rightToLeft: true })).toEqual({ row: 30, column: 1 })
  expect(step(press('PageUp'), from, shape)).toEqual({ row: 10, column: 2 })
  expect(step(press('End', { ctrlKey: true }), from, shape)).toEqual({ row: 99, column: 4 })
  expect(step(press('ArrowUp'), { row: 0, column: 2 }, shape)).toEqual({ row: -1, column: 2 })
  expect(step(press('x'), from, shape)).toBeUndefined()
})

test('moves a column one place and leaves the ends alone', () => {
  expect(moved(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 'c', 1)).toEqual(['a', 'b', 'c'])
})

test('writes numbers with every digit they came with', () => {
  expect(exactNumber('12345678901234567890.10', 'en')).toBe('12,345,678,901,234,567,890.10')
  expect(exactNumber('1234.5', 'de')).toBe('1.234,5')
  expect(exactNumber('NaN', 'en')).toBe('NaN')
})

const all = { select: true, insert: true, update: true, delete: true }
const column = (name: string, base: string, more: object = {}) => ({ name, base, type: base, can: 'siu', ...more })
const people: Relation = { schema: 'public', name: 'profiles', kind: 'table', can: all, primary_key: ['id'], columns: [column('id', 'uuid'), column('name', 'text')] }
const fk = { name: 'a', columns: ['assignee'], schema: 'public', table: 'profiles', to: ['id'] }
const embed: Embed = { alias: 'row_of_1', fk, target: people, title: { from: 'column', column: 'name' } }

test('says the most telling fields of a row first, and neither its key nor its title again', () => {
  const tickets: Relation = { ...people, name: 'tickets', columns: [] }
  const shown = (name: string, base: string, more: Partial<ShownColumn> = {}): ShownColumn =>
    ({ column: column(name, base), label: name, width: 1, pinnedAt: undefined, embed: undefined, isChoice: false, isNumber: false, isTitle: false, isWayIn: false, ...more })
  const fields = tellingFields({ ...tickets, columns: [column('id', 'uuid')] }, [
    shown('id', 'int8'), shown('subject', 'text'), shown('priority', 'text', { isChoice: true }), shown('created_at', 'timestamptz'),
    shown('assignee', 'uuid', { embed }), shown('status', 'text', { isChoice: true }), shown('details', 'jsonb'),
  ], { from: 'column', column: 'subject' })
  expect(fields.map(({ column: { name } }) => name)).toEqual(['status', 'assignee', 'priority', 'created_at'])
})

test('calls a row by the one that speaks for it', () => {
  const row = { assignee: '7', row_of_1: { id: '7', name: 'Ada' } }
  const title = { from: 'row' as const, fk, target: people, title: { from: 'column' as const, column: 'name' } }
  expect(recordTitle(title, row, { key: ['7'], embeds: new Map([['assignee', embed]]) })).toBe('Ada')
})
