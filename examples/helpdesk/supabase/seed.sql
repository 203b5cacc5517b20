-- Believable data from this file alone: three organisations, about 5,000 tickets and 20,000 messages, three sign-ins.
-- The same rows every time, but for moments, which count back from the day of the first start.

-- A number from 0 to below `size`, always the same for the same `n` and `salt`.
create function pg_temp.pick(n bigint, salt text, size integer)
returns integer
language sql immutable
as $$ select (((hashtextextended(salt, n) % size) + size) % size)::integer $$;

-- The sign-ins come first: while there is no organisation yet, nobody is welcomed as a customer.
insert into auth.users (
  instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data,
  created_at, updated_at, confirmation_token, recovery_token, email_change, email_change_token_new
)
select
  '00000000-0000-0000-0000-000000000000', id, 'authenticated', 'authenticated', email,
  extensions.crypt(password, extensions.gen_salt('bf', 10)), now(),
  '{"provider": "email", "providers": ["email"]}', jsonb_build_object('full_name', full_name),
  now() - interval '400 days', now() - interval '400 days', '', '', '', ''
from (values
  ('11111111-1111-4111-8111-111111111111'::uuid, 'owner@helpdesk.example', 'harbor-owner-2026', 'Ada Ferreira'),
  ('22222222-2222-4222-8222-222222222222'::uuid, 'agent@helpdesk.example', 'harbor-agent-2026', 'Jonas Lindqvist'),
  ('33333333-3333-4333-8333-333333333333'::uuid, 'customer@helpdesk.example', 'harbor-customer-2026', 'Mei Tanaka')
) as sign_in (id, email, password, full_name);

insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select
  gen_random_uuid(), id::text, id,
  jsonb_build_object('sub', id::text, 'email', email, 'email_verified', true, 'phone_verified', false),
  'email', created_at, created_at, created_at
from auth.users
where email like '%@helpdesk.example';

insert into public.organizations (id, name, slug, plan, website, time_zone, created_at) values
  ('a0000000-0000-4000-8000-000000000001', 'Harbor Coffee', 'harbor-coffee', 'business', 'https://harborcoffee.example', 'Europe/Lisbon', now() - interval '900 days'),
  ('a0000000-0000-4000-8000-000000000002', 'Northlight Bikes', 'northlight-bikes', 'team', 'https://northlight.example', 'Europe/Stockholm', now() - interval '700 days'),
  ('a0000000-0000-4000-8000-000000000003', 'Fernweh Travel', 'fernweh-travel', 'starter', 'https://fernweh.example', 'Europe/Berlin', now() - interval '500 days');

insert into public.sla_targets (organization_id, priority, first_reply_minutes, resolution_minutes)
select o.id, t.priority::public.ticket_priority, t.first_reply_minutes, t.resolution_minutes
from public.organizations o
cross join (values ('low', 1440, 10080), ('normal', 480, 4320), ('high', 120, 1440), ('urgent', 30, 480))
  as t (priority, first_reply_minutes, resolution_minutes);

insert into public.members (organization_id, user_id, role, name, email, phone, joined_at) values
  ('a0000000-0000-4000-8000-000000000001', '11111111-1111-4111-8111-111111111111', 'owner', 'Ada Ferreira', 'owner@helpdesk.example', '+351 21 555 0101', now() - interval '890 days'),
  ('a0000000-0000-4000-8000-000000000001', '22222222-2222-4222-8222-222222222222', 'agent', 'Jonas Lindqvist', 'agent@helpdesk.example', '+351 21 555 0102', now() - interval '700 days'),
  ('a0000000-0000-4000-8000-000000000001', '33333333-3333-4333-8333-333333333333', 'customer', 'Mei Tanaka', 'customer@helpdesk.example', null, now() - interval '380 days'),
  ('a0000000-0000-4000-8000-000000000002', '11111111-1111-4111-8111-111111111111', 'agent', 'Ada Ferreira', 'owner@helpdesk.example', '+351 21 555 0101', now() - interval '300 days'),
  ('a0000000-0000-4000-8000-000000000002', null, 'owner', 'Sigrid Nyberg', 'sigrid@northlight.example', '+46 8 555 0140', now() - interval '690 days'),
  ('a0000000-0000-4000-8000-000000000003', null, 'owner', 'Matthias Vogel', 'matthias@fernweh.example', '+49 30 555 0177', now() - interval '490 days');

