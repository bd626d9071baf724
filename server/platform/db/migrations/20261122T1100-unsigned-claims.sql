-- Who said what of a customer. Anybody can write an external id or an e-mail address into a page, so what a browser says
-- without a signature is kept apart from what the team, an import or a signed token says.

alter table customers
  add column origin text not null default 'browser' check (origin in ('browser', 'team', 'import', 'proof')),
  -- Fields that a browser has not told by itself, and who did: {"email": "team", "metadata.plan": "import"}.
  add column field_sources jsonb not null default '{}',
  -- The external id that an unsigned browser says to have, where it belongs to somebody else.
  add column claimed_external_id text,
  -- Whom an unsigned browser says to be, by external id or e-mail address.
  add column claimed_customer_id uuid,
  add foreign key (account_id, claimed_customer_id) references customers (account_id, id)
    on delete set null (claimed_customer_id);
create index customers_claimed_external_id on customers (account_id, claimed_external_id)
  where claimed_external_id is not null;
create index customers_claimed_customer on customers (account_id, claimed_customer_id)
  where claimed_customer_id is not null;

-- The address that a browser gave for what it writes itself. Conversations of published clients, which have no session,
-- keep the address that was known when they began.
alter table visitor_sessions add column email text;
alter table conversations
  add column visitor_session_id uuid,
  add column reply_email text,
  -- What a browser said before its visitor proved who they are: {"up_to_number": 3, "claims": {"name": "Kim"}}.
  add column unproven jsonb;

-- Until now it was not noted who made a customer. A browser leaves its address or its traces.
update customers c set origin = case when identity_proven_at is not null then 'proof' else 'team' end
where identity_proven_at is not null
  or (ip is null and host is null and browser is null and lib is null and current_url is null and not exists (
    select from visitor_sessions s where s.account_id = c.account_id and s.customer_id = c.id));
update customers set field_sources = jsonb_strip_nulls(jsonb_build_object(
  'external_id', case when external_id is not null then 'proof' end, 'email', case when email is not null then 'proof' end))
where origin = 'proof';
update customers c set field_sources = (
  select coalesce(jsonb_object_agg(name, 'team'), '{}') from (
    select key as name from jsonb_each_text(jsonb_build_object('name', c.name, 'email', c.email, 'phone', c.phone,
      'external_id', c.external_id, 'profile_photo_url', c.profile_photo_url, 'time_zone', c.time_zone))
    where value is not null
    union all
    select 'metadata.' || key from jsonb_object_keys(c.metadata) key) known)
where origin = 'team';

-- Of a customer with one browser, the address is that browser's own word. With none, it is the word of a published client.
create temporary table only_sessions on commit drop as
  select account_id, customer_id, min(id::text)::uuid as id from visitor_sessions
  group by account_id, customer_id having count(*) = 1;
update visitor_sessions s set email = c.email from only_sessions o
join customers c on c.account_id = o.account_id and c.id = o.customer_id and not c.field_sources ? 'email'
where s.account_id = o.account_id and s.id = o.id and c.email is not null;
update conversations v set visitor_session_id = o.id from only_sessions o
where v.account_id = o.account_id and v.customer_id = o.customer_id and v.source = 'chat';
update conversations v set reply_email = c.email from customers c
where v.account_id = c.account_id and v.customer_id = c.id and v.source = 'chat' and v.visitor_session_id is null
  and c.email is not null and not c.field_sources ? 'email';
