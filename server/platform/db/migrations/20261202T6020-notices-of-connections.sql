-- What a person should look at although the connection works: for example, that no copies of sent mails can be stored.
alter table authorizations
  add column notice text,
  add column notice_at timestamptz(3);
