-- The foreign data wrappers of the wrappers extension, so that servers and foreign tables can be declared. Reading one fails:
-- its handler is no handler. (A handler must be written in C, so it is an input function that refuses every value.)

do $wrappers$
declare
  kind text;
begin
  foreach kind in array array['airtable', 'auth0', 'big_query', 'click_house', 'clerk', 'cognito', 'duckdb', 'dynamo_db', 'firebase', 'iceberg', 'logflare', 'mssql',
    'mysql', 'notion', 'openapi', 'paddle', 'redis', 's3', 's3_vectors', 'snowflake', 'stripe', 'wasm'] loop
    execute format('create function %I() returns fdw_handler language internal strict as %L', kind || '_fdw_handler', 'fdw_handler_in');
    execute format('create function %I(options text[], catalog oid) returns void language plpgsql as $$ begin end $$', kind || '_fdw_validator');
    execute format('create function %I() returns table (name text, version text, author text, website text) language sql as $$ select %L, %L, %L, %L $$',
      kind || '_fdw_meta', kind, '0', 'stand-in', '');
  end loop;
end
$wrappers$;

create table wrappers_fdw_stats (
  fdw_name text primary key, create_times bigint, rows_in bigint, rows_out bigint, bytes_in bigint, bytes_out bigint,
  metadata jsonb, created_at timestamptz not null default now(), updated_at timestamptz not null default now()
);
