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

-- Refuses what could not be answered later: columns the role may not read, values that are not of the column's type.
-- @see supabase/realtime lib/realtime/tenants/repo/migrations, subscription_check_filters
create or replace function realtime.subscription_check_filters() returns trigger
  language plpgsql
as $$
declare
  readable text[];
  filter realtime.user_defined_filter;
  column_type regtype;
  selected text;
begin
  select coalesce(array_agg(a.attname::text), '{}') into readable
  from pg_catalog.pg_attribute a
  where a.attrelid = new.entity and a.attnum > 0 and not a.attisdropped
    and pg_catalog.has_column_privilege(new.claims ->> 'role', a.attrelid, a.attnum, 'SELECT');
  foreach filter in array new.filters loop
    if not filter.column_name = any (readable) then
      raise exception 'invalid column for filter %', filter.column_name;
    end if;
    select a.atttypid::regtype into column_type
    from pg_catalog.pg_attribute a
    where a.attrelid = new.entity and a.attname = filter.column_name;
    perform realtime.check_filter(filter, column_type);
  end loop;
  foreach selected in array coalesce(new.selected_columns, '{}') loop
    if not selected = any (readable) then
      raise exception 'invalid column for select %', selected;
    end if;
  end loop;
  -- One order, so that the unique index sees equals as equal.
  select coalesce(array_agg(f order by f.column_name, f.op, f.value, f.negate), '{}') into new.filters from unnest(new.filters) f;
  select array_agg(c order by c) into new.selected_columns from unnest(new.selected_columns) c;
  return new;
end
$$;

create or replace function realtime.check_filter(filter realtime.user_defined_filter, column_type regtype) returns void
  language plpgsql
as $$
declare
  symbol text := case filter.op when 'like' then '~~' when 'ilike' then '~~' when 'match' then '~' when 'imatch' then '~*' end;
begin
  if filter.op = 'in' then
    if coalesce(jsonb_array_length(realtime."cast"(filter.value, (format_type(column_type, -1) || '[]')::regtype)), 0) > 100 then
      raise exception 'too many values for `in` filter. Maximum 100';
    end if;
  elsif filter.op = 'is' then
    if filter.value not in ('null', 'true', 'false', 'unknown') then
      raise exception 'invalid value for is filter: must be null, true, false, or unknown';
    end if;
    if filter.value <> 'null' and column_type <> 'boolean'::regtype then
      raise exception 'is % filter requires a boolean column, got %', filter.value, column_type;
    end if;
  elsif symbol is not null then
    if not exists (
      select from pg_catalog.pg_operator o
      where o.oprname = symbol and o.oprleft = column_type and o.oprresult = 'boolean'::regtype
    ) then
      raise exception 'operator % requires a text-compatible column type, got %', filter.op, column_type;
    end if;
    if filter.op in ('match', 'imatch') then
      begin
        perform '' ~ filter.value;
      exception when others then
        raise exception 'invalid regular expression for % filter: %', filter.op, sqlerrm;
      end;
    end if;
  else
    perform realtime."cast"(filter.value, column_type);
  end if;
end
$$;

create or replace trigger tr_check_filters before insert or update on realtime.subscription
  for each row execute function realtime.subscription_check_filters();

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
revoke all on realtime.subscription from anon, authenticated, service_role;
grant all on all sequences in schema realtime to postgres, dashboard_user;
grant usage on all sequences in schema realtime to anon, authenticated, service_role;
grant execute on all functions in schema realtime to postgres, anon, authenticated, service_role, dashboard_user;
revoke all on realtime.schema_migrations from postgres, dashboard_user, anon, authenticated, service_role, supabase_realtime_admin;
