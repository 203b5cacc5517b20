-- portico_describe(): one JSON document that tells what the CALLING ROLE may do with this database.
-- Apply it as one migration; nothing else is needed. It returns no row of any table.
--   * security invoker: privileges are those of the caller (anon, authenticated, a custom JWT role)
--   * reads pg_catalog only: no row of any user table, no auth.* / storage.* / information_schema
--   * an object without any privilege for the caller is absent: no name, no count, no comment
--   * a column without any privilege is absent; keys, checks and foreign keys that mention it too
--   * a foreign key to an invisible table is kept as {"hidden": true} without a name
--   * policy expressions and function bodies are never returned, only how many policies apply
--   * default expressions are reduced to a kind; only plain constants are returned as text
--   * row estimates are returned only where row security does not apply to the caller
--   * stable and read only: the data API serves it by GET as well as POST
--
-- POST /rest/v1/rpc/portico_describe   {}                         -> the document
-- POST /rest/v1/rpc/portico_describe   {"known":"<fingerprint>"}  -> {"unchanged":true,"fingerprint":…}

create or replace function public.portico_describe(
  schemas text[] default null,   -- null: exposed schemas (if known), else every non-system schema
  known   text   default null    -- fingerprint the browser already holds
)
returns jsonb
language sql
stable
security invoker
parallel safe
set search_path = ''
set jit = off            -- measured: JIT compilation alone cost 16 s on PostgreSQL 15
as $describe$
with recursive
-- ------------------------------------------------------------------ schemas
exposed as (          -- PostgREST's in-database setting, else the box's; may be empty
  select pg_catalog.regexp_split_to_array(pg_catalog.btrim(pg_catalog.regexp_replace(c, '^[^=]*=', '')), '\s*,\s*') as names
  from pg_catalog.pg_db_role_setting s
  join pg_catalog.pg_roles r on r.oid = s.setrole and r.rolname = 'authenticator'
  cross join pg_catalog.unnest(s.setconfig) c
  where c like 'pgrst.db\_schemas=%' or c like 'portico.api\_schemas=%'
  order by c like 'pgrst.%' desc, s.setdatabase <> 0 desc
  limit 1
),
ns as materialized (
  select n.oid, n.nspname,
         case when n.nspname = 'public' then null
              else pg_catalog.obj_description(n.oid, 'pg_namespace') end as comment
  from pg_catalog.pg_namespace n
  where pg_catalog.has_schema_privilege(n.oid, 'USAGE')
    and n.nspname !~ '^pg_'
    and n.nspname <> 'information_schema'
    and case
          when schemas is not null then n.nspname = any (schemas)
          when (select names from exposed) is not null
            then n.nspname = any (coalesce((select names from exposed), '{}')) and n.nspname <> 'graphql_public'
          else n.nspname <> all (array['auth','storage','realtime','_realtime','vault','extensions',
               'graphql','graphql_public','net','cron','pgsodium','pgsodium_masks','pgbouncer','pgmq',
               'supabase_functions','supabase_migrations','_analytics','_supavisor','tiger','topology'])
        end
),
ext as materialized (  -- objects that belong to an extension (spatial_ref_sys, pg_trgm functions, ...)
  select d.classid, d.objid from pg_catalog.pg_depend d
  where d.deptype = 'e' and d.classid in ('pg_catalog.pg_class'::pg_catalog.regclass,
                                          'pg_catalog.pg_proc'::pg_catalog.regclass)
),
-- ---------------------------------------------------------------- relations
rel0 as materialized (
  select c.oid, c.relname, c.relkind, c.relnamespace, ns.nspname, c.relrowsecurity,
         c.relforcerowsecurity, c.relispartition, c.relreplident, c.reltuples, c.reloptions,
         pg_catalog.has_any_column_privilege(c.oid, 'SELECT') as g_select,
         pg_catalog.has_any_column_privilege(c.oid, 'INSERT') as g_insert,
         pg_catalog.has_any_column_privilege(c.oid, 'UPDATE') as g_update,
         pg_catalog.has_table_privilege(c.oid, 'DELETE')      as g_delete,
         pg_catalog.pg_relation_is_updatable(c.oid, true)     as upd,   -- 4 update, 8 insert, 16 delete
         pg_catalog.row_security_active(c.oid)                as rls_active
  from pg_catalog.pg_class c
  join ns on ns.oid = c.relnamespace
  where c.relkind in ('r','p','v','m','f')
    and not exists (select 1 from ext
                    where ext.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and ext.objid = c.oid)
),
pol as materialized (  -- how many policies apply to the caller, per command; never their text
  select p.polrelid, cmd.c as cmd,
         pg_catalog.count(*) filter (where p.polpermissive)     as permissive,
         pg_catalog.count(*) filter (where not p.polpermissive) as restrictive
  from pg_catalog.pg_policy p
  join rel0 on rel0.oid = p.polrelid
  cross join (values ('r'),('a'),('w'),('d')) cmd(c)
  where p.polcmd::text in (cmd.c, '*')
    and (0::pg_catalog.oid = any (p.polroles)
         or exists (select 1 from pg_catalog.unnest(p.polroles) r(oid)
                    where r.oid <> 0 and pg_catalog.pg_has_role(r.oid, 'USAGE')))
  group by p.polrelid, cmd.c
),
rel as materialized (
  select r.*,
         r.g_select and (not r.rls_active or ps.permissive > 0) is true as can_select,
         r.g_insert and (r.upd & 8)  > 0 and (not r.rls_active or pa.permissive > 0) is true as can_insert,
         r.g_update and (r.upd & 4)  > 0 and r.g_select
           and (not r.rls_active or (pw.permissive > 0 and ps.permissive > 0)) is true as can_update,
         r.g_delete and (r.upd & 16) > 0 and r.g_select
           and (not r.rls_active or (pd.permissive > 0 and ps.permissive > 0)) is true as can_delete,
         pg_catalog.jsonb_build_object(
           'select', case when ps.permissive is not null or ps.restrictive is not null
                          then pg_catalog.jsonb_build_array(ps.permissive, ps.restrictive) end,
           'insert', case when pa.permissive is not null or pa.restrictive is not null
                          then pg_catalog.jsonb_build_array(pa.permissive, pa.restrictive) end,
           'update', case when pw.permissive is not null or pw.restrictive is not null
                          then pg_catalog.jsonb_build_array(pw.permissive, pw.restrictive) end,
           'delete', case when pd.permissive is not null or pd.restrictive is not null
                          then pg_catalog.jsonb_build_array(pd.permissive, pd.restrictive) end) as policies
  from rel0 r
  left join pol ps on ps.polrelid = r.oid and ps.cmd = 'r'
  left join pol pa on pa.polrelid = r.oid and pa.cmd = 'a'
  left join pol pw on pw.polrelid = r.oid and pw.cmd = 'w'
  left join pol pd on pd.polrelid = r.oid and pd.cmd = 'd'
  where r.g_select or r.g_insert or r.g_update or r.g_delete
),
-- ------------------------------------------------------------------ columns
col as materialized (
  select a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attidentity,
         a.attgenerated, a.atthasdef, r.relkind,
         pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT') as s,
         pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'INSERT') as i,
         pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'UPDATE') as u,
         case when a.atthasdef then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end as defexpr
  from rel r
  join pg_catalog.pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
),
vis as materialized (select * from col where s or i or u),
-- ---------------------------------------- types: domain chains, arrays, enums
used(oid) as materialized (
  select atttypid from vis
  union
  select t.oid from pg_catalog.pg_proc p
    join ns on ns.oid = p.pronamespace
    cross join pg_catalog.unnest(coalesce(p.proallargtypes, p.proargtypes::pg_catalog.oid[])
                                 || p.prorettype) t(oid)
    where p.prokind = 'f' and pg_catalog.has_function_privilege(p.oid, 'EXECUTE')
),
chain(root, oid, typmod, depth, isarray, nn) as (   -- walk domain -> base and array -> element
  select t.oid, t.oid, -1, 0, false, t.typnotnull from pg_catalog.pg_type t join used on used.oid = t.oid
  union all
  select c.root,
         case when t.typtype = 'd' then t.typbasetype else t.typelem end,
         case when t.typtype = 'd' and t.typtypmod >= 0 then t.typtypmod else c.typmod end,
         c.depth + 1,
         c.isarray or t.typtype <> 'd',
         c.nn or (not c.isarray and t.typtype = 'd' and t.typnotnull)
  from chain c join pg_catalog.pg_type t on t.oid = c.oid
  where (t.typtype = 'd' or (t.typelem <> 0 and t.typlen = -1)) and c.depth < 16
),
base as materialized (
  select distinct on (c.root) c.root, c.oid, c.typmod, c.isarray, c.nn,
         bt.typname, bt.typtype, bt.typcategory, bt.typrelid, bn.nspname as typschema
  from chain c
  join pg_catalog.pg_type bt on bt.oid = c.oid
  join pg_catalog.pg_namespace bn on bn.oid = bt.typnamespace
  order by c.root, c.depth desc
),
type_doc as (
  select pg_catalog.jsonb_object_agg(pg_catalog.format_type(t.oid, null), pg_catalog.jsonb_build_object(
    'kind', case t.typtype when 'e' then 'enum' when 'd' then 'domain' when 'c' then 'composite'
                           when 'r' then 'range' when 'm' then 'multirange' end,
    'comment', pg_catalog.obj_description(t.oid, 'pg_type'),
    'values', case when t.typtype = 'e' then
       (select pg_catalog.jsonb_agg(e.enumlabel order by e.enumsortorder)
        from pg_catalog.pg_enum e where e.enumtypid = t.oid) end,
    'base', case when t.typtype = 'd' then pg_catalog.format_type(t.typbasetype, t.typtypmod) end,
    'checks', case when t.typtype = 'd' then
       (select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', k.conname, 'expr',
                 pg_catalog.pg_get_expr(k.conbin, 0)) order by k.conname)
        from pg_catalog.pg_constraint k where k.contypid = t.oid and k.contype = 'c') end,
    'fields', case when t.typtype = 'c' then
       (select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', a.attname, 'type',
                 pg_catalog.format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_catalog.pg_attribute a
        where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) end)) as doc
  from pg_catalog.pg_type t
  where t.oid in (select oid from chain)
    and t.typnamespace <> 'pg_catalog'::pg_catalog.regnamespace
    and (t.typtype in ('e','d','r','m')
         or (t.typtype = 'c' and exists (select 1 from pg_catalog.pg_class k
                                         where k.oid = t.typrelid and k.relkind = 'c')))
),
idx as materialized (
  select i.indrelid, i.indexrelid, i.indisprimary, i.indisunique, i.indimmediate,
         i.indkey::pg_catalog.int2[] as keyz, i.indnkeyatts,
         i.indpred is null and i.indexprs is null as plain
  from pg_catalog.pg_index i join rel on rel.oid = i.indrelid
  where i.indisvalid and i.indislive
),
keys as materialized (   -- primary and unique keys whose columns the caller may all see
  select x.indrelid, x.indexrelid, x.indisprimary, x.cols, x.names
  from (
    select i.indrelid, i.indexrelid, i.indisprimary,
           pg_catalog.array_agg(k.attnum order by k.n) as cols,
           pg_catalog.jsonb_agg(v.attname order by k.n) as names,
           pg_catalog.bool_and(v.attname is not null) as all_visible
    from idx i
    cross join pg_catalog.unnest(i.keyz) with ordinality k(attnum, n)
    left join vis v on v.attrelid = i.indrelid and v.attnum = k.attnum
    where i.indisunique and i.plain and k.n <= i.indnkeyatts
    group by i.indrelid, i.indexrelid, i.indisprimary
  ) x where x.all_visible
),
fk0 as materialized (    -- every foreign key of a visible table, column pairs kept in order
  select k.oid, k.conname, k.conrelid, k.confrelid, k.conkey, k.confkey, k.confdeltype, k.confupdtype,
         exists (select 1 from idx u where u.indrelid = k.conrelid and u.indisunique and u.plain
                   and u.keyz[0:u.indnkeyatts - 1] <@ k.conkey) as one_to_one
  from pg_catalog.pg_constraint k
  where k.contype = 'f' and k.conparentid = 0
    and (k.conrelid in (select oid from rel) or k.confrelid in (select oid from rel))
),
fkp as (                 -- column pairs of each key, in order, with what the caller may see of them
  select f.oid,
         pg_catalog.jsonb_agg(s.attname order by p.n) as cols,
         pg_catalog.jsonb_agg(d.attname order by p.n) as refs,
         pg_catalog.bool_and(s.attname is not null)   as src_ok,
         pg_catalog.bool_and(d.s is true)             as dst_ok
  from fk0 f
  cross join lateral rows from (pg_catalog.unnest(f.conkey), pg_catalog.unnest(f.confkey))
       with ordinality p(a, b, n)
  left join vis s on s.attrelid = f.conrelid  and s.attnum = p.a
  left join vis d on d.attrelid = f.confrelid and d.attnum = p.b
  group by f.oid
),
fk as materialized (select f.*, x.cols, x.refs, x.src_ok, x.dst_ok from fk0 f join fkp x on x.oid = f.oid),
fk_out as (
  select f.conrelid, pg_catalog.jsonb_agg(case when f.dst_ok and t.oid is not null
           then pg_catalog.jsonb_build_object('name', f.conname, 'columns', f.cols, 'schema', t.nspname,
                  'table', t.relname, 'to', f.refs, 'one_to_one', nullif(f.one_to_one, false),
                  'on_delete', case f.confdeltype when 'r' then 'restrict' when 'c' then 'cascade'
                                 when 'n' then 'set_null' when 'd' then 'set_default' end)
           else pg_catalog.jsonb_build_object('columns', f.cols, 'hidden', true) end order by f.conname) as doc
  from fk f left join rel t on t.oid = f.confrelid
  where f.src_ok group by f.conrelid
),
view_token as (          -- what matters of a view's rule: brackets, and where each of its columns comes from
  select w.ev_class as oid, m.n, m.t[1] as token,
         pg_catalog.sum(case m.t[1] when '{' then 1 when '}' then -1 else 0 end)
           over (partition by w.oid order by m.n) as depth
  from rel v
  join pg_catalog.pg_rewrite w on w.ev_class = v.oid and w.ev_type = '1' and w.rulename = '_RETURN'
  cross join lateral pg_catalog.regexp_matches(w.ev_action::pg_catalog.text,
    '(\\.|[{}]|:(?:resno|resorigtbl|resorigcol) \d+)', 'g') with ordinality m(t, n)
  where v.relkind in ('v','m') and v.g_select
    and exists (select 1 from pg_catalog.pg_depend d
                join fk f on f.conrelid = d.refobjid and f.src_ok and f.dst_ok
                where d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass and d.objid = w.oid
                  and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass)
),
view_entry as (          -- the outermost target list lies two brackets deep; lists of subqueries lie deeper
  select oid, pg_catalog.split_part(token, ' ', 1) as label, pg_catalog.split_part(token, ' ', 2)::pg_catalog.int8 as value,
         pg_catalog.count(*) filter (where token like ':resno %') over (partition by oid order by n) as entry
  from view_token
  where depth = 2 and token like ':res%'
),
view_col as (            -- columns of a view that are a table's column and nothing else
  select e.oid, v.attname, e.tbl, e.col,
         pg_catalog.count(*) over (partition by e.oid, e.tbl, e.col) as times
  from (select oid, entry, pg_catalog.max(value) filter (where label = ':resno')      as no,
               pg_catalog.max(value) filter (where label = ':resorigtbl') as tbl,
               pg_catalog.max(value) filter (where label = ':resorigcol') as col
        from view_entry group by oid, entry) e
  left join vis v on v.attrelid = e.oid and v.attnum = e.no and v.s
  where e.tbl > 0
),
view_fk as (             -- foreign keys a view shows whole, each column once: the data API joins by the same rule
  select x.oid, pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', x.conname, 'columns', x.cols,
           'schema', t.nspname, 'table', t.relname, 'to', x.refs) order by x.conname) as doc
  from (select vc.oid, f.conname, f.confrelid, f.refs, f.conkey, pg_catalog.jsonb_agg(vc.attname order by p.n) as cols,
               pg_catalog.count(vc.attname) as shown, pg_catalog.max(vc.times) as times
        from fk f
        cross join lateral pg_catalog.unnest(f.conkey) with ordinality p(a, n)
        join view_col vc on vc.tbl = f.conrelid and vc.col = p.a
        where f.src_ok and f.dst_ok
        group by vc.oid, f.oid, f.conname, f.confrelid, f.refs, f.conkey) x
  join rel t on t.oid = x.confrelid
  where x.times = 1 and x.shown = pg_catalog.cardinality(x.conkey)
  group by x.oid
),
fk_in as (
  select f.confrelid, pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', f.conname,
           'schema', s.nspname, 'table', s.relname, 'columns', f.cols, 'to', f.refs,
           'one_to_one', nullif(f.one_to_one, false),
           'on_delete', case f.confdeltype when 'r' then 'restrict' when 'c' then 'cascade'
                          when 'n' then 'set_null' when 'd' then 'set_default' end)
           order by s.nspname, s.relname, f.conname) as doc
  from fk f join rel s on s.oid = f.conrelid and s.g_select
  where f.src_ok and f.dst_ok group by f.confrelid
),
key_doc as (
  select k.indrelid, (pg_catalog.jsonb_agg(k.names) filter (where k.indisprimary)) -> 0 as pk,
         pg_catalog.jsonb_agg(k.names order by k.indexrelid) filter (where not k.indisprimary) as uniq
  from keys k group by k.indrelid
),
chk as (                 -- check constraints, only when every column they name is visible
  select x.conrelid, pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', x.conname,
           'columns', x.cols, 'expr', pg_catalog.pg_get_expr(x.conbin, x.conrelid)) order by x.conname) as doc
  from (select k.oid, k.conrelid, k.conname, k.conbin, pg_catalog.jsonb_agg(v.attname order by a.n) as cols,
               pg_catalog.bool_and(v.attname is not null) as all_visible
        from pg_catalog.pg_constraint k
        join rel on rel.oid = k.conrelid
        cross join pg_catalog.unnest(k.conkey) with ordinality a(attnum, n)
        left join vis v on v.attrelid = k.conrelid and v.attnum = a.attnum
        where k.contype = 'c' group by k.oid, k.conrelid, k.conname, k.conbin) x
  where x.all_visible group by x.conrelid
),
col_doc as (
  select v.attrelid, pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
      'name', v.attname,
      'type', pg_catalog.format_type(v.atttypid, v.atttypmod),
      'base', b.typname,
      'class', case b.typtype when 'e' then 'enum' when 'c' then 'composite' when 'r' then 'range'
                              when 'm' then 'multirange' end,
      'enum', case when b.typtype = 'e' then pg_catalog.format_type(b.oid, null) end,
      'array', nullif(b.isarray, false),
      'can', pg_catalog.concat(case when v.s then 's' end,
               case when v.i and v.attgenerated = '' and v.attidentity <> 'a'
                     and r.can_insert and (r.relkind in ('r','p')
                       or pg_catalog.pg_column_is_updatable(v.attrelid, v.attnum, true)) then 'i' end,
               case when v.u and v.attgenerated = '' and v.attidentity <> 'a'
                     and r.can_update and (r.relkind in ('r','p')
                       or pg_catalog.pg_column_is_updatable(v.attrelid, v.attnum, true)) then 'u' end),
      'required', nullif((v.attnotnull or b.nn) and not v.atthasdef and v.attidentity = ''
                         and v.attgenerated = '', false),
      'not_null', nullif(v.attnotnull or b.nn, false),
      'identity', case v.attidentity when 'a' then 'always' when 'd' then 'by_default' end,
      'generated', case v.attgenerated when 's' then 'stored' when 'v' then 'virtual' end,
      'default', case
          when v.defexpr is null or v.attgenerated <> '' then null
          when v.defexpr ~ '^nextval\(' then pg_catalog.jsonb_build_object('kind', 'sequence', 'usable',
             (select pg_catalog.bool_and(pg_catalog.has_sequence_privilege(sq.oid, 'USAGE'))
              from pg_catalog.pg_depend dp
              join pg_catalog.pg_attrdef ad on dp.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass
                                           and dp.objid = ad.oid
              join pg_catalog.pg_class sq on dp.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
                                         and dp.refobjid = sq.oid and sq.relkind = 'S'
              where ad.adrelid = v.attrelid and ad.adnum = v.attnum))
          when v.defexpr ~* '^\(?(now\(\)|current_timestamp|current_date|localtimestamp|statement_timestamp\(\)|clock_timestamp\(\)|timezone\(''utc''::text, now\(\)\)|\(?now\(\) at time zone ''utc''::text\)?)\)?(::[a-z ]+)?$'
            then '{"kind":"now"}'::pg_catalog.jsonb
          when v.defexpr ~ '^([a-z_]+\.)?(gen_random_uuid|uuid_generate_v[14]|uuidv[47]|gen_uuid_v7)\(\)'
            then '{"kind":"uuid"}'::pg_catalog.jsonb
          when v.defexpr ~ '^auth\.(uid|email|role)\(\)' or v.defexpr ~ '^\(auth\.jwt\(\)'
            then '{"kind":"caller"}'::pg_catalog.jsonb
          when v.defexpr ~ '^NULL(::.*)?$' then null
          when v.defexpr ~ '^(true|false)$' then pg_catalog.jsonb_build_object('kind','constant','value', v.defexpr)
          when v.defexpr ~ '^''?\(?-?[0-9.]+\)?''?(::[^'']+)?$'
            then pg_catalog.jsonb_build_object('kind','constant','value', pg_catalog.substring(v.defexpr, '-?[0-9.]+'))
          when v.defexpr ~ '^''([^'']|'''')*''(::[^'']+)?$'
            then pg_catalog.jsonb_build_object('kind','constant','value',
                   pg_catalog.replace(pg_catalog.substring(v.defexpr, '^''((?:[^'']|'''')*)'''), '''''', ''''))
          else '{"kind":"expression"}'::pg_catalog.jsonb end,
      'max_length', case when b.typname in ('varchar','bpchar') and not b.isarray
          then nullif(case when v.atttypmod >= 0 then v.atttypmod else b.typmod end - 4, -5)
          when b.typname in ('bit','varbit')
          then nullif(case when v.atttypmod >= 0 then v.atttypmod else b.typmod end, -1) end,
      'precision', case when b.typname = 'numeric'
                         and (case when v.atttypmod >= 0 then v.atttypmod else b.typmod end) >= 4
          then ((case when v.atttypmod >= 0 then v.atttypmod else b.typmod end - 4) >> 16) & 65535 end,
      'scale', case when b.typname = 'numeric'
                     and (case when v.atttypmod >= 0 then v.atttypmod else b.typmod end) >= 4
          then ((((case when v.atttypmod >= 0 then v.atttypmod else b.typmod end) - 4) & 2047) # 1024) - 1024 end,
      'indexed', nullif(ix.indrelid is not null, false),
      'comment', pg_catalog.col_description(v.attrelid, v.attnum)
    ) order by v.attnum) as doc
  from vis v
  join rel r  on r.oid = v.attrelid
  join base b on b.root = v.atttypid
  left join (select distinct indrelid, keyz[0] as attnum from idx) ix
         on ix.indrelid = v.attrelid and ix.attnum = v.attnum
  group by v.attrelid
),
pub as (     -- Supabase Realtime: what postgres_changes can deliver
  select r.oid, pg_catalog.jsonb_build_object('insert', p.pubinsert, 'update', p.pubupdate, 'delete', p.pubdelete,
           'old_record', case r.relreplident when 'f' then 'full' when 'n' then 'none' else 'key' end) as doc
  from rel r
  join pg_catalog.pg_publication p on p.pubname = 'supabase_realtime'
  where r.relkind in ('r','p')
    and (p.puballtables
      or exists (select 1 from pg_catalog.pg_publication_rel x where x.prpubid = p.oid and x.prrelid = r.oid)
      or exists (select 1 from pg_catalog.pg_publication_namespace x
                 where x.pnpubid = p.oid and x.pnnspid = r.relnamespace))
),
view_key as (   -- a guess for simple views: the one base table's primary key, exposed under the same names
  select v.oid, b.names, b.nspname, b.relname
  from rel v
  cross join lateral (
    select k.names, r.nspname, r.relname, k.cols, r.oid,
           pg_catalog.count(*) over () as n
    from (select distinct d.refobjid
          from pg_catalog.pg_rewrite w
          join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
                                     and d.objid = w.oid and d.refobjid <> v.oid
                                     and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
          where w.ev_class = v.oid) s
    join rel r on r.oid = s.refobjid
    join keys k on k.indrelid = r.oid and k.indisprimary
  ) b
  where v.relkind in ('v','m') and b.n = 1
    and not exists (select 1 from pg_catalog.jsonb_array_elements_text(b.names) n(name)
                    where not exists (select 1 from vis where vis.attrelid = v.oid and vis.attname = n.name and vis.s))
),
rel_doc as (
  select r.relnamespace, pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
      'name', r.relname,
      'kind', case r.relkind when 'r' then 'table' when 'p' then 'table' when 'v' then 'view'
                             when 'm' then 'matview' when 'f' then 'foreign' end,
      'partitioned', nullif(r.relkind = 'p', false),
      'partition', nullif(r.relispartition, false),
      'comment', pg_catalog.obj_description(r.oid, 'pg_class'),
      'can', pg_catalog.jsonb_build_object('select', r.can_select, 'insert', r.can_insert,
                                           'update', r.can_update, 'delete', r.can_delete),
      'granted', pg_catalog.concat(case when r.g_select then 's' end, case when r.g_insert then 'i' end,
                                   case when r.g_update then 'u' end, case when r.g_delete then 'd' end),
      'security_invoker', case when r.relkind = 'v' then coalesce(
          (select pg_catalog.bool_or(o ~* '^security_invoker=(true|on|1|yes)$')
           from pg_catalog.unnest(r.reloptions) o), false) end,
      'rls', case when r.relkind in ('r','p') then pg_catalog.jsonb_build_object(
          'enabled', r.relrowsecurity, 'forced', nullif(r.relforcerowsecurity, false),
          'active', r.rls_active, 'policies', r.policies) end,
      'live', pub.doc,
      'approx_rows', case when not r.rls_active and r.relkind in ('r','m') and r.reltuples >= 0
                          then r.reltuples::pg_catalog.int8 end,
      'primary_key', kd.pk,
      'key_guess', vk.names,
      'based_on', vk.nspname || '.' || vk.relname,
      'unique', kd.uniq,
      'checks', chk.doc,
      'fks', coalesce(fo.doc, vf.doc),
      'referenced_by', fi.doc,
      'columns', coalesce(cd.doc, '[]'::pg_catalog.jsonb)
    ) order by r.relname) as doc
  from rel r
  left join col_doc cd on cd.attrelid = r.oid
  left join pub on pub.oid = r.oid
  left join key_doc kd on kd.indrelid = r.oid
  left join chk on chk.conrelid = r.oid
  left join fk_out fo on fo.conrelid = r.oid
  left join view_fk vf on vf.oid = r.oid
  left join fk_in fi on fi.confrelid = r.oid
  left join view_key vk on vk.oid = r.oid
  group by r.relnamespace
),
-- ---------------------------------------------------------------- functions
fn as materialized (
  select p.oid, p.proname, p.pronamespace, p.provolatile, p.prorettype, p.proretset, p.pronargs,
         p.pronargdefaults, p.proargnames, p.proargmodes, p.provariadic, p.proargtypes,
         coalesce(p.proallargtypes, p.proargtypes::pg_catalog.oid[]) as types
  from pg_catalog.pg_proc p
  join ns on ns.oid = p.pronamespace
  where p.prokind = 'f'
    and pg_catalog.has_function_privilege(p.oid, 'EXECUTE')
    and p.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype,
                             'pg_catalog.internal'::pg_catalog.regtype)
    and p.proname not in ('portico_describe', 'portico_account', 'portico_sessions', 'portico_revoke_session', 'portico_activity', 'portico_delete_account')
    and not exists (select 1 from ext
                    where ext.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and ext.objid = p.oid)
),
arg as materialized (
  select f.oid, a.n, a.t,
         coalesce(f.proargmodes[a.n]::text, 'i') as mode,
         nullif(f.proargnames[a.n], '') as name,
         pg_catalog.row_number() over (partition by f.oid, coalesce(f.proargmodes[a.n]::text,'i') in ('i','b','v')
                                       order by a.n) as inpos
  from fn f cross join pg_catalog.unnest(f.types) with ordinality a(t, n)
),
fn_doc as (
  select f.pronamespace, pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
      'name', f.proname,
      'comment', pg_catalog.obj_description(f.oid, 'pg_proc'),
      'method', case when f.provolatile = 'v' then 'POST' else 'GET' end,
      'volatility', case f.provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end,
      'args', coalesce((select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
                  'name', a.name, 'type', pg_catalog.format_type(a.t, null), 'base', b.typname,
                  'enum', case when b.typtype = 'e' then pg_catalog.format_type(b.oid, null) end,
                  'array', nullif(b.isarray, false),
                  'variadic', nullif(a.mode = 'v', false),
                  'optional', nullif(a.inpos > f.pronargs - f.pronargdefaults, false),
                  'default', case when a.inpos > f.pronargs - f.pronargdefaults then
                     pg_catalog.substring(pg_catalog.pg_get_function_arg_default(f.oid, a.n::int),
                       '^(true|false|NULL(?=::)|-?[0-9.]+|''(?:[^'']|'''')*'')(?:::.*)?$') end)
                  order by a.n)
                from arg a join base b on b.root = a.t
                where a.oid = f.oid and a.mode in ('i','b','v')), '[]'::pg_catalog.jsonb),
      'returns', pg_catalog.jsonb_build_object(
          'set', nullif(f.proretset, false),
          'type', pg_catalog.format_type(f.prorettype, null),
          'relation', (select r.nspname || '.' || r.relname from rel r
                       join pg_catalog.pg_type t on t.typrelid = r.oid and t.oid = f.prorettype),
          'columns', (select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', a.name,
                          'type', pg_catalog.format_type(a.t, null)) order by a.n)
                      from arg a where a.oid = f.oid and a.mode in ('o','b','t'))),
      -- PostgREST computed field: exactly one argument, which is a row of a visible relation
      'computed_for', case when f.pronargs = 1 then
          (select r.nspname || '.' || r.relname from rel r
           join pg_catalog.pg_type t on t.typrelid = r.oid and t.oid = f.proargtypes[0]) end
    ) order by f.proname, f.oid) as doc
  from fn f
  where not exists (        -- PostgREST passes arguments by name: unnamed ones cannot be called,
    select 1 from arg a     -- except a single unnamed json/jsonb/text/xml/bytea body
    where a.oid = f.oid and a.mode in ('i','b','v') and a.name is null
      and not (f.pronargs = 1 and (a.t in ('pg_catalog.json'::pg_catalog.regtype, 'pg_catalog.jsonb'::pg_catalog.regtype,
               'pg_catalog.text'::pg_catalog.regtype, 'pg_catalog.xml'::pg_catalog.regtype, 'pg_catalog.bytea'::pg_catalog.regtype)
               or exists (select 1 from rel r join pg_catalog.pg_type t on t.typrelid = r.oid and t.oid = a.t))))
  group by f.pronamespace
),
doc as materialized (
  select pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
    'format', 1,
    'server', pg_catalog.jsonb_build_object('version', pg_catalog.current_setting('server_version_num')::int,
                                            'role', current_user),
    'schemas', (select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
                   'name', ns.nspname, 'comment', ns.comment,
                   'relations', rd.doc, 'functions', fd.doc) order by ns.nspname)
                from ns left join rel_doc rd on rd.relnamespace = ns.oid
                        left join fn_doc  fd on fd.pronamespace = ns.oid
                where rd.doc is not null or fd.doc is not null),
    'types', (select doc from type_doc))) as d
)
select case when known is not null and known = x.f
            then pg_catalog.jsonb_build_object('unchanged', true, 'fingerprint', x.f)
            else doc.d || pg_catalog.jsonb_build_object('fingerprint', x.f) end
from doc cross join lateral (select pg_catalog.md5(doc.d::text) as f) x
$describe$;

comment on function public.portico_describe(text[], text) is
  'Describes the tables, columns, keys and functions the calling role may use. Returns no data.';

-- Projects differ in what new functions are granted by default: be explicit both ways.
revoke execute on function public.portico_describe(text[], text) from public;
grant  execute on function public.portico_describe(text[], text) to authenticated;
-- Only when signed-out visitors shall use the app too:
-- grant execute on function public.portico_describe(text[], text) to anon;
notify pgrst, 'reload schema';
