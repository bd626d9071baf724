-- What a mirror shows of a conversation now, so that a change that shows nothing new is not sent.
alter table external_threads add column shown_status text;
