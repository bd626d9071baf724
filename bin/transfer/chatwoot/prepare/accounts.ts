import { newId } from '../expressions.ts'
import { TABLES } from '../tables.ts'

/**
 * The accounts that are moved (`moved_accounts`): those that were named; otherwise those that are in use. Anybody can sign
 * up on many installations, so there are accounts of one person who never wrote anything.
 */
const MOVED = `
create temporary table moved_accounts on commit drop as
select o.id, ${newId('accounts', 'o.id')} as account_id
from old_accounts o
where case when current_setting('parley.import_accounts') <> '' then o.id::text = any (string_to_array(current_setting('parley.import_accounts'), ','))
  else coalesce(o.status, 0) <> 1 and (exists (select from old_conversations v where v.account_id = o.id)
    or (select count(*) from old_account_users m where m.account_id = o.id) > 1
    or exists (select from accounts a where a.id = ${newId('accounts', 'o.id')})) end;
create temporary table other_accounts on commit drop as
select id from old_accounts where id not in (select id from moved_accounts)`

/**
 * Removes what belongs to accounts that stay behind. A message belongs to the account of its conversation, a tagging to
 * that of its row, a person to all of theirs. What belongs to no account stays, and is set aside.
 */
const OTHERS = `
create temporary table other_conversations on commit drop as
select id from old_conversations where account_id in (select id from other_accounts);
create temporary table other_contacts on commit drop as
select id from old_contacts where account_id in (select id from other_accounts);
create temporary table other_people on commit drop as
select distinct user_id as id from old_account_users where account_id in (select id from other_accounts);
delete from old_messages where conversation_id in (select id from other_conversations)
  or (account_id in (select id from other_accounts) and not exists (select from old_conversations v where v.id = conversation_id));
delete from old_taggings where (taggable_type = 'Conversation' and taggable_id in (select id from other_conversations))
  or (taggable_type = 'Contact' and taggable_id in (select id from other_contacts));
delete from old_inbox_members where inbox_id in (select id from old_inboxes where account_id in (select id from other_accounts));
${Object.entries(TABLES)
  .filter(([table, columns]) => columns.account_id && table !== 'messages')
  .map(([table]) => `delete from old_${table} where account_id in (select id from other_accounts)`)
  .join(';\n')}`

/** What the other steps look rows up by. */
const INDEXES = `
create index on old_messages (conversation_id);
create index on old_attachments (message_id);
create index on old_contact_inboxes (contact_id);
create index on old_contact_inboxes (id);
create index on old_contacts (id);
create index on old_conversations (id)`

export const ACCOUNTS = [MOVED, OTHERS, INDEXES]
