// Gives everything a test run writes aside one folder, which goes when the run ends, however its workers end.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes the folder and names it to this process and those it starts; once a run. */
export function openTestScratch() {
  if (process.env.PORTICO_TEST_SCRATCH) return
  const folder = mkdtempSync(join(tmpdir(), 'portico-run-'))
  // A test's Postgres runs as another user, and must reach its own folder below.
  chmodSync(folder, 0o711)
  Object.assign(process.env, { PORTICO_TEST_SCRATCH: folder, TMPDIR: folder, TEMP: folder, TMP: folder })
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}
