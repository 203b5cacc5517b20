-- Secrets that are encrypted where they lie: AES-256-CBC with a fresh nonce, then HMAC-SHA-256 over nonce, id and cipher text.
-- The key lies in vault.root_key, whose rows pg_dump leaves out as those of an extension's inner table: a dump or a stolen
-- copy of vault.secrets alone tells nothing. Whoever holds the whole data folder, or is a superuser, holds the key as well.

create table @extschema@.root_key (
  only_row boolean primary key default true check (only_row),
  key bytea not null
);
revoke all on @extschema@.root_key from public;

create table @extschema@.secrets (
  id uuid primary key default gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);
create unique index secrets_name_idx on @extschema@.secrets (name) where name is not null;

-- Made at the first secret, so that databases made from one template do not share a key.
create function @extschema@._root() returns bytea
  language plpgsql volatile security definer set search_path = extensions, public
as $$
begin
  insert into @extschema@.root_key (key) values (gen_random_bytes(32)) on conflict do nothing;
  return (select key from @extschema@.root_key);
end
$$;

create function @extschema@._encrypt(plain text, id uuid, nonce bytea) returns text
  language plpgsql volatile security definer set search_path = extensions, public
as $$
declare
  root bytea := @extschema@._root();
  cipher bytea := encrypt_iv(convert_to(plain, 'UTF8'), hmac('encrypt', root, 'sha256'), nonce, 'aes-cbc/pad:pkcs');
begin
  return encode(cipher || hmac(nonce || uuid_send(id) || cipher, hmac('authenticate', root, 'sha256'), 'sha256'), 'base64');
end
$$;

-- Null for what was not encrypted here, or was changed since.
create function @extschema@._decrypt(secret text, id uuid, nonce bytea) returns text
  language plpgsql stable security definer set search_path = extensions, public
as $$
declare
  root bytea := (select key from @extschema@.root_key);
  raw bytea;
  cipher bytea;
begin
  begin
    raw := decode(secret, 'base64');
  exception when others then
    return null;
  end;
  if root is null or nonce is null or length(raw) < 48 then
    return null;
  end if;
  cipher := substr(raw, 1, length(raw) - 32);
  if substr(raw, length(raw) - 31) <> hmac(nonce || uuid_send(id) || cipher, hmac('authenticate', root, 'sha256'), 'sha256') then
    return null;
  end if;
  return convert_from(decrypt_iv(cipher, hmac('encrypt', root, 'sha256'), nonce, 'aes-cbc/pad:pkcs'), 'UTF8');
end
$$;

-- Plain text never reaches the table, whichever statement brings it; what a dump brings back encrypted stays as it is.
create function @extschema@._secrets_encrypt() returns trigger
  language plpgsql security definer set search_path = extensions, public
as $$
begin
  if @extschema@._decrypt(new.secret, new.id, new.nonce) is null then
    new.nonce := gen_random_bytes(16);
    new.secret := @extschema@._encrypt(new.secret, new.id, new.nonce);
  end if;
  new.updated_at := case when tg_op = 'UPDATE' then current_timestamp else new.updated_at end;
  return new;
end
$$;
create trigger secrets_encrypt before insert or update of secret, id, nonce on @extschema@.secrets
  for each row execute function @extschema@._secrets_encrypt();

create view @extschema@.decrypted_secrets as
  select s.id, s.name, s.description, s.secret, @extschema@._decrypt(s.secret, s.id, s.nonce) as decrypted_secret,
    s.key_id, s.nonce, s.created_at, s.updated_at
  from @extschema@.secrets s;

create function @extschema@.create_secret(
  new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
) returns uuid
  language sql volatile security definer set search_path = ''
as $$
  insert into @extschema@.secrets (secret, name, description, key_id)
  values (new_secret, new_name, coalesce(new_description, ''), new_key_id)
  returning id
$$;

create function @extschema@.update_secret(
  secret_id uuid, new_secret text default null, new_name text default null, new_description text default null, new_key_id uuid default null
) returns void
  language sql volatile security definer set search_path = ''
as $$
  update @extschema@.secrets s
  set secret = coalesce(new_secret, s.secret), name = coalesce(new_name, s.name),
    description = coalesce(new_description, s.description), key_id = coalesce(new_key_id, s.key_id), updated_at = now()
  where s.id = secret_id
$$;

revoke all on function @extschema@._root, @extschema@._encrypt, @extschema@._decrypt, @extschema@._secrets_encrypt from public;
revoke all on function @extschema@.create_secret, @extschema@.update_secret from public;
grant usage on schema @extschema@ to postgres, service_role;
grant all on @extschema@.secrets, @extschema@.decrypted_secrets to postgres with grant option;
grant select, delete on @extschema@.secrets, @extschema@.decrypted_secrets to service_role;
grant execute on function @extschema@._decrypt, @extschema@.create_secret, @extschema@.update_secret to postgres, service_role;
select pg_extension_config_dump('@extschema@.secrets', '');
