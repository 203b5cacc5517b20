-- What the auth service counts for a person or an address, so that several processes count together and a restart forgets nothing:
-- tries of codes, intervals between mails and texts, answers that are accepted once. Not in the schema auth, which is as hosted.

create table if not exists _portico.auth_limits (
  key text primary key,            -- a hash of what is counted and for whom: no address is kept
  free_at timestamptz not null     -- when nothing of it is used up any more, and the row may go
);
create index if not exists auth_limits_free_at on _portico.auth_limits (free_at);

grant usage on schema _portico to supabase_auth_admin;
grant select, insert, update, delete on _portico.auth_limits to supabase_auth_admin;
