-- Requests that SQL asks for and the box's NetWorker makes, after the transaction that asked has committed.

do $schema$
begin
  if to_regnamespace('net') is null then
    create schema net;
  end if;
end
$schema$;

create domain net.http_method as text check (upper(value) in ('GET', 'POST', 'DELETE'));
create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code integer, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);

create table net.http_request_queue (
  id bigserial,
  method net.http_method not null,
  url text not null,
  headers jsonb,
  body bytea,
  timeout_milliseconds integer not null
);

create table net._http_response (
  id bigint,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
);
create index on net._http_response (created);

create function net._urlencode_string(string character varying) returns text
  language sql immutable strict
as $$
  select coalesce(string_agg(
    case when chr ~ '^[A-Za-z0-9_.~-]$' then chr
      else (select string_agg('%' || upper(lpad(to_hex(get_byte(bytes, at)), 2, '0')), '' order by at)
        from generate_series(0, length(bytes) - 1) as at) end, '' order by place), '')
  from (select chr, convert_to(chr, 'UTF8') as bytes, place
    from regexp_split_to_table(string, '') with ordinality as letters (chr, place)) as parts
$$;

create function net._encode_url_with_params_array(url text, params_array text[]) returns text
  language sql immutable
as $$
  select url || case when cardinality(params_array) > 0
    then case when position('?' in url) > 0 then '&' else '?' end || array_to_string(params_array, '&') else '' end
$$;

create function net._enqueue(method text, url text, params jsonb, headers jsonb, body bytea, timeout_milliseconds integer) returns bigint
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  request_id bigint;
begin
  if url is null or url !~* '^https?://' then
    raise exception 'a request needs an http or https URL' using errcode = '22023';
  end if;
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values (method, net._encode_url_with_params_array(url, (
      select array_agg(net._urlencode_string(key::varchar) || '=' || net._urlencode_string(value::varchar))
      from jsonb_each_text(coalesce(params, '{}')))),
    coalesce(headers, '{}'), body, coalesce(timeout_milliseconds, 5000))
  returning id into request_id;
  perform pg_notify('portico_net', '');
  return request_id;
end
$$;

create function net.http_get(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000
) returns bigint
  language sql volatile security definer set search_path = net
as $$ select net._enqueue('GET', url, params, headers, null, timeout_milliseconds) $$;

create function net.http_post(
  url text, body jsonb default '{}', params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000
) returns bigint
  language plpgsql volatile security definer set search_path = net
as $$
declare
  content_type text := (select value from jsonb_each_text(headers) where lower(key) = 'content-type');
begin
  if content_type is not null and content_type !~* '^application/json' then
    raise exception 'Content-Type header must be "application/json"';
  end if;
  return net._enqueue('POST', url, params,
    case when content_type is null then coalesce(headers, '{}') || '{"Content-Type": "application/json"}' else headers end,
    convert_to(body::text, 'UTF8'), timeout_milliseconds);
end
$$;

create function net.http_delete(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000, body jsonb default null
) returns bigint
  language sql volatile security definer set search_path = net
as $$ select net._enqueue('DELETE', url, params, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds) $$;

-- The worker runs outside of the database, so an answer never arrives while a transaction waits for it.
create function net.http_collect_response(request_id bigint, async boolean default true) returns net.http_response_result
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  found net._http_response;
begin
  select * into found from net._http_response r where r.id = request_id;
  if found.id is null then
    if exists (select from net.http_request_queue q where q.id = request_id) then
      return ('PENDING', 'request is pending processing', null)::net.http_response_result;
    end if;
    return ('ERROR', 'request matching request_id not found', null)::net.http_response_result;
  end if;
  return (case when found.error_msg is null and found.timed_out is not true then 'SUCCESS' else 'ERROR' end,
    coalesce(found.error_msg, 'ok'), (found.status_code, found.headers, found.content)::net.http_response)::net.http_response_result;
end
$$;

create function net.worker_restart() returns boolean language sql as $$ select true $$;
create function net.wake() returns void language sql as $$ select pg_notify('portico_net', '') $$;
create function net.check_worker_is_up() returns void language sql as $$ select $$;
create function net.wait_until_running() returns void language sql as $$ select $$;

revoke all on function net._enqueue from public;
revoke all on function net.http_get, net.http_post, net.http_delete, net.http_collect_response from public;
grant usage on schema net to postgres, anon, authenticated, service_role;
grant execute on function net.http_get, net.http_post, net.http_delete, net.http_collect_response
  to postgres, anon, authenticated, service_role;
grant select on net._http_response to postgres, service_role;
do $grants$
begin
  if to_regrole('supabase_functions_admin') is not null then
    grant usage on schema net to supabase_functions_admin;
    grant execute on function net.http_get, net.http_post, net.http_delete to supabase_functions_admin;
  end if;
end
$grants$;
