import { TABLES as CHATWOOT } from '../bin/transfer/chatwoot/tables.ts'
import { TABLES as PAPERCUPS } from '../bin/transfer/papercups/tables.ts'

/** Fourteen words. */
const WORDS = `(select string_agg((array['order', 'lamp', 'invoice', 'thank', 'you', 'when', 'will', 'it', 'arrive', 'the', 'shipping', 'address', 'is', 'wrong', 'today', 'please'])[1 + floor(random() * 16)::int], ' ')
   from generate_series(1, 14 + n * 0)) || ' ' || n`

/** Ids are scattered, as those of Papercups are; bodies have some eighty characters. */
const papercups = (messages: number, conversations: number, customers: number) => `
insert into accounts (id, company_name, inserted_at, updated_at) values (md5('account')::uuid, 'Acme', '2020-01-01', '2020-01-01');
insert into users (id, email, account_id, role, inserted_at, updated_at)
select n, 'user' || n || '@acme.test', md5('account')::uuid, 'admin', '2020-01-01', '2020-01-01' from generate_series(1, 20) n;
insert into inboxes (id, account_id, name, is_primary, inserted_at, updated_at)
values (md5('inbox')::uuid, md5('account')::uuid, 'Primary Inbox', true, '2020-01-01', '2020-01-01');
insert into customers (id, account_id, first_seen, last_seen_at, name, email, external_id, browser, os, current_url, inserted_at, updated_at)
select md5('customer' || n)::uuid, md5('account')::uuid, '2021-01-01', t, 'Customer ' || n, n || '@mail.test', n::text, 'Firefox', 'Linux', 'https://shop.test/' || n, t, t
from (select n, timestamp '2021-01-01' + n * interval '1 minute' as t from generate_series(1, ${customers}) n) c;
insert into conversations (id, account_id, customer_id, inbox_id, assignee_id, status, priority, source, read, last_activity_at, closed_at, inserted_at, updated_at)
select md5('conversation' || n)::uuid, md5('account')::uuid, md5('customer' || 1 + n % ${customers})::uuid, md5('inbox')::uuid, 1 + n % 20,
  case when n % 10 > 0 then 'closed' else 'open' end, 'not_priority', 'chat', true, t, case when n % 10 > 0 then t end, t, t
from (select n, timestamp '2021-01-01' + n * interval '1 minute' as t from generate_series(1, ${conversations}) n) c;
insert into messages (id, account_id, conversation_id, customer_id, user_id, body, type, private, source, content_type, sent_at, inserted_at, updated_at)
select md5('message' || n)::uuid, md5('account')::uuid, md5('conversation' || 1 + n % ${conversations})::uuid,
  case when n / ${conversations} % 2 = 0 then md5('customer' || 1 + (1 + n % ${conversations}) % ${customers})::uuid end,
  case when n / ${conversations} % 2 = 1 then 1 + n % 20 end,
  (select string_agg((array['order', 'lamp', 'invoice', 'thank', 'you', 'when', 'will', 'it', 'arrive', 'the', 'shipping', 'address', 'is', 'wrong', 'today', 'please'])[1 + floor(random() * 16)::int], ' ')
   from generate_series(1, 14 + n * 0)) || ' ' || n,
  'reply', false, 'chat', 'text', t, t, t
from (select n, timestamp '2021-01-01' + (1 + n % ${conversations}) * interval '1 minute' + n / ${conversations} * interval '40 seconds' as t
      from generate_series(1, ${messages}) n) m;
analyze`

/** One picture is that of every hundredth customer. */
export const PICTURE_KEY = 'face0123456789'