insert into public.members (organization_id, role, name, email, joined_at)
select o.id, 'agent', a.name, lower(split_part(a.name, ' ', 1)) || '@' || split_part(o.website, '//', 2), now() - make_interval(days => 100 + 40 * a.n::integer)
from public.organizations o
join (
  select 'harbor-coffee' as slug, name, n from unnest(array['Inês Carvalho', 'Tomás Okafor', 'Priya Raman', 'Bruno Meireles', 'Hanna Wolff']) with ordinality as x (name, n)
  union all
  select 'northlight-bikes', name, n from unnest(array['Elsa Holm', 'Oskar Berg', 'Nadia Haddad', 'Viktor Lund']) with ordinality as x (name, n)
  union all
  select 'fernweh-travel', name, n from unnest(array['Lena Hartmann', 'Karim Aziz', 'Sofie Brandt']) with ordinality as x (name, n)
) a using (slug);

-- Customers: first and last names paired so that no pair comes twice in an organisation.
insert into public.members (organization_id, role, name, email, phone, joined_at)
select
  o.id, 'customer', p.first || ' ' || p.last,
  lower(translate(p.first || '.' || p.last, 'áéíóúüöäçñãõøåéèê ''', 'aeiouuoacnaooaeee')) || '@' || (array['mail.example', 'post.example', 'inbox.example'])[1 + pg_temp.pick(p.n, o.slug || 'host', 3)],
  case when pg_temp.pick(p.n, o.slug || 'phone', 3) = 0 then '+44 20 7946 0' || lpad(pg_temp.pick(p.n, o.slug, 1000)::text, 3, '0') end,
  now() - make_interval(days => 20 + pg_temp.pick(p.n, o.slug || 'joined', 460))
from public.organizations o
cross join lateral (
  select row_number() over () as n, f.first, l.last
  from unnest(array[
    'Amara', 'Beatriz', 'Callum', 'Dilan', 'Elena', 'Farid', 'Greta', 'Hugo', 'Ivana', 'Jamal', 'Keiko', 'Lucía', 'Marek', 'Noor', 'Olivia', 'Paulo', 'Quinn', 'Rosa', 'Samir', 'Teresa'
  ]) with ordinality f (first, i)
  cross join unnest(array[
    'Almeida', 'Bianchi', 'Castillo', 'Dubois', 'Eriksen', 'Fischer', 'García', 'Horvat', 'Ibrahim', 'Jensen', 'Kowalski', 'Larsen', 'Müller', 'Novák', 'Osei', 'Petrov', 'Rossi', 'Santos', 'Tran', 'Weber'
  ]) with ordinality l (last, i)
  where (f.i * 7 + l.i + length(o.slug)) % 3 = 0
) p;

