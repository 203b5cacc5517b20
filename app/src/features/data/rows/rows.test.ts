import { expect, test } from 'vitest'
import type { Description } from '#features/data/description/description.ts'
import { findRelation, foreignKeyShownAt, keyColumns, listGroups, type Relation } from '#features/data/description/relations.ts'
import { titleOf } from '#features/data/description/title.ts'
import { dataPath, keyOf, readDataPath } from './address.ts'
import { toCsv, toTabs } from './csv.ts'
import { selectionOf, titleText } from './selection.ts'

const all = { select: true, insert: true, update: true, delete: true }
const column = (name: string, base: string, more: object = {}) => ({ name, base, type: base, can: 'siu', ...more })
// oxlint-disable-next-line max-params -- reads like the foreign key it stands for
const key = (name: string, columns: string[], table: string, to: string[], more: object = {}) => ({ name, columns, schema: 'public', table, to, ...more })

const description: Description = {
  format: 1, fingerprint: 'f', server: { version: 170000, role: 'authenticated' },
  schemas: [{
    name: 'public',
    functions: [
      { name: 'close', method: 'POST', volatility: 'volatile', args: [{ name: 'id', type: 'bigint', base: 'int8' }], returns: { type: 'void' } },
      { name: 'is_late', method: 'GET', volatility: 'stable', args: [{ name: 't', type: 'tickets', base: 'tickets' }], returns: { type: 'boolean' }, computed_for: 'public.tickets' },
    ],
    relations: [
      { name: 'organisations', kind: 'table', can: all, primary_key: ['id'], columns: [column('id', 'uuid'), column('slug', 'text'), column('name', 'text')] },
      { name: 'profiles', kind: 'table', can: all, primary_key: ['id'], columns: [column('id', 'uuid'), column('full_name', 'text')] },
      { name: 'members', kind: 'table', can: all, primary_key: ['organisation_id', 'user_id'], columns: [column('organisation_id', 'uuid'), column('user_id', 'uuid'), column('role', 'text')],
        fks: [key('m_o', ['organisation_id'], 'organisations', ['id']), key('m_u', ['user_id'], 'profiles', ['id'])] },
      { name: 'tickets', kind: 'table', can: all, primary_key: ['id'],
        columns: [column('id', 'int8'), column('organisation_id', 'uuid'), column('assignee', 'uuid'), column('subject', 'text'), column('price', 'numeric'), column('secret', 'text', { can: 'u' })],
        fks: [key('t_o', ['organisation_id'], 'organisations', ['id']), key('t_a', ['organisation_id', 'assignee'], 'members', ['organisation_id', 'user_id']), { hidden: true, columns: ['id'] }] },
      { name: 'log', kind: 'view', can: { ...all, insert: false }, columns: [column('what', 'text')] },
      { name: 'part_1', kind: 'table', partition: true, can: all, columns: [column('id', 'int8')] },
      { name: 'refused', kind: 'table', can: { select: false, insert: false, update: false, delete: false }, columns: [column('id', 'int8')] },
    ],
  }],
}
const relation = (name: string): Relation => {
  const found = findRelation(description, 'public', name)
  if (!found) throw new Error(name)
  return found
}

test('lists what the role can use and leaves out partitions, refused tables and computed columns', () => {
  const [group] = listGroups(description)
  expect(group?.tables.map(({ name }) => name)).toEqual(['organisations', 'profiles', 'members', 'tickets'])
  expect(group?.views.map(({ name }) => name)).toEqual(['log'])
  expect(group?.functions.map(({ name }) => name)).toEqual(['close'])
})

test('titles rows by a name, and a join row by the person it stands for', () => {
  expect(titleOf(description, relation('organisations'))).toEqual({ from: 'column', column: 'name' })
  const title = titleOf(description, relation('members'))
  expect(title.from === 'row' && title.target.name).toBe('profiles')
  expect(titleText(title, { spoken_for: { full_name: 'Ada' } }, ['1', '2'])).toBe('Ada')
  expect(titleText(title, { spoken_for: null }, ['1', '2'])).toBe('1, 2')
})

test('shows a composite foreign key in the column that is its own', () => {
  expect(foreignKeyShownAt(relation('tickets'), 'assignee')?.name).toBe('t_a')
  expect(foreignKeyShownAt(relation('tickets'), 'organisation_id')?.name).toBe('t_o')
  expect(foreignKeyShownAt(relation('tickets'), 'id')).toBeUndefined()
})

test('asks for the columns, the key, and the titles of the rows they point at, in one request', () => {
  const { text } = selectionOf(description, relation('tickets'), ['subject', 'assignee', 'price', 'secret'])
  expect(text).toBe('id::text,subject,assignee,price::text,organisation_id,row_of_2:members!t_a(organisation_id,user_id,spoken_for:profiles!m_u(full_name))')
})

test('has no key for a view that none can be guessed for', () => {
  expect(keyColumns(relation('log'))).toBeUndefined()
  expect(keyOf(relation('log'), { what: 'x' })).toBeUndefined()
})

test('finds a key again in the address, whatever its values hold', () => {
  const values = ['a,b', '100%', 'ü/ß', '%2C', '?#']
  expect(readDataPath(dataPath('my schema', 'a/b', values))).toEqual({ schema: 'my schema', relation: 'a/b', record: { key: values } })
  expect(readDataPath(new URL(dataPath('s', 'r', ['new']), 'http://x').pathname).record).toEqual({ key: ['new'] })
  expect(readDataPath('/data/s/r/new').record).toBe('new')
  expect(readDataPath('/data')).toEqual({})
})

test('writes CSV that no spreadsheet runs', () => {
  expect(toCsv(['a', 'b"c'], [['=1+1', -5], ['x,y', null], ['two\nlines', { k: 1 }], ['+49 30', '-']])).toBe(
    '\uFEFFa,"b""c"\r\n\'=1+1,-5\r\n"x,y",\r\n"two\nlines","{""k"":1}"\r\n\'+49 30,\'-\r\n',
  )
  expect(toTabs([['a\tb', 1], [null, '@x']])).toBe('a b\t1\n\t\'@x')
})
