-- Since when a mail is kept because there was no mail server to hand it to.
alter table mails add column kept_at timestamptz(3);
update mails set kept_at = created_at
where sent_at is null and failed_at is null and tries = 0 and sending_until is null and kind <> 'conversation';
create index mails_kept on mails (account_id, created_at) where kept_at is not null;