-- What people write about. {product}, {order} and {name} are filled in for each ticket.
create temporary table topic (
  slug text, n serial, subject text, opening text, question text, answer text, thanks text, note text, tags text[], urgency integer
);
insert into topic (slug, subject, opening, question, answer, thanks, note, tags, urgency) values
  ('harbor-coffee', '{product} arrived with a torn bag', 'Hello, my order {order} came today and the bag of {product} was torn open. Half of it is in the box. Could you send another one?', 'Thanks for telling us, {name}. Could you add a photo of the bag and the box, so that we can take it up with the carrier?', 'A new bag of {product} leaves the roastery tomorrow morning, at no cost. No need to send the torn one back.', 'That was quick. Thank you.', 'Third torn bag on this route this month. Ask the carrier about the sorting centre.', '{shipping,damage}', 1),
  ('harbor-coffee', 'Grind size for {product}', 'I bought {product} for my moka pot and it tastes bitter. Which grind would you use?', 'How fine is it now? If you ordered it ground, the label on the back says so.', 'For a moka pot go a step coarser than espresso and take it off the heat as soon as it gurgles. We will grind the next bag for you if you like.', 'Much better already. I will order it ground next time.', 'Worth an article: grind sizes by brewer.', '{brewing,advice}', 0),
  ('harbor-coffee', 'Change the address of order {order}', 'I moved last week and order {order} still goes to the old address. Can you change it?', 'Happy to. Is it the address in your account now, or a third one?', 'Changed. You will get the new tracking link tonight.', 'Got the link, all good.', 'Label was already printed, told the warehouse by phone.', '{shipping,address}', 2),
  ('harbor-coffee', 'Pause my subscription over the holidays', 'We are away for three weeks. Can the {product} subscription wait until we are back?', 'Of course. From which delivery on should we pause, and when do you want the next bag?', 'Paused. The next {product} will be roasted for you in the week you are back.', 'Perfect, thank you.', 'The self-service pause still hides on the second page.', '{subscription}', 0),
  ('harbor-coffee', 'Charged twice for order {order}', 'My card shows two payments for order {order}. I only placed it once.', 'I see one payment and one reservation here. Could you tell us the date of the second booking?', 'The second one was a reservation and has been released. Your bank shows it for up to three working days.', 'It is gone now. Thanks for looking into it.', 'Payment provider retried after a time-out. Reported to engineering with both ids.', '{billing,refund}', 3),
  ('harbor-coffee', 'Wholesale price list', 'We are a small bakery and would like to serve {product}. Do you have prices for 10 kg a month?', 'Lovely. Do you need whole beans or ground, and do you have a grinder of your own?', 'The list is attached to this ticket. At 10 kg a month you are in the second band, delivery included.', 'Great, we will start with one month.', 'Pass on to sales once they confirm.', '{wholesale,sales}', 1),
  ('harbor-coffee', 'Is {product} decaffeinated by water or solvent?', 'My doctor asks. Could you tell me how {product} is decaffeinated?', 'Let me ask our roaster, I will be back with you today.', 'Only water and pressure, no solvent. The certificate is on the product page now.', 'Thank you, that helps a lot.', 'Product page did not say. Fixed the text.', '{product,question}', 0),
  ('harbor-coffee', 'Machine shows error E4 after descaling', 'Since I descaled the machine I bought from you it shows E4 and stops. Order was {order}.', 'E4 means that no water arrives. Did you fill the tank to the line and press the lever for ten seconds after descaling?', 'Then it is the inlet valve. We send you a label: the workshop mends it within a week, it is under warranty.', 'The label worked, the parcel is on its way.', 'Valve series 22-B again. Keep the part for the supplier.', '{machine,warranty}', 2),
  ('northlight-bikes', 'Rear light of the {product} goes out', 'The rear light of my {product} goes out when I ride over cobblestones. Order {order}.', 'Is it the light itself or the cable at the frame? A short video would help.', 'Looks like the connector at the seat stay. A new cable is on its way, with a guide for five minutes of work.', 'Fixed it myself in the evening. Thanks.', 'Connector batch of May. Check the stock.', '{lighting,warranty}', 2),
  ('northlight-bikes', 'Which size of {product} for 172 cm?', 'I am 172 cm tall with an inseam of 80 cm. Which frame of the {product} fits?', 'Do you ride more upright or sporty? And is it for the city or for longer tours?', 'Take the M with the shorter stem. You can try it for 30 days and swap the frame if it does not fit.', 'M it is.', 'Size guide misses inseam for this model.', '{sizing,advice}', 0),
  ('northlight-bikes', 'Delivery of order {order} is late', 'The tracking of order {order} has not moved for six days. When will the {product} arrive?', 'Sorry for the wait. I have asked the carrier where it is and will write tomorrow at the latest.', 'It had been left at the wrong depot. It is on the van now and comes on Thursday before noon.', 'It arrived and it is beautiful.', 'Carrier owes us a refund for the late one.', '{shipping,delay}', 2),
  ('northlight-bikes', 'Creaking noise from the {product}', 'The {product} creaks when I pedal hard. I have greased the seat post already.', 'Does it creak when you stand, too? If so it is rather the bottom bracket.', 'Please bring it to the partner workshop near you, the bracket is replaced under warranty. They have your number.', 'Silent again. Good service.', 'Ask the workshop for the bearing.', '{workshop,warranty}', 1),
  ('northlight-bikes', 'Cancel order {order}', 'I found the {product} in my size nearby. Can order {order} still be cancelled?', 'It has not left yet. Shall we cancel the lock and the bags too?', 'All cancelled. The money is on its way back to your card.', 'Thanks for the uncomplicated help.', 'Frame back to stock.', '{billing,cancellation}', 1),
  ('northlight-bikes', 'Battery shows 80 % at most', 'After one winter the battery of my {product} never charges past 80 %.', 'Could you read the number of cycles in the app and tell us whether the long-life mode is on?', 'Long-life mode was on: it stops at 80 % on purpose. You can switch it off under Battery.', 'Oh! That was it.', 'Third question on long-life mode this week. Article.', '{battery,question}', 0),
  ('northlight-bikes', 'Stolen bike, need the frame number', 'My {product} was stolen last night. The police ask for the frame number. Order {order}.', 'We are sorry. We need a moment to check that the order is yours, then we send it at once.', 'The number and a letter for your insurance are in this ticket. We marked the frame as stolen.', 'Thank you for answering so fast.', 'Frame marked. Verified by order mail and last four digits.', '{theft,urgent-help}', 3),
  ('northlight-bikes', 'Invoice for my employer', 'My employer needs an invoice with the VAT number for order {order}.', 'Gladly. Please send us the company name, address and VAT number.', 'The new invoice is attached to this ticket.', 'Accounting is happy. Thanks.', 'Booked the old one out.', '{billing,invoice}', 0),
  ('fernweh-travel', 'Night train {product} is cancelled', 'The night train on my trip {product} was cancelled. What now? Booking {order}.', 'We are looking for another connection. Would you rather travel a day earlier or by day?', 'You are on the day train with a seat at the window, and the hotel knows that you come later.', 'That works, thank you.', 'Railway pays for the hotel night. Claim filed.', '{train,rebooking}', 3),
  ('fernweh-travel', 'Dietary wishes on {product}', 'We are two vegetarians and one of us cannot eat nuts. Is that possible on {product}?', 'Yes. Is it an allergy? Then we tell the kitchens in writing.', 'All hosts have confirmed. You find the note in your travel papers, too.', 'Wonderful, we are looking forward to it.', 'Host in the second valley asked for a phone call the day before.', '{food,wishes}', 0),
  ('fernweh-travel', 'Change the name on booking {order}', 'My passport has my second name, the booking {order} has not. Is that a problem?', 'For the ferry it is. Could you send the name exactly as in the passport?', 'Changed for the ferry and the hotels. New papers are in this ticket.', 'Received, thank you.', 'Ferry changed it without a fee.', '{papers,booking}', 2),
  ('fernweh-travel', 'How hard is the walk on day three of {product}?', 'My knee is not what it was. How much downhill is there on day three of {product}?', 'About 700 metres on a good path. Do you walk with poles?', 'There is a bus for the second half, every hour. We marked the stop on your map.', 'That takes a load off my mind.', 'Add the bus to the description of day three.', '{hiking,question}', 0),
  ('fernweh-travel', 'Refund for booking {order}', 'We had to cancel {product} because of an illness, with a doctor''s note. When does the refund come?', 'We are sorry to hear it. Please send the note, the insurance needs it.', 'The insurance has agreed. You get 92 % back within five working days.', 'Thank you for taking care of it.', 'Insurance case closed.', '{billing,refund,insurance}', 2),
  ('fernweh-travel', 'Voucher code does not work', 'The voucher from my sister is refused when I book {product}.', 'Could you send the code? The last four characters are enough.', 'It was not activated when she bought it. It works now, and we added ten euros for the trouble.', 'It works. How kind of you.', 'Shop order stayed in "paid". Reported.', '{voucher,booking}', 1),
  ('fernweh-travel', 'Hotel on {product} has no room for us', 'We stand at the reception and they have no booking. Number is {order}.', 'We are calling the hotel right now. Please have a coffee on us.', 'They had you under the first name. Your room is ready, and dinner is ours.', 'All good now. Thank you for the quick call.', 'Name order again. Fix the export to hotels.', '{hotel,on-the-road}', 3),
  ('fernweh-travel', 'Can we bring our dog on {product}?', 'Our dog is small and used to trains. May she come along on {product}?', 'On the trains yes. We have to ask the two guesthouses.', 'Both agree, for twelve euros a night. Please keep her off the cheese board.', 'She says thank you.', 'Add dog-friendly mark to both houses.', '{wishes,question}', 0);

