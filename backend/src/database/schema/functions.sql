-- Database webhooks: supabase_functions.http_request() as a trigger posts the changed row through pg_net.

create schema if not exists supabase_functions;
grant usage on schema supabase_functions to postgres, anon, authenticated, service_role;
grant all on schema supabase_functions to supabase_functions_admin;
alter default privileges in schema supabase_functions grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges in schema supabase_functions grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges in schema supabase_functions grant all on sequences to postgres, anon, authenticated, service_role;

create table if not exists supabase_functions.migrations (
  version text primary key,
  inserted_at timestamptz not null default now()
);
insert into supabase_functions.migrations (version) values ('initial'), ('20210809183423_update_grants') on conflict do nothing;

create table if not exists supabase_functions.hooks (
  id bigserial primary key,
  hook_table_id integer not null,
  hook_name text not null,
  created_at timestamptz not null default now(),
  request_id bigint
);
create index if not exists supabase_functions_hooks_request_id_idx on supabase_functions.hooks (request_id);
create index if not exists supabase_functions_hooks_h_table_id_h_name_idx on supabase_functions.hooks (hook_table_id, hook_name);
comment on table supabase_functions.hooks is 'Supabase Functions Hooks: Audit trail for triggered hooks.';

-- Arguments of the trigger: url, method (GET or POST), headers, query parameters, timeout in milliseconds (default 1000).
create or replace function supabase_functions.http_request() returns trigger
  language plpgsql security definer set search_path = supabase_functions
as $$
declare
  url text := nullif(tg_argv[0], 'null');
  method text := nullif(tg_argv[1], 'null');
  headers jsonb := coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}')::jsonb;
  params jsonb := coalesce(nullif(tg_argv[3], 'null'), '{}')::jsonb;
  timeout_ms integer := coalesce(nullif(tg_argv[4], 'null'), '1000')::integer;
  request_id bigint;
begin
  if url is null then
    raise exception 'url argument is missing';
  elsif method is null then
    raise exception 'method argument is missing';
  elsif method = 'GET' then
    request_id := net.http_get(url, params, headers, timeout_ms);
  elsif method = 'POST' then
    request_id := net.http_post(url,
      jsonb_build_object('old_record', old, 'record', new, 'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema),
      params, headers, timeout_ms);
  else
    raise exception 'method argument % is invalid', method;
  end if;
  insert into supabase_functions.hooks (hook_table_id, hook_name, request_id) values (tg_relid, tg_name, request_id);
  return new;
end
$$;

do $owners$
begin
  alter table supabase_functions.migrations owner to supabase_functions_admin;
  alter table supabase_functions.hooks owner to supabase_functions_admin;
  alter function supabase_functions.http_request() owner to supabase_functions_admin;
end
$owners$;

revoke all on function supabase_functions.http_request() from public;
grant execute on function supabase_functions.http_request() to postgres, anon, authenticated, service_role;
grant all on all tables in schema supabase_functions to postgres, anon, authenticated, service_role;
grant all on all sequences in schema supabase_functions to postgres, anon, authenticated, service_role;

-- What the data API's graphql_public answers while no GraphQL engine is there.
do $graphql$
begin
  if to_regprocedure('graphql_public.graphql(text,text,jsonb,jsonb)') is null then
    create function graphql_public.graphql(
      "operationName" text default null, query text default null, variables jsonb default null, extensions jsonb default null
    ) returns jsonb
      language sql immutable
    as $body$
      select '{"data": null, "errors": [{"message": "pg_graphql extension is not enabled."}]}'::jsonb
    $body$;
    grant execute on function graphql_public.graphql to postgres, anon, authenticated, service_role;
  end if;
end
$graphql$;
