-- A bucket where each person has a folder of their own, and one that everybody may read.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('notes', 'notes', false, 1000000, null), ('covers', 'covers', true, null, array['image/*'])
on conflict (id) do nothing;

create policy "people see the bucket of notes" on storage.buckets
  for select to authenticated using (id = 'notes');
create policy "people keep what is in their own folder" on storage.objects
  for all to authenticated
  using (bucket_id = 'notes' and (storage.foldername(name))[1] = (select auth.uid()::text))
  with check (bucket_id = 'notes' and (storage.foldername(name))[1] = (select auth.uid()::text));
