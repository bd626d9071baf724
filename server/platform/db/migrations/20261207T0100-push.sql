-- Web push: notifications on the devices of the team.

-- The key pair with which this installation identifies itself to push services (VAPID), encrypted. Every device is
-- subscribed with it, so a new one would silence them all.
create table push_keys (
  is_only    boolean primary key default true check (is_only),
  keys       bytea not null,
  created_at timestamptz(3) not null default now()
);

-- Browsers that a user wants to be notified on. A device belongs to the session that registered it, and goes with it.
create table push_devices (
  account_id      uuid not null,
  id              uuid not null,
  user_id         integer not null,
  auth_session_id uuid not null,
  -- Finds a device by the address that its push service gave it. The address itself is a secret.
  endpoint_hash   bytea not null,
  -- Encrypted: the address, and the keys with which messages to it are encrypted.
  subscription    bytea not null,
  -- The host of that address, such as fcm.googleapis.com.
  push_service    text not null,
  user_agent      text,
  -- Of the browser: for users who have chosen no language.
  language        text,
  created_at      timestamptz(3) not null default now(),
  last_success_at timestamptz(3),
  -- Why the last push failed, as a sentence; null once one succeeds.
  problem         text,
  problem_at      timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  foreign key (account_id, auth_session_id) references auth_sessions (account_id, id) on delete cascade
);
create unique index push_devices_endpoint on push_devices (endpoint_hash);
create index push_devices_of_user on push_devices (account_id, user_id);
create index push_devices_of_session on push_devices (account_id, auth_session_id);

-- What a user is notified about on their devices. Without a row the defaults apply.
create table push_settings (
  account_id         uuid not null,
  user_id            integer not null,
  about              text[] not null default '{mine,unassigned,mentions}',
  -- Inboxes about which nothing is pushed.
  muted_inbox_ids    uuid[] not null default '{}',
  -- Quiet hours, such as 22:00 to 07:00, by the clock of the time zone. Null: none.
  quiet_from         text check (quiet_from ~ '^\d\d:\d\d$'),
  quiet_until        text check (quiet_until ~ '^\d\d:\d\d$'),
  time_zone          text not null default 'UTC',
  -- Whether names and texts are shown, also on locked screens.
  shows_text         boolean not null default true,
  -- Minutes after which a mail follows a push about which nobody did anything. Null: none.
  mail_after_minutes integer,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  check ((quiet_from is null) = (quiet_until is null))
);

-- What a user is to be notified about, a row for each conversation. It waits until `due_at`, then is dropped or becomes
-- part of a notification.
create table push_alerts (
  account_id      uuid not null,
  id              uuid not null,
  user_id         integer not null,
  conversation_id uuid not null,
  kind            text not null check (kind in ('message', 'mention', 'assigned', 'deadline_warned', 'deadline_broken')),
  -- The newest message that it is about. Messages can be deleted, so this is no reference.
  message_id      uuid,
  -- How many new messages of the customer.
  messages        integer not null default 0,
  due_at          timestamptz(3) not null,
  created_at      timestamptz(3) not null default now(),
  -- Null while it waits. Several alerts with one id are one notification.
  notification_id uuid,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);
create unique index push_alerts_waiting on push_alerts (account_id, user_id, conversation_id) where notification_id is null;
create index push_alerts_notified on push_alerts (account_id, notification_id) where notification_id is not null;
create index push_alerts_of_user on push_alerts (account_id, user_id, created_at desc);
create index push_alerts_of_conversation on push_alerts (account_id, conversation_id);
create index push_alerts_by_age on push_alerts (created_at);
