import { expect, test } from 'vitest'
import { placeOf, splitScript } from './statements.ts'

const texts = (script: string) => splitScript(script).statements.map((statement) => statement.text)

test('splits on semicolons and drops comments between statements', () => {
  expect(texts('-- first\nselect 1; /* a /* nested */ one */ ;;\n select 2')).toEqual(['select 1', 'select 2'])
})

test('leaves semicolons in strings, names, comments and dollar quotes alone', () => {
  expect(texts(`select 'a;''b', "c;d", e'\\';' -- ;\n, $$ ; $$, $x$ $$ ; $$ $x$; select 2`)).toEqual([
    `select 'a;''b', "c;d", e'\\';' -- ;\n, $$ ; $$, $x$ $$ ; $$ $x$`,
    'select 2',
  ])
})

test('a backslash before a quote ends a plain string', () => {
  expect(texts(`select 'C:\\'; select 2`)).toEqual([`select 'C:\\'`, 'select 2'])
  expect(texts(`select name'x\\'; select 2`)).toEqual([`select name'x\\'`, 'select 2'])
})

test('keeps the body of a rule and of a begin atomic function whole', () => {
  const atomic = `create or replace function f(a int) returns int begin atomic insert into t values (1); select case when a > 1 then 1 else 2 end; end`
  expect(texts(`create rule r as on insert to t do (delete from a; delete from b); ${atomic}; begin; commit`)).toEqual([
    'create rule r as on insert to t do (delete from a; delete from b)',
    atomic,
    'begin',
    'commit',
  ])
})

test('a dollar in a parameter or a name opens no quote', () => {
  expect(texts('select $1, a$b$c; select 2')).toEqual(['select $1, a$b$c', 'select 2'])
})

test('takes the data of a copy with it, and goes on after it', () => {
  const { statements } = splitScript('copy public.t (a, b) from stdin;\n1\tx;y\n2\t\\N\n\\.\n\nselect 1;')
  expect(statements).toEqual([
    { text: 'copy public.t (a, b) from stdin', offset: 0, copyData: '1\tx;y\n2\t\\N\n' },
    { text: 'select 1', offset: 54, },
  ].map((statement) => ({ ...statement, offset: expect.any(Number) })))
})

test('tells psql commands from statements', () => {
  expect(splitScript('\\restrict abc\nselect 1;\n\\connect postgres\n')).toMatchObject({
    statements: [{ text: 'select 1', offset: 14 }],
    metaCommands: [{ text: '\\restrict abc' }, { text: '\\connect postgres' }],
  })
})

test('counts lines and columns from one', () => {
  expect(placeOf('a\nbc\nd', 3)).toEqual({ line: 2, column: 2 })
  expect(placeOf('abc', 0)).toEqual({ line: 1, column: 1 })
})
