import { describe, expect, it } from 'vitest'
import type { ColumnDescription, Description, RelationDescription } from '#features/data/description/description.ts'
import type { Relation } from '#features/data/description/relations.ts'
import type { Row } from '#features/data/rows/row.ts'
import { countIn, isWhole, nextStart, rowsIn, withCard, withoutCard, type Cards } from './cards.ts'
import { canMove, groupingsOf, readGrouping, tooLargeGroupings, writeGrouping, type Grouping } from './grouping.ts'
import { groupFor, groupsOf } from './groups.ts'
import { orderKeys, rowOrder } from './order.ts'

const can = { select: true, insert: true, update: true, delete: true }
const column = (name: string, more: Partial<ColumnDescription> = {}): ColumnDescription => ({ name, type: 'text', base: 'text', can: 'siu', ...more })
const id = column('id', { type: 'bigint', base: 'int8', can: 's', not_null: true, identity: 'always' })
const members: RelationDescription = { name: 'members', kind: 'table', can, columns: [column('id', { base: 'uuid', type: 'uuid', not_null: true }), column('name')], primary_key: ['id'] }
const people: RelationDescription = { ...members, name: 'people', approx_rows: 90_000 }
const fk = (to: string) => ({ name: `tickets_${to}`, columns: [`${to}_id`], schema: 'public', table: to, to: ['id'] })
const tickets: Relation = {
  schema: 'public', name: 'tickets', kind: 'table', can, primary_key: ['id'], fks: [fk('members'), fk('people')],
  unique: [['slug']],
  checks: [{ name: 'size', columns: ['size'], expr: `size = ANY (ARRAY['s'::text, 'm'::text])` }, { name: 'slug', columns: ['slug'], expr: `slug = ANY (ARRAY['a'::text, 'b'::text])` }],
  columns: [
    id, column('title'), column('is_done', { type: 'boolean', base: 'bool', not_null: true }), column('size'), column('slug'),
    column('priority', { enum: 'public.priority', class: 'enum', base: 'priority', type: 'public.priority' }),
    column('status', { enum: 'public.status', class: 'enum', base: 'status', type: 'public.status', not_null: true }),
    column('moods', { enum: 'public.status', class: 'enum', array: true, type: 'public.status[]', base: 'status' }),
    column('hidden', { enum: 'public.status', class: 'enum', base: 'status', type: 'public.status', can: 'iu' }),
    column('members_id', { type: 'uuid', base: 'uuid' }), column('people_id', { type: 'uuid', base: 'uuid' }),
    column('created_at', { type: 'timestamptz', base: 'timestamptz', not_null: true }),
  ],
}
const description: Description = {
  format: 1, fingerprint: 'f', server: { version: 15, role: 'authenticated' },
  types: { 'public.status': { kind: 'enum', values: ['open', 'on hold', 'closed'] }, 'public.priority': { kind: 'enum', values: ['low', 'high'] } },
  schemas: [{ name: 'public', relations: [tickets, members, people] }],
}
const groupings = groupingsOf(description, tickets)
const by = (name: string): Grouping => groupings.find((grouping) => grouping.column.name === name) ?? (() => { throw new Error(name) })()

describe('which columns a board can be made of', () => {
  it('takes enums, checked texts, booleans and rows that are few, a state before all others', () => {
    expect(groupings.map(({ column: { name }, kind }) => [name, kind])).toEqual([
      ['status', 'enum'], ['priority', 'enum'], ['size', 'choice'], ['is_done', 'boolean'], ['members_id', 'reference'],
    ])
  })

  it('names the columns that lead to too many rows, and no other', () => {
    expect(tooLargeGroupings(description, tickets).map(({ name }) => name)).toEqual(['people_id'])
    const unread = { ...description, schemas: [{ name: 'public', relations: [tickets, members, { ...people, can: { ...can, select: false } }] }] }
    expect(tooLargeGroupings(unread, tickets)).toEqual([])
  })

  it('offers a move only where the role may update the column of a row it can find again', () => {
    expect(canMove(tickets, by('status'))).toBe(true)
    expect(canMove({ ...tickets, can: { ...can, update: false } }, by('status'))).toBe(false)
    expect(canMove(tickets, { ...by('status'), column: column('status', { can: 's' }) })).toBe(false)
    expect(canMove({ ...tickets, primary_key: [], unique: [] }, by('status'))).toBe(false)
  })

  it('keeps the column in the address beside the view', () => {
    expect(writeGrouping('?search=x&sort=-id', 'status')).toBe('?search=x&sort=-id&board=status')
    expect(writeGrouping('?search=x&board=status', undefined)).toBe('?search=x')
    expect(readGrouping('?board=size', groupings)?.column.name).toBe('size')
    expect(readGrouping('?board=no_more', groupings)?.column.name).toBe('status')
    expect(readGrouping('?search=x', groupings)).toBeUndefined()
  })
})

