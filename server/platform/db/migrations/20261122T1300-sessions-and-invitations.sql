-- Whether a renew token was traded by a client that can ask again with the same key. Only such a client never sends a
-- token that it has traded, so only then does seeing it again mean that somebody holds a copy.
alter table spent_renew_tokens add column had_retry_key boolean not null default false;

-- An invitation is opened by a token of which only the hash is kept. Until now the row's id was that token, so links
-- that were given out go on working.
alter table user_invitations add column token_hash bytea;
update user_invitations set token_hash = sha256(convert_to(id::text, 'utf8'));
alter table user_invitations alter column token_hash set not null;
create unique index user_invitations_token on user_invitations (token_hash);
drop index user_invitations_id;
