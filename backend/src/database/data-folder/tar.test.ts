import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { packTar, unpackTarGz } from './tar.ts'

const folder = mkdtempSync(join(tmpdir(), 'portico-tar-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const packed = (name: string): string => {
  const from = join(folder, 'from')
  mkdirSync(join(from, 'a/empty'), { recursive: true })
  writeFileSync(join(from, 'a/none'), '')
  writeFileSync(join(from, 'a/block'), Buffer.alloc(512, 7))
  writeFileSync(join(from, 'a/long'), Buffer.alloc(700_001, 9))
  writeFileSync(join(from, 'left-out'), 'x')
  const out = join(folder, name)
  writeFileSync(out, gzipSync(packTar(from, new Set(['left-out']))))
  return out
}

it('brings back what it packed', async () => {
  await unpackTarGz(packed('whole.tar.gz'), join(folder, 'to'))
  expect(readdirSync(join(folder, 'to'), { recursive: true, encoding: 'utf8' }).sort()).toEqual(['a', 'a/block', 'a/empty', 'a/long', 'a/none'])
  for (const name of ['a/none', 'a/block', 'a/long']) expect(readFileSync(join(folder, 'to', name)).equals(readFileSync(join(folder, 'from', name)))).toBe(true)
})

it('refuses an archive that is cut short', async () => {
  packed('source.tar.gz')
  const archive = packTar(join(folder, 'from'), new Set())
  for (const bytes of [archive.length - 1024, 512 * 3 + 100, 700]) {
    writeFileSync(join(folder, 'cut.tar.gz'), gzipSync(archive.subarray(0, bytes)))
    await expect(unpackTarGz(join(folder, 'cut.tar.gz'), join(folder, `cut-${bytes}`))).rejects.toThrow('cut short')
  }
})

it('refuses a name that leaves the folder', async () => {
  const archive = packTar(join(folder, 'from'), new Set())
  archive.write('../evil\0', 0)
  writeFileSync(join(folder, 'evil.tar.gz'), gzipSync(archive))
  await expect(unpackTarGz(join(folder, 'evil.tar.gz'), join(folder, 'evil'))).rejects.toThrow('leaves its folder')
})
