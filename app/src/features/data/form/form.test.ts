import { expect, test } from 'vitest'
import { AppError } from '#api/app-error.ts'
import type { ColumnDescription } from '#features/data/description/description.ts'
import type { Relation } from '#features/data/description/relations.ts'
import type { Rule } from '#features/data/description/rules.ts'
import { compareDecimals } from './decimal.ts'
import { changedColumns, fieldFromRow, fieldToWire, type FieldValue } from './field-value.ts'
import { readRefusal } from './refusal.ts'
import { findComparisonProblem, findProblem } from './validate.ts'

const column = (base: string, more: Partial<ColumnDescription> = {}): ColumnDescription => ({ name: 'c', base, type: base, can: 'siu', ...more })
// oxlint-disable-next-line max-params -- reads as a table of cases
const check = (described: ColumnDescription, value: FieldValue, rules: Rule[] = [], required = false) => findProblem({ column: described, rules, required }, value)?.problem

test.each<[ColumnDescription, unknown, FieldValue]>([
  [column('text'), 'a', 'a'],
  [column('text'), '', ''],
  [column('text'), null, null],
  [column('int8'), '9007199254740993', '9007199254740993'],
  [column('numeric'), '1.10', '1.10'],
  [column('bool'), false, false],
  [column('text', { array: true }), ['a', 'b,c'], ['a', 'b,c']],
  [column('int4', { array: true }), [1, null, 3], '[1,null,3]'],
  [column('int4', { array: true }), [[1, 2], [3, 4]], '[[1,2],[3,4]]'],
  [column('jsonb'), { a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
  [column('jsonb', { array: true }), [{ a: 1 }], '[\n  {\n    "a": 1\n  }\n]'],
])('holds %o of %j as %j and writes it back unchanged', (described, value, held) => {
  expect(fieldFromRow(described, value)).toEqual(held)
  expect(JSON.stringify(fieldToWire(described, held))).toBe(JSON.stringify(value).replace(/^"(9007199254740993)"$/, '"$1"'))
})

test('sends whole numbers as numbers while they are exact, and others as text', () => {
  expect(fieldToWire(column('int4'), '42')).toBe(42)
  expect(fieldToWire(column('int8'), '9007199254740993')).toBe('9007199254740993')
  expect(fieldToWire(column('numeric'), ' 0.10 ')).toBe('0.10')
})

test('sends only what changed, and keeps empty and not set apart', () => {
  expect(changedColumns({ a: '', b: null, c: ['x'], d: 'same' }, { a: null, b: '', c: ['x'], d: 'same' })).toEqual(['a', 'b'])
})

test.each<[ColumnDescription, FieldValue, string | undefined]>([
  [column('int2'), '40000', 'out-of-range'],
  [column('int4'), '1.5', 'not-whole'],
  [column('int8'), '9223372036854775807', undefined],
  [column('int8'), '9223372036854775808', 'out-of-range'],
  [column('numeric', { precision: 6, scale: 2 }), '1234.50', undefined],
  [column('numeric', { precision: 6, scale: 2 }), '1234.567', 'too-precise'],
  [column('numeric', { precision: 6, scale: 2 }), '12345', 'out-of-range'],
  [column('numeric'), 'abc', 'not-a-number'],
  [column('float8'), '1e3', undefined],
  [column('uuid'), 'x', 'not-a-uuid'],
  [column('varchar', { max_length: 3 }), 'äöü', undefined],
  [column('varchar', { max_length: 3 }), '😀😀😀', undefined],
  [column('varchar', { max_length: 3 }), 'abcd', 'too-long'],
  [column('jsonb'), '{"a":', 'not-json'],
  [column('timestamptz'), '2026-13-01T00:00', 'not-a-moment'],
  [column('int4', { array: true }), ['1', 'x'], 'not-a-number'],
  [column('text', { not_null: true }), null, 'required'],
  [column('text', { not_null: true }), '', undefined],
])('finds in %o of %j: %s', (described, value, problem) => {
  expect(check(described, value)).toBe(problem)
})

test('holds a value against the project\'s rules', () => {
  expect(check(column('text'), ' a ', [{ rule: 'length', minimum: 2, trimmed: true }])).toBe('too-short')
  expect(check(column('int4'), '6', [{ rule: 'range', minimum: { value: '1', exclusive: false }, maximum: { value: '5', exclusive: false } }])).toBe('at-most')
  expect(check(column('numeric'), '0.0', [{ rule: 'range', minimum: { value: '0', exclusive: true } }])).toBe('more-than')
  expect(check(column('text'), 'B', [{ rule: 'one-of', values: ['a', 'b'] }])).toBe('not-one-of')
  expect(check(column('text'), 'Not A Slug', [{ rule: 'pattern', source: '^[a-z-]+$', ignoreCase: false, negated: false }])).toBe('pattern')
  expect(check(column('jsonb'), '[]', [{ rule: 'json-type', type: 'object' }])).toBe('json-type')
  expect(check(column('text', { array: true }), ['a', 'b'], [{ rule: 'items', maximum: 1 }])).toBe('too-many')
  expect(check(column('text'), null, [{ rule: 'length', minimum: 2, trimmed: false }])).toBeUndefined()
  expect(check(column('text'), undefined, [], true)).toBe('required')
})

test('compares two columns of one row', () => {
  const rule = { left: 'ends', operator: '>' as const, right: 'starts', name: 'x' }
  expect(findComparisonProblem(rule, { starts: '2026-01-02', ends: '2026-01-01' }, column('date'))?.problem).toBe('compared')
  expect(findComparisonProblem(rule, { starts: '9', ends: '10' }, column('int4'))).toBeUndefined()
  expect(findComparisonProblem(rule, { starts: null, ends: '1' }, column('int4'))).toBeUndefined()
})

test('compares decimals of any length', () => {
  expect(compareDecimals('0.30000000000000000001', '.3')).toBe(1)
  expect(compareDecimals('-10', '-9.99')).toBe(-1)
  expect(compareDecimals('1.0', '1')).toBe(0)
})

const articles: Relation = {
  schema: 'public', name: 'articles', kind: 'table', can: { select: true, insert: true, update: true, delete: true }, primary_key: ['id'],
  columns: ['id', 'organization_id', 'slug', 'title', 'author_id'].map((name) => ({ name, base: 'text', type: 'text', can: 'siu', ...(name === 'slug' ? { max_length: 24 } : {}) })),
  checks: [{ name: 'title_check', columns: ['title'], expr: '(length(title) > 1)' }],
  fks: [{ name: 'articles_author_id_fkey', columns: ['author_id'], schema: 'public', table: 'members', to: ['id'] }],
}
const failed = (code: string, message: string, details = '') => new AppError('invalid', message, { code, details })

test.each([
  [failed('23502', 'null value in column "title" of relation "articles" violates not-null constraint'), 'missing', ['title']],
  [failed('23505', 'duplicate key value violates unique constraint "x"', 'Key (organization_id, slug)=(1, a) already exists.'), 'taken', ['organization_id', 'slug']],
  [failed('23505', 'duplicate key value violates unique constraint "articles_slug_key"'), 'taken', ['slug']],
  [failed('23503', 'insert or update on table "articles" violates foreign key constraint "articles_author_id_fkey"', 'Key is not present in table "members".'), 'unknown-row', ['author_id']],
  [failed('23503', 'update or delete on table "articles" violates foreign key constraint "y" on table "links"', 'Key (id)=(1) is still referenced from table "links".'), 'still-used', []],
  [failed('23001', 'update or delete on table "articles" violates RESTRICT setting of foreign key constraint "y" on table "links"', 'Key (id)=(1) is referenced from table "links".'), 'still-used', []],
  [failed('23514', 'new row for relation "articles" violates check constraint "title_check"'), 'check', ['title']],
  [failed('23514', 'The requester belongs to another organisation.'), 'own-words', []],
  [failed('22001', 'value too long for type character varying(24)'), 'too-long', ['slug']],
  [failed('22P02', 'invalid input syntax for type uuid: "x"'), 'unreadable', []],
  [failed('42501', 'new row violates row-level security policy for table "articles"'), 'policy', []],
  [failed('42501', 'Status is set by the team.'), 'own-words', []],
  [failed('P0001', 'Not today'), 'own-words', []],
  [failed('PGRST301', 'JWT expired'), undefined, undefined],
])('reads %o as %s of %j', (error, reason, columns) => {
  const refusal = readRefusal(articles, error)
  expect([refusal?.reason, refusal?.columns]).toEqual([reason, columns])
})
