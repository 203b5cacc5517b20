-- Trusted language extensions cannot be installed here; asking what there is tells that there is nothing.

do $schema$
begin
  if to_regnamespace('pgtle') is null then
    create schema pgtle;
  end if;
end
$schema$;
create function pgtle.install_extension(name text, version text, description text, ext text, requires text[] default null) returns boolean
  language plpgsql
as $$
begin
  raise exception 'trusted language extensions cannot be installed in this backend' using errcode = '0A000', detail = format('extension %s %s', name, version),
    hint = 'Put the extension''s SQL into a migration.';
end
$$;
create function pgtle.install_extension_version_sql(name text, version text, ext text) returns boolean
  language sql as $$ select pgtle.install_extension(name, version, null, ext) $$;
create function pgtle.install_update_path(name text, fromvers text, tovers text, ext text) returns boolean
  language sql as $$ select pgtle.install_extension(name, tovers, null, ext) $$;
create function pgtle.uninstall_extension(extname text, version text default null) returns boolean
  language plpgsql as $$ begin raise exception 'extension % does not exist', extname using errcode = '42704'; end $$;
create function pgtle.uninstall_extension_if_exists(extname text) returns boolean language sql as $$ select false $$;
create function pgtle.set_default_version(name text, version text) returns boolean
  language plpgsql as $$ begin raise exception 'extension % does not exist', name using errcode = '42704'; end $$;
create function pgtle.available_extensions(out name name, out default_version text, out comment text) returns setof record
  language sql as $$ select null::name, null::text, null::text where false $$;
create function pgtle.available_extension_versions(
  out name name, out version text, out superuser boolean, out trusted boolean, out relocatable boolean, out schema name, out requires name[], out comment text
) returns setof record
  language sql as $$ select null::name, null::text, null::boolean, null::boolean, null::boolean, null::name, null::name[], null::text where false $$;
do $role$
begin
  if to_regrole('pgtle_admin') is null then
    create role pgtle_admin nologin;
    grant pgtle_admin to postgres;
  end if;
end
$role$;
grant usage on schema pgtle to pgtle_admin;
