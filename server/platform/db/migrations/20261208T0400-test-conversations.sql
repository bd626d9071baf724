-- Conversations of test chats (source 'sandbox') are kept apart from the beginning: archived, and listed by themselves. Their
-- customers come from test chats only. Rows that stand already met the narrower rule: they are not read again.
alter table customers
  drop constraint customers_origin_check,
  add constraint customers_origin_check check (origin in ('browser', 'team', 'import', 'proof', 'mail', 'test')) not valid;

-- Also for leaving out what happens in them, whenever the event log is read.
create index conversations_of_tests on conversations (account_id, id) where source = 'sandbox';

update conversations set archived_at = created_at, version = version + 1 where source = 'sandbox' and archived_at is null;

-- The customers of a tag that are listed, without those of test chats.
create or replace function place_tag_of_customer() returns trigger language plpgsql as $$
begin
  -- With a lock, so that a visit noted at this very moment is either read here or finds this row.
  select case when merged_into is null and deleted_at is null and origin <> 'test' then last_seen_at end, email is not null
  into new.last_seen_at, new.has_email
  from customers where account_id = new.account_id and id = new.customer_id for share;
  new.has_email := coalesce(new.has_email, false);
  return new;
end $$;

create or replace function place_tags_of_customer() returns trigger language plpgsql as $$
begin
  update customer_tags set
    last_seen_at = case
      when new.merged_into is null and new.deleted_at is null and new.origin <> 'test' then new.last_seen_at end,
    has_email = new.email is not null
  where account_id = new.account_id and customer_id = new.id;
  return null;
end $$;
