-- The storage schema as supabase/storage's tenant migrations leave it, owned by supabase_storage_admin.

create schema if not exists storage;
grant usage on schema storage to postgres, anon, authenticated, service_role;
grant all on schema storage to postgres, supabase_storage_admin, dashboard_user;

do $types$
begin
  if to_regtype('storage.buckettype') is null then
    create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');
  end if;
end
$types$;

create table if not exists storage.buckets (
  id text primary key,
  name text not null,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  owner_id text,
  type storage.buckettype not null default 'STANDARD',
  versioning_status text not null default 'DISABLED',
  constraint buckets_versioning_dark_check check (versioning_status = 'DISABLED'),
  constraint buckets_versioning_standard_only_check check (type = 'STANDARD' or versioning_status = 'DISABLED'),
  constraint buckets_versioning_status_check check (versioning_status in ('DISABLED', 'ENABLED', 'SUSPENDED'))
);
create unique index if not exists bname on storage.buckets (name);
comment on column storage.buckets.owner is 'Field is deprecated, use owner_id instead';

create table if not exists storage.objects (
  id uuid default gen_random_uuid() primary key,
  bucket_id text,
  name text,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  owner_id text,
  user_metadata jsonb,
  archived_at timestamptz,
  is_delete_marker boolean not null default false,
  is_versioned boolean not null default false,
  constraint "objects_bucketId_fkey" foreign key (bucket_id) references storage.buckets(id)
);
create unique index if not exists bucketid_objname on storage.objects (bucket_id, name);
create index if not exists name_prefix_search on storage.objects (name text_pattern_ops);
create index if not exists idx_objects_bucket_id_name on storage.objects (bucket_id, name collate "C");
create index if not exists idx_objects_bucket_id_name_lower on storage.objects (bucket_id, lower(name) collate "C");
comment on column storage.objects.owner is 'Field is deprecated, use owner_id instead';

create table if not exists storage.migrations (
  id integer primary key,
  name varchar(100) not null unique,
  hash varchar(40) not null,
  executed_at timestamp default current_timestamp
);

create table if not exists storage.s3_multipart_uploads (
  id text primary key,
  in_progress_size bigint not null default 0,
  upload_signature text not null,
  bucket_id text not null references storage.buckets,
  key text not null,
  version text not null,
  owner_id text,
  created_at timestamptz not null default now(),
  user_metadata jsonb,
  metadata jsonb
);
create index if not exists idx_multipart_uploads_list on storage.s3_multipart_uploads (bucket_id, key, created_at);

create table if not exists storage.s3_multipart_uploads_parts (
  id uuid default gen_random_uuid() primary key,
  upload_id text not null references storage.s3_multipart_uploads on delete cascade,
  size bigint not null default 0,
  part_number integer not null,
  bucket_id text not null references storage.buckets,
  key text not null,
  etag text not null,
  owner_id text,
  version text not null,
  created_at timestamptz not null default now()
);

create table if not exists storage.buckets_analytics (
  name text not null,
  type storage.buckettype not null default 'ANALYTICS',
  format text not null default 'ICEBERG',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  id uuid default gen_random_uuid() primary key,
  deleted_at timestamptz
);
create unique index if not exists buckets_analytics_unique_name_idx on storage.buckets_analytics (name) where deleted_at is null;

create table if not exists storage.iceberg_namespaces (
  id uuid default gen_random_uuid() primary key,
  bucket_name text not null,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  metadata jsonb not null default '{}',
  catalog_id uuid not null references storage.buckets_analytics on delete cascade
);
create unique index if not exists idx_iceberg_namespaces_bucket_id on storage.iceberg_namespaces (catalog_id, name);

create table if not exists storage.iceberg_tables (
  id uuid default gen_random_uuid() primary key,
  namespace_id uuid not null references storage.iceberg_namespaces on delete cascade,
  bucket_name text not null,
  name text not null,
  location text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  remote_table_id text,
  shard_key text,
  shard_id text,
  catalog_id uuid not null references storage.buckets_analytics on delete cascade
);
create unique index if not exists idx_iceberg_tables_namespace_id on storage.iceberg_tables (catalog_id, namespace_id, name);
create unique index if not exists idx_iceberg_tables_location on storage.iceberg_tables (location);

