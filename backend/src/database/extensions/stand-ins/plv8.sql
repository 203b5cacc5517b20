-- The language's name, so that functions in it can be created. Calling one fails: there is no JavaScript below SQL here.

create function plv8_call_handler() returns language_handler language internal as 'language_handler_in';
create trusted language plv8 handler plv8_call_handler;
create function plv8_version() returns text language sql as $$ select '0.0.0 (stand-in)' $$;
