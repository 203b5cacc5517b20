import type { Database } from '#database/database.ts'
import { exposeNewTablesByDefault } from '#database/schema/bootstrap.ts'
import { inTurn } from '#database/schema/turn.ts'
import { literal, sql } from '#database/sql.ts'
import history from './history.sql'
import type { Surroundings } from './reshape.ts'

/** How far a database is with the project it holds. */
export interface LoadState {
  mustSeed: boolean
  mustMakeRoles: boolean
  /** What was last said; null before the first time. */
  exposesNewTables: boolean | null
  apiSchemas: string | null
}

/** Makes the tables of the history where they are not. */
export async function prepareHistory(database: Database): Promise<void> {
  const { ready } = await database.asAdmin('postgres', (tx) => tx.one<{ ready: boolean }>(sql`
    select to_regclass('supabase_migrations.seed_files') is not null and exists (
      select from pg_attribute where attrelid = to_regclass('_portico.project_load') and attname = 'api_schemas') as ready`))
  if (!ready) await database.script('postgres', inTurn(history))
}

/** Grants new tables to the API roles by default, or not any more, and notes it. */
export async function sayExposure(database: Database, expose: boolean): Promise<void> {
  await exposeNewTablesByDefault(database, expose)
  await database.asAdmin('postgres', (tx) => tx.execute(sql`update _portico.project_load set exposes_new_tables = ${expose}`))
}

/** Says which schemas the API exposes, for `portico_describe()`, and notes it. */
export const sayApiSchemas = (database: Database, schemas: string): Promise<void> =>
  database.script('postgres', inTurn(`alter role authenticator set portico.api_schemas = ${literal(schemas).text}
;update _portico.project_load set api_schemas = ${literal(schemas).text}`))

/** What reshaping a project's SQL needs to know of the database. */
export const readSurroundings = (database: Database): Promise<Surroundings> =>
  database.asAdmin('postgres', async (tx) => {
    const { name } = await tx.one<{ name: string }>(sql`select current_database()::text as name`)
    const available = await tx.many<{ name: string }>(sql`select name::text as name from pg_available_extensions`)
    return { databaseName: name, availableExtensions: new Set(available.map((each) => each.name)) }
  })

/** Versions of the migrations in the history. */
export async function appliedVersions(database: Database): Promise<Set<string>> {
  const rows = await database.asAdmin('postgres', (tx) =>
    tx.many<{ version: string }>(sql`select version from supabase_migrations.schema_migrations order by version`))
  return new Set(rows.map(({ version }) => version))
}

/** Names of the seed files that ran. */
export async function seededPaths(database: Database): Promise<Set<string>> {
  const rows = await database.asAdmin('postgres', (tx) => tx.many<{ path: string }>(sql`select path from supabase_migrations.seed_files`))
  return new Set(rows.map(({ path }) => path))
}

// Roles and seeds belong to a fresh database: one that had no history when it was first loaded. What failed then is still to do.
export const beginLoad = (database: Database, fresh: boolean): Promise<LoadState> =>
  database.asAdmin('postgres', async (tx) => {
    await tx.execute(sql`
      insert into _portico.project_load (roles_at, seeded_at) select done, done from (select case when ${fresh} then null else now() end) as at (done)
      on conflict do nothing`)
    return tx.one(sql`
      select seeded_at is null as "mustSeed", roles_at is null and seeded_at is null as "mustMakeRoles",
        exposes_new_tables as "exposesNewTables", api_schemas as "apiSchemas"
      from _portico.project_load`)
  })

/** Notes that all seeds have run. */
export const endSeeding = (database: Database): Promise<number> =>
  database.asAdmin('postgres', (tx) => tx.execute(sql`update _portico.project_load set seeded_at = now() where seeded_at is null`))
