import { expect, test } from 'vitest'
import { createMask } from './mask.ts'

test('secrets are hidden as they are, in JSON and in a URL, and tokens whoever\'s they are', () => {
  const mask = createMask(['pass"word/ä1', 'pass"word/ä1 and more', 'short-secret'])
  expect(mask('a pass"word/ä1 and more b')).toBe('a [hidden] b')
  expect(mask(JSON.stringify({ url: 'pass"word/ä1' }))).toBe('{"url":"[hidden]"}')
  expect(mask(`postgres://me:${encodeURIComponent('pass"word/ä1')}@host/db`)).toBe('postgres://me:[hidden]@host/db')
  expect(mask('short-secretshort-secret')).toBe('[hidden][hidden]')
  expect(mask('Bearer eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2lnbmF0dXJl said')).toBe('Bearer [hidden] said')
  expect(mask('sb_secret_abc-DEF_1 and sb_publishable_abc')).toBe('[hidden] and sb_publishable_abc')
  expect(mask('nothing to hide')).toBe('nothing to hide')
})
