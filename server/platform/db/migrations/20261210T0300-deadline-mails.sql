-- Whether a user is mailed before the deadline of one of their conversations, or of one that nobody is assigned to.
alter table user_settings add column email_alert_on_deadline boolean not null default false;
