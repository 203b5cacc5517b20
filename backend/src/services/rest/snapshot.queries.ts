import { sql, type Sql } from '#database/sql.ts'

/** `pgrst.…` settings of the login role, those of this database last: `alter role authenticator set pgrst.db_max_rows = '100'`. */
export const selectApiSettings = (): Sql => sql`
  select pg_catalog.split_part(line.assignment, '=', 1) as name, pg_catalog.substr(line.assignment, pg_catalog.strpos(line.assignment, '=') + 1) as value
  from pg_catalog.pg_db_role_setting s
  join pg_catalog.pg_roles r on r.oid = s.setrole
  left join pg_catalog.pg_database d on d.oid = s.setdatabase
  cross join lateral unnest(s.setconfig) as line (assignment)
  where r.rolname = 'authenticator' and line.assignment like 'pgrst.%'
    and (s.setdatabase = 0 or d.datname = pg_catalog.current_database())
  order by s.setdatabase`

/** Settings of roles (`alter role anon set statement_timeout = '3s'`): a session that only switches its role would not get them. */
export const selectRoleSettings = (): Sql => sql`
  select r.rolname as role, pg_catalog.split_part(line.assignment, '=', 1) as name,
    pg_catalog.substr(line.assignment, pg_catalog.strpos(line.assignment, '=') + 1) as value
  from pg_catalog.pg_db_role_setting s
  join pg_catalog.pg_roles r on r.oid = s.setrole
  left join pg_catalog.pg_database d on d.oid = s.setdatabase
  cross join lateral unnest(s.setconfig) as line (assignment)
  join pg_catalog.pg_settings g on g.name = pg_catalog.split_part(line.assignment, '=', 1) and g.context = 'user'
  where not r.rolsuper and r.rolname <> 'authenticator'
    and (s.setdatabase = 0 or d.datname = pg_catalog.current_database())
  order by s.setdatabase`
