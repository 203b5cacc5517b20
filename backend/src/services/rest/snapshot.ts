import type { Database, TransactionOptions } from '#database/database.ts'
import { PreparedPlans } from './prepare.ts'
import { readCatalog } from './schema-cache/read-catalog.ts'
import type { SchemaCache } from './schema-cache/schema-cache.ts'
import { applyApiSettings, type ApiSetting } from './settings-in-database.ts'
import type { RestSettings } from './settings.ts'
import { selectApiSettings, selectRoleSettings } from './snapshot.queries.ts'
import { toTransactionSettings, type TransactionSettings } from './transaction-settings.ts'

/** What the database said about itself when it was last read. */
export interface Snapshot {
  settings: RestSettings
  cache: SchemaCache
  /** How transactions of a role run, by role. */
  roles: ReadonlyMap<string, TransactionSettings>
  plans: PreparedPlans
}

interface RoleSetting extends ApiSetting {
  role: string
}

const asReader: TransactionOptions = { searchPath: [], readOnly: true }

function groupByRole(found: readonly RoleSetting[]): Map<string, TransactionSettings> {
  const grouped = new Map<string, Record<string, string>>()
  for (const { role, name, value } of found) grouped.set(role, { ...grouped.get(role), [name]: value })
  return new Map([...grouped].map(([role, settings]) => [role, toTransactionSettings(settings)]))
}

/** Reads the settings kept in the database, then the schema they expose. */
export async function readSnapshot(database: Database, given: RestSettings): Promise<Snapshot> {
  const [own, roles] = await database.asAdmin(
    'postgres',
    async (tx) => [await tx.many<ApiSetting>(selectApiSettings()), await tx.many<RoleSetting>(selectRoleSettings())] as const,
    asReader,
  )
  const settings = applyApiSettings(given, own)
  return { settings, cache: await readCatalog(database, settings), roles: groupByRole(roles), plans: new PreparedPlans() }
}