/** A third of the messages are lines of the team's history; most objects are encoded twice. */
const chatwoot = (messages: number, conversations: number, customers: number) => `
insert into accounts (id, name, created_at, updated_at) values (1, 'Acme', '2020-01-01', '2020-01-01');
insert into users (id, email, name, created_at, updated_at)
select n, 'user' || n || '@acme.test', 'User ' || n, '2020-01-01', '2020-01-01' from generate_series(1, 20) n;
insert into account_users (id, account_id, user_id, role, created_at, updated_at) select n, 1, n, 1, '2020-01-01', '2020-01-01' from generate_series(1, 20) n;
insert into inboxes (id, account_id, channel_id, channel_type, name, created_at, updated_at) values (1, 1, 1, 'Channel::WebWidget', 'Website', '2020-01-01', '2020-01-01');
insert into contacts (id, account_id, name, email, identifier, additional_attributes, custom_attributes, last_activity_at, created_at, updated_at)
select n, 1, 'Customer ' || n, n || '@mail.test', n::text, '{"city": "Ulm"}', '{"plan": "gold"}', t, t, t
from (select n, timestamp '2021-01-01' + n * interval '1 minute' as t from generate_series(1, ${customers}) n) c;
insert into contact_inboxes (id, contact_id, inbox_id, source_id) select n, n, 1, md5('source' || n) from generate_series(1, ${customers}) n;
insert into conversations (id, account_id, inbox_id, status, assignee_id, contact_id, contact_inbox_id, display_id, uuid, additional_attributes, created_at, updated_at)
select n, 1, 1, case when n % 10 > 0 then 1 else 0 end, 1 + n % 20, 1 + n % ${customers}, 1 + n % ${customers}, n, gen_random_uuid(),
  '{"browser": {"browser_name": "Firefox"}, "referer": "https://shop.test/lamps"}', t, t
from (select n, timestamp '2021-01-01' + n * interval '1 minute' as t from generate_series(1, ${conversations}) n) c;
insert into messages (id, account_id, conversation_id, message_type, content, content_attributes, sender_type, sender_id, created_at, updated_at)
select n, 1, 1 + n % ${conversations}, m.kind, ${WORDS}, case when n % 3 = 0 then '"{\\"in_reply_to\\":1}"' else '"{}"' end,
  case m.kind when 0 then 'Contact' when 1 then 'User' end, case m.kind when 0 then 1 + (1 + n % ${conversations}) % ${customers} when 1 then 1 + n % 20 end, t, t
from (select n, (array[0, 1, 2])[1 + n / ${conversations} % 3] as kind,
        timestamp '2021-01-01' + (1 + n % ${conversations}) * interval '1 minute' + n / ${conversations} * interval '40 seconds' as t
      from generate_series(1, ${messages}) n) m;
insert into labels (id, account_id, title, color) values (1, 1, 'vip', '#ff0000');
insert into tags (id, name) values (1, 'vip');
insert into taggings (id, tag_id, taggable_type, taggable_id, context) select n, 1, 'Conversation', n, 'labels' from generate_series(1, ${conversations}, 4) n;
insert into active_storage_blobs (id, key, filename, byte_size, created_at) select n, '${PICTURE_KEY}', 'face.png', 1, '2022-01-01' from generate_series(1, ${customers}, 100) n;
insert into active_storage_attachments (name, record_type, record_id, blob_id) select 'avatar', 'Contact', n, n from generate_series(1, ${customers}, 100) n;
insert into macros (id, account_id, name, visibility, created_by_id, actions, created_at, updated_at)
select n, 1, 'Macro ' || n, 1, 1, '[{"action_name": "resolve_conversation", "action_params": []}, {"action_name": "add_label", "action_params": ["vip"]}]', '2022-01-01', '2022-01-01' from generate_series(1, 100) n;
insert into portals (id, account_id, name, slug, config, created_at, updated_at) values (1, 1, 'Help', 'help', '{"default_locale": "en", "allowed_locales": ["en", "de"]}', '2022-01-01', '2022-01-01');
insert into categories (id, account_id, name, slug, locale, position, created_at, updated_at) select n, 1, 'Category ' || n, 'category-' || n, 'en', n, '2022-01-01', '2022-01-01' from generate_series(1, 10) n;
insert into articles (id, account_id, portal_id, category_id, title, content, slug, locale, status, position, author_id, created_at, updated_at)
select n, 1, 1, 1 + n % 10, 'Article ' || n, repeat(${WORDS} || E'.\n\n', 20), 'article-' || n, 'en', n % 3, n, 1, '2022-01-01', '2022-01-01' from generate_series(1, 500) n;
insert into reporting_events (name, account_id, conversation_id, event_end_time) select 'conversation_resolved', 1, n, '2022-01-01' from generate_series(1, ${conversations}) n;
analyze`

/** The products, with their tables and the statements that fill them. */
export const FILLS = {
  papercups: { tables: PAPERCUPS, fill: papercups },
  chatwoot: { tables: CHATWOOT, fill: chatwoot },
}
