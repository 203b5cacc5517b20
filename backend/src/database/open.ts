import { silentLogger } from '#contract/logger.ts'
import type { Database } from './database.ts'
import type { DatabaseOptions, PgliteOptions } from './engine-options.ts'
import { PgliteSessions } from './pglite/pglite-sessions.ts'
import { WorkerHost } from './pglite/worker-host.ts'
import { WireDatabase } from './wire-database.ts'

async function openPglite(options: PgliteOptions): Promise<Database> {
  const sessions = await PgliteSessions.start({
    start: (events) =>
      WorkerHost.start({ extensions: options.extensions ?? [], fsync: false, ...(options.template ? { snapshot: options.template } : {}) }, events),
    volatile: true,
    log: options.log ?? silentLogger,
  })
  return new WireDatabase({ engine: 'pglite', sessions, timeouts: options.timeouts })
}

/** Opens the database. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.engine === 'postgres') throw new Error('not yet')
  return openPglite(options)
}
