import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { sql } from '#database/sql.ts'

const folder = mkdtempSync(join(tmpdir(), 'portico-traps-'))
let database: Database
beforeAll(async () => {
  database = await openDatabase({ engine: 'pglite', dataDir: join(folder, 'data') })
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

// Deep enough for the thread's stack to end before the engine's own check, which counts another stack.
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

it('says that a statement ended the engine instead of answering no rows, and answers the next one at once', async () => {
  const measure = (text: string) => database.asAdmin('postgres', (tx) => tx.one<{ length: number }>(sql`select length(${text}::json::text) as length`))
  await expect(measure(nested(500_000))).rejects.toMatchObject({ sqlstate: '57P02' })
  const beganAt = performance.now()
  expect(await measure(nested(100))).toEqual({ length: 200 })
  // A broken engine would be noticed by the watchdog only, after the statement's time.
  expect(performance.now() - beganAt).toBeLessThan(20_000)
})
