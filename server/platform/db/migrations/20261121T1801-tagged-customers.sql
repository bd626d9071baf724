-- Beside each tag on a customer stands where the customer stands in the list, so that those who have a tag are counted
-- and read in the order of the list without looking at anybody else. Kept by the database, so that no door can forget.

alter table customer_tags
  -- As of the customer; null while it is not listed, because it was erased or became part of another.
  add column last_seen_at timestamptz(3),
  add column has_email boolean not null default false;

create function place_tag_of_customer() returns trigger language plpgsql as $$
begin
  -- With a lock, so that a visit noted at this very moment is either read here or finds this row.
  select case when merged_into is null and deleted_at is null then last_seen_at end, email is not null
  into new.last_seen_at, new.has_email
  from customers where account_id = new.account_id and id = new.customer_id for share;
  new.has_email := coalesce(new.has_email, false);
  return new;
end $$;
create trigger place_tag_of_customer before insert on customer_tags
  for each row execute function place_tag_of_customer();

create function place_tags_of_customer() returns trigger language plpgsql as $$
begin
  update customer_tags set
    last_seen_at = case when new.merged_into is null and new.deleted_at is null then new.last_seen_at end,
    has_email = new.email is not null
  where account_id = new.account_id and customer_id = new.id;
  return null;
end $$;
create trigger place_tags_of_customer after update of last_seen_at, email, merged_into, deleted_at on customers
  for each row when (
    old.last_seen_at <> new.last_seen_at
    or (old.email is null) <> (new.email is null)
    or old.merged_into is distinct from new.merged_into
    or old.deleted_at is distinct from new.deleted_at
  ) execute function place_tags_of_customer();

update customer_tags t set
  last_seen_at = case when c.merged_into is null and c.deleted_at is null then c.last_seen_at end,
  has_email = c.email is not null
from customers c where c.account_id = t.account_id and c.id = t.customer_id;

drop index customer_tags_by_tag;
create index customer_tags_listed on customer_tags (account_id, tag_id, last_seen_at desc, customer_id desc)
  include (has_email);
