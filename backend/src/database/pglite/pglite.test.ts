import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { describeDatabase } from '#database/describe-database.ts'
import { openDatabase } from '#database/open.ts'

const folder = mkdtempSync(join(tmpdir(), 'portico-pglite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describeDatabase({ engine: 'pglite', open: () => openDatabase({ engine: 'pglite', dataDir: join(folder, 'data'), timeouts: { idleMs: 700 } }) })
