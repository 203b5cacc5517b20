import { expect, test } from 'vitest'
import type { Relation } from '#features/data/description/relations.ts'
import { applyClauses, applySort, type Filterable } from './apply.ts'
import { clausesOf, searchClause } from './clause.ts'
import type { Condition, FilterPart } from './filter.ts'
import { nextSort, readView, writeView } from './view-state.ts'

const column = (name: string, base: string, more: object = {}) => ({ name, base, type: base, can: 'siu', ...more })

const tickets: Relation = {
  schema: 'public', name: 'tickets', kind: 'table', can: { select: true, insert: true, update: true, delete: true }, primary_key: ['id'],
  columns: [
    column('id', 'int8', { not_null: true }), column('subject', 'text', { not_null: true }), column('note', 'text'),
    column('status', 'ticket_status', { enum: 'public.ticket_status' }), column('tags', 'text', { array: true }), column('details', 'jsonb'),
    column('due_on', 'date'), column('created_at', 'timestamptz', { not_null: true }), column('local_at', 'timestamp'), column('Odd, name', 'int4'),
  ],
}

class Recorder implements Filterable {
  readonly parameters = new URLSearchParams()
  filter(name: string, operator: string, value: string) {
    this.parameters.append(name, `${operator}.${value}`)
    return this
  }
  or(filters: string) {
    this.parameters.append('or', `(${filters})`)
    return this
  }
  order(name: string, { ascending, nullsFirst }: { ascending: boolean; nullsFirst?: boolean }) {
    this.parameters.append('order', `${name}.${ascending ? 'asc' : 'desc'}${nullsFirst === false ? '.nullslast' : ''}`)
    return this
  }
}

const calendar = { now: new Date(2026, 10, 20, 15, 0), weekStartsOn: 1 }
const asked = (...filter: FilterPart[]) => [...applyClauses(new Recorder(), clausesOf(tickets, filter, calendar)).parameters]
const one = (columnName: string, operator: Condition['operator'], ...values: string[]): FilterPart => ({ any: [{ column: columnName, operator, values }] })

test.each<[FilterPart, string[][]]>([
  [one('subject', 'contains', '50%_\\'), [['subject', 'ilike.%50\\%\\_\\\\%']]],
  [one('subject', 'contains', 'a*b'), [['subject', 'imatch.a\\*b']]],
  [one('subject', 'starts', 'a*'), [['subject', 'imatch.^a\\*']]],
  [one('subject', 'is', 'a,b"c'), [['subject', 'eq.a,b"c']]],
  [one('subject', 'is-not', 'a'), [['subject', 'neq.a']]],
  [one('note', 'is-not', 'a,"b'), [['or', '(note.neq."a,\\"b",note.is.null)']]],
  [one('note', 'not-contains', 'x'), [['or', '(note.not.ilike."%x%",note.is.null)']]],
  [one('status', 'in', 'open', 'on hold,"x"'), [['status', 'in.("open","on hold,\\"x\\"")']]],
  [one('status', 'null'), [['status', 'is.null']]],
  [one('tags', 'has-all', 'a"b', 'c,d'), [['tags', 'cs.{"a\\"b","c,d"}']]],
  [one('details', 'path-is', 'device.os version', 'x'), [['details->device->>"os version"', 'eq.x']]],
  [one('due_on', 'today'), [['due_on', 'gte.2026-11-20'], ['due_on', 'lt.2026-11-21']]],
  [one('due_on', 'this-week'), [['due_on', 'gte.2026-11-16'], ['due_on', 'lt.2026-11-23']]],
  [one('due_on', 'days-between', '2026-01-01', '2026-01-31'), [['due_on', 'gte.2026-01-01'], ['due_on', 'lt.2026-02-01']]],
  [one('local_at', 'on', '2026-11-20'), [['local_at', 'gte.2026-11-20T00:00:00'], ['local_at', 'lt.2026-11-21T00:00:00']]],
  [one('created_at', 'before', '2026-11-20'), [['created_at', `lt.${new Date(2026, 10, 20).toISOString()}`]]],
  [one('due_on', 'on', '2026-02-31'), []],
  [one('Odd, name', 'between', '1', ''), [['"Odd, name"', 'gte.1']]],
  [one('gone', 'is', 'x'), []],
  [one('subject', 'contains', ''), []],
])('asks %j', (part, parameters) => {
  expect(asked(part)).toEqual(parameters)
})

