import { silentLogger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import type { PostgresOptions } from '#database/engine-options.ts'
import { WireDatabase } from '#database/wire-database.ts'
import { plainStep } from '#database/wire/request.ts'
import { readConnectionUrl } from './connection-url.ts'
import { PostgresSessions } from './postgres-sessions.ts'
import { checkServerVersion } from './server-version.ts'

/**
 * Opens a Postgres by URL; one connection is made at once, so that a wrong URL is told at the start.
 *
 * @throws DatabaseUrlError, DatabaseTooOld, or DatabaseError: 08001 when it cannot be reached, 28P01 for a wrong password.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const sessions = new PostgresSessions(readConnectionUrl(options.url), options.poolSize ?? 10, options.log ?? silentLogger)
  const { error, results } = await sessions.once({ steps: [plainStep("select current_setting('server_version')")] }, { timeoutMs: 10_000 })
  if (error) throw error
  try {
    checkServerVersion(String(results[0]?.rows[0]?.[0] ?? ''))
  } catch (tooOld) {
    await sessions.close()
    throw tooOld
  }
  return new WireDatabase({ engine: 'postgres', sessions, timeouts: options.timeouts })
}
