-- Customers are asked by mail how a conversation was, so many hours after it was closed; null for never.
alter table inboxes
  add column rating_mail_hours integer check (rating_mail_hours between 1 and 168);

-- Nobody is asked twice within a month.
create index mails_rating on mails (account_id, recipient) where kind = 'rating';
