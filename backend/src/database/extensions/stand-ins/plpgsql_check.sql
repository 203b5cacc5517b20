create function plpgsql_check_function(funcoid regprocedure, relid regclass default 0, format text default 'text') returns setof text
  language plpgsql
as $$ begin raise exception 'plpgsql_check is not available in this backend' using errcode = '0A000'; end $$;
create function plpgsql_check_function(name text, relid regclass default 0, format text default 'text') returns setof text
  language plpgsql
as $$ begin raise exception 'plpgsql_check is not available in this backend' using errcode = '0A000'; end $$;
