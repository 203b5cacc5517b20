import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** Which of these versions some row still names. */
export const listRowsOfVersions = (tx: Transaction, versions: readonly string[]): Promise<{ bucket_id: string; name: string; version: string }[]> =>
  tx.many(sql`
    select bucket_id, name, version
    from storage.objects
    where version = any(${versions}::text[])`)

export const makeOwnerTable = (tx: Transaction): Promise<number> =>
  tx.execute(sql`
    create table if not exists _portico.files_owner (
      only_row boolean primary key default true check (only_row),
      id uuid not null default gen_random_uuid()
    )`)

export const getOwnerId = (tx: Transaction): Promise<{ id: string }> =>
  tx.one(sql`
    insert into _portico.files_owner default values
    on conflict (only_row) do update set id = files_owner.id
    returning id`)
