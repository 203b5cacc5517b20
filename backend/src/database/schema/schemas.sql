-- The schemas projects count on. Those of extensions are there even while the extension is not, as on the hosted backend.

create schema if not exists extensions;
create schema if not exists graphql;
create schema if not exists graphql_public;
create schema if not exists vault;
create schema if not exists pgsodium;
create schema if not exists pgbouncer;
create schema if not exists _realtime;
create schema if not exists supabase_migrations;

grant usage on schema public to postgres, anon, authenticated, service_role;
grant all on schema public to postgres;
grant usage on schema extensions to postgres, anon, authenticated, service_role;
grant all on schema extensions to postgres, dashboard_user;
grant usage on schema graphql, graphql_public to postgres, anon, authenticated, service_role;
grant usage on schema vault to postgres with grant option;
grant usage on schema vault to service_role;
grant all on schema pgsodium to postgres;
grant usage on schema pgsodium to pgsodium_keyiduser, pgsodium_keyholder, pgsodium_keymaker;
grant all on schema pgbouncer to pgbouncer;
grant all on schema _realtime, supabase_migrations to postgres;

grant all on all tables in schema extensions to postgres with grant option;
grant all on all routines in schema extensions to postgres with grant option;
grant all on all sequences in schema extensions to postgres with grant option;
alter default privileges in schema extensions grant all on tables to postgres with grant option;
alter default privileges in schema extensions grant all on routines to postgres with grant option;
alter default privileges in schema extensions grant all on sequences to postgres with grant option;
alter default privileges in schema graphql_public grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges in schema graphql_public grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges in schema graphql_public grant all on sequences to postgres, anon, authenticated, service_role;

-- Unqualified extension types and functions resolve for whoever connects, not only for postgres.
do $path$
begin
  execute format('alter database %I set search_path = "$user", public, extensions', current_database());
exception when insufficient_privilege then
  raise notice 'the database keeps its own search_path';
end
$path$;

do $publication$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$publication$;
