import { type Customer, type CustomerClaims, customerName } from '#contract/customers.ts'
import { Invalid, NotFound } from '../../errors.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'

const columns = [
  'id',
  'name',
  'email',
  'phone',
  'external_id',
  'profile_photo_url',
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
] as const

type Row = { [Column in (typeof columns)[number]]: Customer[Column] }

function present(row: Row): Customer {
  return { ...row, object: 'customer', company_id: null, title: customerName(row) }
}

function select(db: Db, account_id: string) {
  return db.selectFrom('customers').select(columns).where('account_id', '=', account_id).$castTo<Row>()
}

export async function getCustomer(db: Db, account_id: string, id: string): Promise<Customer> {
  const row = await select(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return present(row)
}

/** The customers with these ids, by id. Ids of other accounts find nothing. */
export async function loadCustomers(db: Db, account_id: string, ids: Iterable<string>): Promise<Map<string, Customer>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await select(db, account_id).where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, present(row)]))
}

/** In which account a customer lives, for callers that know nothing but its id. */
export async function findCustomerAccount(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('customers').select('account_id').where('id', '=', id).executeTakeFirst()
  return row?.account_id
}

interface Arrival {
  id?: string
  ip: string
  first_seen?: string | null
}

/** Adds a customer with what the browser tells. An external id that is taken is left out rather than shared. */
export async function createCustomer(
  { db }: Change,
  account_id: string,
  claims: CustomerClaims,
  { id, ip, first_seen }: Arrival,
): Promise<Customer> {
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

/** Updates what a visitor's browser tells about its owner, and that it was here just now. */
export async function updateClaims(
  { db }: Change,
  account_id: string,
  id: string,
  claims: CustomerClaims,
): Promise<Customer> {
  const { external_id, ...values } = toColumns(claims)
  const now = new Date().toISOString()
  const row = await db
    .updateTable('customers')
    .set({ ...values, last_seen_at: now, updated_at: now })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returning(columns)
    .$castTo<Row>()
    .executeTakeFirst()
  if (!row) throw new NotFound()
  if (!external_id || row.external_id === external_id) return present(row)
  const taken = await takeExternalId(db, account_id, id, external_id)
  return present({ ...row, external_id: taken ?? row.external_id })
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

interface Identity {
  external_id: string
  email?: string
  host?: string
}

/**
 * The customer with this external id (and e-mail and host, where given, ignoring case) whose browser holds no visitor
 * session. One that does is found by its token alone, else whoever guesses an external id would read along.
 */
export async function identifyCustomer(db: Db, account_id: string, { external_id, email, host }: Identity) {
  const found = await db
    .selectFrom('customers')
    .select('id')
    .where('account_id', '=', account_id)
    .where('external_id', '=', external_id)
    .$if(!!email, (query) => query.where((eb) => eb(eb.fn('lower', ['email']), '=', email!.toLowerCase())))
    .$if(!!host, (query) => query.where((eb) => eb(eb.fn('lower', ['host']), '=', host!.toLowerCase())))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('visitor_sessions')
            .select('visitor_sessions.id')
            .where('visitor_sessions.account_id', '=', account_id)
            .whereRef('visitor_sessions.customer_id', '=', 'customers.id'),
        ),
      ),
    )
    .executeTakeFirst()
  return found?.id ?? null
}
