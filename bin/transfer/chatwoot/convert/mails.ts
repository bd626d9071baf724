import type { Conversion } from '../../moving-in/reader.ts'

/** Longer layouts are not stored, as for mails that arrive. */
const MAX_HTML = 500_000

const EMAIL = `(s.attributes -> 'email')`

/**
 * The Message-ID of an outgoing mail. Older versions did not store it, but always wrote it in the same way; it is what
 * answers refer to.
 */
const SENT_ID = `case when s.source_id like '%@%' then '<' || btrim(s.source_id, '<> ') || '>'
  when d.domain is not null then '<conversation/' || t.uuid || '/messages/' || s.id || '@' || d.domain || '>' end`

/** What mails have beside their text. Answers find their conversation by it, and it is shown with the message. */
export const MAILS: Conversion[] = [
  {
    table: 'message_mails',
    reads: 'messages',
    sql: `
insert into message_mails (account_id, message_id, conversation_id, direction, verdict, message_header, in_reply_to, refs, subject, from_address,
  recipients, cc, bcc, html, created_at)
select m.account_id, m.id, m.conversation_id, 'in', case when ${EMAIL} ->> 'auto_reply' = 'true' then 'automatic' else 'person' end,
  (pg_temp.mail_ids(coalesce(${EMAIL} -> 'message_id', to_jsonb(s.source_id))))[1], pg_temp.mail_ids(${EMAIL} -> 'in_reply_to'), pg_temp.mail_ids(${EMAIL} -> 'references'),
  coalesce(${EMAIL} ->> 'subject', v.subject, ''), coalesce(f.address, c.email),
  pg_temp.addresses(${EMAIL} -> 'to'), pg_temp.addresses(coalesce(${EMAIL} -> 'cc', s.attributes -> 'cc_email')),
  pg_temp.addresses(coalesce(${EMAIL} -> 'bcc', s.attributes -> 'bcc_email')),
  case when length(h.html) <= ${MAX_HTML} then pg_temp.with_pictures(h.html, s.id) end, m.created_at
from said s
join messages m on m.account_id = s.account_id and m.id = s.message_id
join conversations v on v.account_id = m.account_id and v.id = m.conversation_id
join customers c on c.account_id = v.account_id and c.id = v.customer_id
cross join lateral (select (pg_temp.addresses(case jsonb_typeof(${EMAIL} -> 'from') when 'array' then jsonb_build_array(${EMAIL} -> 'from' -> 0) else ${EMAIL} -> 'from' end))[1] as address) f
cross join lateral (select nullif(s.attributes #>> '{email,html_content,full}', '') as html offset 0) h
where s.content_type = 8 and s.message_type = 0 and jsonb_typeof(${EMAIL}) = 'object' on conflict do nothing`,
  },
  {
    table: 'message_mails',
    sql: `
insert into message_mails (account_id, message_id, conversation_id, direction, message_header, subject, from_address, recipients, cc, bcc, html, created_at)
select m.account_id, m.id, m.conversation_id, 'out', ${SENT_ID}, case when v.subject is null or v.subject ~* '^re:' then coalesce(v.subject, '') else 'Re: ' || v.subject end,
  lower(t.channel_address), r.recipients, pg_temp.addresses(s.attributes -> 'cc_emails'), pg_temp.addresses(s.attributes -> 'bcc_emails'),
  case when length(h.html) <= ${MAX_HTML} then pg_temp.with_pictures(h.html, s.id) end, m.created_at
from said s
join threads t on t.id = s.thread and t.source = 'email'
join old_accounts a on a.id = t.account
join messages m on m.account_id = s.account_id and m.id = s.message_id
join conversations v on v.account_id = m.account_id and v.id = m.conversation_id
join customers c on c.account_id = v.account_id and c.id = v.customer_id
cross join lateral (select coalesce(nullif(btrim(a.domain), ''), nullif(current_setting('parley.import_mail_domain'), ''), nullif(split_part(t.channel_address, '@', 2), '')) as domain) d
cross join lateral (select coalesce(nullif(pg_temp.addresses(s.attributes -> 'to_emails'), '{}'), array_remove(array[lower(c.email)], null)) as recipients) r
cross join lateral (select nullif(s.attributes #>> '{email,html_content,full}', '') as html offset 0) h
where s.message_type = 1 and not s.private on conflict do nothing`,
  },
]
