create schema shop;
grant usage on schema shop to anon, authenticated, service_role;
alter default privileges for role postgres in schema shop grant select on tables to anon, authenticated, service_role;

create type public.mood as enum ('calm', 'busy', 'done');

create table public.notes (
  id          bigint generated always as identity primary key,
  owner_id    uuid not null default auth.uid() references auth.users on delete cascade,
  title       text not null check (char_length(title) <= 40),
  mood        public.mood not null default 'calm',
  stars       integer check (stars between 0 and 5),
  extra       jsonb,
  labels      text[] not null default '{}',
  written_at  timestamptz not null default '2026-01-02 03:04:05.678+00'
);
alter table public.notes enable row level security;
create policy "owners have their notes" on public.notes
  for all to authenticated
  using (owner_id = (select auth.uid()))
  with check (owner_id = (select auth.uid()));

create table public.comments (
  id       bigint generated always as identity primary key,
  note_id  bigint not null references public.notes on delete cascade,
  body     text not null
);
alter table public.comments enable row level security;
create policy "owners of the note have its comments" on public.comments
  for all to authenticated
  using (exists (select 1 from public.notes n where n.id = note_id and n.owner_id = (select auth.uid())))
  with check (exists (select 1 from public.notes n where n.id = note_id and n.owner_id = (select auth.uid())));

grant select, insert, update, delete on public.notes, public.comments to authenticated;
grant all on public.notes, public.comments to service_role;

create table public.announcements (
  id    integer primary key,
  text  text not null
);
alter table public.announcements enable row level security;
create policy "anybody reads announcements" on public.announcements for select using (true);
grant select on public.announcements to anon, authenticated, service_role;
insert into public.announcements values (1, 'Open as usual'), (2, 'Closed on Sunday');

create table shop.offers (
  sku    text primary key,
  price  numeric(8, 2) not null
);
insert into shop.offers values ('cup', 4.50), ('pot', 19.90);

create function public.add_note(title text, stars integer default 0)
returns public.notes
language sql
as $$ insert into public.notes (title, stars) values (title, stars) returning * $$;
create function public.whoami()
returns jsonb
language sql stable
as $$ select jsonb_build_object('uid', auth.uid(), 'role', auth.role(), 'aal', auth.jwt() ->> 'aal', 'current_user', current_user) $$;
grant execute on function public.add_note, public.whoami to anon, authenticated;
