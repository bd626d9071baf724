import { type Customer, type CustomerClaims, customerName } from '#contract/customers.ts'
import { Invalid, NotFound } from '../../errors.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'
import { announceKnown } from './believing.ts'
import { notePageVisit } from './page-visits.ts'

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
] as const

export type Row = { [Column in (typeof columns)[number]]: Customer[Column] }

export function present(row: Row): Customer {
  return { ...row, object: 'customer', title: customerName(row) }
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
  const rows = await selectCustomers(db, account_id).where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, present(row)]))
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
  const row = await db
    .selectFrom('customers')
    .select(['account_id', 'id', 'merged_into'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(!!account_id, (query) => query.where('account_id', '=', account_id!))
    .executeTakeFirst()
  return row && { account_id: row.account_id, id: row.merged_into ?? row.id }
}

/** The id of the one for whom an id of this account stands. Throws NotFound where that is nobody. */
export async function getCustomerId(db: Db, account_id: string, id: string): Promise<string> {
  const customer = await resolveCustomer(db, id, account_id)
  if (!customer) throw new NotFound()
  return customer.id
}

interface Arrival {
  id?: string
  /** Where the browser is; null when the team adds a customer. */
  ip: string | null
  first_seen?: string | null
}

/** Adds a customer with what the browser tells. An external id that is taken is left out rather than shared. */
export async function createCustomer(
  change: Change,
  account_id: string,
  claims: CustomerClaims,
  { id, ip, first_seen }: Arrival,
): Promise<Customer> {
  const { db } = change
  const account = await db.selectFrom('accounts').select('id').where('id', '=', account_id).executeTakeFirst()
  if (!account) throw new Invalid({ account_id: ['does not exist'] })
  const { external_id, ...values } = toColumns(claims)
  const row = await db
    .insertInto('customers')
    .values({
      account_id,
      id: id ?? newId(),
      ip,
      ...values,
      ...(first_seen && { first_seen: first_seen.slice(0, 10) }),
    })
    .returning(columns)
    .$castTo<Row>()
    .executeTakeFirstOrThrow()
  if (!external_id) return present(row)
  return present({ ...row, external_id: await takeExternalId(db, account_id, row.id, external_id) })
}

/** Two first visits at once race for one external id; the database lets the first one have it. */
async function takeExternalId(db: Change['db'], account_id: string, id: string, external_id: string) {
  const taken = await db
    .updateTable('customers')
    .set({ external_id })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('customers as other')
            .select('other.id')
            .where('other.account_id', '=', account_id)
            .where('other.external_id', '=', external_id),
        ),
      ),
    )
    .returning('external_id')
    .executeTakeFirst()
  return taken?.external_id ?? null
}

/**
 * Updates what a visitor's browser tells about its owner, and that it was here just now. The team hears of it when
 * something it is shown has changed: who somebody is always, which page they are on once they have a conversation.
 */
export async function updateClaims(
  change: Change,
  account_id: string,
  id: string,
  claims: CustomerClaims,
): Promise<Customer> {
  const { db } = change
  const before = await selectCustomers(db, account_id).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!before) throw new NotFound()
  const { external_id, ...values } = toColumns(claims)
  const now = new Date().toISOString()
  const row = await db
    .updateTable('customers')
    .set({ ...values, last_seen_at: now, updated_at: now })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returning(columns)
    .$castTo<Row>()
    .executeTakeFirstOrThrow()
  const taken =
    external_id && row.external_id !== external_id ? await takeExternalId(db, account_id, id, external_id) : null
  const customer = present({ ...row, external_id: taken ?? row.external_id })
  announceKnown(change, account_id, present(before), customer)
  const { current_url } = customer
  const hasMoved = before.current_url !== current_url && (await hasConversation(db, account_id, id))
  if (hasMoved && current_url) await notePageVisit(change, account_id, id, current_url)
  if (hasMoved || isRenamed(before, customer)) {
    change.announce(account_id, { type: 'customer:updated', customer })
  }
  return customer
}

const IDENTITY = ['name', 'email', 'phone', 'external_id', 'profile_photo_url', 'browser', 'os', 'time_zone'] as const

function isRenamed(before: Row, after: Customer): boolean {
  return (
    IDENTITY.some((field) => before[field] !== after[field]) ||
    JSON.stringify(before.metadata) !== JSON.stringify(after.metadata)
  )
}

async function hasConversation(db: Db, account_id: string, customer_id: string): Promise<boolean> {
  const found = await db
    .selectFrom('conversations')
    .select('id')
    .where('account_id', '=', account_id)
    .where('customer_id', '=', customer_id)
    .limit(1)
    .executeTakeFirst()
  return !!found
}

const URL_LIMIT = 2000

/** Empty claims are dropped: a page that no longer says the name does not make a known customer anonymous. */
function toColumns(claims: CustomerClaims) {
  const said = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null && value !== undefined))
  const { metadata, ...plain } = said as { [Key in keyof CustomerClaims]: NonNullable<CustomerClaims[Key]> }
  return {
    ...plain,
    ...(plain.current_url && { current_url: plain.current_url.slice(0, URL_LIMIT) }),
    ...(metadata && { metadata: JSON.stringify(metadata) }),
  }
}
