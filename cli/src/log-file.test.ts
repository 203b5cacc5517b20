import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openLogFile } from './log-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'portico-log-'))
const path = join(folder, 'portico.log')
afterAll(() => rmSync(folder, { recursive: true }))
const settle = () => new Promise((resolve) => setTimeout(resolve, 200))

describe('the log', () => {
  test('keeps every line in order, over a close and a new start, for its owner alone', async () => {
    const first = openLogFile(folder)
    first.write('one')
    await settle()
    first.write('two')
    first.close()
    const second = openLogFile(folder)
    second.write('three')
    second.close()
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('turns over at its limit and keeps one file more', async () => {
    writeFileSync(path, 'x'.repeat(8 * 1024 * 1024))
    const log = openLogFile(folder)
    log.write('over the limit')
    await settle()
    log.write('in the new file')
    log.close()
    expect(readFileSync(path, 'utf8')).toBe('in the new file\n')
    expect(readFileSync(`${path}.1`, 'utf8').endsWith('over the limit\n')).toBe(true)
  })
})
