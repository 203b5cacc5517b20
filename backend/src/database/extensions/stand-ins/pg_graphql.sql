-- No GraphQL engine is behind this: requests are answered with an error in GraphQL's own form, so clients can tell.

do $schema$
begin
  if to_regnamespace('graphql') is null then
    create schema graphql;
  end if;
end
$schema$;

create function graphql.resolve(
  query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null
) returns jsonb
  language sql immutable
as $$
  select jsonb_build_object('data', null, 'errors', jsonb_build_array(jsonb_build_object(
    'message', 'GraphQL is not available in this backend: use the REST API.')))
$$;

create function graphql._internal_resolve(
  query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null
) returns jsonb
  language sql immutable
as $$ select graphql.resolve(query, variables, "operationName", extensions) $$;

create function graphql.comment_directive(comment_ text) returns jsonb
  language sql immutable
as $$ select coalesce((regexp_match(comment_, '@graphql\((.+?)\)', 's'))[1], '{}')::jsonb $$;

create function graphql.exception(message text) returns text
  language plpgsql
as $$ begin raise exception using errcode = '22000', message = message; end $$;

create sequence graphql.seq_schema_version as int cycle;
create function graphql.get_schema_version() returns int
  language sql security definer
as $$ select last_value::int from graphql.seq_schema_version $$;
create function graphql.increment_schema_version() returns event_trigger
  language plpgsql security definer
as $$ begin perform nextval('graphql.seq_schema_version'); end $$;

grant usage on schema graphql to postgres, anon, authenticated, service_role;
grant execute on all functions in schema graphql to postgres, anon, authenticated, service_role;
