-- portico_account: what the auth API does not offer the people of a project: their own sessions, ending one of them, their own
-- security activity, whether they have a password, deleting their account. Apply it as one migration, as `postgres`; it can be
-- applied again over itself. Nothing of it reaches beyond the account of the person who calls.
--
-- How it keeps to that:
--   * every function asks portico_private.own_session() first: a signed-in person (not anon, not a guest, not an application
--     that acts for them), whose session still stands in auth.sessions, and who is neither banned nor deleted
--   * whom it concerns is the `sub` of the caller's token alone; no function takes a user, an address or a piece of SQL
--   * security definer, since the API roles may not read the auth schema; search_path is empty and every name is written out, types
--     too, so that nothing in public or pg_temp can stand in for what is meant; no SQL is put together from values
--   * of those who have a second factor, only a session that has shown it is answered at all: a stolen password lists nothing
--   * ending a session and deleting the account ask for a proof younger than 15 minutes: a sign-in, or the second factor for
--     those who have one
--   * passwords, tokens, hashes and secrets are never returned; lists are bounded in rows and in pages read
--   * executable by authenticated alone
--
-- To take it out again, as `postgres`:
--   drop function if exists public.portico_account(), public.portico_sessions(), public.portico_revoke_session(uuid),
--     public.portico_activity(int), public.portico_delete_account();
--   drop schema if exists portico_private cascade;
--   notify pgrst, 'reload schema';
-- It owns no tables: nothing of the project's data goes with it. The app stops offering what it made possible.
--
-- It needs an auth server of 2024 or later (auth.users.is_anonymous) and PostgREST 11 (`raise sqlstate 'PGRST'`).
--
-- A refusal is PostgREST's `raise sqlstate 'PGRST'` with one of these codes:
--   portico_signed_out 401, portico_not_for_guests 403, portico_not_for_apps 403, portico_fresh_proof_needed 403,
--   portico_second_factor_needed 403, portico_session_not_found 404, portico_account_in_use 409

create schema if not exists portico_private;
revoke all on schema portico_private from public;

comment on schema portico_private is 'What the portico_ functions of public are made of. No API role may use it.';

-- ------------------------------------------------------------------ refusals
create or replace function portico_private.refuse(status int, code text, message text, details text default null)
returns void
language plpgsql
set search_path = ''
as $$
begin
  raise sqlstate 'PGRST' using
    message = pg_catalog.json_build_object('code', code, 'message', message, 'details', details)::pg_catalog.text,
    detail = pg_catalog.json_build_object('status', status, 'headers', pg_catalog.json_build_object())::pg_catalog.text;
end
$$;

-- ---------------------------------------------------------- who is calling
/* Gives the caller's session, or refuses. `proven` asks for a proof younger than 15 minutes besides. */
create or replace function portico_private.own_session(proven boolean default false)
returns auth.sessions
language plpgsql
stable
set search_path = ''
as $$
declare
  -- What auth.jwt() and auth.uid() read; these two name their types without a schema, which a session's own types could stand in for.
  claims constant pg_catalog.jsonb := nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::pg_catalog.jsonb;
  caller constant pg_catalog.uuid := (claims ->> 'sub')::pg_catalog.uuid;
  since constant double precision := pg_catalog.date_part('epoch', pg_catalog.statement_timestamp()) - 900;
  held auth.sessions;
  has_factor boolean;
begin
  if caller is null or claims ->> 'role' is null or claims ->> 'role' in ('anon', 'service_role') then
    perform portico_private.refuse(401, 'portico_signed_out', 'Sign in first');
  end if;
  if coalesce(claims ->> 'is_anonymous', 'false') <> 'false' then
    perform portico_private.refuse(403, 'portico_not_for_guests', 'Guests have no account yet');
  end if;
  if claims ->> 'client_id' is not null then
    perform portico_private.refuse(403, 'portico_not_for_apps', 'An application may not do this for a person');
  end if;

  select s.* into held
  from auth.sessions s
  join auth.users u on u.id = s.user_id
  where s.id::pg_catalog.text = claims ->> 'session_id'
    and s.user_id = caller
    and (s.not_after is null or s.not_after > pg_catalog.now())
    and u.deleted_at is null
    and not u.is_anonymous
    and (u.banned_until is null or u.banned_until < pg_catalog.now());
  if held.id is null then
    perform portico_private.refuse(401, 'portico_signed_out', 'This session has ended');
  end if;
  -- Servers older than their OAuth server have no such column: a row as JSON has it or has it not.
  if pg_catalog.to_jsonb(held) ->> 'oauth_client_id' is not null then
    perform portico_private.refuse(403, 'portico_not_for_apps', 'An application may not do this for a person');
  end if;
  has_factor := exists (select from auth.mfa_factors f where f.user_id = caller and f.status = 'verified');
  -- Whoever knows the password alone shall not learn where the person is signed in, and what they did.
  if has_factor and (claims ->> 'aal' is distinct from 'aal2' or held.aal::pg_catalog.text is distinct from 'aal2') then
    perform portico_private.refuse(403, 'portico_second_factor_needed', 'This needs your second factor');
  end if;
  if not proven then
    return held;
  end if;
  -- Of the proofs in the token, a renewed token is none, and with a second factor only that one counts.
  if not exists (
    select from pg_catalog.jsonb_array_elements(
      case when pg_catalog.jsonb_typeof(claims -> 'amr') = 'array' then claims -> 'amr' else pg_catalog.jsonb_build_array() end) as proof (entry)
    where case when pg_catalog.jsonb_typeof(proof.entry -> 'timestamp') = 'number' then (proof.entry ->> 'timestamp')::double precision >= since else false end
      and case when has_factor
            then proof.entry ->> 'method' = 'totp' or proof.entry ->> 'method' like 'mfa/%'
            else coalesce(proof.entry ->> 'method', '') not in ('', 'token_refresh', 'anonymous') end
  ) then
    if has_factor then
      perform portico_private.refuse(403, 'portico_second_factor_needed', 'This needs your second factor again');
    end if;
    perform portico_private.refuse(403, 'portico_fresh_proof_needed', 'This needs a sign-in of the last 15 minutes');
  end if;
  return held;
