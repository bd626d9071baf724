-- Since when the operator does not let this company use the server.
alter table accounts add column suspended_at timestamptz(3);