create temporary table product (slug text, n serial, name text);
insert into product (slug, name)
select 'harbor-coffee', unnest(array['Harbor Blend', 'Ethiopia Guji', 'Colombia Huila', 'Night Shift Espresso', 'Decaf Sumatra', 'Kenya Nyeri', 'Brazil Cerrado', 'Breakwater Dark', 'Guatemala Antigua', 'Seasonal Filter'])
union all
select 'northlight-bikes', unnest(array['Aurora 3', 'Fjord Tour', 'Polar Commuter', 'Skerry Gravel', 'Midnight E', 'Birch Kids 20', 'Cargo Nord', 'Taiga Trail'])
union all
select 'fernweh-travel', unnest(array['Alps by Rail', 'Baltic Islands', 'Dolomites on Foot', 'Lisbon to Lagos', 'Fjords in Winter', 'Rhine Valley Cycling', 'Sicily Slowly', 'Lofoten Light']);

create temporary table plan as
select
  o.id as organization_id,
  o.slug,
  g as n,
  row_number() over (order by o.slug, g) as seed,
  -- The closer to today, the denser, so that recent weeks are busy.
  now() - make_interval(secs => 3600 + (pg_temp.pick(g, o.slug || 'age', 100000)::double precision / 100000) ^ 1.5 * 420 * 86400) as created_at