end
$$;

/* The name of an application by its id; empty where the server has none of its own, or closes their list to this role.
   Apart from the list of sessions, which would fail as a whole: a statement is refused for a table it would not have read. */
create or replace function portico_private.app_name(client_id text)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return coalesce((select pg_catalog."left"(c.client_name, 120) from auth.oauth_clients c where c.id::pg_catalog.text = app_name.client_id), '');
exception when undefined_table or insufficient_privilege then
  return '';
end
$$;

/* Notes in the project's audit log what was done here. A project whose log is closed to this role does without the note. */
create or replace function portico_private.note(actor auth.sessions, action text, kind text, traits jsonb)
returns void
language plpgsql
set search_path = ''
as $$
begin
  insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
  values (
    '00000000-0000-0000-0000-000000000000',
    pg_catalog.gen_random_uuid(),
    pg_catalog.json_build_object('action', action, 'actor_id', actor.user_id, 'actor_username',
      coalesce(nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::pg_catalog.jsonb ->> 'email', ''), 'actor_via_sso', false, 'log_type', kind, 'traits', traits),
    pg_catalog.now(),
    ''
  );
exception when insufficient_privilege then
  return;
end
$$;

-- -------------------------------------------------------------- what there is
/* Says that the pack is here, and what only it knows of the account: {"pack":1,"has_password":true,"references":[…]}.
   `references` are the tables the caller's role may read whose rows belong to an account: what becomes of them when it is deleted. */
create or replace function public.portico_account()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  held constant auth.sessions := portico_private.own_session();
begin
  return pg_catalog.jsonb_build_object(
    'pack', 1,
    'has_password', (select coalesce(u.encrypted_password, '') <> '' from auth.users u where u.id = held.user_id),
    'references', coalesce((
      select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
        'schema', n.nspname,
        'table', c.relname,
        'column', a.attname,
        'on_delete', case k.confdeltype when 'c' then 'cascade' when 'n' then 'set_null' when 'd' then 'set_default' else 'restrict' end
      ) order by n.nspname, c.relname, a.attname)
      from pg_catalog.pg_constraint k
      join pg_catalog.pg_class c on c.oid = k.conrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      join pg_catalog.pg_attribute t on t.attrelid = k.confrelid and t.attnum = k.confkey[1]
      where k.contype = 'f'
        and k.confrelid = 'auth.users'::pg_catalog.regclass
        and k.conparentid = 0
        and pg_catalog.cardinality(k.conkey) = 1
        and t.attname = 'id'
        and n.nspname not in ('auth', 'storage', 'realtime')
        and pg_catalog.has_schema_privilege('authenticated', n.oid, 'USAGE')
        and pg_catalog.has_column_privilege('authenticated', c.oid, a.attnum, 'SELECT')
    ), pg_catalog.jsonb_build_array())
  );
end
$$;

comment on function public.portico_account() is 'Says whether the signed-in person has a password, and which tables hold rows of theirs.';

-- ------------------------------------------------------------------- sessions
/* The caller's own sessions that have not ended, the latest used first, at most 200. `app` names an application that acts for them. */
create or replace function public.portico_sessions()
returns table (
  id uuid,
  is_current boolean,
  created_at timestamptz,
  refreshed_at timestamptz,
  not_after timestamptz,
  aal text,
  ip text,
  user_agent text,
  app text
)
language plpgsql
stable
security definer
set search_path = ''
rows 20
as $$
declare
  held constant auth.sessions := portico_private.own_session();
begin
  return query
  select s.id,
         s.id = held.id,
         s.created_at,
         -- Kept without a zone, in UTC.
         coalesce(s.refreshed_at at time zone 'utc', s.created_at),
         s.not_after,
         s.aal::pg_catalog.text,
         pg_catalog.host(s.ip),
         pg_catalog."left"(s.user_agent, 512),
         case when pg_catalog.to_jsonb(s) ->> 'oauth_client_id' is not null then portico_private.app_name(pg_catalog.to_jsonb(s) ->> 'oauth_client_id') end
  from auth.sessions s
  where s.user_id = held.user_id
    and (s.not_after is null or s.not_after > pg_catalog.now())
  order by s.id = held.id desc, coalesce(s.refreshed_at at time zone 'utc', s.created_at) desc, s.id
  limit 200;
