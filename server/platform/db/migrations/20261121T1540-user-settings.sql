-- How a person wants to be told of news. The row is made when it is first read.

create table user_settings (
  account_id                      uuid not null,
  user_id                         integer not null,
  id                              uuid not null,
  email_alert_on_new_message      boolean not null default false,
  email_alert_on_new_conversation boolean not null default false,
  expo_push_token                 text,
  notify_about                    text[] not null default '{all}',
  notification_sound              boolean not null default true,
  email_alert_on_mention          boolean not null default true,
  -- Of mails and of the dashboard. Null leaves the choice to the browser.
  language                        text check (language in ('en', 'vi')),
  label_language                  text check (label_language in ('en', 'vi')),
  created_at                      timestamptz(3) not null default now(),
  updated_at                      timestamptz(3) not null default now(),
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
