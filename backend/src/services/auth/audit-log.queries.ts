import type { Transaction } from '#database/database.ts'
import { json, sql } from '#database/sql.ts'

export const insertAuditEntry = (
  tx: Transaction,
  entry: { id: string; payload: Readonly<Record<string, unknown>>; ip: string; at: Date },
): Promise<number> =>
  tx.execute(sql`
    insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
    values ('00000000-0000-0000-0000-000000000000', ${entry.id}, ${json(entry.payload)}, ${entry.at}, ${entry.ip})`)
