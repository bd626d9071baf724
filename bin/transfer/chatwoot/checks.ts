import type { Check } from '../moving-in/reader.ts'
import { EVENTS_OF } from './convert/records.ts'
import { newId } from './expressions.ts'

const hasAccount = `exists (select from moved_accounts a where a.id = o.account_id)`
/** The account of a row is not among those that are moved, or it has none. */
const NO_ACCOUNT = `case when o.account_id is null then 'has no account' when not ${hasAccount} then 'its account does not exist'`
const isThere = (target: string, kind: string) => `exists (select from ${target} t where t.id = ${newId(kind, 'o.id')})`
const of = (table: string, target: string, kind: string, reason: string): Check => ({
  table,
  target,
  isMoved: isThere(target, kind),
  reason: `${NO_ACCOUNT} ${reason} end`,
})
/** Why something that the team has set up has no equal here. */
const whyNot = (table: string) => `(select n.reason from not_taken n where n.kind = '${table}' and n.id = o.id)`
const inThread = (reason: string) =>
  `when not exists (select from threads t where t.id = o.conversation_id) then 'its conversation does not exist' else '${reason}'`

const MESSAGES: Check[] = [
  {
    table: 'conversations',
    target: 'conversations',
    isMoved: `exists (select from threads t join conversations v on v.account_id = t.account_id and v.id = t.uuid where t.id = o.id)`,
    reason: `${NO_ACCOUNT} else 'its id belongs to another conversation' end`,
  },
  {
    table: 'messages',
    target: 'messages',
    isMoved: `exists (select from said s join messages t on t.account_id = s.account_id and t.id = s.message_id where s.id = o.id)
      or o.message_type = 2 and btrim(o.content) <> '' and exists (select from histories h join threads v on v.id = h.thread
        join messages t on t.account_id = v.account_id and t.id = h.message_id where h.thread = o.conversation_id)`,
    reason: `case when not exists (select from threads t where t.id = o.conversation_id) then 'its conversation does not exist'
      when o.message_type = 2 then 'is a line of the team’s history: --activities notes keeps those with a text' when coalesce(o.message_type, -1) not in (0, 1, 3) then 'has the unknown type ' || coalesce(o.message_type::text, 'null')
      when not exists (select from said s where s.id = o.id) then 'was deleted' else 'could not be stored' end`,
  },
  {
    table: 'attachments',
    target: 'files',
    isMoved: `exists (select from said s where s.id = o.message_id) and (exists (select from files t where t.id = ${newId('attachments', 'o.id')})
      or exists (select from lines_beside l where l.message_id = o.message_id) and not exists (select from attached_blobs b where b.attachment_id = o.id))`,
    reason: `case when not exists (select from said s where s.id = o.message_id) then 'its message was not moved' else 'has neither a file nor a link' end`,
  },
  {
    table: 'mentions',
    isMoved: `exists (select from named n join said s on s.id = n.message_id where s.thread = o.conversation_id and n.user_id = o.user_id and n.is_member)`,
    reason: `${NO_ACCOUNT} ${inThread('no note names the person, or they are no member')} end`,
  },
  {
    table: 'conversation_participants',
    isMoved: `exists (select from threads t join people p on p.account = t.account and p.user_id = o.user_id where t.id = o.conversation_id)`,
    reason: `${NO_ACCOUNT} ${inThread('its person does not exist')} end`,
  },
  {
    ...of('csat_survey_responses', 'conversation_ratings', 'ratings', ''),
    reason: `${NO_ACCOUNT} when o.rating is null or o.rating not between 1 and 5 then 'is no rating from 1 to 5' ${inThread('a later rating counts for its conversation')} end`,
  },
]

