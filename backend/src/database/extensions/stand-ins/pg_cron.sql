-- Jobs that the box's CronScheduler runs. Same tables and functions as pg_cron.

do $schema$
begin
  if to_regnamespace('cron') is null then
    create schema cron;
  end if;
end
$schema$;
create sequence cron.jobid_seq;
create sequence cron.runid_seq;

create table cron.job (
  jobid bigint primary key default nextval('cron.jobid_seq'),
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport int not null default coalesce(inet_server_port(), 5432),
  database text not null default current_database(),
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);
alter sequence cron.jobid_seq owned by cron.job.jobid;

create table cron.job_run_details (
  jobid bigint,
  runid bigint primary key default nextval('cron.runid_seq'),
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);
alter sequence cron.runid_seq owned by cron.job_run_details.runid;

alter table cron.job enable row level security;
create policy cron_job_policy on cron.job using (username = current_user);
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);

create function cron._check_schedule(schedule text) returns text
  language plpgsql immutable
as $$
begin
  if schedule !~* '^\s*(@(annually|yearly|monthly|weekly|daily|midnight|hourly|reboot)|([1-9]|[1-5][0-9])\s+seconds?|([0-9a-z*,/$?#-]+\s+){4}[0-9a-z*,/$?#-]+)\s*$' then
    raise exception 'invalid schedule: %', schedule using hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
  end if;
  return schedule;
end
$$;

create function cron._put(job_name text, schedule text, command text, database text, username text, active boolean) returns bigint
  language plpgsql
as $$
declare
  id bigint;
begin
  if job_name is not null then
    update cron.job j set schedule = cron._check_schedule(_put.schedule), command = _put.command, database = coalesce(_put.database, j.database), active = coalesce(_put.active, j.active)
    where j.jobname = job_name and j.username = coalesce(_put.username, current_user)
    returning jobid into id;
  end if;
  if id is null then
    insert into cron.job (jobname, schedule, command, database, username, active)
    values (job_name, cron._check_schedule(_put.schedule), _put.command, coalesce(_put.database, current_database()), coalesce(_put.username, current_user), coalesce(_put.active, true))
    returning jobid into id;
  end if;
  perform pg_notify('portico_cron', '');
  return id;
end
$$;

create function cron.schedule(schedule text, command text) returns bigint
  language sql
as $$ select cron._put(null, schedule, command, null, null, null) $$;

create function cron.schedule(job_name text, schedule text, command text) returns bigint
  language sql
as $$ select cron._put(job_name, schedule, command, null, null, null) $$;

create function cron.schedule_in_database(
  job_name text, schedule text, command text, database text, username text default null, active boolean default true
) returns bigint
  language sql
as $$ select cron._put(job_name, schedule, command, database, username, active) $$;

create function cron.alter_job(
  job_id bigint, schedule text default null, command text default null, database text default null, username text default null, active boolean default null
) returns void
  language plpgsql
as $$
begin
  update cron.job j set
    schedule = cron._check_schedule(coalesce(alter_job.schedule, j.schedule)),
    command = coalesce(alter_job.command, j.command),
    database = coalesce(alter_job.database, j.database),
    username = coalesce(alter_job.username, j.username),
    active = coalesce(alter_job.active, j.active)
  where j.jobid = job_id;
  if not found then
    raise exception 'Job % does not exist or you don''t own it', job_id;
  end if;
  perform pg_notify('portico_cron', '');
end
$$;

create function cron.unschedule(job_id bigint) returns boolean
  language plpgsql
as $$
begin
  delete from cron.job where jobid = job_id;
  if not found then
    raise exception 'could not find valid entry for job %', job_id;
  end if;
  perform pg_notify('portico_cron', '');
  return true;
end
$$;

create function cron.unschedule(job_name text) returns boolean
  language plpgsql
as $$
begin
  delete from cron.job where jobname = job_name and username = current_user;
  if not found then
    raise exception 'could not find valid entry for job ''%''', job_name;
  end if;
  perform pg_notify('portico_cron', '');
  return true;
end
$$;

revoke all on all functions in schema cron from public;
grant usage on schema cron to postgres with grant option;
grant execute on all functions in schema cron to postgres with grant option;
grant all on all tables in schema cron to postgres with grant option;
grant all on all sequences in schema cron to postgres with grant option;
select pg_extension_config_dump('cron.job', '');
select pg_extension_config_dump('cron.jobid_seq', '');
