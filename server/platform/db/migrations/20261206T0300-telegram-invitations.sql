-- Links with which a customer continues a conversation in Telegram. Whoever opens one first is that customer.
create table telegram_invitations (
  account_id       uuid not null references accounts (id) on delete cascade,
  id               uuid not null,
  authorization_id uuid not null,
  customer_id      uuid not null,
  conversation_id  uuid not null,
  token_hash       bytea not null,
  created_at       timestamptz(3) not null default now(),
  expires_at       timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, authorization_id) references authorizations (account_id, id) on delete cascade,
  foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade,
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);
create unique index telegram_invitations_by_token on telegram_invitations (account_id, token_hash);
create index telegram_invitations_by_age on telegram_invitations (expires_at);
create index telegram_invitations_of_customer on telegram_invitations (account_id, customer_id);
create index telegram_invitations_of_conversation on telegram_invitations (account_id, conversation_id);
create index telegram_invitations_of_authorization on telegram_invitations (account_id, authorization_id);