describe('the columns of a board', () => {
  it('stand in the order of the enum, with one for no value only where there can be none', () => {
    expect(groupsOf(by('status')).map((group) => group.id)).toEqual(['=open', '=on hold', '=closed'])
    expect(groupsOf(by('priority')).map((group) => group.id)).toEqual(['null', '=low', '=high'])
    expect(groupsOf(by('is_done')).map(({ value, clause }) => [value, clause])).toEqual([
      [true, { column: 'is_done', operator: 'is', value: 'true' }], [false, { column: 'is_done', operator: 'is', value: 'false' }],
    ])
  })

  it('have one for rows that point at what is not shown', () => {
    const groups = groupsOf(by('members_id'), [{ values: ['m1'], title: 'Ada' }])
    expect(groups.map(({ id: name, label }) => [name, label])).toEqual([['null', undefined], ['=m1', 'Ada'], ['others', undefined]])
    const at = (value: unknown) => groupFor(groups, by('members_id'), { members_id: value })?.id
    expect([at('m1'), at(null), at('m9')]).toEqual(['=m1', 'null', 'others'])
  })
})

describe('the order inside a column', () => {
  const order = (left: Row, right: Row, sort: { column: string; descending: boolean }[]) => Math.sign(rowOrder(description, tickets, sort)(left, right))

  it('is the view\'s and then the key\'s, as the rows are asked for', () => {
    expect(orderKeys(tickets, [])).toEqual([{ column: 'created_at', descending: true }, { column: 'id', descending: true }])
    expect(orderKeys(tickets, [{ column: 'hidden', descending: false }])).toEqual([{ column: 'id', descending: false }])
  })

  it('compares as the database does: enums by their place, long numbers by every digit, nothing last', () => {
    const up = (name: string) => [{ column: name, descending: false }]
    const down = (name: string) => [{ column: name, descending: true }]
    expect(order({ status: 'open' }, { status: 'on hold' }, up('status'))).toBe(-1)
    expect(order({ id: '9007199254740993' }, { id: '9007199254740992' }, up('id'))).toBe(1)
    expect(order({ id: '9' }, { id: '10' }, up('id'))).toBe(-1)
    expect(order({ priority: null }, { priority: 'low' }, up('priority'))).toBe(1)
    expect(order({ priority: null }, { priority: 'low' }, down('priority'))).toBe(1)
    expect(order({ created_at: '2026-01-01T00:00:00.5+00:00' }, { created_at: '2026-01-01T00:00:00+00:00' }, down('created_at'))).toBe(-1)
    expect(order({ title: 'a', id: '1' }, { title: 'a', id: '2' }, down('title'))).toBe(1)
  })
})

describe('the cards of a column', () => {
  const idOf = (row: Row) => String(row['id'])
  const compare = (left: Row, right: Row) => Number(left['id']) - Number(right['id'])
  const cards = (isFull: boolean, ...ids: number[]): Cards => ({ pages: [{ rows: ids.map((one) => ({ id: one })), count: isFull ? 50 : ids.length, isFull, placed: 0 }], pageParams: [0] })
  const ids = (held: Cards) => rowsIn(held, idOf).map((row) => row['id'])

  it('take a card at its place and count it', () => {
    const held = withCard(cards(false, 1, 3), { id: 2 }, { idOf, compare })
    expect([ids(held), countIn(held)]).toEqual([[1, 2, 3], 3])
    expect(ids(withCard(held, { id: 3, title: 'again' }, { idOf, compare }))).toEqual([1, 2, 3])
    expect(countIn(withCard(held, { id: 3 }, { idOf, compare }))).toBe(3)
  })

  it('only count a card whose place has not been read yet, unless one put it there oneself', () => {
    const held = withCard(cards(true, 1, 3), { id: 9 }, { idOf, compare })
    expect([ids(held), countIn(held)]).toEqual([[1, 3], 51])
    expect(ids(withCard(cards(true, 1, 3), { id: 9 }, { idOf, compare, always: true }))).toEqual([1, 3, 9])
  })

  it('are read on from where they end, whatever came and went meanwhile', () => {
    const moved = withoutCard(withCard(cards(true, 1, 3, 5), { id: 2 }, { idOf, compare }), '5', idOf)
    expect([ids(moved), countIn(moved), nextStart(moved.pages), isWhole(moved)]).toEqual([[1, 2, 3], 50, 2, false])
    expect(nextStart(cards(false, 1, 3).pages)).toBeUndefined()
    const twice: Cards = { ...moved, pages: [...moved.pages, { rows: [{ id: 2 }, { id: 7 }], isFull: false, placed: 0 }] }
    expect(ids(twice)).toEqual([1, 2, 3, 7])
  })
})
