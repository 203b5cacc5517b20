import { describe, expect, it } from 'vitest'
import { allRegions, readNumber, regionOf, regionOfNumber } from './phone-number.ts'

describe('a phone number', () => {
  it.each([
    ['0171 1234567', 'DE', '+491711234567'],
    ['+49 (0)171 / 123-4567', 'US', '+491711234567'],
    ['0049 171 1234567', 'FR', '+491711234567'],
    ['(415) 555-2671', 'US', '+14155552671'],
    ['06 698 12345', 'IT', '+3906698 12345'.replace(' ', '')],
    ['０９０ １２３４ ５６７８', 'JP', '+819012345678'],
  ])('typed as %s in %s is %s', (typed, region, whole) => {
    expect(readNumber(typed, region)).toBe(whole)
  })

  it.each(['', '12', 'call me', '+', '+0123456789', '12345678901234567', '0171-CALL-ME'])('is refused as "%s"', (typed) => {
    expect(readNumber(typed, 'DE')).toBeUndefined()
  })

  it('begins in the reader’s own country', () => {
    expect(regionOf(['de-AT', 'en'])).toBe('AT')
    expect(regionOf(['de'])).toBe('DE')
    expect(regionOf([])).toBe('US')
    expect(new Set(allRegions.map(({ code }) => code)).size).toBe(allRegions.length)
  })

  it.each([
    ['+49 171 1234567', 'FR', 'DE'],
    ['0041 79 123 45 67', 'DE', 'CH'],
    ['+1 415 555 2671', 'DE', 'US'],
    ['+1 416 555 2671', 'CA', 'CA'],
    ['+7 701', 'US', 'RU'],
    ['+4', 'DE', undefined],
    ['0171 1234567', 'DE', undefined],
  ])('pasted whole as %s, with %s chosen, brings its country: %s', (typed, chosen, region) => {
    expect(regionOfNumber(typed, chosen)).toBe(region)
  })
})
