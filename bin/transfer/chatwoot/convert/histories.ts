import { LONG_BODY } from '../../moving-in/long-bodies.ts'
import type { Conversion } from '../../moving-in/reader.ts'
import { at, newId } from '../expressions.ts'

/** A heading in the language of the account, by Chatwoot's number of it. */
const HEADING = `case a.locale when 3 then 'Historique dans Chatwoot (heures UTC)' when 4 then 'Verlauf in Chatwoot (Zeiten in UTC)'
  when 12 then 'Historial en Chatwoot (horas en UTC)' when 16 then 'Histórico no Chatwoot (horários em UTC)'
  when 21 then 'Lịch sử trong Chatwoot (giờ UTC)' else 'History in Chatwoot (times in UTC)' end`

/**
 * The lines of the team's history ("Conversation was marked resolved by Ada") by conversation (`histories`), if the
 * operator wants them. Chatwoot stores them as finished sentences without an author, so nothing can be told from them.
 */
export const HISTORIES = `
create temporary table histories on commit drop as
select t.id as thread, ${newId('histories', 't.id')} as message_id, l.last_at,
  left(${HEADING} || E'\\n\\n' || l.lines, ${LONG_BODY}) as body
from threads t join old_accounts a on a.id = t.account
join (
  select m.conversation_id, max(m.created_at) as last_at,
    string_agg('- ' || to_char(m.created_at, 'YYYY-MM-DD HH24:MI') || ' ' || btrim(m.content), E'\\n' order by m.created_at, m.id) as lines
  from old_messages m where m.message_type = 2 and btrim(m.content) <> '' and current_setting('parley.import_activities') = 'notes'
  group by 1) l on l.conversation_id = t.id;
create unique index on histories (thread)`

/** One private note for each conversation, behind its messages: as messages of their own these lines would bury the others. */
export const HISTORY_NOTES: Conversion[] = [
  {
    table: 'messages',
    sql: `
update messages m set body = h.body from histories h join threads t on t.id = h.thread
where m.account_id = t.account_id and m.id = h.message_id and m.body is distinct from h.body`,
  },
  {
    table: 'messages',
    sql: `
insert into messages (account_id, id, conversation_id, number, body, type, private, source, sent_at, metadata, created_at)
select v.account_id, h.message_id, v.id, coalesce(n.last, 0) + 1, h.body, 'note', true, v.source, x.at, '{"chatwoot": {"activity": true}}', x.at
from histories h join threads t on t.id = h.thread
join conversations v on v.account_id = t.account_id and v.id = t.uuid
left join lateral (
  select max(number) as last, max(created_at) as at from messages m where m.account_id = v.account_id and m.conversation_id = v.id) n on true
cross join lateral (select greatest(${at('h.last_at')}, n.at) as at) x
on conflict do nothing`,
  },
]
