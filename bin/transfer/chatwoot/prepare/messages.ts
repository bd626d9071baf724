import { newId, object } from '../expressions.ts'
import { picturesIn } from './functions.ts'

/** An outgoing or incoming message; the team's history (2) is no message, and unknown types are anomalies. */
const SAID = 'm.message_type in (0, 1, 3)'

/** “Unsupported message” in the language of the account, by Chatwoot's number of it. */
const UNSUPPORTED = `case a.locale when 3 then 'Message non pris en charge' when 4 then 'Nicht unterstützte Nachricht'
  when 12 then 'Mensaje no compatible' when 16 then 'Mensagem não suportada' when 21 then 'Tin nhắn không được hỗ trợ' else 'Unsupported message' end`

/** Attachments without a file are lines of the message (`lines_beside`): links, places, cards of contacts. */
const LINES = `
create temporary table lines_beside on commit drop as
select message_id, string_agg(line, E'\\n' order by id) as lines
from (
  select o.id, o.message_id, case
    when o.file_type = 4 then concat_ws(': ', nullif(btrim(o.fallback_title), ''), o.coordinates_lat || ', ' || o.coordinates_long)
    when o.file_type = 8 then nullif(concat_ws(' ', o.fallback_title, nullif(btrim(concat_ws(' ', o.meta ->> 'firstName', o.meta ->> 'lastName')), '')), '')
    else concat_ws(': ', nullif(btrim(o.fallback_title), ''), case when o.external_url ~* '^https?://' then o.external_url end) end as line
  from old_attachments o
  where not exists (select from attached_blobs b where b.attachment_id = o.id)) l
where line <> '' group by message_id;
create unique index on lines_beside (message_id)`

/** The file of each attachment (`attached_blobs`). */
const BLOBS = `
create temporary table attached_blobs on commit drop as
select distinct on (s.record_id) s.record_id as attachment_id, b.id as blob_id
from old_active_storage_attachments s join old_active_storage_blobs b on b.id = s.blob_id
where s.record_type = 'Attachment' and s.name = 'file' order by s.record_id, b.id;
create unique index on attached_blobs (attachment_id);
create unique index on old_active_storage_blobs (id);
create index on old_active_storage_attachments (blob_id)`

/**
 * The messages that are moved (`said`), with their text. Deleted ones, and what belongs to no conversation, are not among
 * them.
 */
const SAID_STEP = `
create temporary table said on commit drop as
select m.id, ${newId('messages', 'm.id')} as message_id, t.account, t.account_id, t.id as thread, t.uuid as conversation_id, t.customer_id,
  t.contact_id, t.source, m.message_type, coalesce(m.private, false) as private, m.sender_type, m.sender_id, m.content_type, m.status,
  nullif(btrim(m.source_id), '') as source_id, m.created_at, m.updated_at, x.attributes, ${object('m.additional_attributes')} as more,
  case when btrim(coalesce(m.content, '')) = '' and x.attributes ->> 'is_unsupported' = 'true' then ${UNSUPPORTED}
    when m.private and m.content like '%mention://%' then pg_temp.with_names(m.content, t.account)
    when m.message_type = 1 then regexp_replace(m.content, E'\\\\\\\\(\\r?\\n)', E'\\\\1', 'g') else m.content end as body
from old_messages m
join threads t on t.id = m.conversation_id
join old_accounts a on a.id = t.account
cross join lateral (select pg_temp.as_object(m.content_attributes) as attributes offset 0) x
where ${SAID} and x.attributes ->> 'deleted' is distinct from 'true';
update said set body = pg_temp.with_choices(body, attributes) where attributes ?| array['items', 'submitted_values'];
update said set body = nullif(concat_ws(E'\\n', nullif(body, ''), l.lines), '') from lines_beside l where l.message_id = said.id;
create unique index on said (id);
create unique index on said (message_id);
create index on said (thread);
analyze said`

/** The people whom a note names (`named`): Chatwoot writes them as links, by their numbers. */
const NAMED = `
create temporary table named on commit drop as
select distinct s.id as message_id, p.user_id, p.id, p.is_member, p.display_name, p.full_name
from said s join old_messages m on m.id = s.id
cross join lateral regexp_matches(m.content, 'mention://user/(\\d{1,18})', 'g') mention
join people p on p.account = s.account and p.user_id = mention[1]::bigint
where s.private and s.message_type = 1 and m.content like '%mention://user/%';
create index on named (message_id)`

/**
 * Pictures inside mails (`mail_pictures`). Their files belong to no record, and a mail is a stranger's text that may name
 * the file of anybody: so only files that nothing else owns, and that arrived together with that mail.
 */
const PICTURES = `
create temporary table mail_pictures on commit drop as
select distinct s.id as message_id, p.address, b.id as blob_id
from said s
cross join lateral ${picturesIn(`coalesce(s.attributes #>> '{email,html_content,full}', '')`)} p
join old_active_storage_blobs b on b.id = p.blob_id
where s.attributes #>> '{email,html_content,full}' like '%/rails/active_storage/%'
  and b.created_at between s.created_at - interval '1 hour' and s.created_at + interval '1 hour'
  and not exists (select from old_active_storage_attachments o where o.blob_id = b.id and o.record_type <> 'ActiveStorage::VariantRecord');
delete from mail_pictures p using said s where s.id = p.message_id and exists (
  select from mail_pictures q join said r on r.id = q.message_id where q.blob_id = p.blob_id and r.account <> s.account);
create index on mail_pictures (message_id)`

export const MESSAGE_STEPS = [BLOBS, LINES, SAID_STEP, NAMED, PICTURES]
