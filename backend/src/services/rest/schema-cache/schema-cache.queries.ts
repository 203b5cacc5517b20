import { sql, type Sql } from '#database/sql.ts'

/** The catalog, read by columns of text; JSON only where a cell holds a list. */

const baseTypes = sql`
  base_types as (
    with recursive chain as (
      select oid, oid as type, typbasetype as next, typnamespace from pg_catalog.pg_type
      union all
      select chain.oid, base.oid, base.typbasetype, base.typnamespace
      from chain join pg_catalog.pg_type base on base.oid = chain.next
    )
    select oid, type as base_type, typnamespace as base_namespace from chain where next = 0
  )`

// Compact, as there may be a hundred thousand of them: `[name, type, nominal type, default]`.
const exposedColumns = (schemas: readonly string[]): Sql => sql`
  columns as (
    select
      a.attrelid,
      pg_catalog.json_agg(pg_catalog.json_build_array(
        a.attname,
        case
          when t.typtype = 'd' and b.base_namespace = 'pg_catalog'::pg_catalog.regnamespace then pg_catalog.format_type(b.base_type, null)
          when t.typtype <> 'd' and t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace then pg_catalog.format_type(a.atttypid, null)
          else pg_catalog.format_type(a.atttypid, a.atttypmod)
        end,
        pg_catalog.format_type(a.atttypid, a.atttypmod),
        case
          when t.typbasetype <> 0 and d.adbin is null then pg_catalog.pg_get_expr(t.typdefaultbin, 0)
          when a.attidentity = 'd' then pg_catalog.format('nextval(%L)', s.objid::pg_catalog.regclass)
          when a.attgenerated = 's' then null
          else pg_catalog.pg_get_expr(d.adbin, d.adrelid)
        end
      ) order by a.attnum) as columns
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_type t on t.oid = a.atttypid
    left join base_types b on b.oid = t.oid
    left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_catalog.pg_depend s
      on a.attidentity = 'd' and s.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
      and s.refobjid = a.attrelid and s.refobjsubid = a.attnum and s.deptype = 'i'
    where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v', 'f', 'm', 'p') and n.nspname = any (${schemas})
    group by a.attrelid
  )`

const primaryKeys = sql`
  primary_keys as (
    select k.conrelid, pg_catalog.json_agg(a.attname order by a.attname) as columns
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
    where k.contype = 'p'
    group by k.conrelid
  )`

/** Relations of all schemas but the system's; columns only where a schema is exposed. */
export const selectTables = (schemas: readonly string[]): Sql => sql`
  with ${baseTypes}, ${exposedColumns(schemas)}, ${primaryKeys}
  select
    n.nspname,
    c.relname,
    c.relkind in ('v', 'm') as is_view,
    u.events & 8 = 8 as insertable,
    u.events & 4 = 4 as updatable,
    u.events & 16 = 16 as deletable,
    coalesce(p.columns, '[]') as primary_key,
    coalesce(l.columns, '[]') as columns
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  cross join lateral (
    select case
      when c.relkind in ('r', 'p') then 28
      when c.relkind in ('v', 'f') and n.nspname = any (${schemas}) then pg_catalog.pg_relation_is_updatable(c.oid, true)
      else 0
    end as events
  ) u
  left join primary_keys p on p.conrelid = c.oid
  left join columns l on l.attrelid = c.oid
  where c.relkind in ('v', 'r', 'm', 'f', 'p')
    and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    and not c.relispartition
    and not pg_catalog.pg_is_other_temp_schema(n.oid)`

