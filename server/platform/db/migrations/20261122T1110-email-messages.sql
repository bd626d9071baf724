-- What a message looks like is decided by columns that the server alone writes. Metadata is for whoever sends a message,
-- visitors among them.
alter table messages
  add column email_subject text,
  add column email_html text;
update messages set
  email_subject = coalesce(metadata ->> 'gmail_subject', metadata ->> 'ses_subject'),
  email_html = metadata ->> 'ses_html'
where source = 'email' and metadata ?| array['gmail_subject', 'ses_subject', 'ses_html'];
