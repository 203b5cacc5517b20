-- The realtime schema: messages with their policies, subscriptions, and what a project's SQL calls to broadcast.
-- Left out: the functions that read the write-ahead log for the hosted server (apply_rls, list_changes and their parts).

create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role, dashboard_user;
grant usage on schema realtime to postgres with grant option;
grant all on schema realtime to supabase_realtime_admin with grant option;

do $types$
begin
  if to_regtype('realtime.action') is null then
    create type realtime.action as enum ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'ERROR');
  end if;
  if to_regtype('realtime.equality_op') is null then
    create type realtime.equality_op as enum (
      'eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'like', 'ilike', 'is', 'match', 'imatch', 'isdistinct');
  end if;
  if to_regtype('realtime.user_defined_filter') is null then
    create type realtime.user_defined_filter as (column_name text, op realtime.equality_op, value text, negate boolean);
  end if;
end
$types$;

create or replace function realtime.to_regrole(role_name text) returns regrole
  language sql immutable
as $$ select role_name::regrole $$;

create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  primary key (id, inserted_at),
  constraint messages_payload_exclusive check (payload is null or binary_payload is null)
) partition by range (inserted_at);
-- Hosted, a server makes one partition a day; with this one a message never finds its day missing.
create table if not exists realtime.messages_default partition of realtime.messages default;
create index if not exists messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
  where extension = 'broadcast' and private is true;

create table if not exists realtime.subscription (
  id bigint generated always as identity primary key,
  subscription_id uuid not null,
  entity regclass not null,
  filters realtime.user_defined_filter[] not null default '{}',
  claims jsonb not null,
  claims_role regrole not null generated always as (realtime.to_regrole(claims ->> 'role')) stored,
  created_at timestamp not null default timezone('utc', now()),
  action_filter text default '*',
  selected_columns text[],
  constraint subscription_action_filter_check check (action_filter in ('*', 'INSERT', 'UPDATE', 'DELETE'))
);
create index if not exists ix_realtime_subscription_entity on realtime.subscription (entity);
create unique index if not exists subscription_subscription_id_entity_filters_action_filter_selec
  on realtime.subscription (subscription_id, entity, filters, action_filter, coalesce(selected_columns, '{}'));

create table if not exists realtime.schema_migrations (
  version bigint primary key,
  inserted_at timestamp
);

-- The channel a policy on realtime.messages is being asked about.
create or replace function realtime.topic() returns text
  language sql stable
as $$ select nullif(current_setting('realtime.topic', true), '') $$;

-- A message that cannot be stored must not undo the change that wanted to tell of it.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
  language plpgsql
as $$
declare
  message_id uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
  values (message_id, case when payload ? 'id' then payload else jsonb_set(payload, '{id}', to_jsonb(message_id)) end,
    event, topic, private, 'broadcast');
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
  language plpgsql
as $$
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (binary_payload, event, topic, private, extension)
  values (payload, event, topic, private, 'broadcast');
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

create or replace function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text default 'ROW'
) returns void
  language plpgsql
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    jsonb_build_object('old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema),
    event_name, topic_name);
exception when others then
  raise exception 'Failed to process the row: %', sqlerrm;
end
$$;

create or replace function realtime."cast"(val text, type_ regtype) returns jsonb
  language plpgsql immutable
as $$
declare
  made jsonb;
begin
  if type_ = 'bytea'::regtype then
    return to_jsonb(val);
  end if;
  execute format('select to_jsonb(%L::%s)', val, type_) into made;
  return made;
end
$$;

do $owners$
declare
  found record;
begin
  for found in
    select oid::regclass as name from pg_class
    where relnamespace = 'realtime'::regnamespace and relkind in ('r', 'p') and relname <> 'schema_migrations'
  loop
    execute format('alter table %s owner to supabase_realtime_admin', found.name);
  end loop;
  for found in select oid::regprocedure as name from pg_proc where pronamespace = 'realtime'::regnamespace loop
    execute format('alter function %s owner to supabase_realtime_admin', found.name);
  end loop;
end
$owners$;

alter table realtime.messages enable row level security;
alter table realtime.messages_default enable row level security;
grant all on all tables in schema realtime to postgres, dashboard_user;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
grant select on realtime.subscription to anon, authenticated, service_role;
grant all on all sequences in schema realtime to postgres, dashboard_user;
grant usage on all sequences in schema realtime to anon, authenticated, service_role;
grant execute on all functions in schema realtime to postgres, anon, authenticated, service_role, dashboard_user;
revoke all on realtime.schema_migrations from postgres, dashboard_user, anon, authenticated, service_role, supabase_realtime_admin;
