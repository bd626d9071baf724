-- Who closed a conversation, so that whoever was writing in it learns who to ask. Unknown for what was closed before.
alter table conversations add column closed_by_id integer;
alter table conversations add foreign key (account_id, closed_by_id)
  references users (account_id, id) on delete set null (closed_by_id);
