-- Who may do what. The helpers run as their owner, so that a policy on members can ask about members without asking itself.

create function private.organizations_as(variadic roles public.member_role[])
returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select organization_id
  from public.members
  where user_id = (select auth.uid())
    and role = any (roles)
$$;
comment on function private.organizations_as is 'The organisations in which the caller has one of these roles.';

create function private.own_member_ids()
returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select id
  from public.members
  where user_id = (select auth.uid())
$$;

create function private.visible_ticket_ids_as_customer()
returns setof bigint
language sql stable security definer set search_path = ''
as $$
  select id
  from public.tickets
  where requester_id in (select private.own_member_ids())
$$;

revoke execute on all functions in schema private from public;
grant execute on all functions in schema private to authenticated;

alter table public.organizations enable row level security;
alter table public.members enable row level security;
alter table public.tickets enable row level security;
alter table public.messages enable row level security;
alter table public.articles enable row level security;
alter table public.ticket_articles enable row level security;
alter table public.sla_targets enable row level security;

create policy "members see their organisations" on public.organizations
  for select to authenticated
  using (id in (select private.organizations_as('owner', 'agent', 'customer')));
create policy "owners change their organisation" on public.organizations
  for update to authenticated
  using (id in (select private.organizations_as('owner')))
  with check (id in (select private.organizations_as('owner')));

create policy "people see themselves" on public.members
  for select to authenticated
  using (user_id = (select auth.uid()));
create policy "the team sees everyone, customers see the team" on public.members
  for select to authenticated
  using (
    organization_id in (select private.organizations_as('owner', 'agent'))
    or (role <> 'customer' and organization_id in (select private.organizations_as('customer')))
  );
create policy "agents add customers" on public.members
  for insert to authenticated
  with check (
    organization_id in (select private.organizations_as('owner'))
    or (role = 'customer' and organization_id in (select private.organizations_as('agent')))
  );
create policy "owners change members" on public.members
  for update to authenticated
  using (organization_id in (select private.organizations_as('owner')))
  with check (organization_id in (select private.organizations_as('owner')));
create policy "owners remove members" on public.members
  for delete to authenticated
  using (organization_id in (select private.organizations_as('owner')));

create policy "the team sees all tickets" on public.tickets
  for select to authenticated
  using (organization_id in (select private.organizations_as('owner', 'agent')));
create policy "customers see their own tickets" on public.tickets
  for select to authenticated
  using (requester_id in (select private.own_member_ids()));
create policy "the team opens tickets" on public.tickets
  for insert to authenticated
  with check (organization_id in (select private.organizations_as('owner', 'agent')));
create policy "customers open their own tickets" on public.tickets
  for insert to authenticated
  with check (
    organization_id in (select private.organizations_as('customer'))
    and requester_id in (select private.own_member_ids())
    and assignee_id is null
  );
create policy "the team works on tickets" on public.tickets
  for update to authenticated
  using (organization_id in (select private.organizations_as('owner', 'agent')))
  with check (organization_id in (select private.organizations_as('owner', 'agent')));
create policy "customers amend their own open tickets" on public.tickets
  for update to authenticated
  using (requester_id in (select private.own_member_ids()) and status <> 'closed')
  with check (requester_id in (select private.own_member_ids()));
create policy "owners delete tickets" on public.tickets
  for delete to authenticated
  using (organization_id in (select private.organizations_as('owner')));

create policy "the team reads every message" on public.messages
  for select to authenticated
  using (exists (
    select 1
    from public.tickets t
    where t.id = ticket_id
      and t.organization_id in (select private.organizations_as('owner', 'agent'))
  ));
create policy "customers read the answers to their tickets" on public.messages
  for select to authenticated
  using (not is_internal and ticket_id in (select private.visible_ticket_ids_as_customer()));
create policy "people write in tickets they see, as themselves" on public.messages
  for insert to authenticated
  with check (
    author_id in (select private.own_member_ids())
    and exists (
      select 1
      from public.tickets t
      where t.id = ticket_id
        and (
          t.organization_id in (select private.organizations_as('owner', 'agent'))
          or (not is_internal and t.requester_id in (select private.own_member_ids()))
        )
    )
  );
create policy "authors correct their messages" on public.messages
  for update to authenticated
  using (author_id in (select private.own_member_ids()))
  with check (author_id in (select private.own_member_ids()));

create policy "members read published articles" on public.articles
  for select to authenticated
  using (is_published and organization_id in (select private.organizations_as('customer')));
create policy "the team reads every article" on public.articles
  for select to authenticated
  using (organization_id in (select private.organizations_as('owner', 'agent')));
create policy "the team writes articles" on public.articles
  for insert to authenticated
  with check (organization_id in (select private.organizations_as('owner', 'agent')));
create policy "the team edits articles" on public.articles
  for update to authenticated
  using (organization_id in (select private.organizations_as('owner', 'agent')))
  with check (organization_id in (select private.organizations_as('owner', 'agent')));
create policy "owners delete articles" on public.articles
  for delete to authenticated
  using (organization_id in (select private.organizations_as('owner')));

create policy "the team links articles" on public.ticket_articles
  for all to authenticated
  using (exists (
    select 1
    from public.tickets t
    where t.id = ticket_id
      and t.organization_id in (select private.organizations_as('owner', 'agent'))
  ))
  with check (exists (
    select 1
    from public.tickets t
    join public.articles a on a.organization_id = t.organization_id
    where t.id = ticket_id
      and a.id = article_id
      and t.organization_id in (select private.organizations_as('owner', 'agent'))
  ));

create policy "the team sees the promises" on public.sla_targets
  for select to authenticated
  using (organization_id in (select private.organizations_as('owner', 'agent')));
create policy "owners set the promises" on public.sla_targets
  for update to authenticated
  using (organization_id in (select private.organizations_as('owner')))
  with check (organization_id in (select private.organizations_as('owner')));

-- What the API may touch at all; the policies above narrow it to rows.
grant select, update (name, plan, website, time_zone) on public.organizations to authenticated;
grant select, insert (organization_id, user_id, role, name, email, phone), update (role, name, email, phone), delete
  on public.members to authenticated;
grant select,
  insert (organization_id, subject, description, status, priority, channel, requester_id, assignee_id, due_at, tags, details),
  update (subject, description, status, priority, channel, assignee_id, due_at, tags, details, satisfaction), delete
  on public.tickets to authenticated;
grant select, insert (ticket_id, author_id, body, is_internal), update (body) on public.messages to authenticated;
grant select, insert (organization_id, title, slug, body, is_published, author_id), update (title, slug, body, is_published), delete
  on public.articles to authenticated;
grant select, insert (ticket_id, article_id), delete on public.ticket_articles to authenticated;
grant select, update (first_reply_minutes, resolution_minutes) on public.sla_targets to authenticated;
grant all on all tables in schema public to service_role;
grant usage, select on all sequences in schema public to service_role;
