-- The session in which a key was made. Published clients read the value of a new key from the list, so it is shown there
-- once, to this session, within the first minute; then this is null.
alter table personal_api_keys add column new_in_session uuid;
