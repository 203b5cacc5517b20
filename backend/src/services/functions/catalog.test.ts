import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStamps, findFunction, listFunctionNames } from './catalog.ts'
import { defaultFunctionsSettings, type FunctionSettings, type FunctionsSettings } from './settings.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-functions-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (path: string, text = '') => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const section = (given: Partial<FunctionSettings>): FunctionSettings => ({ enabled: true, verifyJwt: true, importMap: '', entrypoint: '', staticFiles: [], env: {}, ...given })
const settings = (functions: Record<string, FunctionSettings> = {}): FunctionsSettings => ({ ...defaultFunctionsSettings, supabaseFolder: folder, functions })

describe('the functions of a project', () => {
  test('are the folders with an index.ts and what config.toml names, without those switched off and what cannot be a name', () => {
    for (const path of ['hello', 'off', '_shared', '.hidden', 'a b', '1st']) write(`functions/${path}/index.ts`)
    write('functions/empty/readme.md')
    write('functions/elsewhere/main.ts')
    const given = settings({ off: section({ enabled: false }), named: section({ entrypoint: './functions/elsewhere/main.ts' }), gone: section({}) })
    expect(listFunctionNames(given)).toEqual(['hello', 'named'])
    expect(findFunction(given, 'gone')?.entrypoint).toBe(join(folder, 'functions/gone/index.ts'))
    for (const name of ['off', 'empty', '_shared', '..', '../functions/hello', '__proto__', 'constructor']) expect(findFunction(given, name)).toBeUndefined()
  })

  test('read the import map that config.toml names, else their own deno.json, else the one for all', () => {
    write('functions/hello/index.ts')
    expect(findFunction(settings(), 'hello')?.importMap).toBeUndefined()
    write('functions/import_map.json')
    expect(findFunction(settings(), 'hello')?.importMap).toBe(join(folder, 'functions/import_map.json'))
    write('functions/hello/deno.json')
    expect(findFunction(settings(), 'hello')?.importMap).toBe(join(folder, 'functions/hello/deno.json'))
    const named = settings({ hello: section({ importMap: './functions/other.json' }) })
    expect(findFunction(named, 'hello')?.importMap).toBe(join(folder, 'functions/other.json'))
  })

  test('change with their own files and with what all share, and not with those of another function', async () => {
    for (const name of ['one', 'two']) write(`functions/${name}/index.ts`)
    write('functions/import_map.json', '{}')
    write('functions/_shared/cors.ts', '1')
    const stamp = () => createStamps(settings())(findFunction(settings(), 'one') ?? expect.fail())
    const first = stamp()
    write('functions/two/index.ts', 'changed')
    expect(stamp()).toBe(first)
    write('functions/_shared/cors.ts', '22')
    const second = stamp()
    expect(second).not.toBe(first)
    write('functions/one/lib/part.ts')
    expect(stamp()).not.toBe(second)
  })
})
