import { expect, test } from 'vitest'
import { faultOfPattern } from './pattern-cost.ts'

test.each([
  '', 'open', '^urgent|high$', '(a+)+b', '.*late.*', String.raw`^\d{4}-\d{2}-\d{2}$`, '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  String.raw`^[^@\s]+@[^@\s]+\.[a-z]{2,63}$`, '[[:alpha:]]{1,40}', '[]()]', '[^](?=]', String.raw`\(\?=`, String.raw`\\1`, '(?i)north', '(?:a|b)*', ')', '(', '[', '{', 'a{,3}',
])('%s is asked', (pattern) => {
  expect(faultOfPattern(pattern)).toBeUndefined()
})

test.each([
  [String.raw`^(a+)(a+)(a+)\1\2\3$`, 'it refers back to a group'],
  ['(?=.*b)(?=.*c)a', 'it looks ahead or behind'],
  ['(?!b)a', 'it looks ahead or behind'],
  ['(?<=a.*)a', 'it looks ahead or behind'],
  ['(?<!b.*)a', 'it looks ahead or behind'],
  ['((a{1,255}){1,255})b', 'it repeats too much'],
  ['(((a{1,60}){1,60}){1,60})b', 'it repeats too much'],
  ['a{200}{200}', 'it repeats too much'],
  [`${'('.repeat(100)}a${')*'.repeat(100)}`, 'it is nested too deep'],
  ['a'.repeat(501), 'it is too long'],
  [String.raw`(?b)\(a\{60\}\)\{60\}`, 'it is of the basic kind'],
  [String.raw`***:(?ib)a`, 'it is of the basic kind'],
])('%s is not: %s', (pattern, fault) => {
  expect(faultOfPattern(pattern)).toBe(fault)
})
