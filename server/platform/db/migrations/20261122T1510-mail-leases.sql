-- A mail is handed to the mail server outside of any transaction: an open one would hold up everybody who reads the log
-- of events. Who sends it says so here; another may take it over once that moment has passed.

alter table mails add column sending_until timestamptz(3);
