-- The language of a message's text, as the server recognises it. Null where that is not certain.
alter table messages add column language text;

-- Messages in other languages: what the model wrote for the team, or the author before a message was translated and sent. The
-- customer sees none of it.
create table message_translations (
  account_id  uuid not null,
  message_id  uuid not null,
  language    text not null,
  body        text not null,
  -- Whether the author wrote it, and the message is its translation.
  is_original boolean not null default false,
  -- Numbers of the message that it lacks.
  missing     text[] not null default '{}',
  created_at  timestamptz(3) not null default now(),
  primary key (account_id, message_id, language),
  foreign key (account_id, message_id) references messages (account_id, id) on delete cascade
);

-- What its author wrote, if a scheduled message is a translation of it.
alter table scheduled_messages add column original_body text;

-- Languages that a user reads beside that of the screens, so that messages in them need no translation.
alter table user_settings add column read_languages text[] not null default '{}';

-- Kept for a week to save requests; those of before have not all fields.
delete from written_texts;
