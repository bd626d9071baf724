-- What the author of a draft wrote, if its text is a translation of that.
alter table drafts add column original_body text;