from (values ('harbor-coffee', 2600), ('northlight-bikes', 1500), ('fernweh-travel', 900)) as size (slug, tickets)
join public.organizations o using (slug)
cross join lateral generate_series(1, size.tickets) g;

create temporary table draft as
select
  row_number() over (order by p.created_at, p.seed) as ticket_no,
  p.*,
  t.subject, t.opening, t.question, t.answer, t.thanks, t.note, t.tags, t.urgency,
  pr.name as product,
  upper(left(p.slug, 2)) || '-' || (10000 + pg_temp.pick(p.seed, 'order', 89999)) as order_no,
  c.id as requester_id,
  split_part(c.name, ' ', 1) as requester_name,
  a.id as agent_id,
  a.name as agent_name,
  extract(epoch from now() - p.created_at) / 86400 as age_days,
  pg_temp.pick(p.seed, 'fate', 100) as fate
from plan p
join lateral (
  select * from topic where topic.slug = p.slug order by n offset pg_temp.pick(p.seed, 'topic', 8) limit 1
) t on true
join lateral (
  select name from product
  where product.slug = p.slug
  order by n
  offset pg_temp.pick(p.seed, 'product', (select count(*)::integer from product x where x.slug = p.slug))
  limit 1
) pr on true
join (select *, row_number() over (partition by organization_id order by id = any (select id from public.members where user_id is not null) desc, email) - 1 as at, count(*) over (partition by organization_id) as many from public.members where role = 'customer') c
  on c.organization_id = p.organization_id
  and c.at = case when p.slug = 'harbor-coffee' and p.n % 70 = 0 then 0 else pg_temp.pick(p.seed, 'requester', c.many::integer) end
join (select *, row_number() over (partition by organization_id order by joined_at, email) - 1 as at, count(*) over (partition by organization_id) as many from public.members where role <> 'customer') a
  on a.organization_id = p.organization_id
  and a.at = pg_temp.pick(p.seed, 'agent', a.many::integer);

