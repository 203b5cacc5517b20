import type { Transaction } from '#database/database.ts'
import { json, sql } from '#database/sql.ts'
import type { ObjectAddress } from '#services/storage/bytes/blob-key.ts'
import { isoMoment } from '#services/storage/objects.queries.ts'
import type { UserMetadata } from '#services/storage/wire.ts'

/** A row of `storage.s3_multipart_uploads`. */
export interface UploadRow {
  id: string
  bucket_id: string
  key: string
  owner_id: string | null
  user_metadata: UserMetadata | null
  metadata: { mimetype?: string; cacheControl?: string } | null
}

/** A row of `storage.s3_multipart_uploads_parts`. */
export interface PartRow {
  part_number: number
  /** Quoted MD5. */
  etag: string
  size: number
  created_at: string
}

export interface NewUpload {
  id: string
  address: ObjectAddress
  ownerId: string | undefined
  userMetadata: UserMetadata | undefined
  metadata: UploadRow['metadata']
}

// The signature of the hosted backend guards a number that is counted from the parts here.
export const insertUpload = (tx: Transaction, { id, address, ownerId, userMetadata, metadata }: NewUpload): Promise<number> =>
  tx.execute(sql`
    insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version, owner_id, user_metadata, metadata)
    values (${id}, '', ${address.bucketId}, ${address.name}, ${id}, ${ownerId ?? null}, ${userMetadata ? json(userMetadata) : null}::jsonb, ${json(metadata)}::jsonb)`)

export const findUploadRow = (tx: Transaction, id: string, { bucketId, name }: ObjectAddress): Promise<UploadRow | undefined> =>
  tx.maybeOne(sql`
    select id, bucket_id, key, owner_id, user_metadata, metadata
    from storage.s3_multipart_uploads
    where id = ${id}
    and bucket_id = ${bucketId}
    and key = ${name}`)

/** Its parts go with it. */
export const deleteUpload = (tx: Transaction, id: string): Promise<number> => tx.execute(sql`delete from storage.s3_multipart_uploads where id = ${id}`)

/** Deletes uploads of before so many days and gives their ids. */
export const deleteOldUploads = (tx: Transaction, days: number): Promise<{ id: string }[]> =>
  tx.many(sql`delete from storage.s3_multipart_uploads where created_at < now() - ${days} * interval '1 day' returning id`)

export const listKnownUploads = (tx: Transaction, ids: readonly string[]): Promise<{ id: string }[]> =>
  tx.many(sql`select id from storage.s3_multipart_uploads where id = any(${ids}::text[])`)

/** What all parts but one weigh. */
export const sizeOfOtherParts = (tx: Transaction, uploadId: string, partNumber: number): Promise<{ size: number }> =>
  tx.one(sql`
    select coalesce(sum(size), 0)::float8 as size
    from storage.s3_multipart_uploads_parts
    where upload_id = ${uploadId}
    and part_number <> ${partNumber}`)

export interface NewPart {
  uploadId: string
  address: ObjectAddress
  ownerId: string | undefined
  partNumber: number
  etag: string
  sizeBytes: number
}

/** Takes the place of a part sent before under the same number; gives the tags of those that went, undefined when the upload itself is gone. */
export async function replacePart(tx: Transaction, { uploadId, address, ownerId, partNumber, etag, sizeBytes }: NewPart): Promise<{ etag: string }[] | undefined> {
  // Held so that two that send the same part come one after the other.
  const held = await tx.many(sql`select id from storage.s3_multipart_uploads where id = ${uploadId} for update`)
  if (held.length === 0) return undefined
  const replaced = await tx.many<{ etag: string }>(sql`
    delete from storage.s3_multipart_uploads_parts
    where upload_id = ${uploadId}
    and part_number = ${partNumber}
    returning etag`)
  await tx.execute(sql`
    insert into storage.s3_multipart_uploads_parts (upload_id, size, part_number, bucket_id, key, etag, owner_id, version)
    values (${uploadId}, ${sizeBytes}, ${partNumber}, ${address.bucketId}, ${address.name}, ${etag}, ${ownerId ?? null}, ${uploadId})`)
  await tx.execute(sql`
    update storage.s3_multipart_uploads
    set in_progress_size = (select coalesce(sum(size), 0) from storage.s3_multipart_uploads_parts where upload_id = ${uploadId})
    where id = ${uploadId}`)
  return replaced
}

export const listPartRows = (tx: Transaction, uploadId: string, { after, limit }: { after: number; limit: number }): Promise<PartRow[]> =>
  tx.many(sql`
    select part_number, etag, size::float8 as size, ${isoMoment('created_at')} as created_at
    from storage.s3_multipart_uploads_parts
    where upload_id = ${uploadId}
    and part_number > ${after}
    order by part_number
    limit ${limit}`)

/** An upload in a list, or what several keys have in common up to a delimiter. */
export interface ListedUpload {
  entry: string
  /** Null for a common part. */
  id: string | null
  created_at: string | null
}

export interface UploadListing {
  bucketId: string
  prefix: string
  delimiter: string
  afterKey: string
  /** Uploads of `afterKey` itself that come after this one; empty: none of them. */
  afterId: string
  limit: number
}

export const listUploadRows = (tx: Transaction, { bucketId, prefix, delimiter, afterKey, afterId, limit }: UploadListing): Promise<ListedUpload[]> =>
  tx.many(sql`
    with found as (
      select u.key, u.id, ${isoMoment('created_at')} as created_at, storage.get_common_prefix(u.key, ${prefix}, nullif(${delimiter}, '')) as folder
      from storage.s3_multipart_uploads u
      where u.bucket_id = ${bucketId}
      and starts_with(u.key, ${prefix})
    ),
    listed as (
      select distinct folder as entry, null::text as id, null::text as created_at from found where folder is not null
      union all
      select key, id, created_at from found where folder is null
    )
    select entry, id, created_at
    from listed
    where ${afterKey} = ''
    or entry collate "C" > ${afterKey}
    or (${afterId} <> '' and entry = ${afterKey} and id collate "C" > ${afterId})
    order by entry collate "C", id collate "C"
    limit ${limit}`)
