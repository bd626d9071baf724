-- Customers write over Telegram and WhatsApp. Rows that stand already met the narrower rule: they are not read again.
alter table conversations
  drop constraint conversations_source_check,
  add constraint conversations_source_check
    check (source in ('chat', 'slack', 'email', 'sms', 'telegram', 'whatsapp', 'api', 'sandbox')) not valid;
alter table messages
  drop constraint messages_source_check,
  add constraint messages_source_check
    check (source in ('chat', 'slack', 'mattermost', 'email', 'sms', 'telegram', 'whatsapp', 'api', 'sandbox')) not valid;