create temporary table shaped as
select
  d.*,
  case
    when age_days > 20 then (case when fate < 88 then 'closed' when fate < 96 then 'solved' else 'on_hold' end)
    when age_days > 5 then (case when fate < 45 then 'closed' when fate < 75 then 'solved' when fate < 88 then 'pending' when fate < 93 then 'on_hold' else 'open' end)
    else (case when fate < 15 then 'solved' when fate < 35 then 'pending' when fate < 40 then 'on_hold' else 'open' end)
  end::public.ticket_status as status,
  (array['low', 'normal', 'high', 'urgent'])[least(4, 1 + urgency + case when pg_temp.pick(seed, 'priority', 10) > 7 then 1 else 0 end)]::public.ticket_priority as priority
from draft d;

insert into public.tickets (
  organization_id, subject, description, status, priority, channel, requester_id, assignee_id, due_at, tags, details, satisfaction, created_at, updated_at, closed_at
)
select
  organization_id,
  replace(replace(subject, '{product}', product), '{order}', order_no),
  replace(replace(opening, '{product}', product), '{order}', order_no),
  status,
  priority,
  (array['email', 'email', 'web', 'web', 'web', 'chat', 'phone'])[1 + pg_temp.pick(seed, 'channel', 7)]::public.ticket_channel,
  requester_id,
  case when status = 'open' and pg_temp.pick(seed, 'unassigned', 5) = 0 then null else agent_id end,
  case when status in ('open', 'pending') then created_at + make_interval(hours => (array[168, 72, 24, 8])[array_position(enum_range(null::public.ticket_priority), priority)]) end,
  tags,
  jsonb_strip_nulls(jsonb_build_object(
    'order', order_no,
    'product', product,
    'amount', round((900 + pg_temp.pick(seed, 'amount', 24000)) / 100.0, 2),
    'first_contact', case when pg_temp.pick(seed, 'first', 4) = 0 then true end
  )),
  case when status in ('solved', 'closed') and pg_temp.pick(seed, 'rated', 3) = 0 then (array[5, 5, 4, 5, 3, 4, 2, 5, 1])[1 + pg_temp.pick(seed, 'mark', 9)] end,
  created_at,
  least(now(), created_at + make_interval(hours => 1 + pg_temp.pick(seed, 'touched', 90))),
  case when status = 'closed' then least(now(), created_at + make_interval(hours => 4 + pg_temp.pick(seed, 'closed', 110))) end
from shaped
order by ticket_no;

-- Conversations: the opening always; then as many turns as the ticket has come along.
insert into public.messages (ticket_id, author_id, body, is_internal, created_at)
select
  t.id, turn.author_id,
  replace(replace(replace(turn.body, '{product}', s.product), '{order}', s.order_no), '{name}', s.requester_name),
  turn.is_internal,
  least(now() - interval '1 minute', s.created_at + make_interval(mins => turn.minutes))
from shaped s
join public.tickets t on t.created_at = s.created_at and t.requester_id = s.requester_id and t.details ->> 'order' = s.order_no
cross join lateral (values
  (1, s.requester_id, s.opening, false, 0),
  (2, s.agent_id, s.question, false, 12 + pg_temp.pick(s.seed, 'reply', 400)),
  (3, s.agent_id, s.note, true, 430 + pg_temp.pick(s.seed, 'note', 60)),
  (4, s.requester_id, (array['Sure, here is what you asked for.', 'Yes, exactly.', 'I had a look: it is as I wrote.', 'Good question. I attached what I have.', 'I think so, yes. Anything else you need?'])[1 + pg_temp.pick(s.seed, 'back', 5)], false, 520 + pg_temp.pick(s.seed, 'backat', 600)),
  (5, s.agent_id, s.answer, false, 1200 + pg_temp.pick(s.seed, 'answer', 900)),
  (6, s.requester_id, s.thanks, false, 2200 + pg_temp.pick(s.seed, 'thanks', 1200))
) as turn (step, author_id, body, is_internal, minutes)
where turn.step = 1
  or (turn.step = 2 and s.status <> 'open')
  or (turn.step = 3 and s.status <> 'open' and pg_temp.pick(s.seed, 'hasnote', 3) = 0)
  or (turn.step = 4 and s.status in ('on_hold', 'solved', 'closed') and pg_temp.pick(s.seed, 'hasback', 4) < 3)
  or (turn.step = 5 and s.status in ('solved', 'closed'))
  or (turn.step = 6 and s.status = 'closed' and pg_temp.pick(s.seed, 'hasthanks', 5) < 3)