test('joins alternatives, quoting what would end a value', () => {
  const part: FilterPart = { any: [{ column: 'status', operator: 'in', values: ['open'] }, { column: 'due_on', operator: 'today', values: [] }, { column: 'note', operator: 'is', values: ['a)b'] }] }
  expect(asked(part)).toEqual([['or', '(status.in.("open"),and(due_on.gte."2026-11-20",due_on.lt."2026-11-21"),note.eq."a)b")']])
})

test('searches every text column, and the key for a number', () => {
  expect([...applyClauses(new Recorder(), [searchClause(tickets, ' 42 ') ?? { any: [] }]).parameters]).toEqual([['or', '(id.eq."42",subject.ilike."%42%",note.ilike."%42%")']])
  expect(searchClause(tickets, '  ')).toBeUndefined()
})

test('orders by the view, then by the key, with empty values last', () => {
  const sorted = applySort(new Recorder(), tickets, [{ column: 'note', descending: true }, { column: 'created_at', descending: true }, { column: 'gone', descending: false }])
  expect([...sorted.parameters]).toEqual([['order', 'note.desc.nullslast'], ['order', 'created_at.desc'], ['order', 'id.desc']])
})

test('stands newest first where no order was asked for, by the moment rows were made, else by their number', () => {
  const { columns } = tickets
  const orders = (relation: Relation) => applySort(new Recorder(), relation, []).parameters.getAll('order')
  expect(orders(tickets)).toEqual(['created_at.desc', 'id.desc'])
  expect(orders({ ...tickets, columns: columns.map((one) => (one.name === 'created_at' ? { ...one, can: 'iu' } : one)) })).toEqual(['id.asc'])
  expect(orders({ ...tickets, approx_rows: 2_000_000 })).toEqual(['id.asc'])
  expect(orders({ ...tickets, approx_rows: 2_000_000, columns: columns.map((one) => (one.name === 'id' ? { ...one, identity: 'always' as const } : one)) })).toEqual(['id.desc'])
  expect(orders({ ...tickets, approx_rows: 2_000_000, columns: columns.map((one) => ({ ...one, indexed: true as const })) })).toEqual(['created_at.desc', 'id.desc'])
})

test('keeps a view in the address and finds it again, whatever its values hold', () => {
  const view = {
    search: 'über & 50%', sort: [{ column: 'created_at', descending: true }, { column: '-a,b', descending: false }],
    filter: [{ any: [{ column: 'no|te', operator: 'in' as const, values: ['a~b', '!c', 'd|e', '', '1,5'] }, { column: 'x', operator: 'null' as const, values: [] }] }, one('status', 'is', '+')],
  }
  expect(readView(writeView(view, '?page=1'))).toEqual(view)
  expect(writeView(view, '?page=1')).toContain('page=1')
  expect(writeView({ search: '', sort: [{ column: 'id', descending: true }], filter: [one('status', 'in', 'open', 'waiting')] })).toBe('?sort=-id&where=status~in~open~waiting')
})

test('opens an address it does not understand without the parts it cannot read', () => {
  expect(readView('?where=status~drop~x&where=~&sort=,,&where=a~is~1')).toEqual({ search: '', sort: [], filter: [one('a', 'is', '1')] })
})

test('a click sorts up, then down, then not at all', () => {
  const up = nextSort([], 'a', false)
  const down = nextSort(up, 'a', false)
  expect([up, down, nextSort(down, 'a', false)]).toEqual([[{ column: 'a', descending: false }], [{ column: 'a', descending: true }], []])
  expect(nextSort(up, 'b', true)).toEqual([{ column: 'a', descending: false }, { column: 'b', descending: false }])
})
