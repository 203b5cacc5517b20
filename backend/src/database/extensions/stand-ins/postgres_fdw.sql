-- The wrapper's name, so that servers and foreign tables can be declared. Reading one fails: there is no network below SQL here.

create function postgres_fdw_handler() returns fdw_handler language internal strict as 'fdw_handler_in';
create function postgres_fdw_validator(options text[], catalog oid) returns void language plpgsql as $$ begin end $$;
create foreign data wrapper postgres_fdw handler postgres_fdw_handler validator postgres_fdw_validator;
create function postgres_fdw_disconnect(text) returns boolean language sql as $$ select false $$;
create function postgres_fdw_disconnect_all() returns boolean language sql as $$ select false $$;
