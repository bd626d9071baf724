-- Closing an account destroys its customers first: what is known of their tabs goes with them.
alter table browser_sessions
  drop constraint browser_sessions_account_id_customer_id_fkey,
  add foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade;
