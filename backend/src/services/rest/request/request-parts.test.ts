import { describe, expect, it } from 'vitest'
import { parseCsv } from './csv.ts'
import { contentType, mediaName, parseAccept, parseMediaType } from './media-type.ts'
import { readPayload } from './payload.ts'
import { parsePreferences, preferenceApplied } from './preferences.ts'
import { parseRangeHeader, rangeOfParameters, restrictTo } from './row-range.ts'

const rules = { isTimezone: (name: string) => name === 'Europe/Berlin', allowTransaction: false }

describe('preferences', () => {
  it('takes the first of two values and lists what nobody knows', () => {
    expect(parsePreferences('count=exact, count=planned,return=minimal, timezone=Europe/Berlin, timezone=Mars, max-affected=5, odd', rules)).toEqual({
      count: 'exact', representation: 'minimal', timezone: 'Europe/Berlin', maxAffected: 5, unknown: ['timezone=Mars', 'odd'],
    })
  })

  it('lets nobody choose how a transaction ends unless settings do', () => {
    expect(parsePreferences('tx=rollback', rules)).toEqual({ unknown: [] })
    expect(parsePreferences('tx=rollback', { ...rules, allowTransaction: true }).transaction).toBe('rollback')
  })

  it('tells what was heeded', () => {
    expect(preferenceApplied({ count: 'exact', resolution: 'merge-duplicates', handling: 'strict', maxAffected: 0 })).toBe(
      'resolution=merge-duplicates, count=exact, handling=strict, max-affected=0',
    )
    expect(preferenceApplied({})).toBeUndefined()
  })
})

describe('media types', () => {
  it('prefers by quality, then the more specific', () => {
    expect(parseAccept('*/*, text/csv;q=0.9, application/json').map(mediaName)).toEqual(['application/json', '*/*', 'text/csv'])
  })

  it('reads plan options and nulls=stripped', () => {
    const plan = parseMediaType('application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|wal|odd')
    expect(plan).toEqual({ kind: 'plan', of: { kind: 'csv' }, format: 'json', options: ['analyze', 'wal'] })
    expect(contentType(parseMediaType('ApplicatIon/vnd.PgRsT.object+json;nulls=stripped'))).toBe(
      'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
    )
  })
})

describe('ranges', () => {
  it('combines limit and offset, and knows no negative rows', () => {
    expect(rangeOfParameters('3', '2')).toEqual({ first: 2, last: 4 })
    expect(rangeOfParameters(undefined, '2')).toEqual({ first: 2, last: Infinity })
    expect(parseRangeHeader('5-9')).toEqual({ first: 5, last: 9 })
    expect(parseRangeHeader('bytes=0-1')).toEqual({ first: 0, last: Infinity })
  })

  it('keeps limit=0 under a limit on rows', () => {
    expect(restrictTo(10, { first: 0, last: -1 })).toEqual({ first: 0, last: -1 })
    expect(restrictTo(10, { first: 5, last: Infinity })).toEqual({ first: 5, last: 14 })
  })
})

describe('bodies', () => {
  const read = (text: string, columns?: readonly string[]) =>
    readPayload({ body: Buffer.from(text), contentType: { kind: 'json' }, columns, callsFunction: false })

  it('hands JSON on as it was sent, so that long numbers survive', () => {
    expect(read('{"id": 12345678901234567890}')).toEqual({ payload: { kind: 'json', text: '{"id": 12345678901234567890}', isObject: true }, names: ['id'] })
  })

  it('wants the same keys in every row', () => {
    expect(() => read('[{"a":1},{"b":1}]')).toThrow('All object keys must match')
    expect(() => read('[{"a":1},[]]')).toThrow('All object keys must match')
    expect(() => read('{')).toThrow('Empty or invalid json')
    expect(read('[{"a":1},{"b":1}]', ['a']).names).toEqual(['a'])
  })

  it('refuses what nests deeper than Postgres reads, with the columns named too; brackets in texts count for nothing', () => {
    const nested = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    expect(() => read(nested)).toThrow('nested too deeply')
    expect(() => read(nested, ['a'])).toThrow('nested too deeply')
    expect(read(`{"a":"\\"${'['.repeat(20_000)}","b":1}`).names).toEqual(['a', 'b'])
  })

  it('takes a key that objects inherit for a key like any other', () => {
    expect(() => read('[{"toString":1},{"a":1}]')).toThrow('All object keys must match')
    expect(read('{"__proto__":1}').names).toEqual(['__proto__'])
  })

  it('reads CSV with quotes, line ends and NULL', () => {
    expect(parseCsv('a,b\r\n"x, ""y""\n",NULL\n1,\n')).toEqual([{ a: 'x, "y"\n', b: null }, { a: '1', b: '' }])
    expect(parseCsv('a,b\n1\n')).toBeUndefined()
    expect(() => parseCsv('a\n"open')).toThrow('unexpected end of input')
  })
})
