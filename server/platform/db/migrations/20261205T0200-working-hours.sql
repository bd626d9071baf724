-- Days on which the company works at other times than usual, or not at all:
-- [{"date": "2026-12-24", "name": "Christmas Eve", "yearly": true, "periods": [{"start_minute": 540, "end_minute": 720}]}].
alter table accounts add column closed_days jsonb not null default '[]';
-- An inbox's own working hours. Null: those of the account.
alter table inboxes add column working_hours jsonb;
