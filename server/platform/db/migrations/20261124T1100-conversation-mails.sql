-- Messages that came or left as e-mail: what of the mail is not the message's own. By `message_header`, its Message-ID,
-- an answer finds its conversation.

create table message_mails (
  account_id       uuid not null,
  message_id       uuid not null,
  conversation_id  uuid not null,
  -- The mailbox or the like by which it came or left; null for forwarding addresses.
  authorization_id uuid,
  direction        text not null check (direction in ('in', 'out')),
  -- What the mail was when it came in: of a person, of a machine, a report of a mail server.
  verdict          text not null default 'person' check (verdict in ('person', 'automatic', 'list', 'bounce')),
  message_header   text,
  in_reply_to      text[] not null default '{}',
  refs             text[] not null default '{}',
  subject          text not null,
  from_address     text,
  from_name        text,
  -- Whether the domain of `from_address` vouches for it.
  proof            text check (proof in ('pass', 'fail', 'none')),
  -- Where an answer goes.
  answer_to        text,
  recipients       text[] not null default '{}',
  cc               text[] not null default '{}',
  bcc              text[] not null default '{}',
  -- As it was laid out. Null where it had none, or too much.
  html             text,
  gmail_thread     text,
  -- A mail server reported that it did not arrive, or (`bounce_is_final` false) not yet.
  bounced_at       timestamptz(3),
  bounce_is_final  boolean,
  bounce_reason    text,
  created_at       timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, message_id),
  foreign key (account_id, message_id) references messages (account_id, id) on delete cascade
);
create index message_mails_by_header on message_mails (account_id, message_header) where message_header is not null;
create index message_mails_of_conversation on message_mails (account_id, conversation_id, created_at desc);
create index message_mails_of_sender on message_mails (account_id, from_address, created_at desc) where direction = 'in';
create index message_mails_of_gmail on message_mails (account_id, authorization_id, gmail_thread) where gmail_thread is not null;

-- The bytes of mails as they came, in the file store under `key`, for a month. The row outlives its message, so that the
-- bytes are found and removed.
create table mail_originals (
  account_id  uuid not null references accounts (id) on delete cascade,
  message_id  uuid not null,
  customer_id uuid,
  key         text not null,
  size        integer not null,
  created_at  timestamptz(3) not null default now(),
  primary key (account_id, message_id)
);
create index mail_originals_by_age on mail_originals (created_at);
create index mail_originals_of_customer on mail_originals (account_id, customer_id);

-- Who wrote a mail is known by the address it came from.
alter table customers drop constraint customers_origin_check;
alter table customers add constraint customers_origin_check
  check (origin in ('browser', 'team', 'import', 'proof', 'mail')) not valid;
alter table customers validate constraint customers_origin_check;

-- A mail that carries a message of a conversation; it is sent and tried again with its delivery.
alter table mails
  add column message_id uuid,
  add column authorization_id uuid,
  add column cc text[] not null default '{}';

-- What stands below a person's mails.
alter table user_settings add column mail_signature text;
