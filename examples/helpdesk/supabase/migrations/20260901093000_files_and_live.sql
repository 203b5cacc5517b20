-- Attachments live in one private bucket, below <organisation id>/<ticket id>/.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('attachments', 'attachments', false, 20971520, '{image/*,application/pdf,text/plain,text/csv}');

create policy "people read attachments of tickets they see" on storage.objects
  for select to authenticated
  using (
    bucket_id = 'attachments'
    and exists (select 1 from public.tickets t where t.id::text = (storage.foldername(name))[2])
  );
create policy "people attach files to tickets they see" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'attachments'
    and exists (
      select 1
      from public.tickets t
      where t.id::text = (storage.foldername(name))[2]
        and t.organization_id::text = (storage.foldername(name))[1]
    )
  );
create policy "people remove their own attachments" on storage.objects
  for delete to authenticated
  using (bucket_id = 'attachments' and owner_id = (select auth.uid())::text);

alter publication supabase_realtime add table public.tickets, public.messages;
alter table public.tickets replica identity full;
