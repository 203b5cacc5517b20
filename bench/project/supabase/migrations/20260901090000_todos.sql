create table public.todos (
  id          bigint generated always as identity primary key,
  owner_id    uuid not null default auth.uid(),
  title       text not null,
  is_done     boolean not null default false,
  created_at  timestamptz not null default now()
);
create index todos_owner on public.todos (owner_id);
alter table public.todos enable row level security;
create policy "owners have their todos" on public.todos
  for all to authenticated
  using (owner_id = (select auth.uid()))
  with check (owner_id = (select auth.uid()));
grant select, insert, update, delete on public.todos to authenticated;
