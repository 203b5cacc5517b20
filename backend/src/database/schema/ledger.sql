-- Which pieces of the box's own schema are laid, and in which version. No role of the API may look in here.

create schema if not exists _portico;
revoke all on schema _portico from public;

create table if not exists _portico.schema_parts (
  name text primary key,
  version int not null,
  laid_at timestamptz not null default now()
);

-- Counts a script's statements, so that a failure without a position still finds its statement: sequences are not rolled back.
-- A script counts as whatever role it has switched to; by name nobody reaches the sequence.
create sequence if not exists _portico.statement_at minvalue 0 start 0;
grant update on sequence _portico.statement_at to public;

-- Stand-ins made without an extension around them, where the server has no files for one.
create table if not exists _portico.stand_ins (
  name text primary key,
  made_at timestamptz not null default now()
);
