import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { describeDatabase } from '#database/describe-database.ts'
import { openDatabase } from '#database/open.ts'

const folder = mkdtempSync(join(tmpdir(), 'portico-pglite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describeDatabase({ engine: 'pglite', open: () => openDatabase({ engine: 'pglite', dataDir: join(folder, 'data'), timeouts: { idleMs: 700 } }) })

it('says that a damaged data folder does not open, and lets go of it', async () => {
  const dataDir = join(folder, 'damaged')
  mkdirSync(join(dataDir, 'global'), { recursive: true })
  writeFileSync(join(dataDir, 'PG_VERSION'), '18\n')
  const open = () => openDatabase({ engine: 'pglite', dataDir })
  await expect(open()).rejects.toThrow(/^The embedded database did not start over .*damaged: /)
  // Not DataFolderBusy.
  await expect(open()).rejects.toThrow(/^The embedded database did not start over .*damaged: /)
})
