-- Who became part of another customer still says where they worked, for the day that is taken back. Nobody sees it
-- meanwhile, so it must not keep a company that has no customers any more.
alter table customers
  drop constraint customers_account_id_company_id_fkey,
  add foreign key (account_id, company_id) references companies (account_id, id) on delete set null (company_id);
