-- Tells listeners of `pgrst` that the schema changed, so that an API's picture of it is never stale.

create or replace function extensions.pgrst_ddl_watch() returns event_trigger
  language plpgsql
as $$
declare
  command record;
begin
  for command in
    -- The triggers that follow rows for live channels come and go, and are no part of an API's picture.
    select * from pg_event_trigger_ddl_commands() c where c.object_identity is null or c.object_identity not like '"00_portico_%'
  loop
    if command.schema_name is distinct from 'pg_temp' and command.command_tag in (
      'CREATE SCHEMA', 'ALTER SCHEMA', 'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
      'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE', 'CREATE VIEW', 'ALTER VIEW',
      'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW', 'CREATE FUNCTION', 'ALTER FUNCTION',
      'CREATE TRIGGER', 'CREATE TYPE', 'CREATE RULE', 'COMMENT', 'CREATE EXTENSION'
    ) then
      notify pgrst, 'reload schema';
      return;
    end if;
  end loop;
end
$$;

create or replace function extensions.pgrst_drop_watch() returns event_trigger
  language plpgsql
as $$
begin
  if exists (
    select from pg_event_trigger_dropped_objects()
    where not is_temporary and object_identity not like '"00_portico_%' and object_type in (
      'schema', 'table', 'foreign table', 'view', 'materialized view', 'function', 'trigger', 'type', 'rule')
  ) then
    notify pgrst, 'reload schema';
  end if;
end
$$;

do $watch$
begin
  if not exists (select from pg_event_trigger where evtname = 'pgrst_ddl_watch') then
    create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
  end if;
  if not exists (select from pg_event_trigger where evtname = 'pgrst_drop_watch') then
    create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();
  end if;
exception when insufficient_privilege then
  raise notice 'without superuser rights no event triggers: after a schema change send NOTIFY pgrst by hand';
end
$watch$;
