-- How often a mail was offered to the mail server. The last answer stands in `failure`, for good once `failed_at` is set.
alter table mails add column tries integer not null default 0;
