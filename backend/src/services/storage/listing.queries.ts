import type { Transaction } from '#database/database.ts'
import { empty, identifier, sql } from '#database/sql.ts'
import { isoMoment } from './objects.queries.ts'
import type { ListedObject, ListedObjectV2 } from './wire.ts'

const moments = sql`${isoMoment('updated_at')} as updated_at, ${isoMoment('created_at')} as created_at, ${isoMoment('last_accessed_at')} as last_accessed_at`

export interface Search {
  /** Ends in a slash, or is empty. */
  prefix: string
  limit: number
  offset: number
  search: string
  sortColumn: 'name' | 'updated_at' | 'created_at' | 'last_accessed_at'
  sortOrder: 'asc' | 'desc'
}

/** One level of folders and files. */
export const searchObjects = (tx: Transaction, bucketId: string, { prefix, limit, offset, search, sortColumn, sortOrder }: Search): Promise<ListedObject[]> =>
  tx.many(sql`
    select name, id, ${moments}, metadata
    from storage.search(${prefix}, ${bucketId}, ${limit}::int, ${(prefix + search).split('/').length}::int, ${offset}::int, ${search}, ${sortColumn}, ${sortOrder})`)

/** Where a page begins: behind the last key of the one before. */
export interface Page {
  prefix: string
  limit: number
  /** Empty: at the beginning. */
  after: string
  sortColumn: 'name' | 'updated_at' | 'created_at'
  sortOrder: 'asc' | 'desc'
  /** The moment of the last one, when sorted by one. */
  sortAfter: string | null
}

export const listLevel = (tx: Transaction, bucketId: string, { prefix, limit, after, sortColumn, sortOrder, sortAfter }: Page): Promise<ListedObjectV2[]> =>
  tx.many(sql`
    select key, name, id, ${moments}, metadata
    from storage.search_v2(${prefix}, ${bucketId}, ${limit}::int, ${prefix.split('/').length}::int, ${after}, ${sortOrder}, ${sortColumn}, ${sortAfter})`)

const likePattern = (text: string): string => `${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`

/** Everything below a prefix, folders or none. */
export function listBelow(tx: Transaction, bucketId: string, { prefix, limit, after, sortColumn, sortOrder, sortAfter }: Page): Promise<ListedObjectV2[]> {
  const descending = sortOrder === 'desc'
  const direction = descending ? sql`desc` : sql`asc`
  const than = descending ? sql`<` : sql`>`
  // Milliseconds are what a page's last moment is told in.
  const moment = sortColumn === 'name' ? undefined : sql`date_trunc('milliseconds', objects.${identifier(sortColumn)})`
  const position =
    moment && sortAfter !== null
      ? sql`and (${moment}, name collate "C") ${than} (${sortAfter}::timestamptz, ${after})`
      : sql`and name collate "C" ${than} ${after}`
  return tx.many(sql`
    select id, name, metadata, ${moments}
    from storage.objects
    where bucket_id = ${bucketId}
    ${prefix === '' ? empty : sql`and name collate "C" like ${likePattern(prefix)}`}
    ${after === '' ? empty : position}
    order by ${moment ? sql`${moment} ${direction},` : empty} name collate "C" ${direction}
    limit ${limit}`)
}
