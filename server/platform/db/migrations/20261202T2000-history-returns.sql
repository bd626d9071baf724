-- An hourly job used to archive conversations two weeks after they were closed, which removed them from all lists, the
-- search and their customer's page. Archiving is what "Delete" does, and nothing else does it any more.
--
-- What that job archived comes back. What a person deleted stays deleted: in doubt, a conversation is left where it is,
-- and admins find it among the deleted ones. The two differ in this:
--
-- * The job set archived_at and nothing else. A person's deletion sets updated_at in the same moment. So a conversation
--   whose last change is at least a day older than archived_at was archived by the job. The day allows for wrong clocks.
-- * One statement of the job gave the same archived_at, to the millisecond, to all conversations it archived. Those
--   that were changed later, such as by deleting their inbox, are recognized by the others.
-- * The job only took conversations closed for two weeks. A person's deletion is in the audit log, as an entry that is
--   not older than archived_at; deletions of several at once were not recorded there. A deleted customer's
--   conversations are deleted, too.
--
-- They are only listed here. A schedule restores them in batches, because each one's messages are indexed for the search.
create table archived_by_age (
  account_id uuid not null,
  conversation_id uuid not null,
  primary key (account_id, conversation_id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);

insert into archived_by_age (account_id, conversation_id)
with candidates as materialized (
  select c.account_id, c.id, c.archived_at, c.updated_at
  from conversations c
    join customers u on u.account_id = c.account_id and u.id = c.customer_id and u.deleted_at is null
  where c.status = 'closed' and c.archived_at >= c.closed_at + interval '14 days' and c.archived_at <= now()
    and not exists (
      select from audit_entries e
      where e.account_id = c.account_id and e.action = 'conversation.deleted' and e.subject_id = c.id::text
        and e.created_at > c.archived_at - interval '1 day')
)
select account_id, id from candidates
where archived_at in (select archived_at from candidates where updated_at < archived_at - interval '1 day');

drop index conversations_to_archive;