/** How to tell, for each staged row, whether it is in Parley; and if not, why. */
export const CHECKS: Check[] = [
  {
    table: 'accounts',
    target: 'accounts',
    isMoved: `exists (select from moved_accounts a join accounts t on t.id = a.account_id where a.id = o.id)`,
    reason: `case when current_setting('parley.import_accounts') <> '' then 'was not named by --account'
      when o.status = 1 then 'is suspended: name it by --account to move it'
      else 'has no conversation and not more than one person: name it by --account to move it' end`,
  },
  {
    table: 'users',
    target: 'users',
    isMoved: `exists (select from people p join users t on t.account_id = p.account_id and t.id = p.id where p.user_id = o.id)`,
    reason: `'belongs to no account and wrote nothing'`,
  },
  {
    table: 'account_users',
    isMoved: `exists (select from people p join users t on t.account_id = p.account_id and t.id = p.id where p.account = o.account_id and p.user_id = o.user_id and p.is_member)`,
    reason: `${NO_ACCOUNT} when not exists (select from old_users u where u.id = o.user_id) then 'its person does not exist'
      else 'cannot sign in there: their address is missing or wrong, or opens another account' end`,
  },
  of('inboxes', 'inboxes', 'inboxes', `else 'could not be stored'`),
  {
    table: 'inbox_members',
    isMoved: 'false',
    reason: `'in Parley everybody in the team sees every inbox'`,
  },
  {
    table: 'working_hours',
    isMoved: `exists (select from accounts t join moved_accounts a on a.account_id = t.id join old_inboxes i on i.account_id = a.id
      where i.id = o.inbox_id and (coalesce(i.working_hours_enabled, false) = false or o.closed_all_day
        or exists (select from hours_of_days d where d.id = o.id)))`,
    reason: `${NO_ACCOUNT} else 'ends before it begins, or lacks a time' end`,
  },
  of('companies', 'companies', 'companies', `else 'could not be stored'`),
  of(
    'contacts',
    'customers',
    'contacts',
    `when not exists (select from people_outside k where k.id = o.id) then 'is a visitor who never wrote' else 'could not be stored'`,
  ),
  ...MESSAGES,
  of('teams', 'teams', 'teams', `when btrim(o.name) = '' then 'has no name' else 'a team with its name exists'`),
  {
    table: 'team_members',
    isMoved: `exists (select from old_teams n join moved_accounts a on a.id = n.account_id join people p on p.account = a.id and p.user_id = o.user_id
      join team_members t on t.account_id = a.account_id and t.user_id = p.id and t.team_id = ${newId('teams', 'n.id')} where n.id = o.team_id)`,
    reason: `case when not exists (select from old_teams n where n.id = o.team_id) then 'its team does not exist' else 'its person is no member here' end`,
  },
  of(
    'custom_attribute_definitions',
    'attribute_definitions',
    'attributes',
    `when btrim(coalesce(o.attribute_key, '')) = '' then 'has no key' when coalesce(o.attribute_model, -1) not in (0, 1) then 'is of neither contacts nor conversations'
     else 'another attribute has its key, or there are too many'`,
  ),
  of('labels', 'tags', 'labels', `else 'a tag with its name exists, or it has none'`),
  {
    table: 'taggings',
    isMoved: `o.context = 'labels' and (
      o.taggable_type = 'Conversation' and exists (select from threads t join conversation_tags g on g.account_id = t.account_id and g.conversation_id = t.uuid
        join tags n on n.account_id = g.account_id and n.id = g.tag_id join old_tags x on lower(x.name) = lower(n.name) where t.id = o.taggable_id and x.id = o.tag_id)
      or o.taggable_type = 'Contact' and exists (select from people_outside k join customer_tags g on g.account_id = k.account_id and g.customer_id = k.customer_id
        join tags n on n.account_id = g.account_id and n.id = g.tag_id join old_tags x on lower(x.name) = lower(n.name) where k.id = o.taggable_id and x.id = o.tag_id))`,
    reason: `case when o.context <> 'labels' or o.taggable_type not in ('Conversation', 'Contact') then 'is no label of a conversation or contact'
      else 'its conversation, contact or label does not exist' end`,
  },
  of(
    'notes',
    'customer_notes',
    'notes',
    `when btrim(o.content) = '' then 'is blank' else 'its contact does not exist'`,
  ),
  of(
    'canned_responses',
    'saved_replies',
    'canned responses',
    `when btrim(coalesce(o.content, '')) = '' then 'is blank' else 'a reply with its name exists'`,
  ),
  of(
    'webhooks',
    'event_subscriptions',
    'webhooks',
    `when o.url ~* '^https?://' and ${EVENTS_OF} = '{}' then 'Parley has none of its events' else 'its URL is not a web address'`,
  ),
  ...(
    [
      ['macros', 'macros', 'another one has its name'],
      ['custom_filters', 'conversation_views', 'could not be stored'],
      ['automation_rules', 'rules', 'could not be stored'],
    ] as const
  ).map(([table, target, otherwise]) => of(table, target, table, `else coalesce(${whyNot(table)}, '${otherwise}')`)),
  ...(
    [
      ['portals', 'help_centers'],
      ['categories', 'article_collections'],
      ['articles', 'articles'],
    ] as const
  ).map(([table, target]) => ({
    table,
    target,
    isMoved: `${hasAccount} and ${whyNot(table)} is null`,
    reason: `${NO_ACCOUNT} else ${whyNot(table)} end`,
  })),
]