create table if not exists storage.buckets_vectors (
  id text primary key,
  type storage.buckettype not null default 'VECTOR',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table if not exists storage.vector_indexes (
  id text default gen_random_uuid() primary key,
  name text not null,
  bucket_id text not null references storage.buckets_vectors,
  data_type text not null,
  dimension integer not null,
  distance_metric text not null,
  metadata_configuration jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index if not exists vector_indexes_name_bucket_id_idx on storage.vector_indexes (name, bucket_id);

-- Paths: 'cats/small/tom.png' is in folders {cats,small}, is called tom.png, and has the extension png.

create or replace function storage.foldername(name text) returns text[]
  language plpgsql immutable
as $$
declare
  parts text[] := string_to_array(name, '/');
begin
  return parts[1 : array_length(parts, 1) - 1];
end
$$;

create or replace function storage.filename(name text) returns text
  language plpgsql immutable
as $$
declare
  parts text[] := string_to_array(name, '/');
begin
  return parts[array_length(parts, 1)];
end
$$;

-- A name without a dot is its own extension, as upstream has it.
create or replace function storage.extension(name text) returns text
  language plpgsql immutable
as $$
begin
  return reverse(split_part(reverse(storage.filename(name)), '.', 1));
end
$$;

create or replace function storage.get_common_prefix(p_key text, p_prefix text, p_delimiter text) returns text
  language sql immutable
as $$
  select left(p_key, length(p_prefix) + nullif(position(p_delimiter in substr(p_key, length(p_prefix) + 1)), 0))
$$;

-- What the storage API is doing, for policies: 'storage.object.upload'.

create or replace function storage.operation() returns text
  language plpgsql stable
as $$
begin
  return current_setting('storage.operation', true);
end
$$;

create or replace function storage.allow_any_operation(expected_operations text[]) returns boolean
  language sql stable
as $$
  select exists (
    select from unnest(expected_operations) as expected (operation)
    where expected.operation <> ''
      and regexp_replace(expected.operation, '^storage\.', '') = regexp_replace(storage.operation(), '^storage\.', '')
  )
$$;

create or replace function storage.allow_only_operation(expected_operation text) returns boolean
  language sql stable
as $$
  select storage.allow_any_operation(array[expected_operation])
$$;

-- Asks the policies whether an upload may happen, and takes the row back whatever they say.
create or replace function storage.can_insert_object(bucketid text, name text, owner uuid, metadata jsonb) returns void
  language plpgsql
as $$
begin
  insert into storage.objects (bucket_id, name, owner, metadata) values (bucketid, name, owner, metadata);
  raise sqlstate 'PT200' using message = 'ROLLBACK', detail = 'rollback successful insert';
end
$$;

create or replace function storage.get_size_by_bucket() returns table (size bigint, bucket_id text)
  language plpgsql stable
as $$
begin
  return query
    select sum((o.metadata ->> 'size')::bigint)::bigint, o.bucket_id
    from storage.objects o
    group by o.bucket_id;
end
$$;

-- Listings. A folder is a row without id. Names are compared byte by byte, so that a page's last name finds the next page.

create or replace function storage.search(
  prefix text,
  bucketname text,
  limits integer default 100,
  levels integer default 1,
  offsets integer default 0,
  search text default '',
  sortcolumn text default 'name',
  sortorder text default 'asc'
) returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
)
  language plpgsql stable
as $$
declare
  wanted text := lower(coalesce(prefix, '') || coalesce(search, ''));
  folder_length int := length(coalesce(prefix, ''));
  descending boolean := lower(coalesce(sortorder, 'asc')) = 'desc';
  sort_by text := case when lower(sortcolumn) in ('updated_at', 'created_at', 'last_accessed_at') then lower(sortcolumn) else 'name' end;
begin
  return query execute format(
    $query$
      with found as (
        select o.*, storage.get_common_prefix(o.name, left(o.name, length($1)), '/') as folder
        from storage.objects o
        where o.bucket_id = $2 and lower(o.name) like $7 || '%%' escape '\'
      ),
      listed as (
        select distinct on (lower(rtrim(f.folder, '/')) collate "C") rtrim(f.folder, '/') as name, null::uuid as id,
          null::timestamptz as updated_at, null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
        from found f where f.folder is not null
        union all
        select f.name, f.id, f.updated_at, f.created_at, f.last_accessed_at, f.metadata from found f where f.folder is null
      )
      select substr(l.name, $3 + 1), l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata
      from listed l
      order by %s lower(l.name) collate "C" %s
      limit $4 offset $5
    $query$,
    case when sort_by = 'name' then '' else format('(l.id is null) desc, l.%I %s, ', sort_by, case when descending then 'desc' else 'asc' end) end,
    case when descending then 'desc' else 'asc' end
  ) using wanted, bucketname, folder_length, least(coalesce(limits, 100), 1500), coalesce(offsets, 0), levels,
    replace(replace(replace(wanted, '\', '\\'), '%', '\%'), '_', '\_');
end
$$;

-- Pages by the last key seen instead of by offset.
create or replace function storage.search_v2(
  prefix text,
  bucket_name text,
  limits integer default 100,
  levels integer default 1,
  start_after text default '',
  sort_order text default 'asc',
  sort_column text default 'name',
  sort_column_after text default ''
) returns table (
  key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
)
  language plpgsql stable
as $$
declare
  descending boolean := lower(coalesce(sort_order, 'asc')) = 'desc';
  compare text := case when descending then '<' else '>' end;
  direction text := case when descending then 'desc' else 'asc' end;
  sort_by text := case when lower(sort_column) in ('updated_at', 'created_at') then lower(sort_column) else 'name' end;
begin
  return query execute format(
    $query$
      with found as (
        select o.*, storage.get_common_prefix(o.name, $1, '/') as folder
        from storage.objects o
        where o.bucket_id = $2 and o.name collate "C" like $6 || '%%' escape '\'
      ),
      listed as (
        select rtrim(f.folder, '/') as name, null::uuid as id, min(f.created_at) as updated_at, min(f.created_at) as created_at,
          null::timestamptz as last_accessed_at, null::jsonb as metadata
        from found f where f.folder is not null group by f.folder
        union all
        select f.name, f.id, f.updated_at, f.created_at, f.last_accessed_at, f.metadata from found f where f.folder is null
      )
      select split_part(l.name, '/', $5), l.name, l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata
      from listed l
      where coalesce($3, '') = '' or %s
      order by %s
      limit $4
    $query$,
    case when sort_by = 'name' then format('l.name collate "C" %s $3', compare)
      else format(
        $after$row(date_trunc('milliseconds', l.%1$I), l.name collate "C") %2$s row(coalesce(nullif($7, '')::timestamptz, 'epoch'), $3)$after$,
        sort_by, compare) end,
    case when sort_by = 'name' then format('l.name collate "C" %s', direction)
      else format($order$date_trunc('milliseconds', l.%1$I) %2$s, l.name collate "C" %2$s$order$, sort_by, direction) end
  ) using coalesce(prefix, ''), bucket_name, start_after, least(coalesce(limits, 100), 1500), coalesce(levels, 1),
    replace(replace(replace(coalesce(prefix, ''), '\', '\\'), '%', '\%'), '_', '\_'), sort_column_after;
end
$$;

create or replace function storage.list_objects_with_delimiter(
  _bucket_id text,
  prefix_param text,
  delimiter_param text,
  max_keys integer default 100,
  start_after text default '',
  next_token text default '',
  sort_order text default 'asc'
) returns table (
  name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz
)
  language plpgsql stable
as $$
declare
  descending boolean := lower(coalesce(sort_order, 'asc')) = 'desc';
  after text := coalesce(nullif(next_token, ''), start_after, '');
begin
  return query execute format(
    $query$
      with found as (
        select o.*, storage.get_common_prefix(o.name, $1, $2) as folder
        from storage.objects o
        where o.bucket_id = $3 and o.name collate "C" like $6 || '%%' escape '\'
      ),
      listed as (
        select distinct rtrim(f.folder, $2) as name, null::uuid as id, null::jsonb as metadata,
          null::timestamptz as updated_at, null::timestamptz as created_at, null::timestamptz as last_accessed_at
        from found f where f.folder is not null
        union all
        select f.name, f.id, f.metadata, f.updated_at, f.created_at, f.last_accessed_at from found f where f.folder is null
      )
      select l.name, l.id, l.metadata, l.updated_at, l.created_at, l.last_accessed_at
      from listed l
      where $4 = '' or l.name collate "C" %s $4
      order by l.name collate "C" %s
      limit $5
    $query$,
    case when descending then '<' else '>' end,
    case when descending then 'desc' else 'asc' end
  ) using coalesce(prefix_param, ''), delimiter_param, _bucket_id, after, max_keys,
    replace(replace(replace(coalesce(prefix_param, ''), '\', '\\'), '%', '\%'), '_', '\_');
end
$$;

create or replace function storage.list_multipart_uploads_with_delimiter(
  bucket_id text,
  prefix_param text,
  delimiter_param text,
  max_keys integer default 100,
  next_key_token text default '',
  next_upload_token text default ''
) returns table (key text, id text, created_at timestamptz)
  language plpgsql
as $$
#variable_conflict use_column
begin
  return query
    with found as (
      select coalesce(storage.get_common_prefix(u.key, prefix_param, delimiter_param), u.key) as key, u.id, u.created_at
      from storage.s3_multipart_uploads u
      where u.bucket_id = list_multipart_uploads_with_delimiter.bucket_id and starts_with(u.key, prefix_param)
    ),
    first_of_each as (
      select distinct on (f.key collate "C") f.key, f.id, f.created_at
      from found f
      where (next_key_token = '' or next_upload_token <> '' or f.key collate "C" > next_key_token)
        and (next_upload_token = '' or f.id collate "C" > next_upload_token)
      order by f.key collate "C", f.created_at
    )
    select e.key, e.id, e.created_at from first_of_each e order by e.key collate "C" limit max_keys;
end
$$;

-- Triggers

create or replace function storage.update_updated_at_column() returns trigger
  language plpgsql
as $$
begin
  new.updated_at = now();
  return new;
end
$$;

create or replace function storage.enforce_bucket_name_length() returns trigger
  language plpgsql
as $$
begin
  if length(new.name) > 100 then
    raise exception 'bucket name "%" is too long (% characters). Max is 100.', new.name, length(new.name);
  end if;
  return new;
end
$$;

-- Deleting a row alone would leave its file behind for ever.
create or replace function storage.protect_delete() returns trigger
  language plpgsql
as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using errcode = '42501', hint = 'This prevents accidental data loss from orphaned objects.';
  end if;
  return null;
end
$$;

create or replace trigger update_objects_updated_at before update on storage.objects
  for each row execute function storage.update_updated_at_column();
create or replace trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();
create or replace trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create or replace trigger enforce_bucket_name_length_trigger before insert or update of name on storage.buckets
  for each row execute function storage.enforce_bucket_name_length();

do $owners$
declare
  found record;
begin
  for found in select oid::regclass as name from pg_class where relnamespace = 'storage'::regnamespace and relkind in ('r', 'p') loop
    execute format('alter table %s owner to supabase_storage_admin', found.name);
    execute format('alter table %s enable row level security', found.name);
  end loop;
  for found in select oid::regprocedure as name from pg_proc where pronamespace = 'storage'::regnamespace loop
    execute format('alter function %s owner to supabase_storage_admin', found.name);
  end loop;
  alter type storage.buckettype owner to supabase_storage_admin;
end
$owners$;

grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
grant all on storage.buckets, storage.objects to postgres with grant option;
grant all on storage.migrations, storage.buckets_analytics to anon, authenticated, service_role;
grant all on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to service_role;
grant select on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to anon, authenticated;
grant all on storage.iceberg_namespaces, storage.iceberg_tables to service_role;
grant select on storage.iceberg_namespaces, storage.iceberg_tables to anon, authenticated;
grant select on storage.buckets_vectors, storage.vector_indexes to anon, authenticated, service_role;
grant all on all tables in schema storage to postgres;
grant all on all routines in schema storage to postgres, anon, authenticated, service_role, dashboard_user;
alter default privileges for role postgres in schema storage grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema storage grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema storage grant all on sequences to postgres, anon, authenticated, service_role;

-- The upstream migrations this file stands for.
insert into storage.migrations (id, name, hash)
select place - 1, name, ''
from unnest(array[
  'create-migrations-table', 'initialmigration', 'storage-schema', 'pathtoken-column', 'add-migrations-rls',
  'add-size-functions', 'change-column-name-in-get-size', 'add-rls-to-buckets', 'add-public-to-buckets',
  'fix-search-function', 'search-files-search-function', 'add-trigger-to-auto-update-updated_at-column',
  'add-automatic-avif-detection-flag', 'add-bucket-custom-limits', 'use-bytes-for-max-size',
  'add-can-insert-object-function', 'add-version', 'drop-owner-foreign-key', 'add_owner_id_column_deprecate_owner',
  'alter-default-value-objects-id', 'list-objects-with-delimiter', 's3-multipart-uploads',
  's3-multipart-uploads-big-ints', 'optimize-search-function', 'operation-function', 'custom-metadata',
  'objects-prefixes', 'search-v2', 'object-bucket-name-sorting', 'create-prefixes', 'update-object-levels',
  'objects-level-index', 'backward-compatible-index-on-objects', 'backward-compatible-index-on-prefixes',
  'optimize-search-function-v1', 'add-insert-trigger-prefixes', 'optimise-existing-functions',
  'add-bucket-name-length-trigger', 'iceberg-catalog-flag-on-buckets', 'add-search-v2-sort-support',
  'fix-prefix-race-conditions-optimized', 'add-object-level-update-trigger', 'rollback-prefix-triggers',
  'fix-object-level', 'vector-bucket-type', 'vector-buckets', 'buckets-objects-grants', 'iceberg-table-metadata',
  'iceberg-catalog-ids', 'buckets-objects-grants-postgres', 'search-v2-optimised', 'index-backward-compatible-search',
  'drop-not-used-indexes-and-functions', 'drop-index-lower-name', 'drop-index-object-level', 'prevent-direct-deletes',
  'fix-optimized-search-function', 's3-multipart-uploads-metadata', 'operation-ergonomics', 'drop-unused-functions',
  'optimize-existing-functions-again', 'mark-filename-immutable', 'object-versioning-core',
  'fix-search-name-relative-to-prefix'
]) with ordinality as done (name, place)
on conflict do nothing;
