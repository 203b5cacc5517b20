-- The extensions a hosted project starts with, as far as this Postgres has their files.

do $extensions$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('pgcrypto', 'extensions'),
      ('uuid-ossp', 'extensions'),
      ('pg_stat_statements', 'extensions'),
      ('pgjwt', 'extensions'),
      ('pg_net', 'extensions'),
      ('pg_graphql', 'graphql'),
      ('supabase_vault', 'vault')
    ) as extensions (name, schema)
  loop
    if exists (select from pg_available_extensions where name = wanted.name and installed_version is null) then
      execute format('create extension %I with schema %I', wanted.name, wanted.schema);
    end if;
  end loop;
end
$extensions$;
