import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

export interface TableColumn {
  name: string
  /** As in `pg_type.typname`: `int4`, `_text`. */
  type: string
  /** As SQL spells it, without length: `character varying`, `public.status`. From the catalog. */
  sqlType: string
  isKey: boolean
  /** Of the replica identity: what an old record holds. */
  isIdentity: boolean
  isBytes: boolean
  /** False for what the publication leaves out and for columns that are computed when read. */
  isShown: boolean
}

export interface ReadingRole {
  /** No policy holds it back. */
  bypasses: boolean
  /** Names of the columns it may read. */
  readable: readonly string[]
}

/** What the catalog says now of a table in the publication. */
export interface TableFacts {
  entity: string
  schema: string
  name: string
  hasPolicies: boolean
  isFullIdentity: boolean
  columns: readonly TableColumn[]
  roles: Readonly<Record<string, ReadingRole>>
}

export const describeTables = (tx: Transaction, entities: readonly string[], roles: readonly string[]): Promise<TableFacts[]> =>
  tx.many(sql`
    select c.oid::text as entity, n.nspname::text as schema, c.relname::text as name, c.relrowsecurity as "hasPolicies",
      c.relreplident = 'f' as "isFullIdentity", coalesce(described.columns, '[]') as columns, coalesce(reading.roles, '{}') as roles
    from pg_publication pub
    cross join lateral pg_get_publication_tables(pub.pubname) p
    join pg_class c on c.oid = p.relid
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_constraint pk on pk.conrelid = c.oid and pk.contype = 'p'
    left join pg_index ri on ri.indrelid = c.oid and ri.indisreplident
    cross join lateral (
      select json_agg(json_build_object(
        'name', a.attname, 'type', t.typname, 'sqlType', format_type(a.atttypid, -1),
        'isKey', coalesce(a.attnum = any (pk.conkey), false),
        'isIdentity', case c.relreplident when 'f' then true when 'd' then coalesce(a.attnum = any (pk.conkey), false)
          when 'i' then coalesce(a.attnum = any (ri.indkey), false) else false end,
        'isBytes', a.atttypid = 'bytea'::regtype,
        'isShown', a.attgenerated not in ('v') and (p.attrs is null or a.attnum = any (p.attrs) or coalesce(a.attnum = any (pk.conkey), false))
      ) order by a.attnum) as columns
      from pg_attribute a
      join pg_type t on t.oid = a.atttypid
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) described
    cross join lateral (
      select json_object_agg(r.rolname, json_build_object('bypasses', r.rolbypassrls or r.rolsuper, 'readable', (
        select coalesce(json_agg(a.attname), '[]') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and has_column_privilege(r.oid, c.oid, a.attnum, 'SELECT')
      ))) as roles
      from pg_roles r
      where r.rolname = any (${roles}::text[])
    ) reading
    where pub.pubname = 'supabase_realtime' and c.oid = any (${entities}::text[]::oid[])`)
