import type { Check } from '../moving-in/reader.ts'

/** The account of a row is not among the accounts that are moved, or it has none. */
const NO_ACCOUNT = `case when o.account_id is null then 'has no account' when not exists (select from accounts a where a.id = o.account_id) then 'its account does not exist'`
const byId = (target: string) => `exists (select from ${target} t where t.id = o.id)`
const of = (table: string, target: string, reason: string): Check => ({
  table,
  target,
  isMoved: byId(target),
  reason: `${NO_ACCOUNT} else '${reason}' end`,
})

/** How to tell, for each staged row, whether it is in Parley; and if not, why. */
export const CHECKS: Check[] = [
  { table: 'accounts', target: 'accounts', isMoved: byId('accounts'), reason: `'could not be stored'` },
  {
    table: 'users',
    target: 'users',
    isMoved: 'exists (select from users t where t.id = o.id and t.account_id = o.account_id)',
    reason: `${NO_ACCOUNT} when o.email is null then 'has no e-mail address' when o.id >= 2147483648 then 'its number is too large'
      else 'its number or e-mail address belongs to somebody in Parley' end`,
  },
  {
    table: 'user_profiles',
    isMoved: 'exists (select from users t where t.id = o.user_id)',
    reason: `'its person does not exist'`,
  },
  {
    table: 'user_settings',
    target: 'user_settings',
    isMoved: 'exists (select from user_settings t where t.user_id = o.user_id)',
    reason: `'its person does not exist'`,
  },
  { ...of('user_invitations', 'user_invitations', ''), reason: `${NO_ACCOUNT} else 'has expired' end` },
  of('inboxes', 'inboxes', 'could not be stored'),
  of('widget_settings', 'widget_settings', 'another row is in use for its inbox'),
  of('companies', 'companies', 'could not be stored'),
  of('customers', 'customers', 'could not be stored'),
  of('conversations', 'conversations', 'could not be stored'),
  {
    table: 'messages',
    target: 'messages',
    isMoved: byId('messages'),
    reason: `case when o.conversation_id is null then 'has no conversation' else 'its conversation does not exist' end`,
  },
  of('files', 'files', 'could not be stored'),
  {
    table: 'message_files',
    target: 'message_files',
    isMoved: 'exists (select from message_files t where t.message_id = o.message_id and t.file_id = o.file_id)',
    reason: `'its message or file is missing, or in another account'`,
  },
  {
    table: 'mentions',
    target: 'mentions',
    isMoved: 'exists (select from mentions t where t.message_id = o.message_id and t.user_id = o.user_id)',
    reason: `'its message or person is missing, or in another account'`,
  },
  {
    table: 'tags',
    target: 'tags',
    isMoved: `exists (select from tags t where t.id = o.id or (t.account_id = o.account_id and t.name = o.name))`,
    reason: `'its account does not exist'`,
  },
  {
    table: 'conversation_tags',
    target: 'conversation_tags',
    isMoved: `exists (select from conversation_tags t join tags g on g.account_id = t.account_id and g.id = t.tag_id
      join old_tags n on n.id = o.tag_id where t.conversation_id = o.conversation_id and (g.id = n.id or g.name = n.name))`,
    reason: `'its conversation or tag is missing, or in another account'`,
  },
  {
    table: 'customer_tags',
    target: 'customer_tags',
    isMoved: `exists (select from customer_tags t join tags g on g.account_id = t.account_id and g.id = t.tag_id
      join old_tags n on n.id = o.tag_id where t.customer_id = o.customer_id and (g.id = n.id or g.name = n.name))`,
    reason: `'its customer or tag is missing, or in another account'`,
  },
  of('notes', 'customer_notes', 'its customer or author is missing, or in another account'),
  { table: 'issues', target: 'issues', isMoved: byId('issues'), reason: `'its account does not exist'` },
  {
    table: 'customer_issues',
    target: 'customer_issues',
    isMoved: 'exists (select from customer_issues t where t.customer_id = o.customer_id and t.issue_id = o.issue_id)',
    reason: `'its customer or issue is missing, or in another account'`,
  },
  of('canned_responses', 'saved_replies', 'a reply with its name exists'),
  {
    table: 'personal_api_keys',
    target: 'personal_api_keys',
    isMoved: byId('personal_api_keys'),
    reason: `'its person does not exist, or the key belongs to somebody else'`,
  },
  of('event_subscriptions', 'event_subscriptions', 'its URL is not a web address'),
  {
    table: 'lambdas',
    target: 'functions',
    isMoved: byId('functions'),
    reason: `'its code was only in the AWS account of the old server'`,
  },
]
