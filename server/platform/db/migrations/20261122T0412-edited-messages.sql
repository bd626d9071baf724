-- When the words of a message were last changed. Settles which of two states of it is the newer one.
alter table messages add column edited_at timestamptz(3);
