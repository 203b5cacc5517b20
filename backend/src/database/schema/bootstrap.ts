import type { AdminRole, Database } from '#database/database.ts'
import { baseExtensions } from '#database/extensions/catalog.ts'
import { plainStandIn } from '#database/extensions/plain-stand-in.ts'
import { sql } from '#database/sql.ts'
import auth from './auth.sql'
import authLimits from './auth-limits.sql'
import installBaseExtensions from './base-extensions.sql'
import exposeNewTables from './expose-new-tables.sql'
import functions from './functions.sql'
import hiddenNewTables from './hidden-new-tables.sql'
import ledger from './ledger.sql'
import porticoAccount from './portico_account.sql'
import porticoDescribe from './portico_describe.sql'
import realtime from './realtime.sql'
import realtimeCapture from './realtime-capture.sql'
import roles from './roles.sql'
import schemas from './schemas.sql'
import storage from './storage.sql'
import { inTurn } from './turn.ts'
import watch from './watch.sql'

/** One piece of the box's schema. Each can be run again over an older version of itself; a higher version makes it run again. */
interface Part {
  name: string
  version: number
  text: string
}

const ledgerPart: Part = { name: 'ledger', version: 1, text: ledger }

/** In the order they are laid. */
export const schemaParts: readonly Part[] = [
  ledgerPart,
  { name: 'roles', version: 1, text: roles },
  { name: 'schemas', version: 1, text: schemas },
  { name: 'base-extensions', version: 1, text: installBaseExtensions },
  { name: 'auth', version: 2, text: auth },
  { name: 'auth-limits', version: 1, text: authLimits },
  { name: 'storage', version: 1, text: storage },
  { name: 'realtime', version: 2, text: realtime },
  { name: 'realtime-capture', version: 3, text: realtimeCapture },
  { name: 'functions', version: 1, text: functions },
  { name: 'portico_describe', version: 4, text: porticoDescribe },
  { name: 'portico_account', version: 2, text: porticoAccount },
  { name: 'watch', version: 2, text: watch },
  { name: 'expose-new-tables', version: 1, text: exposeNewTables },
]

const owner: AdminRole = 'postgres'

/**
 * Lays what a hosted project's database has before its first migration, or brings an older state of it up to date. What is
 * there already is left alone, so it can run again at every start and on a database that others use too.
 *
 * Needs a role `postgres` with the rights to make roles and schemas. Base extensions whose files a server lacks are made of plain objects.
 */
export async function bootstrap(database: Database): Promise<void> {
  const versions = await laidVersions(database)
  for (const part of schemaParts) if ((versions.get(part.name) ?? 0) < part.version) await lay(database, part)
  if (database.engine === 'postgres') await layMissingStandIns(database)
}

const laidVersions = (database: Database): Promise<ReadonlyMap<string, number>> =>
  database.asAdmin(owner, async (tx) => {
    const { begun } = await tx.one<{ begun: boolean }>(sql`select to_regclass('_portico.schema_parts') is not null as begun`)
    if (!begun) return new Map()
    const laid = await tx.many<{ name: string; version: number }>(sql`select name, version from _portico.schema_parts`)
    return new Map(laid.map((part) => [part.name, part.version]))
  })

// A server by URL has no files for some of the base extensions; their stand-ins do without.
async function layMissingStandIns(database: Database): Promise<void> {
  const available = await database.asAdmin(owner, (tx) => tx.many<{ name: string }>(sql`
    select name::text as name from pg_available_extensions union select name from _portico.stand_ins`))
  const there = new Set(available.map(({ name }) => name))
  for (const name of baseExtensions) {
    const text = there.has(name) ? undefined : plainStandIn(name)
    if (text !== undefined) await database.script(owner, inTurn(text))
  }
}

// The part and the note that it is laid are one implicit transaction; processes that share a database take turns.
const lay = (database: Database, { name, version, text }: Part): Promise<void> =>
  database.script(owner, inTurn(`${text}
;insert into _portico.schema_parts (name, version) values ('${name}', ${version})
on conflict (name) do update set version = excluded.version, laid_at = now()`))

/**
 * Says whether tables, functions and sequences that postgres makes in `public` from now on are granted to the API roles:
 * `[api] auto_expose_new_tables`. What exists keeps its grants.
 */
export const exposeNewTablesByDefault = (database: Database, expose: boolean): Promise<void> =>
  database.script(owner, inTurn(expose ? exposeNewTables : hiddenNewTables))
