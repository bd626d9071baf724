import type pg from 'pg'
import { newId } from './expressions.ts'

/** A table for what people should know, as sentences of the report (`remarks`). */
export const REMARKS_TABLE = `create temporary table remarks (n bigint generated always as identity, line text) on commit drop`

const OF = `join accounts c on c.id`

/** SQL for a number of rows with what is said of them. */
const counted = (singular: string, plural: string) =>
  `count(*) || case count(*) when 1 then ' ${singular}' else ' ${plural}' end`

/** Queries for single sentences, in the order of the report. */
const SENTENCES = [
  `select 'Nobody can sign in as an admin of ' || c.company_name || '. Run: npm run parley -- make-admin EMAIL' from moved_accounts a ${OF} = a.account_id
   where not exists (select from users u where u.account_id = c.id and u.role = 'admin' and u.disabled_at is null)`,
  `select coalesce(p.full_name, p.display_name, w.email, 'Person ' || p.user_id) || coalesce(' (' || nullif(w.email, '') || ')', '') || ' is a former teammate in ' || c.company_name
     || case when h.company_name is not null then ', because an address opens one company and theirs opens ' || h.company_name || '. Invite them with another address if they need both.'
       else ': nobody signs in as them.' end
   from people p ${OF} = p.account_id left join old_users w on w.id = p.user_id
   left join lateral (select k.company_name from people q join accounts k on k.id = q.account_id where q.user_id = p.user_id and q.is_member limit 1) h on true
   where not p.is_member and p.user_id > 0 and w.id is not null order by p.account, p.user_id`,
  `select ${counted('person administers', 'people administer')} || ' Chatwoot’s whole installation. In Parley the operator’s commands do that.' from old_users where type = 'SuperAdmin' having count(*) > 0`,
  `select ${counted('person had', 'people had')} || ' a role of your own that narrows what they see. In Parley they see everything.' from old_account_users where custom_role_id is not null having count(*) > 0`,
  `select 'Replies in the inbox “' || coalesce(i.name, '') || '” (' || c.company_name || ', ' || coalesce(regexp_replace(i.channel_type, '^Channel::', ''), 'unknown channel') || ') go nowhere: Parley has no such channel.'
   from old_inboxes i join moved_accounts a on a.id = i.account_id ${OF} = a.account_id
   left join old_channel_twilio_sms s on i.channel_type = 'Channel::TwilioSms' and s.id = i.channel_id
   where coalesce(i.channel_type, '') not in ('Channel::WebWidget', 'Channel::Api', 'Channel::Email', 'Channel::TwilioSms', 'Channel::Sms') or s.medium = 1 order by i.id`,
  `select 'Connect the mailbox of the inbox “' || coalesce(i.name, '') || '”' || coalesce(' (' || e.email || ')', '') || ' under Integrations, or forward its mail; both servers must not read it at once.'
   from old_inboxes i join moved_accounts a on a.id = i.account_id left join old_channel_email e on e.id = i.channel_id where i.channel_type = 'Channel::Email' order by i.id`,
  `select 'The working hours of the inbox “' || coalesce(i.name, '') || '” are left out, because its time zone (' || coalesce(i.timezone, 'none') || ') is not the company’s.'
   from old_inboxes i join moved_accounts a on a.id = i.account_id ${OF} = a.account_id
   where i.working_hours_enabled and nullif(btrim(i.timezone), '') is distinct from c.time_zone order by i.id`,
  `select 'Conversations of the team “' || btrim(o.name) || '” are assigned by hand. Choose under Settings → Teams whether they are handed out.' from old_teams o
   join moved_accounts a on a.id = o.account_id join teams t on t.account_id = a.account_id and t.id = ${newId('teams', 'o.id')} order by o.id`,
  `select 'The saved reply “' || coalesce(short_code, '') || '” has places to fill in, such as {{contact.name}}, which stay as they are.' from old_canned_responses where content like '%{{%' order by id`,
  `select 'The webhook ' || url || ' is off: what Parley sends looks otherwise, so change its receiver first.' from old_webhooks o
   join moved_accounts a on a.id = o.account_id where exists (select from event_subscriptions e where e.account_id = a.account_id and e.webhook_url = o.url) order by o.id`,
  `select 'The automation rule “' || btrim(o.name) || '” is switched off. Look at it under Settings → Rules before you switch it on.' from old_automation_rules o
   join moved_accounts a on a.id = o.account_id where exists (select from rules r where r.account_id = a.account_id and r.id = ${newId('automation_rules', 'o.id')}) order by o.id`,
  `select 'The help center of ' || c.company_name || ' has a new address and is not published yet. Look at it under Help center, then publish it.'
   from moved_accounts a ${OF} = a.account_id where exists (select from old_articles o where o.account_id = a.id)
   and exists (select from help_centers h where h.account_id = c.id and not h.is_published)`,
  `select count(*) || ' contacts share the phone number ' || phone || '. Nobody is joined by such a sign; merge them in Parley if they are one person.'
   from people_outside where phone is not null group by account, phone having count(*) > 1 order by phone limit 200`,
  `select ${counted('conversation has', 'conversations have')} || ' the unknown status ' || status || ', and ' || case count(*) when 1 then 'is' else 'are' end || ' open.' from old_conversations where status not between 0 and 3 group by status`,
  `select ${counted('message has', 'messages have')} || ' the unknown content type ' || content_type || ', and ' || case count(*) when 1 then 'is' else 'are' end || ' moved as text.' from old_messages where content_type not between 0 and 12 group by content_type`,
  `select ${counted('attachment has', 'attachments have')} || ' the unknown type ' || file_type || '.' from old_attachments where file_type not between 0 and 12 group by file_type`,
  `select ${counted('person has', 'people have')} || ' the unknown role ' || role || ', and ' || case count(*) when 1 then 'is a member' else 'are members' end || ' of the team.' from old_account_users where role not between 0 and 1 group by role`,
  `select ${counted('review of ratings by the team is', 'reviews of ratings by the team are')} || ' left out.' from old_csat_survey_responses where btrim(csat_review_notes) <> '' having count(*) > 0`,
  `select ${counted('picture of an inbox, bot or company is', 'pictures of inboxes, bots and companies are')} || ' left out.' from old_active_storage_attachments where name = 'avatar' and record_type not in ('User', 'Contact') having count(*) > 0`,
]

/** Notes what nobody finds in the counts of tables. */
export async function addRemarks(client: pg.Client): Promise<void> {
  for (const sentence of SENTENCES) await client.query(`insert into remarks (line) ${sentence}`)
}
