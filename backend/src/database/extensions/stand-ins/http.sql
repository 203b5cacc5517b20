-- The types and functions of pgsql-http. A request made inside a transaction would stop the whole database here:
-- the functions say so and name pg_net instead. Encoding helpers work.

create domain http_method as text;
create type http_header as (field varchar, value varchar);
create type http_response as (status integer, content_type varchar, headers http_header[], content varchar);
create type http_request as (method http_method, uri varchar, headers http_header[], content_type varchar, content varchar);

create function http_header(field varchar, value varchar) returns http_header
  language sql immutable
as $$ select row(field, value)::@extschema@.http_header $$;

create function http(request http_request) returns http_response
  language plpgsql
as $$
begin
  raise exception 'http requests inside a transaction are not available in this backend'
    using errcode = '0A000', hint = 'Use net.http_get, net.http_post or net.http_delete of pg_net: they are made after the transaction.';
end
$$;

create function http_get(uri varchar) returns http_response
  language sql as $$ select @extschema@.http(('GET', uri, null, null, null)::@extschema@.http_request) $$;
create function http_get(uri varchar, data jsonb) returns http_response
  language sql as $$ select @extschema@.http(('GET', uri, null, null, null)::@extschema@.http_request) $$;
create function http_post(uri varchar, content varchar, content_type varchar) returns http_response
  language sql as $$ select @extschema@.http(('POST', uri, null, content_type, content)::@extschema@.http_request) $$;
create function http_post(uri varchar, data jsonb) returns http_response
  language sql as $$ select @extschema@.http(('POST', uri, null, null, null)::@extschema@.http_request) $$;
create function http_put(uri varchar, content varchar, content_type varchar) returns http_response
  language sql as $$ select @extschema@.http(('PUT', uri, null, content_type, content)::@extschema@.http_request) $$;
create function http_patch(uri varchar, content varchar, content_type varchar) returns http_response
  language sql as $$ select @extschema@.http(('PATCH', uri, null, content_type, content)::@extschema@.http_request) $$;
create function http_delete(uri varchar) returns http_response
  language sql as $$ select @extschema@.http(('DELETE', uri, null, null, null)::@extschema@.http_request) $$;
create function http_delete(uri varchar, content varchar, content_type varchar) returns http_response
  language sql as $$ select @extschema@.http(('DELETE', uri, null, content_type, content)::@extschema@.http_request) $$;
create function http_head(uri varchar) returns http_response
  language sql as $$ select @extschema@.http(('HEAD', uri, null, null, null)::@extschema@.http_request) $$;

create function http_set_curlopt(curlopt varchar, value varchar) returns boolean language sql as $$ select true $$;
create function http_reset_curlopt() returns boolean language sql as $$ select true $$;
create function http_list_curlopt() returns table (curlopt text, value text) language sql as $$ select null::text, null::text where false $$;

create function urlencode(string bytea) returns text
  language sql immutable strict
as $$
  select coalesce(string_agg(
    case when chr(get_byte(string, at)) ~ '^[A-Za-z0-9_.~-]$' and get_byte(string, at) < 128 then chr(get_byte(string, at))
      else '%' || upper(lpad(to_hex(get_byte(string, at)), 2, '0')) end, '' order by at), '')
  from generate_series(0, length(string) - 1) as at
$$;
create function urlencode(string varchar) returns text
  language sql immutable strict as $$ select @extschema@.urlencode(convert_to(string, 'UTF8')) $$;
create function urlencode(data jsonb) returns text
  language sql immutable strict
as $$
  select coalesce(string_agg(@extschema@.urlencode(key::varchar) || '=' || @extschema@.urlencode(value::varchar), '&'), '')
  from jsonb_each_text(data)
$$;
create function text_to_bytea(data text) returns bytea language sql immutable strict as $$ select convert_to(data, 'UTF8') $$;
create function bytea_to_text(data bytea) returns text language sql immutable strict as $$ select convert_from(data, 'UTF8') $$;
