-- Small programs of an account that run when something happens.
create table functions (
  account_id       uuid not null references accounts (id) on delete cascade,
  id               uuid not null,
  name             text not null,
  description      text,
  -- As it stands in the editor.
  code             text not null default '',
  language         text not null default 'javascript',
  runtime          text not null default 'nodejs14.x',
  metadata         jsonb,
  events           text[] not null default array['message:created'],
  status           text not null default 'pending' check (status in ('pending', 'active', 'inactive')),
  creator_id       integer,
  -- What runs: the code as it was when it was deployed, and the modules that came with it, by their paths.
  deployed_code    text,
  modules          jsonb not null default '{}',
  last_deployed_at timestamptz(3),
  last_executed_at timestamptz(3),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (account_id, id)
);

-- Runs that wait, and the newest of those that ended.
create table function_runs (
  account_id      uuid not null,
  id              uuid not null,
  seq             bigint generated always as identity,
  function_id     uuid not null,
  event           text not null,
  is_test         boolean not null default false,
  customer_id     uuid,
  conversation_id uuid,
  message_id      uuid,
  state           text not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'failed')),
  -- What the function is given. Null once it ran: the words of customers are not kept twice.
  payload         jsonb,
  result          jsonb,
  error           jsonb,
  logs            jsonb not null default '[]',
  duration_ms     integer,
  -- While a server runs it. One that died lets go by this.
  leased_until    timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  started_at      timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, function_id) references functions (account_id, id) on delete cascade
);
create index function_runs_queued on function_runs (seq) where state = 'queued';
create index function_runs_running on function_runs (account_id) where state = 'running';
create index function_runs_newest on function_runs (account_id, function_id, seq desc);
create index function_runs_of_customer on function_runs (account_id, customer_id);
create index function_runs_of_message on function_runs (account_id, message_id);

-- A function calls with a key of its own, which goes with it. It acts as whoever deployed the function, within what
-- functions may do.
alter table personal_api_keys add column function_id uuid;
alter table personal_api_keys
  add foreign key (account_id, function_id) references functions (account_id, id) on delete cascade;
create unique index personal_api_keys_of_function on personal_api_keys (account_id, function_id);
alter table personal_api_keys drop constraint personal_api_keys_scope_check;
alter table personal_api_keys add check (scope in ('read', 'everything', 'function'));
alter table personal_api_keys add check ((scope = 'function') = (function_id is not null));