order by t.id, turn.step;

insert into public.articles (organization_id, title, slug, body, is_published, author_id, updated_at)
select
  o.id, a.title, a.slug, a.body, a.is_published,
  (select id from public.members m where m.organization_id = o.id and m.role <> 'customer' order by joined_at, email offset pg_temp.pick(a.n, o.slug, 3) limit 1),
  now() - make_interval(days => 5 + pg_temp.pick(a.n, o.slug || 'article', 300))
from (values
  (1, 'harbor-coffee', 'Which grind for which brewer', 'grind-sizes', E'Finer is not stronger, only slower.\n\n- Espresso: fine, like table salt\n- Moka pot: a step coarser\n- Filter: medium, like sand\n- French press: coarse, like sea salt', true),
  (2, 'harbor-coffee', 'Pausing and moving a subscription', 'pause-a-subscription', E'Open Account, Subscriptions, and choose the date of the next bag. Changes until Tuesday noon hold for the same week.', true),
  (3, 'harbor-coffee', 'When something arrives damaged', 'damaged-parcels', E'Take one photo of the box and one of the bag, and write to us within seven days. You do not have to send anything back.', true),
  (4, 'harbor-coffee', 'Error codes of our machines', 'machine-error-codes', E'E1: tank empty. E2: grinder blocked. E4: no water after descaling, press the lever for ten seconds.', true),
  (5, 'harbor-coffee', 'Reservations and double bookings', 'double-bookings', E'Draft. Explain what a reservation is before billing sees it.', false),
  (6, 'northlight-bikes', 'Finding your frame size', 'frame-size', E'Measure your inseam with a book. Multiply by 0.66 for a city bike, by 0.64 for gravel.', true),
  (7, 'northlight-bikes', 'Long-life mode of the battery', 'long-life-mode', E'It stops at 80 % on purpose: the battery then keeps its strength for about twice as many cycles.', true),
  (8, 'northlight-bikes', 'After a theft', 'after-a-theft', E'Write to us with your order number. We send the frame number and a letter for the insurance within the hour.', true),
  (9, 'northlight-bikes', 'Greasing the seat post', 'seat-post', E'Draft. Needs pictures.', false),
  (10, 'fernweh-travel', 'If a train is cancelled', 'cancelled-trains', E'Call us first: we can rebook before the queue at the counter has moved.', true),
  (11, 'fernweh-travel', 'Names on tickets and passports', 'names-on-tickets', E'Ferries and flights want the name as in the passport. Trains and hotels do not mind.', true),
  (12, 'fernweh-travel', 'Travelling with a dog', 'dogs', E'Most guesthouses agree if we ask. Trains take small dogs for free.', true)
) as a (n, organization, title, slug, body, is_published)
join public.organizations o on o.slug = a.organization;

insert into public.ticket_articles (ticket_id, article_id, linked_at)
select t.id, a.id, t.updated_at
from public.tickets t
join public.articles a on a.organization_id = t.organization_id and a.is_published
where (a.slug = 'grind-sizes' and t.tags @> '{brewing}')
  or (a.slug = 'damaged-parcels' and t.tags @> '{damage}')
  or (a.slug = 'machine-error-codes' and t.tags @> '{machine}')
  or (a.slug = 'frame-size' and t.tags @> '{sizing}')
  or (a.slug = 'long-life-mode' and t.tags @> '{battery}')
  or (a.slug = 'cancelled-trains' and t.tags @> '{train}');

drop table shaped, draft, plan, product, topic;
drop function pg_temp.pick;
analyze;
