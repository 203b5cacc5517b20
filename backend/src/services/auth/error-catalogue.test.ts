import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { authErrorCatalogue } from './error-catalogue.ts'

const here = import.meta.dirname
const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'error-catalogue.ts').map((file) => readFileSync(join(here, file), 'utf8')).join('\n')
const readmes = files.filter((file) => file.endsWith('README.md')).map((file) => readFileSync(join(here, file), 'utf8')).join('\n')

const codes = Object.keys(authErrorCatalogue)
const isSent = (code: string): boolean => new RegExp(`['"]${code}['"]`).test(sources)
const isTold = (code: string): boolean => readmes.includes(`\`${code}\``)

describe('the error codes', () => {
  it('are those of the hosted API, and the newer ones of recovery codes', () => {
    expect(codes.length).toBeGreaterThanOrEqual(109)
  })

  it('that are sent are told of in a README, and so are those that are not', () => {
    expect(codes.filter((code) => isSent(code) && !isTold(code))).toEqual([])
    expect(codes.filter((code) => !isSent(code) && !isTold(code))).toEqual([])
  })
})
