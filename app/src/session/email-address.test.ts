import { expect, it } from 'vitest'
import { findEmailFault } from './email-address.ts'

it.each([
  ['', 'missing'],
  ['  ', 'missing'],
  ['ada', 'malformed'],
  ['ada@', 'malformed'],
  ['ada@example', 'malformed'],
  ['ada@example..com', 'malformed'],
  ['ada@example.com.', 'malformed'],
  ['a b@example.com', 'malformed'],
  [`${'a'.repeat(250)}@example.com`, 'malformed'],
  ['ada@example.com', undefined],
  [' ada+news@mail.example.co.uk ', undefined],
  ['ağrı@bücher.example', undefined],
])('an address %j is %s', (address, fault) => {
  expect(findEmailFault(address)).toBe(fault)
})
