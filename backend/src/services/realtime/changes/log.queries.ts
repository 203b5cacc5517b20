import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** One row's change, or one row of `realtime.messages`, as the triggers wrote it. */
export interface LoggedChange {
  id: string
  xid: string
  started: string
  /** The table's oid. */
  entity: string
  action: 'I' | 'U' | 'D' | 'M'
  /** The row as a JSON object; of more than a mebibyte only the members up to 64 bytes. */
  record: string | null
  oldRecord: string | null
  /** Before anything was left out. */
  recordBytes: number
  oldRecordBytes: number
}

/** What one transaction wrote. */
export interface LoggedTransaction {
  xid: string
  rows: number
  bytes: number
  /** `2026-01-01T00:00:00.000Z`. */
  committedAt: string
}

export const largestRecordBytes = 1024 * 1024
const page: ReadLimit = { rows: 1_000, bytes: 4 * 1024 * 1024 }

const within = (text: 'record' | 'old_record') => text === 'record'
  ? sql`case when octet_length(p.record) <= ${largestRecordBytes}::int then p.record
      else (select json_object_agg(m.key, m.value) from json_each(p.record::json) m where octet_length(m.value::text) <= 64)::text end`
  : sql`case when octet_length(p.old_record) <= ${largestRecordBytes}::int then p.old_record
      else (select json_object_agg(m.key, m.value) from json_each(p.old_record::json) m where octet_length(m.value::text) <= 64)::text end`

const columns = sql`
  p.id::text, p.xid::text, p.started::text, p.entity::text, p.action::text,
  ${within('record')} as record, ${within('old_record')} as "oldRecord",
  coalesce(octet_length(p.record), 0) as "recordBytes", coalesce(octet_length(p.old_record), 0) as "oldRecordBytes"`

/** Tells what the transactions wrote; those that wrote nothing are left out. */
export const measureTransactions = (tx: Transaction, xids: readonly number[]): Promise<LoggedTransaction[]> =>
  tx.many(sql`
    select c.xid::text, count(*)::int as rows,
      sum(coalesce(octet_length(c.record), 0) + coalesce(octet_length(c.old_record), 0))::float8 as bytes,
      to_char(max(c.changed_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "committedAt"
    from _portico.changes c
    where c.xid = any (${xids.map(String)}::text[]::xid8[])
    group by c.xid`)

const bytesOf = sql`(coalesce(octet_length(c.record), 0) + coalesce(octet_length(c.old_record), 0))`

/** At most this much is read at once. */
export interface ReadLimit {
  rows: number
  bytes: number
}

/** A change of a first look, with what tells whether the look saw all. */
export interface FirstChange extends LoggedChange {
  /** Rows there were within the limit of rows, those past the limit of bytes included. */
  total: number
  committedAt: string
}

/** What some transactions wrote, in the order they are given, up to a limit. */
export const readTransactions = (tx: Transaction, xids: readonly (string | number)[], limit: ReadLimit = page): Promise<FirstChange[]> =>
  tx.many(sql`
    select ${columns}, p.total,
      to_char(p.committed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "committedAt"
    from (
      select c.*, sum(${bytesOf}) over (order by c.place, c.started, c.id) - ${bytesOf} as before,
        (count(*) over ())::int as total, max(c.changed_at) over (partition by c.place) as committed_at
      from (
        select l.id, l.xid, l.started, l.entity, l.action, l.record, l.old_record, l.changed_at, o.place
        from unnest(${xids.map(String)}::text[]::xid8[]) with ordinality as o (xid, place)
        join _portico.changes l on l.xid = o.xid
        order by o.place, l.started, l.id
        limit ${limit.rows}::int
      ) c
    ) p
    where p.before < ${limit.bytes}::bigint
    order by p.place, p.started, p.id`)

/** The next rows of one large transaction. */
export const readPage = (tx: Transaction, xid: string, after: Pick<LoggedChange, 'started' | 'id'>): Promise<LoggedChange[]> =>
  tx.many(sql`
    select ${columns}
    from (
      select c.*, sum(${bytesOf}) over (order by c.started, c.id) - ${bytesOf} as before
      from (
        select l.id, l.xid, l.started, l.entity, l.action, l.record, l.old_record
        from _portico.changes l
        where l.xid = ${xid}::xid8 and (l.started, l.id) > (${after.started}::bigint, ${after.id}::bigint)
        order by l.started, l.id
        limit ${page.rows}::int
      ) c
    ) p
    where p.before < ${page.bytes}::bigint
    order by p.started, p.id`)

/** Transactions not seen yet, told by nobody: in the order of their last rows. */
export async function findUnseen(tx: Transaction, seen: string): Promise<number[]> {
  const rows = await tx.many<{ xid: string }>(sql`
    select c.xid::text from _portico.changes c
    where not pg_visible_in_snapshot(c.xid, ${seen}::pg_snapshot)
    group by c.xid
    order by max(c.id)`)
  return rows.map(({ xid }) => Number(xid))
}

/** Whether a look saw everything its transactions wrote. */
export const sawAll = (found: readonly FirstChange[], limit: ReadLimit): boolean =>
  found.length < limit.rows && found.length === (found[0]?.total ?? 0)

export const fitsOnePage = (rows: number, bytes: number): boolean => rows <= page.rows && bytes <= page.bytes
