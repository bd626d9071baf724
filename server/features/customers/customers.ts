import { sql } from 'kysely'
import { type Customer, customerName } from '#contract/customers.ts'
import { NotFound } from '../../errors.ts'
import type { Db } from '../../platform/db/change.ts'
import { loadTogether } from '../../platform/db/load-together.ts'
import { nicknameOf } from './nickname.ts'

export const columns = [
  'id',
  'name',
  'email',
  'phone',
  'external_id',
  'profile_photo_url',
  'company_id',
  'host',
  'pathname',
  'current_url',
  'browser',
  'os',
  'metadata',
  'created_at',
  'updated_at',
  'first_seen',
  'last_seen_at',
  'ip',
  'time_zone',
  'blocked_at',
  'field_sources',
  'claimed_external_id',
  'claimed_customer_id',
] as const

export type Row = { [Column in (typeof columns)[number]]: Customer[Column] }

export function present(row: Row): Customer {
  return { ...row, object: 'customer', title: customerName(row), nickname: nicknameOf(row.id) }
}

export function selectCustomers(db: Db, account_id: string) {
  return db.selectFrom('customers').select(columns).where('account_id', '=', account_id).$castTo<Row>()
}

/** One customer; the id of one that became part of another answers with that other. */
export async function getCustomer(db: Db, account_id: string, id: string): Promise<Customer> {
  const customer = await resolveCustomer(db, id, account_id)
  const row = customer && (await selectCustomers(db, account_id).where('id', '=', customer.id).executeTakeFirst())
  if (!row) throw new NotFound()
  return present(row)
}

/** The customers with these ids, erased ones too, by id. Ids of other accounts find nothing. */
export async function loadCustomers(db: Db, account_id: string, ids: Iterable<string>): Promise<Map<string, Customer>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await selectCustomers(db, account_id).where(isAnyOf(wanted)).execute()
  return new Map(rows.map((row) => [row.id, present(row)]))
}

/** One of them; what is asked together is one statement. */
export const loadCustomer = loadTogether(loadCustomers)

/** The statement is the same for any number of ids, so the database may keep it. */
function isAnyOf(ids: string[]) {
  return sql<boolean>`id = any(${ids}::uuid[])`
}

/**
 * Who an id stands for, for callers that may know nothing else: the customer it became part of, if it did. Undefined for
 * ids of nobody, of erased customers and, where an account is given, of other accounts.
 */
export async function resolveCustomer(
  db: Db,
  id: string,
  account_id?: string,
): Promise<{ account_id: string; id: string } | undefined> {
  if (account_id) return resolveInAccount(db, account_id, id)
  const row = await db
    .selectFrom('customers')
    .select(['account_id', 'id', 'merged_into'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { account_id: row.account_id, id: row.merged_into ?? row.id }
}

const resolveInAccount = loadTogether(async (db, account_id, ids: string[]) => {
  const rows = await db
    .selectFrom('customers')
    .select(['id', 'merged_into'])
    .where('account_id', '=', account_id)
    .where(isAnyOf(ids))
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, { account_id, id: row.merged_into ?? row.id }]))
})

/** The id of the one for whom an id of this account stands. Throws NotFound where that is nobody. */
export async function getCustomerId(db: Db, account_id: string, id: string): Promise<string> {
  const customer = await resolveCustomer(db, id, account_id)
  if (!customer) throw new NotFound()
  return customer.id
}
