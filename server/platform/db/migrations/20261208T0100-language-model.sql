-- The language model with which a team writes: one of its own choice, at an address that an admin entered. None by default.
create table language_models (
  account_id         uuid primary key references accounts (id) on delete cascade,
  base_url           text not null,
  model              text not null,
  -- Encrypted. Many servers in one's own network want none.
  api_key            bytea,
  is_enabled         boolean not null,
  tokens_per_month   integer not null,
  -- Of each person.
  requests_per_hour  integer not null,
  -- Whether private notes may leave together with a conversation.
  reads_notes        boolean not null,
  -- Parameters that this model has refused, which are left out from then on.
  refused_parameters text[] not null default '{}'
);

-- What a language model was asked for in a month, by person and purpose. Without a person for what nobody has pressed.
create table language_model_usage (
  account_id uuid not null references accounts (id) on delete cascade,
  id         uuid not null,
  month      date not null,
  user_id    integer,
  purpose    text not null,
  requests   integer not null,
  tokens_in  integer not null,
  tokens_out integer not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create unique index on language_model_usage (account_id, month, user_id, purpose) nulls not distinct;
create index on language_model_usage (account_id, user_id);
create index on language_model_usage (month);
