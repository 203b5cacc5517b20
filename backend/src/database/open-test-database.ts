import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from './database.ts'
import type { ExtensionBundle, PgliteOptions } from './engine-options.ts'
import { extensionBundles } from './extensions/catalog.ts'
import { buildTemplate, openDatabase } from './open.ts'
import { bootstrap } from './schema/bootstrap.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The template's path; another one as soon as the schema's sources differ. */
function templatePath(): string {
  const hash = createHash('sha256').update(readFileSync(here('./open-test-database.ts')))
  for (const folder of ['./schema', './extensions'].map(here))
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(sql|ts|control)$/.test(file) && !file.endsWith('.test.ts')) hash.update(readFileSync(join(folder, file)))
  return here(`../../../node_modules/.cache/portico/template-${hash.digest('hex').slice(0, 16)}.tar.gz`)
}

/** What a database made from the test template must know at open, and more by the test's own choice. */
export const testExtensions = (more: readonly ExtensionBundle[] = []): ExtensionBundle[] =>
  [...new Map([...extensionBundles([]), ...more].map((extension) => [extension.name, extension])).values()]

/** The template for tests: a data folder with the box's schema in it. Made once, which takes a few seconds, and kept. */
export async function testTemplate(): Promise<string> {
  const path = templatePath()
  if (!existsSync(path)) await buildTemplate({ out: path, extensions: testExtensions(), prepare: bootstrap })
  return path
}

/** Opens a database with the box's schema, in memory, for one test file. Close it in `afterAll`. */
export async function openTestDatabase(options: PgliteOptions = {}): Promise<Database> {
  return openDatabase({
    engine: 'pglite',
    ...options,
    template: options.template ?? (await testTemplate()),
    extensions: testExtensions(options.extensions),
  })
}
