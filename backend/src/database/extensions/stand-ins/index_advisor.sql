create function index_advisor(query text) returns table (
  startup_cost_before jsonb, startup_cost_after jsonb, total_cost_before jsonb, total_cost_after jsonb, index_statements text[], errors text[]
)
  language plpgsql
as $$ begin raise exception 'index advice is not available in this backend: it needs hypothetical indexes' using errcode = '0A000'; end $$;
