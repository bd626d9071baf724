-- What was written down of a message goes with the message.
create index webhook_deliveries_of_conversation on webhook_deliveries (account_id, conversation_id);
