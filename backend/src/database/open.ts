import type { Database } from './database.ts'
import { makeTemplate } from './data-folder/template.ts'
import type { DatabaseOptions, ExtensionBundle } from './engine-options.ts'
import { coolEngine } from './pglite/engine-thread.ts'
import { openPglite } from './pglite/open-pglite.ts'
import { openPostgres } from './postgres/open-postgres.ts'

/** Opens the database: the embedded engine, or a Postgres by URL. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.engine === 'pglite') return openPglite(options)
  coolEngine()
  return openPostgres(options)
}

export interface TemplateOptions {
  /** The archive's path: `…/template.tar.gz`. Written whole or not at all. */
  out: string
  /** What a fresh data folder is to hold: roles, schemas, functions. */
  prepare: (database: Database) => Promise<void>
  extensions?: readonly ExtensionBundle[]
}

/** Makes the archive that first starts begin from, in place of the seconds that initdb takes. */
export const buildTemplate = ({ out, prepare, extensions = [] }: TemplateOptions): Promise<void> =>
  makeTemplate({ out, prepare, open: (dataDir) => openPglite({ dataDir, extensions, durability: 'os' }) })
