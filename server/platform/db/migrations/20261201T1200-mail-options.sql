-- What the author of a reply chose for its mail: recipients, subject, and whether the earlier mail is quoted. What is
-- null is chosen by the server when it sends.
create table mail_options (
  account_id      uuid not null,
  message_id      uuid not null,
  conversation_id uuid not null,
  recipients      text[],
  cc              text[],
  bcc             text[],
  subject         text,
  quotes          boolean,
  primary key (account_id, message_id),
  foreign key (account_id, message_id) references messages (account_id, id) on delete cascade
);
create index mail_options_of_conversation on mail_options (account_id, conversation_id);

-- Replies that wait to be sent, or can be sent again, have them in their metadata.
insert into mail_options (account_id, message_id, conversation_id, cc, bcc, subject)
select m.account_id, m.id, m.conversation_id,
  case when jsonb_typeof(m.metadata -> 'mail_cc') = 'array'
    then array(select jsonb_array_elements_text(m.metadata -> 'mail_cc')) end,
  case when jsonb_typeof(m.metadata -> 'mail_bcc') = 'array'
    then array(select jsonb_array_elements_text(m.metadata -> 'mail_bcc')) end,
  case when jsonb_typeof(m.metadata -> 'mail_subject') = 'string' then m.metadata ->> 'mail_subject' end
from messages m
where m.metadata ?| array['mail_cc', 'mail_bcc', 'mail_subject'] and m.user_id is not null and exists (
  select from deliveries d where d.account_id = m.account_id and d.message_id = m.id and d.state in ('waiting', 'failed'));
