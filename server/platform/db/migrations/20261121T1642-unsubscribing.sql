-- A customer who wants no mails when the team answers.
alter table customers add column unsubscribed_at timestamptz(3);
