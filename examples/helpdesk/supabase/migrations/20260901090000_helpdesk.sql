-- A helpdesk shared by several organisations. Nobody sees another organisation's rows; inside one, the role decides.

create schema private;
grant usage on schema private to authenticated;
comment on schema private is 'Rules behind the policies. Not exposed by the API.';

create type public.plan as enum ('starter', 'team', 'business');
create type public.member_role as enum ('owner', 'agent', 'customer');
create type public.ticket_status as enum ('open', 'pending', 'on_hold', 'solved', 'closed');
create type public.ticket_priority as enum ('low', 'normal', 'high', 'urgent');
create type public.ticket_channel as enum ('email', 'web', 'phone', 'chat');

create table public.organizations (
  id          uuid primary key default gen_random_uuid(),
  name        text not null check (char_length(name) between 2 and 80),
  slug        text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  plan        public.plan not null default 'starter',
  website     text check (website ~ '^https?://'),
  time_zone   text not null default 'UTC',
  created_at  timestamptz not null default now()
);
comment on table public.organizations is 'Companies that answer their customers here.';

create table public.members (
  id               uuid primary key default gen_random_uuid(),
  organization_id  uuid not null references public.organizations on delete cascade,
  user_id          uuid references auth.users on delete set null,
  role             public.member_role not null default 'customer',
  name             text not null check (char_length(name) between 1 and 120),
  email            text not null check (email ~ '^[^@\s]+@[^@\s]+$'),
  phone            varchar(24),
  joined_at        timestamptz not null default now(),
  unique (organization_id, email),
  unique (organization_id, user_id)
);
comment on table public.members is 'People of an organisation: its owners and agents, and the customers who write in.';
comment on column public.members.user_id is 'The sign-in, once the person has one.';
create index members_user_id on public.members (user_id);

create table public.tickets (
  id               bigint generated always as identity primary key,
  organization_id  uuid not null references public.organizations on delete cascade,
  subject          text not null check (char_length(subject) between 3 and 200),
  description      text,
  status           public.ticket_status not null default 'open',
  priority         public.ticket_priority not null default 'normal',
  channel          public.ticket_channel not null default 'web',
  requester_id     uuid not null references public.members on delete restrict,
  assignee_id      uuid references public.members on delete set null,
  due_at           timestamptz,
  tags             text[] not null default '{}',
  details          jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  satisfaction     smallint check (satisfaction between 1 and 5),
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  closed_at        timestamptz
);
comment on table public.tickets is 'What customers asked for, and how far it is.';
comment on column public.tickets.due_at is 'When the customer was promised an answer.';
comment on column public.tickets.satisfaction is 'The customer''s mark after the ticket was solved, 1 to 5.';
create index tickets_organization_created on public.tickets (organization_id, created_at desc);
create index tickets_requester on public.tickets (requester_id);
create index tickets_assignee on public.tickets (assignee_id);
create index tickets_status on public.tickets (organization_id, status);

create table public.messages (
  id           bigint generated always as identity primary key,
  ticket_id    bigint not null references public.tickets on delete cascade,
  author_id    uuid not null references public.members on delete restrict,
  body         text not null check (char_length(body) between 1 and 10000),
  is_internal  boolean not null default false,
  created_at   timestamptz not null default now()
);
comment on table public.messages is 'The conversation of a ticket. Internal notes are for the team alone.';
create index messages_ticket_created on public.messages (ticket_id, created_at);
create index messages_author on public.messages (author_id);

create table public.articles (
  id               uuid primary key default gen_random_uuid(),
  organization_id  uuid not null references public.organizations on delete cascade,
  title            text not null check (char_length(title) between 3 and 160),
  slug             text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  body             text not null default '',
  is_published     boolean not null default false,
  author_id        uuid references public.members on delete set null,
  updated_at       timestamptz not null default now(),
  unique (organization_id, slug)
);
comment on table public.articles is 'Answers worth writing down once.';
create index articles_author on public.articles (author_id);

create table public.ticket_articles (
  ticket_id   bigint not null references public.tickets on delete cascade,
  article_id  uuid not null references public.articles on delete cascade,
  linked_at   timestamptz not null default now(),
  primary key (ticket_id, article_id)
);
comment on table public.ticket_articles is 'Which articles answered which ticket.';
create index ticket_articles_article on public.ticket_articles (article_id);

create table public.sla_targets (
  organization_id      uuid not null references public.organizations on delete cascade,
  priority             public.ticket_priority not null,
  first_reply_minutes  integer not null check (first_reply_minutes > 0),
  resolution_minutes   integer not null check (resolution_minutes >= first_reply_minutes),
  primary key (organization_id, priority)
);
comment on table public.sla_targets is 'How fast an organisation promises to answer and to solve, by priority.';
