-- How far the mailbox of MAIL_IN_IMAP_URL was read, and what is wrong with it. It takes the mail of the whole installation, so it belongs to no account.
alter table installation add column mail_in jsonb;
