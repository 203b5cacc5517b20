import type { RawResult } from './database.ts'
import { plainStep, type Step } from './wire/request.ts'

/**
 * Applies `alter database … set …` to the session, as a login does on a server. The embedded engine's single-user start passes
 * them over. What is no setting any more, or may not be set, is passed over here; search_path and role are set with each request.
 */
export const applyDatabaseSettings = `do $stored$
declare
  stored record;
begin
  for stored in
    select split_part(entry, '=', 1) as name, substr(entry, strpos(entry, '=') + 1) as value
    from pg_db_role_setting s, unnest(s.setconfig) entry
    where s.setrole = 0 and s.setdatabase in (0, (select d.oid from pg_database d where d.datname = current_database()))
      and split_part(entry, '=', 1) not in ('search_path', 'role', 'session_authorization')
    order by s.setdatabase
  loop
    begin
      perform set_config(stored.name, stored.value, false);
    exception when others then
      null;
    end;
  end loop;
end
$stored$`

/** Whether there is anything to apply: a look costs nothing, while applying starts plpgsql. */
export const countDatabaseSettings: Step = plainStep(`
  select count(*) from pg_db_role_setting, unnest(setconfig) entry
  where setrole = 0 and split_part(entry, '=', 1) not in ('search_path', 'role', 'session_authorization')`)

/** Reads `alter role … set statement_timeout`, in milliseconds: a role that is only switched to does not get it from the server. */
export const readRoleTimeouts: Step = plainStep(`
  select r.rolname, case when v.value ~ '^\\d+$' then v.value::bigint else (extract(epoch from v.value::interval) * 1000)::bigint end
  from pg_db_role_setting s
  join pg_roles r on r.oid = s.setrole,
  unnest(s.setconfig) entry, substr(entry, strpos(entry, '=') + 1) v (value)
  where s.setdatabase in (0, (select d.oid from pg_database d where d.datname = current_database()))
    and split_part(entry, '=', 1) = 'statement_timeout' and v.value ~ '^\\d+\\s*(ms|s|min|h|d)?$'
  order by s.setdatabase`)

export const toRoleTimeouts = (result: RawResult | undefined): ReadonlyMap<string, number> =>
  new Map((result?.rows ?? []).map(([role, timeoutMs]) => [role ?? '', Number(timeoutMs)]))
