-- Some channels take free text only for a time after the customer's last message. Null where the customer has not written.
alter table conversations add column reply_until timestamptz(3);

-- When the channel reported that the customer's device has the message. Null where it does not, or does not tell.
alter table deliveries add column delivered_at timestamptz(3);

-- The approved template that a reply over WhatsApp is sent as. Its body is the text with the values filled in.
create table whatsapp_template_messages (
  account_id uuid not null,
  message_id uuid not null,
  name       text not null,
  language   text not null,
  -- The values of its variables by their names, or by their numbers: {"1": "Kim"}.
  variables  jsonb not null,
  primary key (account_id, message_id),
  foreign key (account_id, message_id) references messages (account_id, id) on delete cascade
);
