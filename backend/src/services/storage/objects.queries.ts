import type { Transaction } from '#database/database.ts'
import { identifier, join, json, sql, type Sql } from '#database/sql.ts'
import type { ObjectAddress } from './bytes/blob-key.ts'
import type { FileMetadata, ObjectRow, UserMetadata } from './wire.ts'

/** ISO 8601 with milliseconds in UTC, as the hosted API writes moments. */
export const isoMoment = (column: string): Sql => sql`to_char(${identifier(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const columns = sql`
  id, bucket_id, name, owner, owner_id, version, metadata, user_metadata,
  ${isoMoment('created_at')} as created_at, ${isoMoment('updated_at')} as updated_at, ${isoMoment('last_accessed_at')} as last_accessed_at`

/** What may be written of an object. Left out: as it was, or null in a new row. */
export interface ObjectFields {
  version?: string | undefined
  ownerId?: string | undefined
  metadata?: Partial<FileMetadata> | undefined
  userMetadata?: UserMetadata | null | undefined
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

interface Assignment {
  column: string
  value: Sql
}

/** The older column of an owner, which takes a uuid alone. */
export const ownerColumn = (ownerId: string): Assignment[] => (isUuid(ownerId) ? [{ column: 'owner', value: sql`${ownerId}::uuid` }] : [])

function assignments({ version, ownerId, metadata, userMetadata }: ObjectFields): Assignment[] {
  const made: Assignment[] = []
  const add = (column: string, value: Sql) => made.push({ column, value })
  if (version !== undefined) add('version', sql`${version}`)
  if (ownerId !== undefined) made.push(...ownerColumn(ownerId), { column: 'owner_id', value: sql`${ownerId}` })
  if (metadata !== undefined) add('metadata', sql`${json(metadata)}::jsonb`)
  if (userMetadata !== undefined) add('user_metadata', userMetadata === null ? sql`null` : sql`${json(userMetadata)}::jsonb`)
  return made
}

function insertion({ bucketId, name }: ObjectAddress, fields: Assignment[]): Sql {
  const all = [{ column: 'bucket_id', value: sql`${bucketId}` }, { column: 'name', value: sql`${name}` }, ...fields]
  return sql`
    insert into storage.objects (${join(all.map(({ column }) => identifier(column)))})
    values (${join(all.map(({ value }) => value))})`
}

export const insertObject = (tx: Transaction, address: ObjectAddress, fields: ObjectFields): Promise<number> =>
  tx.execute(insertion(address, assignments(fields)))

/** Policies for select, insert and update all have a say. */
export function upsertObject(tx: Transaction, address: ObjectAddress, fields: ObjectFields): Promise<ObjectRow> {
  const set = assignments(fields)
  return tx.one(sql`
    ${insertion(address, set)}
    on conflict (bucket_id, name)
    do update set ${join(set.map(({ column }) => sql`${identifier(column)} = excluded.${identifier(column)}`))}
    returning ${columns}`)
}

export const updateObject = (tx: Transaction, from: ObjectAddress, { to, ...fields }: ObjectFields & { to: ObjectAddress }): Promise<ObjectRow | undefined> =>
  tx.maybeOne(sql`
    update storage.objects
    set ${join([
      sql`bucket_id = ${to.bucketId}`,
      sql`name = ${to.name}`,
      ...assignments(fields).map(({ column, value }) => sql`${identifier(column)} = ${value}`),
    ])}
    where bucket_id = ${from.bucketId}
    and name = ${from.name}
    returning ${columns}`)

export const findObjectRow = (tx: Transaction, { bucketId, name }: ObjectAddress): Promise<ObjectRow | undefined> =>
  tx.maybeOne(sql`
    select ${columns}
    from storage.objects
    where bucket_id = ${bucketId}
    and name = ${name}`)

export const lockObjectRow = (tx: Transaction, { bucketId, name }: ObjectAddress): Promise<ObjectRow | undefined> =>
  tx.maybeOne(sql`
    select ${columns}
    from storage.objects
    where bucket_id = ${bucketId}
    and name = ${name}
    for update`)

/** Holds a name until the transaction ends, also one that has no row yet. */
export const lockName = (tx: Transaction, { bucketId, name }: ObjectAddress): Promise<number> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`storage:${bucketId}/${name}`}, 0))`)

export const listObjectNames = (tx: Transaction, bucketId: string, names: readonly string[]): Promise<{ name: string }[]> =>
  tx.many(sql`
    select name
    from storage.objects
    where bucket_id = ${bucketId}
    and name = any(${names}::text[])`)

export const deleteObjectRows = (tx: Transaction, bucketId: string, names: readonly string[]): Promise<ObjectRow[]> =>
  tx.many(sql`
    delete from storage.objects
    where bucket_id = ${bucketId}
    and name = any(${names}::text[])
    returning ${columns}`)

/** Deletes the oldest objects of a bucket, so many at once. */
export const deleteSomeRows = (tx: Transaction, bucketId: string, limit: number): Promise<ObjectRow[]> =>
  tx.many(sql`
    delete from storage.objects
    where id in (select id from storage.objects where bucket_id = ${bucketId} limit ${limit})
    returning ${columns}`)
