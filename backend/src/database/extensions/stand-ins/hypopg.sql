-- No planner hook is behind this: hypothetical indexes cannot be made, and there are never any.

create function hypopg(
  out indexname text, out indexrelid oid, out indrelid oid, out innatts integer, out indisunique boolean, out indkey int2vector,
  out indcollation oidvector, out indclass oidvector, out indoption oidvector, out indexprs pg_node_tree, out indpred pg_node_tree, out amid oid
) returns setof record
  language sql as $$ select null::text, null::oid, null::oid, null::integer, null::boolean, null::int2vector, null::oidvector, null::oidvector, null::oidvector, null::pg_node_tree, null::pg_node_tree, null::oid where false $$;
create function hypopg_create_index(sql_order text, out indexrelid oid, out indexname text) returns setof record
  language plpgsql
as $$ begin raise exception 'hypothetical indexes are not available in this backend' using errcode = '0A000'; end $$;
create function hypopg_drop_index(indexid oid) returns boolean language sql as $$ select false $$;
create function hypopg_reset() returns void language sql as $$ select $$;
create view hypopg_list_indexes as select indexrelid, indexname from hypopg();
