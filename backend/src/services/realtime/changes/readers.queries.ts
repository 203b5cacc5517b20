import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** How long a reader that does not renew counts as there. */
const silentSeconds = 90

/** Registers a reader that has seen what is committed now. */
export async function beginReading(tx: Transaction, reader: string): Promise<string> {
  const { seen } = await tx.one<{ seen: string }>(sql`
    insert into _portico.change_readers (id, seen) values (${reader}, pg_current_snapshot())
    on conflict (id) do update set seen = excluded.seen, renewed_at = clock_timestamp()
    returning seen::text`)
  return seen
}

export const noteSeen = (tx: Transaction, reader: string, seen: string): Promise<number> =>
  tx.execute(sql`
    insert into _portico.change_readers (id, seen) values (${reader}, ${seen}::pg_snapshot)
    on conflict (id) do update set seen = excluded.seen, renewed_at = clock_timestamp()`)

/** Lets go of readers that are silent, or of all others, with what they subscribed to. */
export async function dropReaders(tx: Transaction, { self, others }: { self: string; others: 'all' | 'silent' }): Promise<void> {
  await tx.execute(sql`
    delete from _portico.change_readers r
    where r.id <> ${self} and (${others === 'all'} or r.renewed_at < clock_timestamp() - make_interval(secs => ${silentSeconds}::int))`)
  // The ids of subscriptions begin with their reader's.
  await tx.execute(sql`
    delete from realtime.subscription s
    where not exists (select from _portico.change_readers r where r.id = left(s.subscription_id::text, 18))`)
}

export const endReading = async (tx: Transaction, reader: string): Promise<void> => {
  await tx.execute(sql`delete from _portico.change_readers where id = ${reader}`)
  await tx.execute(sql`delete from realtime.subscription where left(subscription_id::text, 18) = ${reader}`)
}

/** Says that broadcasts will be read for so long, and changes if somebody asked for them. */
export async function holdOpen(tx: Transaction, { seconds, changes }: { seconds: number; changes: boolean }): Promise<void> {
  await tx.execute(sql`
    select setval('_portico.messages_read_until', greatest(extract(epoch from clock_timestamp())::bigint + ${seconds}::int, last_value))
    from _portico.messages_read_until`)
  if (!changes) return
  await tx.execute(sql`
    select setval('_portico.changes_read_until', greatest(extract(epoch from clock_timestamp())::bigint + ${seconds}::int, last_value))
    from _portico.changes_read_until`)
}

/** Removes what every reader has delivered. */
export const trimLog = (tx: Transaction): Promise<number> =>
  tx.execute(sql`
    delete from _portico.changes c
    where c.xid < (select min(pg_snapshot_xmax(r.seen)) from _portico.change_readers r)
      and not exists (select from _portico.change_readers r where not pg_visible_in_snapshot(c.xid, r.seen))`)

/** Sends a mark to oneself. What was committed before it is heard of before it. */
export async function sendMark(tx: Transaction, mark: string): Promise<string> {
  const { seen } = await tx.one<{ seen: string }>(sql`
    select pg_current_snapshot()::text as seen, pg_notify('portico_changes', ${mark}) is null as told`)
  return seen
}

/** Puts up and takes down triggers as the publication asks. */
export const followPublication = (tx: Transaction): Promise<number> => tx.execute(sql`select _portico.follow_publication()`)

/** Whether the database follows its publication by itself. */
export async function followsByItself(tx: Transaction): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(sql`
    select exists (select from pg_event_trigger where evtname = 'portico_publication_watch') as found`)
  return found
}

/** The transactions that write to these tables now, by what `pg_locks` calls them. */
export async function findWriters(tx: Transaction, entities: readonly string[]): Promise<string[]> {
  const rows = await tx.many<{ writer: string }>(sql`
    select distinct l.virtualtransaction as writer
    from pg_locks l
    where l.locktype = 'relation' and l.granted and l.pid <> pg_backend_pid() and l.mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      and l.database = (select d.oid from pg_database d where d.datname = current_database())
      and (l.relation = any (${entities}::text[]::oid[])
        or l.relation in (select t.relid from unnest(${entities}::text[]::oid[]) e (entity), lateral pg_partition_tree(e.entity) t))`)
  return rows.map(({ writer }) => writer)
}
