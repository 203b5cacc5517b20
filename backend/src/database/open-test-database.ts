import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from './database.ts'
import type { ExtensionBundle, PgliteOptions } from './engine-options.ts'
import { buildTemplate, openDatabase } from './open.ts'
import { bootstrap } from './schema/bootstrap.ts'

/** What the box's own schema counts on; a test that needs more names it. */
const usualExtensions: readonly ExtensionBundle[] = [
  { name: 'uuid_ossp', module: '@electric-sql/pglite/contrib/uuid_ossp' },
  { name: 'pgcrypto', module: '@electric-sql/pglite/contrib/pgcrypto' },
]

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The template's path; another one as soon as the schema's sources differ. */
function templatePath(): string {
  const hash = createHash('sha256').update(readFileSync(here('./open-test-database.ts')))
  for (const file of readdirSync(here('./schema'), { recursive: true, encoding: 'utf8' }).sort())
    if (file.endsWith('.sql') || file === 'bootstrap.ts') hash.update(readFileSync(join(here('./schema'), file)))
  return here(`../../../node_modules/.cache/portico/template-${hash.digest('hex').slice(0, 16)}.tar.gz`)
}

/** The template for tests: a data folder with the box's schema in it. Made once, which takes a few seconds, and kept. */
export async function testTemplate(): Promise<string> {
  const path = templatePath()
  if (!existsSync(path)) await buildTemplate({ out: path, extensions: usualExtensions, prepare: bootstrap })
  return path
}

/** Opens a database with the box's schema, in memory, for one test file. Close it in `afterAll`. */
export async function openTestDatabase(options: PgliteOptions = {}): Promise<Database> {
  return openDatabase({
    engine: 'pglite',
    ...options,
    template: options.template ?? (await testTemplate()),
    extensions: [...usualExtensions, ...(options.extensions ?? [])],
  })
}
