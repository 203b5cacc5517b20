-- What holds whoever writes.

create function private.touch_updated_at()
returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
create trigger articles_touch_updated_at
  before update on public.articles
  for each row execute function private.touch_updated_at();

create function private.check_ticket()
returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (
    select 1 from public.members m where m.id = new.requester_id and m.organization_id = new.organization_id
  ) then
    raise exception 'The requester belongs to another organisation.' using errcode = '23514', column = 'requester_id', table = 'tickets', schema = 'public';
  end if;
  if new.assignee_id is not null and not exists (
    select 1 from public.members m
    where m.id = new.assignee_id and m.organization_id = new.organization_id and m.role <> 'customer'
  ) then
    raise exception 'Only somebody of the team can be assigned.' using errcode = '23514', column = 'assignee_id', table = 'tickets', schema = 'public';
  end if;
  if new.status = 'closed' and new.closed_at is null then
    new.closed_at := now();
  elsif new.status <> 'closed' then
    new.closed_at := null;
  end if;
  return new;
end
$$;
create trigger tickets_check
  before insert or update on public.tickets
  for each row execute function private.check_ticket();

-- Column grants are per database role, and customers share theirs with agents: what customers must leave alone is checked here.
create function private.keep_customers_to_their_part()
returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.updated_at := now();
  if auth.uid() is null or new.organization_id in (select private.organizations_as('owner', 'agent')) then
    return new;
  end if;
  if (new.status, new.priority, new.assignee_id, new.due_at, new.channel)
     is distinct from (old.status, old.priority, old.assignee_id, old.due_at, old.channel) then
    raise exception 'Status, priority, assignee and due date are set by the team.' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger tickets_keep_customers_to_their_part
  before update on public.tickets
  for each row execute function private.keep_customers_to_their_part();

create view public.ticket_sla
with (security_invoker = true)
as
select
  t.id as ticket_id,
  t.subject,
  t.organization_id,
  t.status,
  t.priority,
  t.assignee_id,
  t.created_at,
  reply.first_reply_at,
  t.created_at + make_interval(mins => s.first_reply_minutes) as reply_due_at,
  coalesce(reply.first_reply_at, now()) > t.created_at + make_interval(mins => s.first_reply_minutes) as is_reply_late,
  t.created_at + make_interval(mins => s.resolution_minutes) as resolution_due_at,
  coalesce(t.closed_at, now()) > t.created_at + make_interval(mins => s.resolution_minutes)
    and t.status not in ('solved', 'closed') as is_resolution_late
from public.tickets t
join public.sla_targets s on s.organization_id = t.organization_id and s.priority = t.priority
left join lateral (
  select min(m.created_at) as first_reply_at
  from public.messages m
  where m.ticket_id = t.id
    and not m.is_internal
    and m.author_id <> t.requester_id
) reply on true;
comment on view public.ticket_sla is 'Which tickets were answered in time, and which are late.';
grant select on public.ticket_sla to authenticated, service_role;

create function public.close_ticket(ticket_id bigint, resolution text default null)
returns public.tickets
language plpgsql security invoker set search_path = ''
as $$
declare
  closed public.tickets;
begin
  update public.tickets t
  set status = 'closed'
  where t.id = close_ticket.ticket_id
  returning * into closed;
  if closed.id is null then
    raise exception 'There is no ticket % that you may close.', close_ticket.ticket_id using errcode = 'PT404';
  end if;
  if resolution is not null then
    insert into public.messages (ticket_id, author_id, body)
    select closed.id, m.id, resolution
    from public.members m
    where m.user_id = (select auth.uid())
      and m.organization_id = closed.organization_id;
  end if;
  return closed;
end
$$;
comment on function public.close_ticket is 'Closes a ticket and, when given, sends the resolution to the customer.';
revoke execute on function public.close_ticket from public, anon;
grant execute on function public.close_ticket to authenticated;

-- Whoever signs up becomes a customer of the first organisation, with a ticket of their own to try things on.
create function private.welcome_new_user()
returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  first_organization uuid := (select id from public.organizations order by created_at, id limit 1);
  new_member uuid;
begin
  if first_organization is null or new.email is null then
    return new;
  end if;
  insert into public.members (organization_id, user_id, role, name, email)
  values (
    first_organization, new.id, 'customer',
    left(coalesce(nullif(new.raw_user_meta_data ->> 'full_name', ''), nullif(new.raw_user_meta_data ->> 'name', ''), split_part(new.email, '@', 1)), 120),
    new.email
  )
  on conflict (organization_id, email) do update set user_id = excluded.user_id where public.members.user_id is null
  returning id into new_member;
  if new_member is not null then
    insert into public.tickets (organization_id, subject, description, requester_id, channel, tags)
    values (
      first_organization, 'Welcome to the helpdesk',
      'This ticket is yours: change its subject, add a tag or write a message. The team sees it too.',
      new_member, 'web', '{welcome}'
    );
  end if;
  return new;
end
$$;
create trigger welcome_new_user
  after insert on auth.users
  for each row execute function private.welcome_new_user();

revoke execute on function private.touch_updated_at, private.check_ticket, private.keep_customers_to_their_part, private.welcome_new_user from public;
grant usage on schema private to supabase_auth_admin;
grant execute on function private.welcome_new_user to supabase_auth_admin;
