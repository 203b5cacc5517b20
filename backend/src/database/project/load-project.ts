import { createHash } from 'node:crypto'
import type { Database } from '#database/database.ts'
import { sql } from '#database/sql.ts'
import {
  appliedVersions, beginLoad, endSeeding, prepareHistory, readSurroundings, sayApiSchemas, sayExposure, seededPaths, type LoadState,
} from './load-state.ts'
import { readProjectFiles, readSqlFile, type ProjectFiles, type ProjectOptions, type SqlFile } from './project-files.ts'
import { SqlRunner, type SqlRun } from './sql-run.ts'

export interface LoadOptions extends ProjectOptions {
  /** `[api] auto_expose_new_tables`. Default true, as the CLI has it while the key is not set. */
  exposeNewTables?: boolean
  /** `[api] schemas`: what `portico_describe()` describes, unless the project sets `pgrst.db_schemas`. Left out: as it was. */
  apiSchemas?: readonly string[]
  /** `[storage.buckets.*]`: made when they are not there. */
  buckets?: readonly ProjectBucket[]
  /** Told of each file before it runs. */
  onFile?: (name: string) => void
}

export interface ProjectBucket {
  id: string
  public?: boolean
  /** Null or left out: the storage service's own limit. */
  fileSizeLimitBytes?: number | null
  allowedMimeTypes?: readonly string[] | null
}

export interface LoadedProject {
  /** Names of the files that ran this time, in order. */
  applied: readonly string[]
  seeded: readonly string[]
  /** A sentence each, for the person who starts the project. */
  warnings: readonly string[]
}

/**
 * Brings a database to the state a project folder describes: its roles and the migrations not yet in the history, and,
 * on a fresh database, its seeds. Each file is one implicit transaction. `bootstrap` must have run before.
 *
 * @throws ProjectUnreadable when the folder cannot be read, MigrationFailed when the database refuses a file.
 */
export async function loadProject(database: Database, options: LoadOptions): Promise<LoadedProject> {
  const files = readProjectFiles(options)
  await prepareHistory(database)
  const loader = new Loader(database, options)
  await loader.load(files)
  return { applied: loader.applied, seeded: loader.seeded, warnings: [...files.warnings, ...loader.warnings] }
}

class Loader {
  readonly applied: string[] = []
  readonly seeded: string[] = []
  readonly #database: Database
  readonly #options: LoadOptions
  readonly warnings: string[] = []
  #runner: SqlRunner | undefined

  constructor(database: Database, options: LoadOptions) {
    this.#database = database
    this.#options = options
  }

  async load(files: ProjectFiles): Promise<void> {
    const done = await appliedVersions(this.#database)
    const { mustSeed, mustMakeRoles, ...said } = await beginLoad(this.#database, done.size === 0)
    await this.#say(said)
    if (files.roles && mustMakeRoles) await this.#makeRoles(files.roles)
    await this.#migrate(files, done)
    await makeBuckets(this.#database, this.#options.buckets ?? [])
    if (mustSeed) await this.#seed(files.seeds)
    await endSeeding(this.#database)
  }

  async #say({ exposesNewTables, apiSchemas }: Pick<LoadState, 'exposesNewTables' | 'apiSchemas'>): Promise<void> {
    const { exposeNewTables = true } = this.#options
    const schemas = this.#options.apiSchemas?.join(', ')
    if (exposesNewTables !== exposeNewTables) await sayExposure(this.#database, exposeNewTables)
    if (schemas !== undefined && apiSchemas !== schemas) await sayApiSchemas(this.#database, schemas)
  }

  async #makeRoles(roles: SqlFile): Promise<void> {
    await this.#run(roles, { closing: () => 'update _portico.project_load set roles_at = now()', isApplied: 'exists (select from _portico.project_load where roles_at is not null)' })
  }

  async #migrate({ migrations }: ProjectFiles, done: ReadonlySet<string>): Promise<void> {
    if (this.#options.migrationsEnabled === false) {
      this.warnings.push('config.toml switches migrations off: none was run.')
      return
    }
    const known = new Set(migrations.map(({ version }) => version))
    const gone = [...done].filter((version) => !known.has(version))
    if (gone.length > 0) this.warnings.push(`Applied before, but no longer in migrations/: ${gone.join(', ')}.`)
    for (const migration of migrations) {
      if (done.has(migration.version)) continue
      const ran = await this.#run(migration, {
        closing: (statements) => noteApplied(migration.version, migration.title, statements),
        isApplied: `exists (select from supabase_migrations.schema_migrations where version = ${quoteText(migration.version)})`,
      })
      if (ran) this.applied.push(migration.name)
    }
  }

  async #seed(seeds: readonly SqlFile[]): Promise<void> {
    const done = await seededPaths(this.#database)
    for (const seed of seeds) {
      if (done.has(seed.name)) continue
      const hash = createHash('sha256').update(readSqlFile(seed)).digest('hex')
      const ran = await this.#run(seed, {
        closing: () => noteSeeded(seed.name, hash),
        isApplied: `exists (select from supabase_migrations.seed_files where path = ${quoteText(seed.name)})`,
      })
      if (ran) this.seeded.push(seed.name)
    }
  }

  async #run(file: SqlFile, notes: Pick<SqlRun, 'closing' | 'isApplied'>): Promise<boolean> {
    this.#options.onFile?.(file.name)
    this.#runner ??= new SqlRunner(this.#database, await readSurroundings(this.#database), this.warnings)
    return this.#runner.run({ name: file.name, text: readSqlFile(file), ...notes })
  }
}

// Dollar quotes with a tag that the text does not hold: statements may be long and full of quotes.
function quoteText(text: string): string {
  let tag = '$p$'
  while (text.includes(tag)) tag = `$p${tag.length}${tag.slice(1)}`
  return text.endsWith('$') ? `'${text.replaceAll("'", "''")}'` : `${tag}${text}${tag}`
}

const noteApplied = (version: string, title: string, statements: readonly string[]): string =>
  `insert into supabase_migrations.schema_migrations (version, name, statements)
values (${quoteText(version)}, ${quoteText(title)}, array[${statements.map(quoteText).join(', ')}]::text[])`

const noteSeeded = (path: string, hash: string): string =>
  `insert into supabase_migrations.seed_files (path, hash) values (${quoteText(path)}, ${quoteText(hash)})
on conflict (path) do update set hash = excluded.hash`

async function makeBuckets(database: Database, buckets: readonly ProjectBucket[]): Promise<void> {
  if (buckets.length === 0) return
  await database.asAdmin('supabase_storage_admin', async (tx) => {
    for (const bucket of buckets)
      await tx.execute(sql`
        insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
        values (${bucket.id}, ${bucket.id}, ${bucket.public ?? false}, ${bucket.fileSizeLimitBytes ?? null}, ${bucket.allowedMimeTypes ?? null}::text[])
        on conflict do nothing`)
  })
}
