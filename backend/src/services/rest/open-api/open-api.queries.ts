import { sql, type Sql } from '#database/sql.ts'

/** What the document tells beyond the schema cache, and which of it the caller may use. Run as the caller, with no search path. */

export const selectSchemaComment = (schema: string): Sql => sql`
  select pg_catalog.obj_description(oid, 'pg_namespace') from pg_catalog.pg_namespace where nspname = ${schema}`

const mayUseRelation = sql`(
    pg_catalog.pg_has_role(c.relowner, 'USAGE')
    or pg_catalog.has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
    or pg_catalog.has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')
  )`

/** Relations with their comments and, by column name, `[comment, is nullable, longest length, enum labels]`. */
export const selectRelationDetails = (schema: string, followPrivileges: boolean): Sql => sql`
  select
    c.relname,
    pg_catalog.obj_description(c.oid, 'pg_class'),
    (
      select pg_catalog.json_object_agg(a.attname, pg_catalog.json_build_array(
        pg_catalog.col_description(c.oid, a.attnum),
        not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)),
        case when coalesce(nullif(t.typbasetype, 0), t.oid) in ('varchar'::pg_catalog.regtype, 'bpchar'::pg_catalog.regtype)
          and case when t.typtype = 'd' then t.typtypmod else a.atttypmod end > 0
          then case when t.typtype = 'd' then t.typtypmod else a.atttypmod end - 4 end,
        (select pg_catalog.json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e
          where e.enumtypid = coalesce(nullif(t.typbasetype, 0), t.oid))
      ))
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_type t on t.oid = a.atttypid
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    )
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = ${schema} and c.relkind in ('v', 'r', 'm', 'f', 'p') and not c.relispartition
    and (${!followPrivileges} or ${mayUseRelation})`

/** Functions with their comments, told apart by the types of their parameters. */
export const selectRoutineDetails = (schema: string, followPrivileges: boolean): Sql => sql`
  select
    p.proname,
    pg_catalog.obj_description(p.oid, 'pg_proc'),
    coalesce((
      select pg_catalog.json_agg(place.type::pg_catalog.regtype order by place.ord)
      from unnest(p.proargtypes::pg_catalog.oid[]) with ordinality as place (type, ord)
    ), '[]')
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = ${schema} and p.prokind = 'f' and (${!followPrivileges} or pg_catalog.has_function_privilege(p.oid, 'execute'))`
