-- What the team has not read yet is found without walking a long thread.
create index messages_unread on messages (account_id, conversation_id) where seen_at is null and customer_id is not null;
