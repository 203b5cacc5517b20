-- The package installer of database.dev. There is no network below SQL here, so it installs nothing, and says so.

create schema dbdev;
create function dbdev.install(package_name text, ignore_version_cache boolean default false) returns boolean
  language plpgsql
as $$
begin
  raise warning 'package % of database.dev is not installed: put its SQL into a migration', package_name;
  return false;
end
$$;
