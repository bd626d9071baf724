// One statement for each read of `bench:reads`, which makes the whole answer: the same rows, columns and nesting, with
// the database's own spelling of times. $1 is the account, $2 what is asked for.

const CUSTOMER = `(select to_json(x) from (select id, name, email, created_at, updated_at, first_seen, last_seen_at, phone,
  external_id, host, pathname, current_url, browser, os, ip, time_zone, profile_photo_url, company_id, metadata, blocked_at,
  complained_at, field_sources, claimed_external_id, claimed_customer_id from customers
  where account_id = $1 and id = %) x)`

const USER = `(select to_json(x) from (select id, account_id, email, role, full_name, display_name, profile_photo_url,
  created_at, disabled_at, archived_at from users where account_id = $1 and id = %) x)`

const MESSAGE = `m.id, m.account_id, m.conversation_id, m.number, m.body, m.type, m.content_type, m.private, m.source,
  m.created_at, m.sent_at, m.seen_at, m.customer_id, m.user_id, m.metadata, m.template, m.edited_at, m.email_subject`

const EXPANDED = `${MESSAGE}, ${CUSTOMER.replace('%', 'm.customer_id')} as customer, ${USER.replace('%', 'm.user_id')} as "user",
  array(select to_json(f) from message_files a join files f on f.account_id = a.account_id and f.id = a.file_id
    where a.account_id = $1 and a.message_id = m.id) as attachments`

const CONVERSATION = `c.id, c.account_id, c.customer_id, c.inbox_id, c.assignee_id, c.source, c.subject, c.status, c.priority,
  c.read, c.metadata, c.created_at, c.updated_at, c.last_activity_at, c.closed_at, c.closed_by_id, c.archived_at,
  c.first_replied_at, c.snoozed_at, c.snoozed_until, c.last_number, c.version, c.unseen_mention_user_ids, c.unproven`

const PAGE = `select json_build_object('data', json_agg(page)) as answer from (
  select ${CONVERSATION}, ${CUSTOMER.replace('%', 'c.customer_id')} as customer,
    array(select to_json(x) from (select ${EXPANDED} from messages m
      where m.account_id = $1 and m.conversation_id = c.id order by m.number desc limit 1) x) as messages,
    array(select to_json(t) from conversation_tags ct join tags t on t.account_id = ct.account_id and t.id = ct.tag_id
      where ct.account_id = $1 and ct.conversation_id = c.id) as tags,
    array(select to_json(n) from mentions n where n.account_id = $1 and n.conversation_id = c.id) as mentions
  from conversations c
  where c.account_id = $1 and c.archived_at is null and c.status = 'open' and c.snoozed_at is null
    and (c.last_activity_at, c.id) < %
  order by c.last_activity_at desc, c.id desc limit 50) page`

const hits = (subquery: string) => `select json_build_object('data', json_agg(hit)) as answer from (
  select 'message' as matched, m.id, m.number, m.created_at, m.type, m.private, m.user_id, m.customer_id,
    left(m.body, 240) as excerpt,
    (select to_json(x) from (select ${CONVERSATION}, ${CUSTOMER.replace('%', 'c.customer_id')} as customer) x) as conversation
  from (${subquery}) w join messages m on m.account_id = $1 and m.id = w.message_id
  join conversations c on c.account_id = $1 and c.id = m.conversation_id
  order by w.created_at desc, w.message_id desc) hit`

/** Newest first until a page is full: for words that many messages have. */
const NEWEST_WITH = `select message_id, created_at from message_words
  where account_id = $1 and words @@ (quote_literal($2) || ':*')::tsquery order by created_at desc, message_id desc limit 20`

/** By the index of words, for all days of the bench's company: for words that few messages have. */
const INDEXED_WITH = `select message_id, created_at from message_words
  where search_keys(account_id, search_day(created_at), words, user_id) @@ any(array(
      select (quote_literal(search_scope($1, day) || $2) || ':*')::tsquery
      from generate_series(search_day(now()), search_day(now() - interval '61 days'), -1) day))
    and account_id = $1 and words @@ (quote_literal($2) || ':*')::tsquery order by created_at desc, message_id desc limit 20`

/** By the names of paths of the least server. */
export const LEAST_READS = {
  open: `select json_build_object('data', json_agg(page)) as answer from (select ${EXPANDED}, m.email_html from messages m
    where m.account_id = $1 and m.conversation_id = $2 order by m.number desc limit 51) page`,
  list: PAGE.replace('%', `('infinity'::timestamptz, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)`),
  listAfter: PAGE.replace('%', `(split_part($2, ' ', 1)::timestamptz, split_part($2, ' ', 2)::uuid)`),
  searchMany: hits(NEWEST_WITH),
  searchFew: hits(INDEXED_WITH),
  customer: `select json_build_object('data', (select to_json(x) from (select cu.*,
    (select to_json(co) from companies co where co.account_id = $1 and co.id = cu.company_id) as company,
    array(select to_json(t) from customer_tags ct join tags t on t.account_id = ct.account_id and t.id = ct.tag_id
      where ct.account_id = $1 and ct.customer_id = cu.id) as tags,
    array(select to_json(n) from customer_notes n where n.account_id = $1 and n.customer_id = cu.id) as notes,
    array(select to_json(i) from customer_issues ci join issues i on i.account_id = ci.account_id and i.id = ci.issue_id
      where ci.account_id = $1 and ci.customer_id = cu.id) as issues
    from customers cu where cu.account_id = $1 and cu.id = $2) x)) as answer`,
  unread: `select json_build_object('data', (select json_object_agg(counter, count) from (
    select counter, sum(count) as count from unread_counters where account_id = $1 group by counter) x)) as answer`,
}
