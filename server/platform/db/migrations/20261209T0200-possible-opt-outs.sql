-- Since when the customer may have asked for no more messages, in words that only a person can judge. Null again once
-- somebody has sent a reply nevertheless, or the customer has decided.
alter table conversations add column possible_opt_out_at timestamptz(3);
