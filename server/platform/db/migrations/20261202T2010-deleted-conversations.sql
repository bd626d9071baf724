-- Admins see deleted conversations, the last deleted first, and who deleted each.
create index conversations_deleted on conversations (account_id, archived_at desc, id desc) where archived_at is not null;
create index audit_entries_of_deletions on audit_entries (account_id, subject_id, created_at desc)
  where action in ('conversation.deleted', 'customer.deleted');
