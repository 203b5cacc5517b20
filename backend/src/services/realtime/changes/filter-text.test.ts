import { describe, expect, test } from 'vitest'
import { readAsked } from './asked.ts'
import { readFilters } from './filter-text.ts'

const tuples = (text: string) => readFilters(text).map(({ column, operator, value, negate }) => [column, operator, value, negate])

describe('a filter', () => {
  test.each([
    ['id=eq.1', [['id', 'eq', '1', false]]],
    ['subject=not.like.hey%', [['subject', 'like', 'hey%', true]]],
    ['id=gt.0,id=lt.100', [['id', 'gt', '0', false], ['id', 'lt', '100', false]]],
    ['subject=in.(hidee,ho)', [['subject', 'in', '{hidee,ho}', false]]],
    ['a=in.("x,y",z),b=eq.2', [['a', 'in', '{"x,y",z}', false], ['b', 'eq', '2', false]]],
    ['a=eq."x,y=eq.1"', [['a', 'eq', 'x,y=eq.1', false]]],
    [String.raw`a=eq."say \"hi\" \\ there"`, [['a', 'eq', String.raw`say "hi" \ there`, false]]],
    ['a=eq."open', [['a', 'eq', '"open', false]]],
    ['a=eq.x"y', [['a', 'eq', 'x"y', false]]],
    ['a=eq.b=c.d', [['a', 'eq', 'b=c.d', false]]],
    ['at=gte.2026-01-01T00:00:00.000Z', [['at', 'gte', '2026-01-01T00:00:00.000Z', false]]],
    ['body=match.^(a|b),id=eq.1', [['body', 'match', '^(a|b)', false], ['id', 'eq', '1', false]]],
    ['  ', []],
  ])('%s is read', (text, expected) => {
    expect(tuples(text)).toEqual(expected)
  })

  test.each([
    ['id=foo.1', '["foo", "1"]'],
    ['undefined', '["undefined"]'],
    ['id=eq', '["eq"]'],
    ['id=eq.1,', 'filter must not contain empty segments (check for extra commas)'],
    ['id=in.1,2', '`in` filter value must be wrapped by parentheses'],
  ])('%s is refused in the hosted words', (text, message) => {
    expect(() => readFilters(text)).toThrow(message)
  })
})

describe('what a channel asks for', () => {
  test.each([
    [{ schema: 'public' }, { event: '*', schema: 'public', table: '*', filters: [], select: null }],
    [{ table: 'notes', event: 'insert' }, { event: 'INSERT', schema: 'public', table: 'notes', filters: [], select: null }],
    [{ schema: '*', event: 'whatever' }, { event: '*', schema: '*', table: '*', filters: [], select: null }],
    [{ schema: 'public', table: 'notes', select: ['a', 1], filter: '' }, { event: '*', schema: 'public', table: 'notes', filters: [], select: ['a'] }],
  ])('%j is understood', (asked, wanted) => {
    expect(readAsked(asked)).toEqual(wanted)
  })

  test.each([
    [{}, 'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: %{}'],
    [{ user_token: 'secret' }, 'to subscribe to: <redacted>'],
    [{ schema: 1 }, 'to subscribe to: %{"schema" => 1}'],
    [{ table: 'notes', filter: 'id=eq.1' }, 'to subscribe to: %{"table" => "notes", "filter" => "id=eq.1"}'],
    [{ schema: 'public', table: 'notes', select: 'a' }, 'Error parsing `select` params'],
  ])('%j is refused', (asked, message) => {
    expect(() => readAsked(asked)).toThrow(message)
  })
})
