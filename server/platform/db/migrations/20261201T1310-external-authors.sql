-- The name of somebody without an account who answered in Slack or Mattermost. The message has a user_id nevertheless,
-- which published clients need; only the server sets this.
alter table messages add column external_author text;
update messages set external_author = left(metadata->>'slack_author', 255)
from external_messages
where external_messages.account_id = messages.account_id and external_messages.message_id = messages.id
  and external_messages.direction = 'in' and messages.user_id is not null and messages.metadata->>'slack_author' is not null;
