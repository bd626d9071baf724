-- What each server noticed about its machine.
alter table servers
  -- How far its clock is ahead of the database's; negative if it is behind.
  add column clock_ahead_ms integer,
  -- When it last had no file descriptors left.
  add column descriptors_exhausted_at timestamptz(3);
