import { expect, it } from 'vitest'
import { compactNumber, findNumberFault, shownNumber } from './phone-number.ts'

it.each(['+44 20 7946 0000', '0044 (20) 7946-0000', '+44.20.7946.0000', '+44 20/7946 0000'])('reads %s', (typed) => {
  expect(compactNumber(typed)).toBe('+442079460000')
  expect(findNumberFault(typed)).toBeUndefined()
})

it.each([['', 'missing'], ['  ', 'missing'], ['020 7946 0000', 'malformed'], ['+44', 'malformed'], ['+0123456789', 'malformed'], ['+44 abc 7946', 'malformed'], ['+1234567890123456', 'malformed']])('refuses "%s"', (typed, fault) => {
  expect(findNumberFault(typed)).toBe(fault)
})

it('shows a number with its plus, once', () => {
  expect([shownNumber('442079460000'), shownNumber('+442079460000'), shownNumber('')]).toEqual(['+442079460000', '+442079460000', ''])
})