/** Foreign keys, with whether their columns are unique on the referring side. */
export const selectForeignKeys = (): Sql => sql`
  select
    n.nspname, c.relname, fn.nspname as foreign_schema, f.relname as foreign_name,
    k.conrelid = k.confrelid as is_self,
    k.conname,
    pairs.columns,
    exists (
      select from pg_catalog.pg_constraint u
      where u.conrelid = k.conrelid and u.contype in ('p', 'u') and u.conkey @> k.conkey and u.conkey <@ k.conkey
    ) as one_to_one
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class c on c.oid = k.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_class f on f.oid = k.confrelid
  join pg_catalog.pg_namespace fn on fn.oid = f.relnamespace
  cross join lateral (
    select pg_catalog.json_agg(pg_catalog.json_build_array(a.attname, fa.attname) order by place.ord) as columns
    from unnest(k.conkey, k.confkey) with ordinality as place (own, referenced, ord)
    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = place.own
    join pg_catalog.pg_attribute fa on fa.attrelid = k.confrelid and fa.attnum = place.referenced
  ) pairs
  where k.contype = 'f' and k.conparentid = 0`

/** Rewrite rules of the views clients can reach, and of those such views may stand on. */
export const selectViewRules = (schemas: readonly string[]): Sql => sql`
  select c.oid, n.nspname, c.relname, r.ev_action::pg_catalog.text as rule,
    (select pg_catalog.json_object_agg(a.attnum, a.attname) from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0) as columns
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.ev_type = '1'
  where c.relkind in ('v', 'm') and n.nspname = any (${schemas})`

/** Primary and foreign keys by column numbers, for tracing views to them. */
export const selectKeyColumns = (): Sql => sql`
  select
    k.contype = 'p' as is_primary, k.conname,
    k.conrelid, n.nspname, c.relname,
    pg_catalog.to_json(k.conkey) as columns,
    (select pg_catalog.json_object_agg(a.attnum, a.attname) from pg_catalog.pg_attribute a
      where a.attrelid = k.conrelid and a.attnum = any (k.conkey)) as names,
    k.confrelid, fn.nspname as foreign_schema, f.relname as foreign_name,
    pg_catalog.to_json(k.confkey) as foreign_columns,
    (select pg_catalog.json_object_agg(a.attnum, a.attname) from pg_catalog.pg_attribute a
      where a.attrelid = k.confrelid and a.attnum = any (k.confkey)) as foreign_names
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class c on c.oid = k.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  left join pg_catalog.pg_class f on f.oid = k.confrelid
  left join pg_catalog.pg_namespace fn on fn.oid = f.relnamespace
  where k.contype in ('p', 'f')
    and n.nspname not in ('pg_catalog', 'information_schema')`

/** Functions from one relation's row to rows of another. */
export const selectComputedRelationships = (): Sql => sql`
  select
    pn.nspname, p.proname, an.nspname as table_schema, a.typname as table_name,
    rn.nspname as foreign_schema, r.typname as foreign_name,
    not p.proretset or p.prorows = 1 as to_one
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
  join pg_catalog.pg_type a on a.oid = p.proargtypes[0]
  join pg_catalog.pg_namespace an on an.oid = a.typnamespace
  join pg_catalog.pg_type r on r.oid = p.prorettype
  join pg_catalog.pg_namespace rn on rn.oid = r.typnamespace
  where p.pronargs = 1
    and a.typrelid in (select oid from pg_catalog.pg_class where relkind in ('v', 'r', 'm', 'f', 'p'))
    and r.typrelid in (select oid from pg_catalog.pg_class where relkind in ('v', 'r', 'm', 'f', 'p'))`

