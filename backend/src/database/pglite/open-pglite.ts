import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { silentLogger, type Logger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { lockDataFolder, type DataFolderLock } from '#database/data-folder/lock.ts'
import { unpackTemplate } from '#database/data-folder/template.ts'
import type { PgliteOptions } from '#database/engine-options.ts'
import { WireDatabase } from '#database/wire-database.ts'
import { PgliteSessions } from './pglite-sessions.ts'
import { WorkerHost, type WorkerEvents, type WorkerSetup } from './worker-host.ts'

const startAttempts = 3

/** The engine ended each time it was started over this folder. */
export class EngineNotStarted extends Error {
  constructor(reason: string, { dataDir, cause }: { dataDir: string | undefined; cause: unknown }) {
    const place = dataDir === undefined ? '' : ` over ${dataDir}`
    const advice = dataDir === undefined ? '' : ' The folder may be damaged. Keep a copy of it; --reset starts with a new one.'
    super(`The embedded database did not start${place}: ${reason}.${advice}`, { cause })
    this.name = 'EngineNotStarted'
  }
}

/** Starts the engine's thread; a start that failed by chance is tried again. */
async function startWorker(setup: WorkerSetup, events: WorkerEvents, log: Logger): Promise<WorkerHost> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await WorkerHost.start(setup, events)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      if (attempt === startAttempts) throw new EngineNotStarted(reason.replace(/\.( Build with .*)?$/, ''), { dataDir: setup.dataDir, cause })
      log.warn('the embedded database did not start and is tried again', { reason })
    }
  }
}

async function startSessions(setup: WorkerSetup, options: PgliteOptions): Promise<PgliteSessions> {
  return PgliteSessions.start({
    start: (events) => startWorker(setup, events, options.log ?? silentLogger),
    volatile: setup.dataDir === undefined,
    ...(setup.dataDir !== undefined && setup.fsync ? { syncedDir: setup.dataDir } : {}),
    log: options.log ?? silentLogger,
  })
}

const toDatabase = (sessions: PgliteSessions, options: PgliteOptions): Database =>
  new WireDatabase({ engine: 'pglite', sessions, timeouts: options.timeouts })

async function openInMemory(options: PgliteOptions): Promise<Database> {
  const setup = { extensions: options.extensions ?? [], fsync: false, ...(options.template ? { snapshot: options.template } : {}) }
  return toDatabase(await startSessions(setup, options), options)
}

function isMissingOrEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}

/** What the lock outlives: the engine that holds the folder. */
function releasing(sessions: PgliteSessions, lock: DataFolderLock): PgliteSessions {
  const close = sessions.close.bind(sessions)
  sessions.close = async () => {
    await close()
    lock.release()
  }
  return sessions
}

/**
 * Opens the embedded engine, on a folder that it makes from the template at the first start, or in memory.
 *
 * @throws DataFolderBusy when another process holds the folder; EngineNotStarted when the folder does not open.
 */
export async function openPglite(options: PgliteOptions): Promise<Database> {
  if (options.dataDir === undefined) return openInMemory(options)
  const dataDir = resolve(options.dataDir)
  const fsync = options.durability !== 'os'
  mkdirSync(dirname(dataDir), { recursive: true, mode: 0o700 })
  const lock = await lockDataFolder(dataDir, resolve(options.lockDir ?? `${dataDir}.lock`))
  try {
    if (options.template && isMissingOrEmpty(dataDir)) await unpackTemplate(options.template, dataDir, fsync)
    return toDatabase(releasing(await startSessions({ dataDir, extensions: options.extensions ?? [], fsync }, options), lock), options)
  } catch (error) {
    lock.release()
    throw error
  }
}
