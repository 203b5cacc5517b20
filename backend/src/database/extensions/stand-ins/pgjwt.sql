-- JSON Web Tokens with HMAC, over pgcrypto. Same functions and arguments as the pgjwt extension.

create function url_encode(data bytea) returns text
  language sql immutable
as $$ select translate(encode(data, 'base64'), E'+/=\n', '-_') $$;

create function url_decode(data text) returns bytea
  language sql immutable
as $$ select decode(rpad(translate(data, '-_', '+/'), (length(data) + 3) / 4 * 4, '='), 'base64') $$;

create function algorithm_sign(signables text, secret text, algorithm text) returns text
  language plpgsql immutable set search_path = extensions, public
as $$
begin
  if algorithm not in ('HS256', 'HS384', 'HS512') then
    raise exception 'Cannot use "": No such hash algorithm' using detail = format('algorithm %s', algorithm);
  end if;
  return translate(encode(hmac(convert_to(signables, 'UTF8'), convert_to(secret, 'UTF8'),
    case algorithm when 'HS256' then 'sha256' when 'HS384' then 'sha384' else 'sha512' end), 'base64'), E'+/=\n', '-_');
end
$$;

create function sign(payload json, secret text, algorithm text default 'HS256') returns text
  language sql immutable
as $$
  with signable as (
    select @extschema@.url_encode(convert_to('{"alg":"' || algorithm || '","typ":"JWT"}', 'UTF8'))
      || '.' || @extschema@.url_encode(convert_to(payload::text, 'UTF8')) as text
  )
  select text || '.' || @extschema@.algorithm_sign(text, secret, algorithm) from signable
$$;

create function try_cast_double(inp text) returns double precision
  language plpgsql immutable
as $$
begin
  return inp::double precision;
exception when others then
  return null;
end
$$;

create function verify(token text, secret text, algorithm text default 'HS256')
  returns table (header json, payload json, valid boolean)
  language sql immutable
as $$
  with parts as (
    select split_part(token, '.', 1) as header, split_part(token, '.', 2) as payload, split_part(token, '.', 3) as signature
  ),
  read as (
    select convert_from(@extschema@.url_decode(p.header), 'utf8')::json as header,
      convert_from(@extschema@.url_decode(p.payload), 'utf8')::json as payload,
      p.signature = @extschema@.algorithm_sign(p.header || '.' || p.payload, secret, algorithm) as signed
    from parts p
  )
  select r.header, r.payload, r.signed and tstzrange(
    to_timestamp(@extschema@.try_cast_double(r.payload ->> 'nbf')),
    to_timestamp(@extschema@.try_cast_double(r.payload ->> 'exp'))) @> current_timestamp
  from read r
$$;