/** Functions clients may call: plain ones whose parameters have names, or that have one unnamed parameter of a body's type. */
export const selectRoutines = (schemas: readonly string[]): Sql => sql`
  with ${baseTypes},
  parameters as (
    select
      p.oid,
      pg_catalog.json_agg(pg_catalog.json_build_array(
        coalesce(place.name, ''),
        place.type::pg_catalog.regtype::pg_catalog.text,
        case place.type
          when 'bit'::pg_catalog.regtype then 'bit varying'
          when 'bit[]'::pg_catalog.regtype then 'bit varying[]'
          when 'character'::pg_catalog.regtype then 'character varying'
          when 'character[]'::pg_catalog.regtype then 'character varying[]'
          else place.type::pg_catalog.regtype::pg_catalog.text
        end,
        place.ord <= p.pronargs - p.pronargdefaults,
        coalesce(place.mode = 'v', false)
      ) order by place.ord) as parameters,
      count(*) - count(place.name) as unnamed,
      (pg_catalog.array_agg(place.type))[1] in (
        'bytea'::pg_catalog.regtype, 'json'::pg_catalog.regtype, 'jsonb'::pg_catalog.regtype, 'text'::pg_catalog.regtype, 'xml'::pg_catalog.regtype
      ) as takes_body
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    cross join lateral unnest(p.proargnames, p.proargtypes::pg_catalog.oid[], p.proargmodes)
      with ordinality as place (name, type, mode, ord)
    where place.type is not null and n.nspname = any (${schemas})
    group by p.oid
  )
  select
    n.nspname, p.proname,
    coalesce(a.parameters, '[]') as parameters,
    tn.nspname as type_schema,
    coalesce(c.relname, t.typname) as type_name,
    p.proretset,
    t.typtype = 'c' or coalesce(p.proargmodes::pg_catalog.text[] && '{t,b,o}', false) as composite,
    p.provolatile,
    p.provariadic > 0 as variadic,
    coalesce(pg_catalog.to_json(p.proconfig), '[]') as settings
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join base_types b on b.oid = p.prorettype
  join pg_catalog.pg_type t on t.oid = b.base_type
  join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
  left join pg_catalog.pg_class c on c.oid = t.typrelid
  left join parameters a on a.oid = p.oid
  where p.prokind = 'f'
    and t.oid <> 'trigger'::pg_catalog.regtype
    and (a.oid is null or a.unnamed = 0 or (a.unnamed = 1 and a.takes_body))
    and n.nspname = any (${schemas})`

/** Implicit casts between domains and json or text: how such a domain looks outside. */
export const selectRepresentations = (): Sql => sql`
  select c.castsource::pg_catalog.regtype, c.casttarget::pg_catalog.regtype, c.castfunc::pg_catalog.regproc
  from pg_catalog.pg_cast c
  join pg_catalog.pg_type s on s.oid = c.castsource
  join pg_catalog.pg_type t on t.oid = c.casttarget
  where c.castcontext = 'i' and c.castmethod = 'f'
    and (
      (s.typtype = 'd' and c.casttarget in ('json'::pg_catalog.regtype, 'text'::pg_catalog.regtype))
      or (t.typtype = 'd' and c.castsource in ('json'::pg_catalog.regtype, 'text'::pg_catalog.regtype))
    )`

/** Aggregates and functions that give a domain named like a media type. */
export const selectMediaHandlers = (schemas: readonly string[]): Sql => sql`
  with media_types as (
    select t.oid, pg_catalog.lower(t.typname) as name, t.typname, n.nspname,
      case t.typname when '*/*' then 'application/octet-stream' else t.typname end as answered
    from pg_catalog.pg_type t
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    where t.typbasetype <> 0 and (t.typname ~* '^[A-Za-z0-9.-]+/[A-Za-z0-9.+-]+$' or t.typname = '*/*')
  )
  select
    p.proname as function_name, pn.nspname as function_schema,
    a.typname as target_name, an.nspname as target_schema,
    m.name as media_type, m.answered
  from media_types m
  join pg_catalog.pg_proc p on p.prorettype = m.oid
  join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
  join pg_catalog.pg_aggregate g on g.aggfnoid = p.oid
  join pg_catalog.pg_type a on a.oid = p.proargtypes[0]
  join pg_catalog.pg_namespace an on an.oid = a.typnamespace
  where pn.nspname = any (${schemas}) and p.pronargs = 1
    and (
      a.oid = 'pg_catalog.anyelement'::pg_catalog.regtype
      or a.typrelid in (select oid from pg_catalog.pg_class where relkind in ('v', 'r', 'm', 'f', 'p'))
    )
  union
  select m.typname, m.nspname, p.proname, n.nspname, m.name, m.answered
  from media_types m
  join pg_catalog.pg_proc p on p.prorettype = m.oid
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any (${schemas}) and not p.proretset and p.prokind = 'f'`

export const selectTimezones = (): Sql => sql`select name from pg_catalog.pg_timezone_names`
