-- The character encoding by which an imported file was read; null for text that was sent as such.
alter table customer_imports add column encoding text;

-- Customers are found by phone number, also for each row of an imported list.
create index customers_by_phone on customers (account_id, regexp_replace(phone, '[^0-9]', '', 'g')) where phone is not null;
