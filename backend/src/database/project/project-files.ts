import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { ProjectUnreadable } from './failures.ts'
import { filesMatching } from './file-patterns.ts'

export interface SqlFile {
  path: string
  /** Relative to the project's root, with `/`: what messages and the seed history call it. */
  name: string
}

export interface Migration extends SqlFile {
  /** The digits before the first underscore, as text; for the second file of a version, with the title. */
  version: string
  /** Between that underscore and `.sql`. */
  title: string
}

/** The SQL of a project folder in the CLI's layout. */
export interface ProjectFiles {
  /** The folder that holds `migrations/`, `seed.sql`, `config.toml`. */
  supabaseFolder: string
  roles?: SqlFile
  /** In the order they run. */
  migrations: readonly Migration[]
  seeds: readonly SqlFile[]
  /** What was passed over, a sentence each. */
  warnings: readonly string[]
}

export interface ProjectOptions {
  /** The project's root, or its `supabase` folder itself. */
  folder: string
  /** `[db.seed] sql_paths`, relative to the `supabase` folder. Default `./seed.sql`; it alone may be missing without a warning. */
  seedPaths?: readonly string[]
  /** `[db.migrations] enabled`. Default true; switched off, roles and seeds run all the same. */
  migrationsEnabled?: boolean
  /** `[db.seed] enabled`. Default true. */
  seedEnabled?: boolean
}

const defaultSeed = './seed.sql'
const migrationName = /^([0-9]+)_(.*)\.sql$/
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
const looksLikeSupabase = (folder: string): boolean =>
  isFile(join(folder, 'config.toml')) || isFolder(join(folder, 'migrations')) || isFile(join(folder, 'seed.sql'))

/** Finds the `supabase` folder of a project: below the folder given, or that folder itself. */
export function findSupabaseFolder(folder: string): string {
  const below = resolve(folder, 'supabase')
  if (isFolder(below)) return below
  const itself = resolve(folder)
  if (basename(itself) === 'supabase' || looksLikeSupabase(itself)) return itself
  throw new ProjectUnreadable(`${itself} is no project: it has no folder "supabase", and no config.toml, migrations/ or seed.sql of its own.`)
}

// The CLI's first own migration of old, whose objects every database has by now.
const isObsoleteInit = (file: string): boolean => /^[0-9]{14}_init\.sql$/.test(file) && file.slice(0, 14) < '20211209000000'

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

function listMigrations(supabaseFolder: string, named: (path: string) => string): { migrations: Migration[]; skipped: string[] } {
  const folder = join(supabaseFolder, 'migrations')
  const migrations: Migration[] = []
  const skipped: string[] = []
  const entries = isFolder(folder) ? readdirSync(folder).sort(byBytes) : []
  entries.forEach((entry, index) => {
    const path = join(folder, entry)
    const [, version, title] = migrationName.exec(entry) ?? []
    if (version === undefined || title === undefined || isFolder(path) || (index === 0 && isObsoleteInit(entry))) skipped.push(entry)
    else migrations.push({ path, name: named(path), version: migrations.some((each) => each.version === version) ? `${version}_${title}` : version, title })
  })
  return { migrations, skipped: skipped.filter((entry) => !entry.startsWith('.')) }
}

function listSeeds(supabaseFolder: string, seedPaths: readonly string[]): { paths: string[]; missing: string[] } {
  const missing: string[] = []
  const paths = seedPaths.flatMap((pattern) => {
    const found = filesMatching(supabaseFolder, pattern)
    if (found.length === 0) missing.push(pattern)
    return found
  })
  return { paths: [...new Set(paths)], missing }
}

/**
 * Reads which SQL a project folder holds: `roles.sql`, `migrations/<digits>_<name>.sql` in byte order, and the seeds.
 *
 * @throws ProjectUnreadable when the folder is none.
 */
export function readProjectFiles({ folder, seedPaths, seedEnabled = true }: ProjectOptions): ProjectFiles {
  const supabaseFolder = findSupabaseFolder(folder)
  const root = resolve(supabaseFolder, '..')
  const named = (path: string): string => relative(root, path).replaceAll('\\', '/')
  const { migrations, skipped } = listMigrations(supabaseFolder, named)
  const seeds = seedEnabled ? listSeeds(supabaseFolder, seedPaths ?? [defaultSeed]) : { paths: [], missing: [] }
  const warnings: string[] = []
  if (skipped.length > 0) warnings.push(`Not migrations, skipped: ${skipped.join(', ')} (a migration is called <digits>_<name>.sql).`)
  const twice = migrations.filter(({ version }) => version.includes('_'))
  if (twice.length > 0) warnings.push(`Another migration has the same version: ${twice.map(({ name }) => name).join(', ')}. The CLI refuses that; rename them.`)
  const missing = seeds.missing.filter((pattern) => pattern !== defaultSeed)
  if (missing.length > 0) warnings.push(`No seed file matches ${missing.join(', ')}.`)
  const roles = join(supabaseFolder, 'roles.sql')
  return {
    supabaseFolder,
    ...(isFile(roles) ? { roles: { path: roles, name: named(roles) } } : {}),
    migrations,
    seeds: seeds.paths.map((path) => ({ path, name: named(path) })),
    warnings,
  }
}

/** Reads an SQL file, without a byte order mark. @throws ProjectUnreadable when it cannot be read. */
export function readSqlFile({ path, name }: SqlFile): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    throw new ProjectUnreadable(`${name} cannot be read.`, { cause })
  }
}
