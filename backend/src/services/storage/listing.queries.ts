import type { Transaction } from '#database/database.ts'
import { empty, identifier, join, sql, type Sql } from '#database/sql.ts'
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

// The last character there is: behind everything that begins with the text before it. Names are compared byte by byte.
const endOf = (prefix: string): string => `${prefix}\u{10ffff}`

/**
 * One level by name. It goes from entry to entry along the index and leaps over what lies in a folder, so that a page costs the same
 * however much there is. Folders have a name alone.
 */
export function walkLevel(tx: Transaction, bucketId: string, { prefix, limit, after, sortOrder }: Page): Promise<ListedObjectV2[]> {
  const descending = sortOrder === 'desc'
  const direction = descending ? sql`desc` : sql`asc`
  // A slash at its end says that the last entry was a folder.
  const behind = descending ? after : after.length > prefix.length && after.endsWith('/') ? endOf(after) : `${after}\u0001`
  const bounds = [
    ...(prefix === '' ? [] : [sql`o.name collate "C" >= ${prefix}`, sql`o.name collate "C" < ${endOf(prefix)}`]),
    ...(after === '' ? [] : [descending ? sql`o.name collate "C" < ${behind}` : sql`o.name collate "C" >= ${behind}`]),
  ]
  const entry = (position: Sql) => sql`
    select o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata, storage.get_common_prefix(o.name, ${prefix}, '/') as folder
    from storage.objects o
    where o.bucket_id = ${bucketId}
    ${bounds.length === 0 ? empty : sql`and ${join(bounds, ' and ')}`}
    ${position}
    order by o.name collate "C" ${direction}
    limit 1`
  const next = descending
    ? sql`and o.name collate "C" < coalesce(walk.folder, walk.name)`
    : sql`and o.name collate "C" >= coalesce(walk.folder || chr(1114111), walk.name || chr(1))`
  return tx.many(sql`
    with recursive walk as (
      (${entry(empty)})
      union all
      select next.* from walk cross join lateral (${entry(next)}) next
    )
    select split_part(coalesce(folder, name), '/', ${prefix.split('/').length}::int) as key, coalesce(folder, name) as name,
      ${join(['id', 'metadata'].map((column) => sql`case when folder is null then ${identifier(column)} end as ${identifier(column)}`))},
      ${join(['updated_at', 'created_at', 'last_accessed_at'].map((column) => sql`case when folder is null then ${isoMoment(column)} end as ${identifier(column)}`))}
    from walk
    limit ${limit}`)
}

/** One level by a moment, which has to be looked up for all of it first. */
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
