import { describe, expect, it } from 'vitest'
import type { Description, RelationDescription } from '#features/data/description/description.ts'
import type { Relation } from '#features/data/description/relations.ts'
import type { Rows } from '#features/data/grid/use-rows.ts'
import type { Row } from '#features/data/rows/row.ts'
import { changedKey, liveTableOf } from './live-table.ts'
import { differing, placeBehind, rowsWithout } from './pages.ts'
import { readPeople } from './people.ts'
import { hold } from './shared.ts'
import { Tally } from './tally.ts'

describe('which table tells of a relation', () => {
  const columns = ['id', 'org_id', 'title'].map((name) => ({ name, type: 'integer', base: 'int4', can: 's' }))
  const can = { select: true, insert: false, update: false, delete: false }
  const live = { insert: true, update: true, delete: true, old_record: 'key' as const }
  const fks = [{ name: 'org', columns: ['org_id'], schema: 'public', table: 'orgs', to: ['id'] }]
  const tickets: RelationDescription = { name: 'tickets', kind: 'table', can, columns, primary_key: ['id'], live, fks }
  const quiet: RelationDescription = { name: 'quiet', kind: 'table', can, columns, primary_key: ['id'] }
  const view: RelationDescription = { name: 'open_tickets', kind: 'view', can, columns, key_guess: ['id'], based_on: 'public.tickets' }
  const description: Description = { format: 1, fingerprint: 'f', server: { version: 15, role: 'authenticated' }, schemas: [{ name: 'public', relations: [tickets, quiet, view] }] }
  const inPublic = (relation: RelationDescription): Relation => ({ ...relation, schema: 'public' })

  it('is the table itself, told of by its key and what it points at', () => {
    expect(liveTableOf(description, inPublic(tickets))).toEqual({ schema: 'public', name: 'tickets', columns: ['id', 'org_id'] })
  })

  it('is none where the project sends no changes, and is tried where that is not known', () => {
    expect(liveTableOf(description, inPublic(quiet))).toBeUndefined()
    expect(liveTableOf({ ...description, fingerprint: '' }, inPublic(quiet))?.name).toBe('quiet')
  })

  it('is the table behind a view', () => {
    expect(liveTableOf(description, inPublic(view))).toEqual({ schema: 'public', name: 'tickets', columns: ['id', 'org_id'] })
  })

  it('tells which row it was, or that it cannot be known', () => {
    expect(changedKey(inPublic(tickets), { type: 'DELETE', record: {}, before: { id: 7 } })).toEqual(['7'])
    expect(changedKey(inPublic(tickets), { type: 'UPDATE', record: { id: 8 }, before: {} })).toEqual(['8'])
    expect(changedKey(inPublic(tickets), { type: 'UPDATE', record: {}, before: {} })).toBeUndefined()
  })
})

describe('rows that left', () => {
  const all: Row[] = Array.from({ length: 6 }, (_, id) => ({ id }))
  const rows: Rows = {
    state: { step: 'ready' }, total: 6, count: undefined, isExact: true, countFailed: false, rowAt: (index) => all[index], failureAt: () => undefined,
    retry: () => undefined, isRefreshing: false, loaded: all, show: () => undefined,
  }

  it('leave no gap: what follows moves up', () => {
    const shown = rowsWithout(rows, [1, 3], ({ id }) => id !== 1 && id !== 3)
    expect(Array.from({ length: shown.total }, (_, index) => shown.rowAt(index)?.['id'])).toEqual([0, 2, 4, 5])
    expect(shown.loaded.map(({ id }) => id)).toEqual([0, 2, 4, 5])
    expect(rowsWithout(rows, [], () => true)).toBe(rows)
  })

  it('are counted before the place one asks for', () => {
    expect([0, 1, 2, 3].map((index) => placeBehind([0, 1, 5], index))).toEqual([2, 3, 4, 6])
  })

  it('differ from what they were in the columns that changed', () => {
    expect([...differing({ a: 1, b: { c: 1 }, gone: 1 }, { a: 1, b: { c: 2 }, come: null })]).toEqual(['b', 'gone', 'come'])
  })
})

describe('the total', () => {
  const showing = (total: number): Tally => {
    const tally = new Tally()
    tally.showing(total)
    return tally
  }

  it('is what is shown until something happens, and then follows what came and left', () => {
    const tally = showing(10)
    expect(tally.waiting()).toBe(0)
    tally.add(1)
    tally.add(1)
    expect(tally.waiting()).toBe(2)
    tally.add(-1)
    tally.showing(9)
    expect(tally.waiting()).toBe(2)
    tally.begin()
    expect(tally.waiting()).toBe(0)
  })

  it('believes a count only where nothing happened around it', () => {
    const tally = showing(10)
    tally.add(1)
    expect(tally.take(11, Date.now())).toBe(false)
    expect(tally.take(13, Date.now() + 5000)).toBe(true)
    expect([tally.waiting(), tally.unseen()]).toEqual([3, 2])
  })

  it('finds by counting what nobody told of', () => {
    const tally = showing(10)
    expect(tally.take(9, Date.now())).toBe(true)
    expect([tally.waiting(), tally.unseen()]).toEqual([-1, -1])
  })
})

describe('people', () => {
  it('are read out of whatever somebody sent, and never oneself', () => {
    const people = readPeople({
      me: [{ presence_ref: '1', name: 'Me' }],
      ada: [{ name: '', records: [{ mark: 'm', isEditing: false }] }, { name: 'Ada'.repeat(50), picture: 'https://example.com/a.png', records: [{ mark: 'm', isEditing: true }, null, { mark: 7 }] }],
      odd: [{ name: 5, picture: 'javascript:alert(1)', records: 'x' }],
    }, { self: 'me', withPictures: true })
    expect(people.map(({ id }) => id)).toEqual(['ada', 'odd'])
    expect(people[0]?.name).toHaveLength(60)
    expect(people[0]?.records.get('m')).toEqual({ isEditing: true })
    expect(people[1]).toEqual({ id: 'odd', name: '', picture: undefined, records: new Map() })
  })

  it('show no picture over a channel anyone may join', () => {
    expect(readPeople({ ada: [{ name: 'Ada', picture: 'https://example.com/a.png' }] }, { self: '', withPictures: false })[0]?.picture).toBeUndefined()
  })
})

describe('a thing several hold', () => {
  it('is opened once', () => {
    let opened = 0
    const open = () => ({ number: (opened += 1), close: () => undefined })
    const [first, second] = [hold('a', open), hold('a', open)]
    expect(first.thing).toBe(second.thing)
    expect(opened).toBe(1)
    first.release()
    second.release()
    expect(hold('a', open).thing).toBe(first.thing)
  })
})
