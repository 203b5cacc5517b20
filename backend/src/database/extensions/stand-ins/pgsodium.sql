-- The part of pgsodium that projects use through old vaults and column encryption: keys by id, and deterministic
-- authenticated encryption with them. Made of pgcrypto, so cipher texts of a hosted pgsodium cannot be read here.

do $schema$
begin
  if to_regnamespace('pgsodium') is null then
    create schema pgsodium;
  end if;
end
$schema$;
create table pgsodium.root_key (only_row boolean primary key default true check (only_row), key bytea not null);
revoke all on pgsodium.root_key from public;

create type pgsodium.key_status as enum ('default', 'valid', 'invalid', 'expired');
create type pgsodium.key_type as enum ('aead-ietf', 'aead-det', 'hmacsha512', 'hmacsha256', 'auth', 'shorthash', 'generichash', 'kdf', 'secretbox', 'secretstream', 'stream_xchacha20');

create table pgsodium.key (
  id uuid primary key default gen_random_uuid(),
  status pgsodium.key_status default 'valid',
  created timestamptz not null default current_timestamp,
  expires timestamptz,
  key_type pgsodium.key_type,
  key_id bigserial,
  key_context bytea default '\x7067736f6469756d',
  name text unique,
  associated_data text default 'associated',
  raw_key bytea,
  raw_key_nonce bytea,
  parent_key uuid references pgsodium.key,
  comment text,
  user_data text
);
create view pgsodium.valid_key as
  select id, name, status, key_type, key_id, key_context, created, expires, associated_data
  from pgsodium.key
  where status in ('valid', 'default') and coalesce(expires > now(), true);

create function pgsodium.create_key(
  key_type pgsodium.key_type default 'aead-det', name text default null, raw_key bytea default null, raw_key_nonce bytea default null,
  parent_key uuid default null, key_context bytea default '\x7067736f6469756d', expires timestamptz default null, associated_data text default ''
) returns pgsodium.valid_key
  language plpgsql security definer set search_path = ''
as $$
declare
  made uuid;
  key pgsodium.valid_key;
begin
  insert into pgsodium.key (key_type, name, key_context, expires, associated_data)
  values (create_key.key_type, create_key.name, create_key.key_context, create_key.expires, create_key.associated_data) returning id into made;
  select * into key from pgsodium.valid_key v where v.id = made;
  return key;
end
$$;

create function pgsodium.crypto_aead_det_encrypt(message bytea, additional bytea, key bytea, nonce bytea default null) returns bytea
  language plpgsql immutable set search_path = extensions, public
as $$
declare
  iv bytea := substr(hmac(int4send(length(additional)) || additional || coalesce(nonce, '') || message, hmac('iv', key, 'sha256'), 'sha256'), 1, 16);
begin
  return iv || encrypt_iv(message, hmac('encrypt', key, 'sha256'), iv, 'aes-cbc/pad:pkcs');
end
$$;

create function pgsodium.crypto_aead_det_decrypt(ciphertext bytea, additional bytea, key bytea, nonce bytea default null) returns bytea
  language plpgsql immutable set search_path = extensions, public
as $$
declare
  iv bytea := substr(ciphertext, 1, 16);
  message bytea;
begin
  message := decrypt_iv(substr(ciphertext, 17), hmac('encrypt', key, 'sha256'), iv, 'aes-cbc/pad:pkcs');
  if iv <> substr(hmac(int4send(length(additional)) || additional || coalesce(nonce, '') || message, hmac('iv', key, 'sha256'), 'sha256'), 1, 16) then
    raise exception 'pgsodium_crypto_aead_det_decrypt_by_id: invalid ciphertext' using errcode = '22000';
  end if;
  return message;
end
$$;

create function pgsodium._key_of(key_uuid uuid) returns bytea
  language plpgsql volatile security definer set search_path = extensions, public
as $$
begin
  if not exists (select from pgsodium.valid_key k where k.id = key_uuid) then
    raise exception 'no valid key %', key_uuid using errcode = '22023';
  end if;
  insert into pgsodium.root_key (key) values (gen_random_bytes(32)) on conflict do nothing;
  return (select hmac(uuid_send(key_uuid), r.key, 'sha256') from pgsodium.root_key r);
end
$$;

create function pgsodium.crypto_aead_det_encrypt(message bytea, additional bytea, key_uuid uuid, nonce bytea default null) returns bytea
  language sql volatile security definer set search_path = ''
as $$ select pgsodium.crypto_aead_det_encrypt(message, additional, pgsodium._key_of(key_uuid), nonce) $$;
create function pgsodium.crypto_aead_det_decrypt(ciphertext bytea, additional bytea, key_uuid uuid, nonce bytea default null) returns bytea
  language sql volatile security definer set search_path = ''
as $$ select pgsodium.crypto_aead_det_decrypt(ciphertext, additional, pgsodium._key_of(key_uuid), nonce) $$;
create function pgsodium.crypto_aead_det_keygen() returns bytea
  language sql volatile set search_path = extensions, public as $$ select gen_random_bytes(32) $$;
create function pgsodium.crypto_aead_det_noncegen() returns bytea
  language sql volatile set search_path = extensions, public as $$ select gen_random_bytes(16) $$;
create function pgsodium.randombytes_buf(size integer) returns bytea
  language sql volatile set search_path = extensions, public as $$ select gen_random_bytes(size) $$;
create function pgsodium.randombytes_uniform(upper_bound integer) returns integer
  language sql volatile as $$ select floor(random() * upper_bound)::int $$;

revoke all on all functions in schema pgsodium from public;
revoke all on all tables in schema pgsodium from public;
do $grants$
begin
  if to_regrole('pgsodium_keyholder') is not null then
    grant usage on schema pgsodium to postgres, service_role, pgsodium_keyiduser, pgsodium_keyholder, pgsodium_keymaker;
    grant execute on all functions in schema pgsodium to postgres, pgsodium_keymaker;
    revoke all on function pgsodium._key_of from pgsodium_keymaker;
    grant select on pgsodium.valid_key to postgres, pgsodium_keyiduser, pgsodium_keyholder;
    grant execute on function pgsodium.crypto_aead_det_encrypt(bytea, bytea, uuid, bytea), pgsodium.crypto_aead_det_decrypt(bytea, bytea, uuid, bytea)
      to service_role, pgsodium_keyiduser, pgsodium_keyholder;
  end if;
end
$grants$;
select pg_extension_config_dump('pgsodium.key', '');
