import type { Database } from '#database/database.ts'
import { silentLogger, type Logger } from '#contract/logger.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { openDatabase } from '#database/open.ts'
import { findPostgres, startTestCluster } from '#database/postgres/test-cluster.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'
import type { AskedChange, ChangeFeed, ChangeReader, ChangeStatus, Subscription } from '#services/realtime/change-feed.ts'
import { createChangeFeed } from './changes.ts'
import type { FilterBudgetSettings } from './filter-budget.ts'

export interface HeardChange {
  ids: readonly number[]
  type: string
  data: {
    schema: string
    table: string
    commit_timestamp: string
    columns: { name: string; type: string }[]
    record?: Record<string, unknown> | null
    old_record?: Record<string, unknown> | null
    errors: string[] | null
  }
  json: string
}

/** A subscriber that keeps what it hears. */
export interface Watcher extends Subscription {
  changes: HeardChange[]
  statuses: ChangeStatus[]
}

export const person = (sub: string): ChangeReader => ({ role: 'authenticated', claims: { sub, role: 'authenticated' } })
export const service: ChangeReader = { role: 'service_role', claims: { role: 'service_role' } }

/** Waits for a state, for as long as a slow machine needs. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, mostMs = 30_000): Promise<void> {
  const end = performance.now() + mostMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`still not: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Subscribes without waiting for the answer. */
export function watch(feed: ChangeFeed, reader: ChangeReader, ...asked: readonly AskedChange[]): Watcher {
  const changes: HeardChange[] = []
  const statuses: ChangeStatus[] = []
  const subscription = feed.subscribe({
    reader,
    asked: asked.map((change, at) => ({ id: at + 1, change })),
    onChange: ({ type, json }, ids) => changes.push({ ids, type, json, data: JSON.parse(json) as HeardChange['data'] }),
    onStatus: (status) => statuses.push(status),
  })
  return { ...subscription, changes, statuses }
}

/** Subscribes and waits until it counts. */
export async function watched(feed: ChangeFeed, reader: ChangeReader, ...asked: readonly AskedChange[]): Promise<Watcher> {
  const watcher = watch(feed, reader, ...asked)
  await until(() => watcher.statuses.length > 0, 'an answer to the subscription')
  const [status] = watcher.statuses
  if (status?.status !== 'ok') throw new Error(status?.message)
  return watcher
}

export interface TestHome {
  database: Database
  /** A feed of its own on the same database. */
  openFeed(log?: Logger, filterBudget?: FilterBudgetSettings): Promise<ChangeFeed>
  /** Another way in, beside the box: a second database on a server, the same one where there is one session. */
  outside(): Promise<Database>
  close(): Promise<void>
}

const keepOpen = async (databases: readonly Database[], feeds: readonly ChangeFeed[]): Promise<void> => {
  for (const feed of feeds) await feed.close()
  for (const database of databases) await database.close()
}

export async function openEmbeddedHome(): Promise<TestHome> {
  const database = await openTestDatabase()
  const feeds: ChangeFeed[] = []
  return {
    database,
    openFeed: async (log = silentLogger, filterBudget) => startFeed(database, feeds, { log, filterBudget }),
    outside: async () => database,
    close: () => keepOpen([database], feeds),
  }
}

export const serverPrograms = findPostgres()

export async function openServerHome(): Promise<TestHome> {
  const cluster = await startTestCluster(serverPrograms as string)
  const databases: Database[] = []
  const open = async (): Promise<Database> => {
    const database = await openDatabase({ engine: 'postgres', url: cluster.url('postgres') })
    databases.push(database)
    return database
  }
  const database = await open()
  await bootstrap(database)
  const feeds: ChangeFeed[] = []
  return {
    database,
    openFeed: async (log = silentLogger, filterBudget) => startFeed(await open(), feeds, { log, filterBudget }),
    outside: open,
    close: async () => {
      await keepOpen(databases, feeds)
      cluster.remove()
    },
  }
}

async function startFeed(database: Database, feeds: ChangeFeed[], { log, filterBudget }: { log: Logger; filterBudget: FilterBudgetSettings | undefined }): Promise<ChangeFeed> {
  const feed = createChangeFeed({ database, log, ...(filterBudget ? { filterBudget } : {}) })
  await feed.start()
  feeds.push(feed)
  return feed
}
