import { ServiceError } from '#contract/service-error.ts'
import { DatabaseError } from '#database/database-error.ts'
import { blobKey, versionOf, type BlobKey, type ObjectAddress } from './bytes/blob-key.ts'
import { getOwnerId, listRowsOfVersions, makeOwnerTable } from './discarded-bytes.queries.ts'
import type { StorageParts } from './parts.ts'

export interface StoredVersion {
  address: ObjectAddress
  /** Null in rows that were written by SQL: there are no bytes then. */
  version: string | null
}

/**
 * Removes the bytes of versions that no row names any more. Never fails: the rows are gone, which is what was asked for, and what is
 * left over is swept later.
 */
export async function removeVersions({ bytes, logger }: Pick<StorageParts, 'bytes' | 'logger'>, versions: readonly StoredVersion[]): Promise<void> {
  const keys = versions.flatMap(({ address, version }) => (version === null ? [] : [blobKey(address, version)]))
  try {
    await bytes.remove(keys)
  } catch (error) {
    logger.warn('files that are not needed any more could not be removed', { count: keys.length, error })
  }
}

// A connection that breaks while a transaction ends tells nobody how it ended.
const isUndecided = (error: unknown): boolean => {
  if (!(error instanceof ServiceError)) return true
  return error.cause instanceof DatabaseError && /^(08|57P|58|XX)/.test(error.cause.sqlstate)
}

/**
 * Removes the bytes of a version whose row could not be written. Where the row may have been written all the same, they are left to the
 * sweep, which looks.
 */
export async function removeUnwritten(parts: Pick<StorageParts, 'bytes' | 'logger'>, version: StoredVersion, error: unknown): Promise<void> {
  if (!isUndecided(error)) await removeVersions(parts, [version])
}

const batchSize = 1000

async function removeUnnamed({ database, bytes }: StorageParts, keys: readonly BlobKey[]): Promise<number> {
  const rows = await database.asAdmin('supabase_storage_admin', (tx) => listRowsOfVersions(tx, keys.map(versionOf)), { readOnly: true })
  const named = new Set(rows.map(({ bucket_id: bucketId, name, version }) => blobKey({ bucketId, name }, version)))
  const unnamed = keys.filter((key) => !named.has(key))
  await bytes.remove(unnamed)
  return unnamed.length
}

/** The id by which stores know this database, made when it is first asked for. */
export async function databaseId({ database }: Pick<StorageParts, 'database'>): Promise<string> {
  return database.asAdmin('postgres', async (tx) => {
    await makeOwnerTable(tx)
    return (await getOwnerId(tx)).id
  })
}

/**
 * Removes bytes that no row names: of objects deleted by SQL, of uploads whose process ended between bytes and row.
 *
 * @param olderThanMs spares the young, whose row may still be on its way.
 * @returns how many were removed.
 */
export async function sweep(parts: StorageParts, olderThanMs: number): Promise<number> {
  await parts.bytes.removeAbandoned(olderThanMs)
  // To another database every file would look forgotten.
  if (!(await parts.bytes.claim(await databaseId(parts)))) {
    parts.logger.warn('the folder of the files belongs to another database: nothing in it is cleaned up')
    return 0
  }
  const before = Date.now() - olderThanMs
  let removed = 0
  let batch: BlobKey[] = []
  for await (const { key, storedAt } of parts.bytes.list()) {
    if (storedAt.getTime() > before) continue
    batch.push(key)
    if (batch.length < batchSize) continue
    removed += await removeUnnamed(parts, batch)
    batch = []
  }
  return batch.length === 0 ? removed : removed + (await removeUnnamed(parts, batch))
}
