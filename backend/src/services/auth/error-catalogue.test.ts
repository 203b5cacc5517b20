import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { authErrorCatalogue, neverSent } from './error-catalogue.ts'

const here = import.meta.dirname
const sources = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'error-catalogue.ts')
  .map((file) => readFileSync(join(here, file), 'utf8'))
  .join('\n')
const [, sentTable = '', neverTable = ''] = /^## Error codes$([\s\S]*)^Never sent:$([\s\S]*)/m.exec(readFileSync(join(here, 'README.md'), 'utf8')) ?? []

const codes = Object.keys(authErrorCatalogue).sort()
const isSent = (code: string): boolean => new RegExp(`['"]${code}['"]`).test(sources)

/** The rows of a table: the codes of the first cell, the text of the second. */
const rowsOf = (table: string) =>
  [...table.matchAll(/^\| (`[^|]*`) \| ([^|]*) \|/gm)].map(([, names = '', second = '']) => ({ names: [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name), second }))

describe('the error codes', () => {
  it('are those of the hosted API, and four of newer ones', () => {
    expect(codes).toHaveLength(109 + 4)
  })

  it('are each sent from somewhere, or in the list of those that never are', () => {
    expect(codes.filter((code) => isSent(code) === Object.hasOwn(neverSent, code))).toEqual([])
  })

  it('stand in the README once each: those that are sent with their status, the others with the reason', () => {
    const sent = rowsOf(sentTable)
    expect([...sent, ...rowsOf(neverTable)].flatMap(({ names }) => names).sort()).toEqual(codes)
    expect(rowsOf(neverTable).flatMap(({ names }) => names).sort()).toEqual(Object.keys(neverSent).sort())
    const other = sent.flatMap(({ names, second }) => names.filter((name) => !second.includes(String(authErrorCatalogue[name as 'unknown'].status))))
    expect(other).toEqual([])
  })
})
