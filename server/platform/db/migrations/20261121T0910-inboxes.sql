-- Where conversations arrive, and how the chat window of each place looks.

create table inboxes (
  account_id  uuid not null references accounts (id) on delete cascade,
  id          uuid not null,
  name        text not null,
  description text,
  slug        text,
  is_primary  boolean not null default false,
  is_private  boolean not null default false,
  -- When set, claims about who a visitor is open nothing unless they are signed.
  requires_signed_identity boolean not null default false,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (account_id, id)
);
create unique index inboxes_one_primary on inboxes (account_id) where is_primary;

create table widget_settings (
  account_id                     uuid not null,
  id                             uuid not null,
  inbox_id                       uuid not null,
  color                          text,
  name                           text,
  logo                           text,
  title                          text,
  subtitle                       text,
  greeting                       text,
  away_message                   text,
  new_message_placeholder        text,
  email_input_placeholder        text,
  new_messages_notification_text text,
  quick_reply_options            text,
  language                       text,
  show_agent_availability        boolean not null default false,
  agent_available_text           text,
  agent_unavailable_text         text,
  is_hide_voice                  boolean not null default false,
  is_hide_attachments            boolean not null default false,
  require_email_upfront          boolean not null default false,
  require_name_upfront           boolean not null default false,
  require_phone_upfront          boolean not null default false,
  use_company_profile_only       boolean not null default false,
  is_open_by_default             boolean not null default false,
  is_branding_hidden             boolean not null default false,
  icon_variant                   text not null default 'outlined' check (icon_variant in ('outlined', 'filled')),
  custom_icon_url                text,
  iframe_url_override            text,
  base_url                       text,
  host                           text,
  pathname                       text,
  last_seen_at                   timestamptz(3),
  created_at                     timestamptz(3) not null default now(),
  updated_at                     timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, inbox_id),
  foreign key (account_id, inbox_id) references inboxes (account_id, id) on delete cascade
);
