-- How the mails of an inbox name their sender, and the signature of those who have none of their own.
alter table inboxes
  -- Such as "{agent} from {company}"; null for the author's name.
  add column sender_name text,
  add column mail_signature text;
