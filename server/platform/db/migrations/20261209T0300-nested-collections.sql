-- The collection around it; null at the top. A collection that has one contains none itself.
alter table article_collections add column parent_id uuid;
-- Checked at the end, because backups write collections in the order of their ids.
alter table article_collections add foreign key (account_id, parent_id) references article_collections (account_id, id)
  on delete set null (parent_id) deferrable initially deferred;
