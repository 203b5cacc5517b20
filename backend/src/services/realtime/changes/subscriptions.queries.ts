import type { Transaction } from '#database/database.ts'
import { json, sql } from '#database/sql.ts'
import type { Wanted } from './asked.ts'

export interface NewSubscription {
  /** A uuid; begins with its reader's id. */
  subscriptionId: string
  claims: Readonly<Record<string, unknown>>
  wanted: Wanted
}

/** A publication of all tables has the box's own in it. */
const isOffered = sql`p.pubname = 'supabase_realtime' and p.schemaname not in ('_portico', 'realtime')`

/**
 * Notes a subscription for every published table it means; gives their oids. What `subscription_check_filters` refuses is thrown.
 *
 * @see supabase/realtime lib/extensions/postgres_cdc_rls/subscriptions.ex, `query`
 */
export async function insertSubscription(tx: Transaction, { subscriptionId, claims, wanted }: NewSubscription): Promise<string[]> {
  const { schema, table, filters, event, select } = wanted
  const rows = await tx.many<{ entity: string }>(sql`
    insert into realtime.subscription as s (subscription_id, entity, filters, claims, action_filter, selected_columns)
    select ${subscriptionId}::uuid, format('%I.%I', p.schemaname, p.tablename)::regclass,
      (select coalesce(array_agg(row(f.col, f.op::realtime.equality_op, f.val, f.neg)::realtime.user_defined_filter), '{}')
        from unnest(${filters.map(({ column }) => column)}::text[], ${filters.map(({ operator }) => operator)}::text[],
          ${filters.map(({ value }) => value)}::text[], ${filters.map(({ negate }) => negate)}::boolean[]) f (col, op, val, neg)),
      ${json(claims)}::jsonb, ${event}, ${select}::text[]
    from pg_publication_tables p
    where ${isOffered} and (${schema} = '*' or p.schemaname = ${schema}) and (${table} = '*' or p.tablename = ${table})
    on conflict (subscription_id, entity, filters, action_filter, coalesce(selected_columns, '{}'))
    do update set claims = excluded.claims, created_at = timezone('utc', now())
    returning s.entity::oid::text as entity`)
  return rows.map(({ entity }) => entity)
}

/** What the transaction sees committed. */
export async function currentSnapshot(tx: Transaction): Promise<string> {
  return (await tx.one<{ now: string }>(sql`select pg_current_snapshot()::text as now`)).now
}

export const deleteSubscriptions = (tx: Transaction, subscriptionIds: readonly string[]): Promise<number> =>
  tx.execute(sql`delete from realtime.subscription where subscription_id = any (${subscriptionIds}::text[]::uuid[])`)

export interface PublishedTable {
  entity: string
  schema: string
  name: string
}

export const listPublished = (tx: Transaction): Promise<PublishedTable[]> =>
  tx.many(sql`
    select format('%I.%I', p.schemaname, p.tablename)::regclass::oid::text as entity, p.schemaname::text as schema, p.tablename::text as name
    from pg_publication_tables p
    where ${isOffered}`)
