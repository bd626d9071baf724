-- A file is kept for a day until a message takes it; drafts keep theirs longer. This finds the others.
alter table files add column attached_at timestamptz(3);
update files set attached_at = created_at
where exists (select from message_files m where m.account_id = files.account_id and m.file_id = files.id);
create index files_unused on files (created_at) where attached_at is null;
create index drafts_with_files on drafts (account_id) where file_ids <> '{}';
