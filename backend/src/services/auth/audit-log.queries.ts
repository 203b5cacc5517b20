import type { Transaction } from '#database/database.ts'
import { json, sql } from '#database/sql.ts'

export const insertAuditEntry = (
  tx: Transaction,
  entry: { id: string; payload: Readonly<Record<string, unknown>>; ip: string; at: Date },
): Promise<number> =>
  tx.execute(sql`
    insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
    values ('00000000-0000-0000-0000-000000000000', ${entry.id}, ${json(entry.payload)}, ${entry.at}, ${entry.ip})`)

export interface AuditEntry {
  id: string
  payload: Readonly<Record<string, unknown>>
  createdAt: string
  ipAddress: string
}

/** One page of what was written down, newest first, and how much there is in all. */
export async function listAuditEntries(
  tx: Transaction,
  { page, perPage, members, text }: { page: number; perPage: number; members: readonly string[]; text: string },
): Promise<{ entries: AuditEntry[]; total: number }> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const matches = sql`(${members.length === 0 || text === ''} or exists (
    select from unnest(${[...members]}::text[]) as member where a.payload ->> member ilike ${pattern}))`
  const { total } = await tx.one<{ total: string }>(sql`select count(*) as total from auth.audit_log_entries a where ${matches}`)
  const entries = await tx.many<AuditEntry>(sql`
    select
      a.id,
      a.payload,
      coalesce(a.created_at, 'epoch') as "createdAt",
      a.ip_address as "ipAddress"
    from auth.audit_log_entries a
    where ${matches}
    order by a.created_at desc, a.id
    limit ${perPage} offset ${(page - 1) * perPage}`)
  return { entries, total: Number(total) }
}
