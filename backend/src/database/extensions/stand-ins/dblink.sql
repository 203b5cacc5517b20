-- There is no network below SQL here: every connection is refused with the reason.

create function dblink_refused() returns text
  language plpgsql
as $$ begin raise exception 'connections to other databases are not available in this backend' using errcode = '0A000'; end $$;
create function dblink_connect(connstr text) returns text language sql as $$ select @extschema@.dblink_refused() $$;
create function dblink_connect(connname text, connstr text) returns text language sql as $$ select @extschema@.dblink_refused() $$;
create function dblink_connect_u(connstr text) returns text language sql as $$ select @extschema@.dblink_refused() $$;
create function dblink_connect_u(connname text, connstr text) returns text language sql as $$ select @extschema@.dblink_refused() $$;
create function dblink_disconnect() returns text language sql as $$ select 'OK' $$;
create function dblink_disconnect(connname text) returns text language sql as $$ select 'OK' $$;
create function dblink_get_connections() returns text[] language sql as $$ select null::text[] $$;
create function dblink_exec(sql text) returns text language sql as $$ select @extschema@.dblink_refused() $$;
create function dblink_exec(connname text, sql text) returns text language sql as $$ select @extschema@.dblink_refused() $$;
create function dblink_exec(sql text, fail boolean) returns text language sql as $$ select @extschema@.dblink_refused() $$;
create function dblink_exec(connname text, sql text, fail boolean) returns text language sql as $$ select @extschema@.dblink_refused() $$;
create function dblink(sql text) returns setof record language plpgsql as $$ begin perform @extschema@.dblink_refused(); end $$;
create function dblink(connname text, sql text) returns setof record language plpgsql as $$ begin perform @extschema@.dblink_refused(); end $$;
create function dblink(sql text, fail boolean) returns setof record language plpgsql as $$ begin perform @extschema@.dblink_refused(); end $$;
create function dblink(connname text, sql text, fail boolean) returns setof record language plpgsql as $$ begin perform @extschema@.dblink_refused(); end $$;
