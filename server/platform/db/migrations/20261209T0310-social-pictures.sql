-- A picture that was made from another one, and how: it lasts as long as that one does.
alter table files add column made_from uuid, add column made_as text;
-- Checked at the end, because backups write files in the order of their ids.
alter table files add foreign key (account_id, made_from) references files (account_id, id)
  on delete set null (made_from) deferrable initially deferred;
create index files_made on files (account_id, made_from) where made_from is not null;
