-- Whoever has asked for no more messages is known by the number, which moves when customers are merged.
alter table external_identities add column unsubscribed_at timestamptz(3);
update external_identities i set unsubscribed_at = now()
from customers c
where i.integration = 'twilio' and c.account_id = i.account_id and i.customer_id in (c.id, c.merged_into)
  and c.metadata ? 'sms_unsubscribed_at';
