import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '#database/open.ts'
import { sql } from '#database/sql.ts'
import { testExtensions, testTemplate } from '#database/open-test-database.ts'
import { DataFolderBusy, lockDataFolder } from './lock.ts'
import { ownIdentity } from './process-identity.ts'

const folder = mkdtempSync(join(tmpdir(), 'portico-lock-'))
const program = join(folder, 'locker.mjs')
beforeAll(async () => {
  const contents = `
    import { lockDataFolder } from ${JSON.stringify(fileURLToPath(new URL('./lock.ts', import.meta.url)))}
    try { await lockDataFolder(process.argv[2], process.argv[2]); process.stdout.write('held'); setInterval(() => {}, 1000) }
    catch (error) { process.stdout.write(error.name + ' ' + error.pid) }`
  await build({ stdin: { contents, resolveDir: folder, loader: 'ts' }, outfile: program, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Locker { said: string; pid: number; kill: () => Promise<void> }

function startLocker(lockDir: string): Promise<Locker> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, lockDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    const gone = new Promise<void>((done) => { child.on('close', () => done()) })
    child.stdout.once('data', (bytes: Buffer) => resolve({
      said: bytes.toString(),
      pid: child.pid as number,
      kill: async () => { child.kill('SIGKILL'); await gone },
    }))
  })
}

it('names the process that holds the folder', async () => {
  const lockDir = join(folder, 'named')
  const holder = await startLocker(lockDir)
  await expect(lockDataFolder('/some/data', lockDir)).rejects.toMatchObject({ name: 'DataFolderBusy', pid: holder.pid, message: expect.stringContaining(`in use by process ${holder.pid}`) })
  await holder.kill()
  const lock = await lockDataFolder('/some/data', lockDir)
  await expect(lockDataFolder('/some/data', lockDir)).rejects.toBeInstanceOf(DataFolderBusy)
  lock.release()
  ;(await lockDataFolder('/some/data', lockDir)).release()
})

it('lets exactly one of many take over from a killed holder, again and again', async () => {
  const lockDir = join(folder, 'contended')
  for (let round = 0; round < 4; round += 1) {
    const lockers = await Promise.all(Array.from({ length: 6 }, () => startLocker(lockDir)))
    const winners = lockers.filter(({ said }) => said === 'held')
    expect(winners).toHaveLength(1)
    for (const { said } of lockers.filter((locker) => locker !== winners[0])) expect(said).toBe(`DataFolderBusy ${winners[0]?.pid}`)
    await Promise.all(lockers.map((locker) => locker.kill()))
  }
  expect(readdirSync(lockDir).length).toBeLessThanOrEqual(3)
}, 120_000)

it('does not take a process that was given the same number for the holder', async () => {
  const lockDir = join(folder, 'reused')
  mkdirSync(lockDir)
  writeFileSync(join(lockDir, '7'), JSON.stringify({ ...ownIdentity(), startedAt: '1', token: 'x' }))
  ;(await lockDataFolder('/some/data', lockDir)).release()
})

it('believes a holder in another container while it shows signs of life, and no longer', async () => {
  const lockDir = join(folder, 'foreign')
  mkdirSync(lockDir)
  const path = join(lockDir, '3')
  const foreign = JSON.stringify({ pid: 1, startedAt: '5', place: 'elsewhere boot pid:[1]', token: 'x' })
  writeFileSync(path, foreign)
  const beat = setInterval(() => writeFileSync(path, foreign), 500)
  await expect(lockDataFolder('/some/data', lockDir)).rejects.toBeInstanceOf(DataFolderBusy)
  clearInterval(beat)
  ;(await lockDataFolder('/some/data', lockDir)).release()
  expect(readFileSync(path, 'utf8')).toBe(foreign)
})

it('keeps a second engine off the folder, and lets it in afterwards', async () => {
  const options = { engine: 'pglite', dataDir: join(folder, 'data'), template: await testTemplate(), extensions: testExtensions(), durability: 'os' } as const
  const first = await openDatabase(options)
  await expect(openDatabase(options)).rejects.toMatchObject({ name: 'DataFolderBusy', pid: process.pid })
  await first.asAdmin('postgres', (tx) => tx.execute(sql`create table mark ()`))
  await first.close()
  const second = await openDatabase(options)
  expect(await second.asAdmin('postgres', (tx) => tx.many(sql`select * from mark`))).toEqual([])
  await second.close()
}, 120_000)
