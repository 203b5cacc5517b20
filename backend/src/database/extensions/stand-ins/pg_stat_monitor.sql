create view pg_stat_monitor as
  select null::bigint as bucket, null::timestamptz as bucket_start_time, null::oid as userid, null::text as username, null::oid as dbid,
    null::text as datname, null::text as queryid, null::text as query, null::bigint as calls, null::double precision as total_exec_time,
    null::double precision as mean_exec_time, null::bigint as rows
  where false;
create function pg_stat_monitor_reset() returns void language sql as $$ select $$;
