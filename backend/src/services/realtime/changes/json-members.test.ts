import { expect, test } from 'vitest'
import { jsonMembers, jsonObject } from './json-members.ts'

test('members keep their values as written', () => {
  const text = '{"id": 12345678901234567890.10, "a \\"b\\"": "x,}\\\\", "nested": {"a": [1, {"b": "]"}]} , "n":null,"e":{}}'
  expect([...jsonMembers(text)]).toEqual([
    ['id', '12345678901234567890.10'], ['a "b"', '"x,}\\\\"'], ['nested', '{"a": [1, {"b": "]"}]}'], ['n', 'null'], ['e', '{}'],
  ])
})

test.each(['{}', ' { } ', '{"a":"unended', '{"a"', ''])('an object without members, or a broken one, ends: %j', (text) => {
  expect(jsonMembers(text).size).toBeLessThanOrEqual(1)
})

test('what is written can be read again', () => {
  const members = new Map([['__proto__', '1'], ['ü"', '{"x":1}']])
  expect(jsonMembers(jsonObject(members))).toEqual(members)
})
