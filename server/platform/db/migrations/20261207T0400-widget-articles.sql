-- Whether the chat of an inbox shows articles before the first message, once the account has published its help centre.
alter table widget_settings add column offers_articles boolean not null default true;
