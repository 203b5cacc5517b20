-- The names dumps grant on. Nothing is logged.

create function pgaudit_ddl_command_end() returns event_trigger language plpgsql as $$ begin end $$;
create function pgaudit_sql_drop() returns event_trigger language plpgsql as $$ begin end $$;
