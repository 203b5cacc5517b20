import { createHash } from 'node:crypto'
import type { Database } from '#database/database.ts'
import { literal, sql } from '#database/sql.ts'
import { exposeNewTablesByDefault } from '#database/schema/bootstrap.ts'
import { inTurn } from '#database/schema/turn.ts'
import { readProjectFiles, readSqlFile, type ProjectFiles, type ProjectOptions, type SqlFile } from './project-files.ts'
import type { Surroundings } from './reshape.ts'
import { SqlRunner, type SqlRun } from './sql-run.ts'
import history from './history.sql'

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
  await database.script('postgres', inTurn(history))
  await exposeNewTablesByDefault(database, options.exposeNewTables ?? true)
  if (options.apiSchemas) await tellApiSchemas(database, options.apiSchemas)
  const loader = new Loader(database, options, await readSurroundings(database))
  await loader.load(files)
  return { applied: loader.applied, seeded: loader.seeded, warnings: [...files.warnings, ...loader.warnings] }
}

const tellApiSchemas = (database: Database, schemas: readonly string[]): Promise<void> =>
  database.script('postgres', inTurn(`alter role authenticator set portico.api_schemas = ${literal(schemas.join(', ')).text}`))

class Loader {
  readonly applied: string[] = []
  readonly seeded: string[] = []
  readonly #database: Database
  readonly #options: LoadOptions
  readonly #runner: SqlRunner

  constructor(database: Database, options: LoadOptions, surroundings: Surroundings) {
    this.#database = database
    this.#options = options
    this.#runner = new SqlRunner(database, surroundings)
  }

  get warnings(): readonly string[] {
    return this.#runner.warnings
  }

  async load(files: ProjectFiles): Promise<void> {
    const done = await appliedVersions(this.#database)
    const { mustSeed, mustMakeRoles } = await beginLoad(this.#database, done.size === 0)
    if (files.roles && mustMakeRoles) await this.#makeRoles(files.roles)
    await this.#migrate(files, done)
    await makeBuckets(this.#database, this.#options.buckets ?? [])
    if (mustSeed) await this.#seed(files.seeds)
    await endSeeding(this.#database)
  }

  async #makeRoles(roles: SqlFile): Promise<void> {
    await this.#run(roles, { closing: () => 'update _portico.project_load set roles_at = now()', isApplied: 'exists (select from _portico.project_load where roles_at is not null)' })
  }

  async #migrate({ migrations }: ProjectFiles, done: ReadonlySet<string>): Promise<void> {
    const known = new Set(migrations.map(({ version }) => version))
    const gone = [...done].filter((version) => !known.has(version))
    if (gone.length > 0) this.#runner.warnings.push(`Applied before, but no longer in migrations/: ${gone.join(', ')}.`)
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

  #run(file: SqlFile, notes: Pick<SqlRun, 'closing' | 'isApplied'> = {}): Promise<boolean> {
    this.#options.onFile?.(file.name)
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

const readSurroundings = (database: Database): Promise<Surroundings> =>
  database.asAdmin('postgres', async (tx) => {
    const { name } = await tx.one<{ name: string }>(sql`select current_database()::text as name`)
    const available = await tx.many<{ name: string }>(sql`select name::text as name from pg_available_extensions`)
    return { databaseName: name, availableExtensions: new Set(available.map((each) => each.name)) }
  })

async function appliedVersions(database: Database): Promise<Set<string>> {
  const rows = await database.asAdmin('postgres', (tx) =>
    tx.many<{ version: string }>(sql`select version from supabase_migrations.schema_migrations order by version`))
  return new Set(rows.map(({ version }) => version))
}

async function seededPaths(database: Database): Promise<Set<string>> {
  const rows = await database.asAdmin('postgres', (tx) => tx.many<{ path: string }>(sql`select path from supabase_migrations.seed_files`))
  return new Set(rows.map(({ path }) => path))
}

// Roles and seeds belong to a fresh database: one that had no history when it was first loaded. What failed then is still to do.
const beginLoad = (database: Database, fresh: boolean): Promise<{ mustSeed: boolean; mustMakeRoles: boolean }> =>
  database.asAdmin('postgres', async (tx) => {
    await tx.execute(sql`
      insert into _portico.project_load (roles_at, seeded_at) select done, done from (select case when ${fresh} then null else now() end) as at (done)
      on conflict do nothing`)
    return tx.one(sql`select seeded_at is null as "mustSeed", roles_at is null and seeded_at is null as "mustMakeRoles" from _portico.project_load`)
  })

const endSeeding = (database: Database): Promise<number> =>
  database.asAdmin('postgres', (tx) => tx.execute(sql`update _portico.project_load set seeded_at = now() where seeded_at is null`))

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
