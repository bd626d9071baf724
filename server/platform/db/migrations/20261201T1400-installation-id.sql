-- Tells databases apart, wherever they are: the server notes the id of its own in the data folder, and commands compare it.
alter table installation add column id uuid not null default gen_random_uuid();
