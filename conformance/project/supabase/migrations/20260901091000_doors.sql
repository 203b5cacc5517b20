-- Views: one asks under the reader's policies, one counts over all.
create view public.note_titles with (security_invoker = true) as
  select id, owner_id, title from public.notes;
grant select, insert, update, delete on public.note_titles to authenticated;

create view public.busy_moods as
  select mood, count(*) as notes from public.notes group by mood;
grant select on public.busy_moods to authenticated;

create table public.tags (
  name    text primary key,
  colour  text not null default 'grey',
  uses    integer not null default 0
);
grant select, insert, update, delete on public.tags to authenticated;

create function public.refuse(kind text)
returns integer
language plpgsql
as $$
begin
  case kind
    when 'plain' then raise exception 'Not today' using hint = 'Try tomorrow', detail = 'Closed';
    when 'status' then raise sqlstate 'PT409' using message = 'Taken', detail = 'By another', hint = 'Choose anew';
    when 'whole' then raise sqlstate 'PGRST' using
      message = '{"code":"SHOP1","message":"Too late","details":null,"hint":null}',
      detail = '{"status":410,"headers":{"x-shop":"closed"}}';
    when 'right' then raise insufficient_privilege using message = 'Not yours';
    when 'zero' then return 1 / 0;
  end case;
  return 0;
end
$$;
create function public.notes_of(wanted public.mood)
returns setof public.notes
language sql stable
as $$ select * from public.notes where mood = wanted $$;
create function public.plus(a integer, b integer) returns integer language sql immutable as $$ select a + b $$;
grant execute on function public.refuse, public.notes_of, public.plus to anon, authenticated;

-- What nobody without a right may learn of: not one of these words may pass the wire.
create table public.hidden_table (hidden_column integer primary key, note text default 'hidden_default');
comment on table public.hidden_table is 'hidden_comment';
create type public.hidden_enum as enum ('hidden_label');
create function public.hidden_function() returns integer language sql as $$ select 1 /* hidden_body */ $$;
revoke execute on function public.hidden_function from public, anon, authenticated;
create table public.half_shown (
  id           integer primary key,
  shown        text,
  hidden_half  text default 'hidden_value',
  constraint hidden_check check (hidden_half <> 'hidden_operand')
);
alter table public.half_shown enable row level security;
create policy "hidden policy name" on public.half_shown for select to authenticated using (shown <> 'hidden_policy');
grant select (id, shown) on public.half_shown to authenticated;
