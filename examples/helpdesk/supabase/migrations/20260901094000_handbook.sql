-- The handbook: a bucket that everyone of an organisation reads and the team keeps.
insert into storage.buckets (id, name, public)
values ('handbook', 'handbook', false)
on conflict (id) do nothing;

create policy "people see the buckets they have files in" on storage.buckets
  for select to authenticated
  using (id in ('attachments', 'handbook'));

create policy "people read the handbook" on storage.objects
  for select to authenticated
  using (
    bucket_id = 'handbook'
    and exists (select 1 from private.organizations_as('owner', 'agent', 'customer'))
  );
create policy "the team adds to the handbook" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'handbook'
    and exists (select 1 from private.organizations_as('owner', 'agent'))
  );
create policy "the team changes the handbook" on storage.objects
  for update to authenticated
  using (
    bucket_id = 'handbook'
    and exists (select 1 from private.organizations_as('owner', 'agent'))
  )
  with check (
    bucket_id = 'handbook'
    and exists (select 1 from private.organizations_as('owner', 'agent'))
  );
create policy "owners delete from the handbook" on storage.objects
  for delete to authenticated
  using (
    bucket_id = 'handbook'
    and exists (select 1 from private.organizations_as('owner'))
  );