end
$$;

comment on function public.portico_sessions() is 'Lists where the signed-in person is signed in.';

/* Ends one of the caller's sessions. Its access token serves until it expires; it cannot be renewed. */
create or replace function public.portico_revoke_session(session_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  held constant auth.sessions := portico_private.own_session(proven => true);
  ended bigint;
begin
  delete from auth.sessions s where s.id = portico_revoke_session.session_id and s.user_id = held.user_id;
  get diagnostics ended = row_count;
  if ended = 0 then
    perform portico_private.refuse(404, 'portico_session_not_found', 'There is no such session of yours');
  end if;
  perform portico_private.note(held, 'logout', 'account', pg_catalog.jsonb_build_object('session_id', portico_revoke_session.session_id));
end
$$;

comment on function public.portico_revoke_session(uuid) is 'Signs the signed-in person out of one of their sessions.';

-- ------------------------------------------------------------------- activity
/* What the caller did with their account of late, the newest first, at most 200.
   The log has no index by person: only its last 4096 pages are read, which bounds the cost whatever its size. */
create or replace function public.portico_activity(max_rows int default 50)
returns table (at timestamptz, action text, provider text, ip text)
language plpgsql
stable
security definer
set search_path = ''
rows 50
as $$
declare
  held constant auth.sessions := portico_private.own_session();
  pages constant bigint := pg_catalog.pg_relation_size('auth.audit_log_entries'::pg_catalog.regclass) / pg_catalog.current_setting('block_size')::bigint;
  since constant pg_catalog.tid := ('(' || greatest(pages - 4096, 0)::pg_catalog.text || ',0)')::pg_catalog.tid;
begin
  return query
  select e.created_at,
         e.payload ->> 'action',
         pg_catalog."left"(e.payload -> 'traits' ->> 'provider', 60),
         nullif(e.ip_address, '')::pg_catalog.text
  from auth.audit_log_entries e
  where e.ctid >= since
    and e.payload ->> 'actor_id' = held.user_id::pg_catalog.text
    and e.payload ->> 'action' not in ('token_refreshed', 'token_revoked', 'challenge_created')
  order by e.created_at desc
  limit least(greatest(coalesce(max_rows, 50), 1), 200);
end
$$;

comment on function public.portico_activity(int) is 'Lists what the signed-in person did with their account of late.';

-- ------------------------------------------------------------------- deletion
/* Deletes the caller's account, with every row that goes with it. A row that must keep its account refuses the whole.
   An access token that is out already serves until it expires. */
create or replace function public.portico_delete_account()
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  held constant auth.sessions := portico_private.own_session(proven => true);
  held_by pg_catalog.text;
  held_in pg_catalog.text;
begin
  perform portico_private.note(held, 'user_deleted', 'team', pg_catalog.jsonb_build_object('user_id', held.user_id));
  begin
    delete from auth.users u where u.id = held.user_id;
    -- Constraints that wait for the end of the transaction speak here, where it can be explained.
    set constraints all immediate;
  exception when foreign_key_violation or restrict_violation then
    get stacked diagnostics held_by = table_name, held_in = schema_name;
    -- A table the caller may not know of stays without a name.
    perform portico_private.refuse(409, 'portico_account_in_use', 'Rows that belong to this account must be dealt with first',
      (select n.nspname || '.' || c.relname
       from pg_catalog.pg_class c
       join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where n.nspname = held_in and c.relname = held_by
         and pg_catalog.has_schema_privilege('authenticated', n.oid, 'USAGE')
         and pg_catalog.has_any_column_privilege('authenticated', c.oid, 'SELECT')));
  end;
end
$$;

comment on function public.portico_delete_account() is 'Deletes the account of the signed-in person.';

-- Projects differ in what new functions are granted by default: be explicit both ways.
revoke execute on all functions in schema portico_private from public;
do $grants$
declare
  made record;
begin
  for made in
    select p.oid::pg_catalog.regprocedure as name, n.nspname = 'public' as is_open
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'portico_private'
       -- By their signatures: a function of the project's own that bears one of these names is none of ours to open.
       or p.oid in (
         'public.portico_account()'::pg_catalog.regprocedure,
         'public.portico_sessions()'::pg_catalog.regprocedure,
         'public.portico_revoke_session(pg_catalog.uuid)'::pg_catalog.regprocedure,
         'public.portico_activity(pg_catalog.int4)'::pg_catalog.regprocedure,
         'public.portico_delete_account()'::pg_catalog.regprocedure
       )
  loop
    execute pg_catalog.format('revoke all on function %s from public, anon, authenticated, service_role', made.name);
    if made.is_open then
      execute pg_catalog.format('grant execute on function %s to authenticated', made.name);
    end if;
  end loop;
end
$grants$;
notify pgrst, 'reload schema';
