import { type RawBuilder, sql } from 'kysely'
import { ANONYMOUS, type Customer } from '#contract/customers/customers.ts'
import { nicknameOf } from '#contract/customers/nickname.ts'
import { NotFound } from '../../../errors.ts'
import type { Db } from '../../../platform/db/change.ts'
import { loadTogether } from '../../../platform/db/load-together.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { columnsWhere } from './columns.ts'

/** What is read of a customer for the team. */
export const columns = columnsWhere('team', true)

export type CustomerRow = { [Column in (typeof columns)[number]]: Customer[Column] }

export function presentCustomerRow(row: CustomerRow): Customer {
  return { ...row, object: 'customer', title: titleOf(row), nickname: nicknameOf(row.id) }
}

/** The field `title`, which published clients show: the name, else the address. */
export function titleOf({ name, email }: Pick<Customer, 'name' | 'email'>): string {
  return name || email || ANONYMOUS
}

export function selectCustomers(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('customers').select(columns).$castTo<CustomerRow>()
}

/** One customer; the id of a merged one returns the survivor. */
export async function getCustomer(db: Db, account_id: string, id: string): Promise<Customer> {
  const row = await selectCustomers(db, account_id).where('id', '=', currentId(account_id, id)).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentCustomerRow(row)
}

/** Inside a statement: the id of the survivor if a customer was merged; null for unknown ids and erased customers. */
export function currentId(account_id: string, id: string): RawBuilder<string> {
  return sql`(select coalesce(merged_into, id) from customers
    where account_id = ${account_id} and id = ${id} and deleted_at is null)`
}

/** The customers with these ids, including erased ones, by id. Ids of other accounts are not found. */
export async function loadCustomers(db: Db, account_id: string, ids: Iterable<string>): Promise<Map<string, Customer>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  const rows = await selectCustomers(db, account_id).where('id', 'in', distinct).execute()
  return new Map(rows.map((row) => [row.id, presentCustomerRow(row)]))
}

/** One of them; concurrent calls share one statement. */
export const loadCustomer = loadTogether(loadCustomers)

/**
 * The customer of an id, for callers that may know nothing else: the survivor if it was merged. Undefined for unknown
 * ids, erased customers and, if an account is given, other accounts.
 */
export async function resolveCustomer(
  db: Db,
  id: string,
  account_id?: string,
): Promise<{ account_id: string; id: string } | undefined> {
  if (account_id) return resolveInAccount(db, account_id, id)
  const row = await acrossAccounts(db, 'old clients send the id alone; with an account it looks there only')
    .selectFrom('customers')
    .select(['account_id', 'id', 'merged_into'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { account_id: row.account_id, id: row.merged_into ?? row.id }
}

const resolveInAccount = loadTogether(async (db, account_id, ids: string[]) => {
  const rows = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select(['id', 'merged_into'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, { account_id, id: row.merged_into ?? row.id }]))
})

/** Whether a customer was created by a test chat. */
export async function isOfTest(db: Db, account_id: string, id: string): Promise<boolean> {
  const row = await loadOrigin(db, account_id, id)
  return row?.origin === 'test'
}

const loadOrigin = loadTogether(async (db, account_id, ids: string[]) => {
  const rows = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select(['id', 'origin'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
})

/** The current id of an id's customer. Throws NotFound if there is none. */
export async function getCustomerId(db: Db, account_id: string, id: string): Promise<string> {
  const customer = await resolveCustomer(db, id, account_id)
  if (!customer) throw new NotFound()
  return customer.id
}
