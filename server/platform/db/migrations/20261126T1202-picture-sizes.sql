-- Of pictures that were uploaded since; a page can make room for them before they are there.
alter table files add column width integer;
alter table files add column height integer;
