-- The CLI's own history of migrations and seeds, so that its commands and ours read the same.

create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text not null primary key);
alter table supabase_migrations.schema_migrations add column if not exists statements text[];
alter table supabase_migrations.schema_migrations add column if not exists name text;
create table if not exists supabase_migrations.seed_files (path text not null primary key, hash text not null);

-- One row: since when this database holds a project, when its roles.sql ran, when its seeds had all run, and what was last said
-- about new tables and the API's schemas: said again only when it changes, since the project's own SQL may have said more.
create table if not exists _portico.project_load (
  only_row boolean primary key default true check (only_row),
  loaded_at timestamptz not null default now(),
  seeded_at timestamptz
);
alter table _portico.project_load add column if not exists roles_at timestamptz;
alter table _portico.project_load add column if not exists exposes_new_tables boolean;
alter table _portico.project_load add column if not exists api_schemas text;
