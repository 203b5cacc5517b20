import type { Transaction } from '#database/database.ts'
import { empty, identifier, join, sql, type Sql } from '#database/sql.ts'
import { isoMoment, ownerColumn } from './objects.queries.ts'
import type { BucketRow } from './wire.ts'

// A limit is read as a float: whole numbers up to 9 PB come out exact.
const columns = sql`
  id, name, coalesce(owner::text, '') as owner, public, type, file_size_limit::float8 as file_size_limit, allowed_mime_types,
  ${isoMoment('created_at')} as created_at, ${isoMoment('updated_at')} as updated_at`

/** Left out: as it was. Null: no limit of its own. */
export interface BucketFields {
  public?: boolean | undefined
  fileSizeLimitBytes?: number | null | undefined
  allowedMimeTypes?: readonly string[] | null | undefined
}

interface Assignment {
  column: string
  value: Sql
}

function assignments({ public: isPublic, fileSizeLimitBytes, allowedMimeTypes }: BucketFields): Assignment[] {
  const made: Assignment[] = []
  if (isPublic !== undefined) made.push({ column: 'public', value: sql`${isPublic}` })
  if (fileSizeLimitBytes !== undefined) made.push({ column: 'file_size_limit', value: sql`${fileSizeLimitBytes}::bigint` })
  if (allowedMimeTypes !== undefined) made.push({ column: 'allowed_mime_types', value: sql`${allowedMimeTypes === null ? null : [...allowedMimeTypes]}::text[]` })
  return made
}

export const findBucketRow = (tx: Transaction, id: string): Promise<BucketRow | undefined> =>
  tx.maybeOne(sql`select ${columns} from storage.buckets where id = ${id}`)

export function insertBucket(tx: Transaction, { id, name, ownerId, ...fields }: BucketFields & { id: string; name: string; ownerId: string | undefined }): Promise<number> {
  const all = [
    { column: 'id', value: sql`${id}` },
    { column: 'name', value: sql`${name}` },
    ...(ownerId === undefined ? [] : [{ column: 'owner_id', value: sql`${ownerId}` }, ...ownerColumn(ownerId)]),
    ...assignments(fields),
  ]
  return tx.execute(sql`
    insert into storage.buckets (${join(all.map(({ column }) => identifier(column)))})
    values (${join(all.map(({ value }) => value))})`)
}

export const updateBucketRow = (tx: Transaction, id: string, fields: BucketFields): Promise<number> =>
  tx.execute(sql`
    update storage.buckets
    set ${join(assignments(fields).map(({ column, value }) => sql`${identifier(column)} = ${value}`))}
    where id = ${id}`)

export const deleteBucketRow = (tx: Transaction, id: string): Promise<number> => tx.execute(sql`delete from storage.buckets where id = ${id}`)

/** Left out: all, in no order. */
export interface BucketListing {
  search?: string | undefined
  sortColumn?: 'id' | 'name' | 'created_at' | 'updated_at' | undefined
  sortOrder?: 'asc' | 'desc' | undefined
  limit?: number | undefined
  offset?: number | undefined
}

const likePattern = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

export const listBucketRows = (tx: Transaction, { search, sortColumn, sortOrder, limit, offset }: BucketListing): Promise<BucketRow[]> =>
  tx.many(sql`
    select ${columns}
    from storage.buckets
    ${search ? sql`where name ilike ${`%${likePattern(search)}%`}` : empty}
    ${sortColumn === undefined ? empty : sql`order by ${identifier('storage', 'buckets', sortColumn)} ${sortOrder === 'desc' ? sql`desc` : sql`asc`}`}
    limit ${limit ?? null}::bigint
    offset ${offset ?? 0}::bigint`)

/** Counts the objects of a bucket, no further than so many. */
export async function countObjectsUpTo(tx: Transaction, bucketId: string, most: number): Promise<number> {
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count
    from (select from storage.objects where bucket_id = ${bucketId} limit ${most}) as counted`)
  return count
}
