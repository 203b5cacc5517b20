import type { Clock } from '#contract/clock.ts'
import type { Logger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { sql } from '#database/sql.ts'
import { CronScheduler } from './cron-scheduler.ts'
import { NetWorker } from './net-worker.ts'
import type { Reach } from './outgoing-request.ts'

export interface ExtensionWorkersOptions extends Reach {
  clock: Clock
  log: Logger
}

/** What works beside the database for its stand-ins. */
export interface ExtensionWorkers {
  /** Ends the work, after what is under way. Call it before the database is closed. */
  stop(): Promise<void>
}

// The embedded engine has the stand-ins alone; reading what is available reads a hundred files, at each start.
const installedExtensions = sql`select extname::text as name from pg_extension`

const installedStandIns = sql`
  select e.extname::text as name from pg_extension e join pg_available_extensions a on a.name = e.extname
  where a.comment = 'stand-in for ' || e.extname
  union select name from _portico.stand_ins`

/**
 * Starts the workers of the stand-ins that a database has installed: the one that makes pg_net's requests, and pg_cron's
 * scheduler. A Postgres with the real extensions does that work itself. Call it after `loadProject`.
 */
export async function startExtensionWorkers(database: Database, { clock, log, ...reach }: ExtensionWorkersOptions): Promise<ExtensionWorkers> {
  const installed = await database.asAdmin('postgres', (tx) => tx.many<{ name: string }>(database.engine === 'pglite' ? installedExtensions : installedStandIns))
  const has = (name: string): boolean => installed.some((each) => each.name === name)
  const workers: { stop(): Promise<void> }[] = []
  if (has('pg_net')) workers.push(await NetWorker.start(database, { ...reach, log }))
  if (has('pg_cron')) workers.push(await CronScheduler.start(database, { clock, log }))
  return { stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))) }
}
