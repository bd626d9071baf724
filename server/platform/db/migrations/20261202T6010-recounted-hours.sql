-- The name that was chosen for the account when its figures were counted: tells whether they are of another time zone.
alter table reporting_time_zones add column chosen_time_zone text;
update reporting_time_zones z set chosen_time_zone = a.time_zone from accounts a where a.id = z.account_id;

-- The last minute of working hours was counted, and hours of days on which clocks are set forward or back were not right.
update reporting_time_zones set has_totals = false where working_hours <> '[]';
