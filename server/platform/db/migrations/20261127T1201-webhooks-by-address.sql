-- What is due at one webhook, in its order, so that what waits at a busy one is passed over unread.
create index webhook_deliveries_due_at on webhook_deliveries (account_id, subscription_id, next_attempt_at, seq)
  where state = 'pending';

-- What is being sent: few, and not to be looked for among all that waits.
create index webhook_deliveries_leased on webhook_deliveries (leased_until)
  where state = 'pending' and leased_until is not null;
