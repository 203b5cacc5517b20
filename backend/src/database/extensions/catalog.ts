import type { ExtensionBundle } from '#database/engine-options.ts'
import { standInBundle } from './stand-in-bundle.ts'
import { standIns } from './stand-ins.ts'

const contrib = (name: string): ExtensionBundle => ({ name, module: `@electric-sql/pglite/contrib/${name}` })

// What each library brings, by what `create extension` calls it.
const libraries: readonly { bundle: ExtensionBundle; extensions: readonly string[]; needs?: readonly string[] }[] = [
  ...[
    'amcheck', 'bloom', 'btree_gin', 'btree_gist', 'citext', 'cube', 'dict_int', 'dict_xsyn', 'file_fdw', 'fuzzystrmatch', 'hstore', 'intarray', 'isn', 'lo',
    'ltree', 'pageinspect', 'pg_buffercache', 'pg_freespacemap', 'pg_stat_statements', 'pg_surgery', 'pg_trgm', 'pg_visibility', 'pg_walinspect', 'pgcrypto',
    'seg', 'tablefunc', 'tcn', 'tsm_system_rows', 'tsm_system_time', 'unaccent',
  ].map((name) => ({ bundle: contrib(name), extensions: [name] })),
  { bundle: contrib('earthdistance'), extensions: ['earthdistance'], needs: ['cube'] },
  { bundle: contrib('moddatetime'), extensions: ['moddatetime', 'autoinc', 'insert_username', 'refint'] },
  { bundle: contrib('uuid_ossp'), extensions: ['uuid-ossp'] },
  { bundle: { name: 'vector', module: '@electric-sql/pglite-pgvector' }, extensions: ['vector'] },
  { bundle: { name: 'pgmq', module: '@electric-sql/pglite-pgmq' }, extensions: ['pgmq'] },
  {
    bundle: { name: 'postgis', module: '@electric-sql/pglite-postgis' },
    extensions: ['postgis', 'postgis_raster', 'postgis_topology', 'postgis_tiger_geocoder'],
    needs: ['fuzzystrmatch'],
  },
]

/** What every project's database has from the start. */
export const baseExtensions: readonly string[] = ['pgcrypto', 'uuid-ossp', 'pg_stat_statements', 'pgjwt', 'pg_net', 'pg_graphql', 'supabase_vault']

const standInNames: ReadonlySet<string> = new Set(standIns.map(({ name }) => name))

/** Whether the embedded engine can be given an extension of this name. */
export const isKnownExtension = (name: string): boolean =>
  name === 'plpgsql' || standInNames.has(name) || libraries.some(({ extensions }) => extensions.includes(name))

/**
 * Gives what the embedded engine must know at open for extensions, by their SQL names, and the base ones. Names nothing is
 * known of are passed over. Each library costs memory, PostGIS half a gigabyte, so name only what a project or its database has.
 */
export function extensionBundles(names: Iterable<string>, options: { bundleFolder?: string } = {}): ExtensionBundle[] {
  const wanted = new Set([...baseExtensions, ...names])
  for (const { extensions, needs = [] } of libraries)
    if (extensions.some((name) => wanted.has(name))) for (const needed of needs) wanted.add(needed)
  const real = libraries.filter(({ extensions }) => extensions.some((name) => wanted.has(name))).map(({ bundle }) => bundle)
  return [{ name: 'stand-ins', bundle: standInBundle(options.bundleFolder) }, ...real]
}

/** What a stand-in a project names does not do, a sentence each. */
export const warningsOf = (names: Iterable<string>): string[] =>
  [...names].flatMap((name) => {
    const lacks = standIns.find((standIn) => standIn.name === name)?.lacks
    return lacks === undefined ? [] : [`Extension ${name} is a stand-in: ${lacks}.`]
  })
