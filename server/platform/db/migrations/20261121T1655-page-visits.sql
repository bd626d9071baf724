-- The pages to which a customer went, from their first conversation on. The newest few are kept, and they go with the
-- customer.

create table page_visits (
  account_id  uuid not null,
  customer_id uuid not null,
  created_at  timestamptz(3) not null default clock_timestamp(),
  url         text not null,
  primary key (account_id, customer_id, created_at),
  foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade
);
