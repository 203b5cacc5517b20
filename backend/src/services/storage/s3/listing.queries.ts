import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** An object, or what several names have in common up to a delimiter. */
export interface ListedEntry {
  /** The whole name, or the common part with its delimiter. */
  entry: string
  is_folder: boolean
  /** Null for a folder. */
  updated_at: Date | string | null
  e_tag: string | null
  size: number | null
}

export interface Listing {
  bucketId: string
  prefix: string
  /** Empty: none, every name by itself. */
  delimiter: string
  /** Names after this one, which need not be there. */
  after: string
  limit: number
}

/** Sorts after every name that begins with what stands before it: names hold no such character. */
export const lastCharacter = '\u{10ffff}'

/**
 * Lists a page of names by the bytes of their UTF-8, as the actor. Each step asks the index for the next name, and after a folder for the next
 * name behind everything in it: a page costs what it shows, however much the bucket holds.
 */
export const listEntries = (tx: Transaction, { bucketId, prefix, delimiter, after, limit }: Listing): Promise<ListedEntry[]> =>
  tx.many(sql`
    with recursive steps as (
      select 0 as step, ${after < prefix ? '' : after} as bound, null::text as entry, false as is_folder, null::uuid as id
      union all
      select s.step + 1, case when n.is_folder then n.entry || ${lastCharacter} else n.entry end, n.entry, n.is_folder, n.id
      from steps s
      cross join lateral (
        select
          coalesce(c.folder, o.name) as entry,
          c.folder is not null as is_folder,
          o.id
        from storage.objects o
        cross join lateral (select storage.get_common_prefix(o.name, ${prefix}, nullif(${delimiter}, '')) as folder) c
        where o.bucket_id = ${bucketId}
        and o.name collate "C" >= ${prefix}
        and o.name collate "C" < ${prefix + lastCharacter}
        and o.name collate "C" > s.bound
        order by o.name collate "C"
        limit 1
      ) n
      where s.step < ${limit}
    )
    select
      s.entry,
      s.is_folder,
      case when not s.is_folder then to_char(o.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as updated_at,
      o.metadata ->> 'eTag' as e_tag,
      case when jsonb_typeof(o.metadata -> 'size') = 'number' then (o.metadata ->> 'size')::float8 end as size
    from steps s
    left join storage.objects o on o.id = s.id
    where s.step > 0
    order by s.step`)
