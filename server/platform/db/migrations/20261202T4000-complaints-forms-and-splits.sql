-- Since when a person gets no automatic mail, because they have marked a mail as spam.
alter table customers add column complained_at timestamptz(3);

-- Mails to this address are written by forms in the name of the people in Reply-To.
alter table forwarding_addresses add column takes_forms boolean not null default false;

-- The conversation from which a mail was split off, so that this can be undone.
alter table message_mails add column split_from uuid;
