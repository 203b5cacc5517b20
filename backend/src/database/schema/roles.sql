-- The roles a hosted project has, with their memberships, search paths and limits. Roles that exist keep what they are.

do $roles$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('postgres', 'createdb createrole login replication bypassrls'),
      ('supabase_admin', 'createdb createrole login replication bypassrls'),
      ('anon', 'nologin'),
      ('authenticated', 'nologin'),
      ('service_role', 'nologin bypassrls'),
      ('authenticator', 'login noinherit'),
      ('supabase_auth_admin', 'login noinherit createrole'),
      ('supabase_storage_admin', 'login noinherit createrole'),
      ('supabase_functions_admin', 'login noinherit createrole'),
      ('supabase_realtime_admin', 'nologin noinherit'),
      ('supabase_replication_admin', 'login replication'),
      ('supabase_read_only_user', 'login bypassrls'),
      ('supabase_etl_admin', 'login replication'),
      ('dashboard_user', 'nologin createdb createrole replication'),
      ('pgbouncer', 'login'),
      ('pgsodium_keyiduser', 'nologin'),
      ('pgsodium_keyholder', 'nologin'),
      ('pgsodium_keymaker', 'nologin')
    ) as roles (name, attributes)
  loop
    if to_regrole(wanted.name) is null then
      execute format('create role %I %s', wanted.name, wanted.attributes);
    end if;
  end loop;
  -- Only a superuser can make another; elsewhere supabase_admin stays an ordinary owner.
  if current_setting('is_superuser') = 'on' then
    alter role supabase_admin superuser;
  end if;
end
$roles$;

-- What a hosted project's postgres may do goes by these memberships, not by being a superuser.
do $members$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'authenticator'), ('authenticated', 'authenticator'), ('service_role', 'authenticator'),
      ('anon', 'postgres'), ('authenticated', 'postgres'), ('service_role', 'postgres'),
      ('supabase_auth_admin', 'postgres'), ('supabase_storage_admin', 'postgres'),
      ('supabase_functions_admin', 'postgres'), ('supabase_realtime_admin', 'postgres'),
      ('pgsodium_keyiduser', 'postgres'), ('pgsodium_keyholder', 'postgres'), ('pgsodium_keymaker', 'postgres'),
      ('pg_monitor', 'postgres'), ('pg_read_all_data', 'postgres'), ('pg_signal_backend', 'postgres'),
      ('pg_read_all_data', 'supabase_read_only_user'), ('pg_monitor', 'supabase_etl_admin'),
      ('authenticator', 'supabase_storage_admin'), ('pgsodium_keyholder', 'service_role')
    ) as members (role, member)
  loop
    if not exists (
      select from pg_auth_members m
      where m.roleid = to_regrole(wanted.role) and m.member = to_regrole(wanted.member)
    ) then
      execute format('grant %I to %I', wanted.role, wanted.member);
    end if;
  end loop;
end
$members$;

alter role postgres set search_path = "$user", public, extensions;
alter role supabase_admin set search_path = "$user", public, auth, extensions;
alter role supabase_auth_admin set search_path = auth;
alter role supabase_auth_admin set idle_in_transaction_session_timeout = 60000;
alter role supabase_storage_admin set search_path = storage;
alter role supabase_functions_admin set search_path = supabase_functions;
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
