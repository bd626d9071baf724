import { sql } from 'kysely'
import type { AttributeValue } from '#contract/customers/attribute-values.ts'
import { visibleText } from '#contract/text/visible.ts'
import type { Change } from '../../../platform/db/change.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { columnsSetBy } from './columns.ts'
import { linkClaimants, releaseExternalIds } from './external-ids.ts'
import { isTrusted, mergeSources } from './field-sources.ts'
import { phoneDigits } from './phone-digits.ts'

/** Columns of text that a list overwrites where it has a value. */
const FILLED = columnsSetBy('import').filter((field) => field !== 'external_id' && field !== 'metadata')

export interface NewCustomer {
  external_id: string | null
  email: string | null
  name: string | null
  phone: string | null
  time_zone: string | null
  metadata: Record<string, AttributeValue>
}

/**
 * Adds customers, or updates those the team knows: by external id, else by an e-mail address that belongs to nobody
 * with another external id; those with neither by phone number. Claims of unsigned browsers match nobody, and are overridden. Takes a few statements for
 * any number of customers, and announces nothing.
 */
export async function addCustomers(change: Change, account_id: string, newCustomers: NewCustomer[]) {
  const { db } = change
  const customers = withoutRepeats(
    newCustomers.map((customer) => ({ ...customer, name: customer.name && visibleText(customer.name) })),
  )
  const ids = customers.flatMap(({ external_id }) => external_id ?? [])
  await releaseExternalIds(change, account_id, ids)
  const existing = await findExisting(db, account_id, customers)
  const fresh = customers.filter((_, i) => !existing.has(i))
  const added: string[] = []
  if (fresh.length > 0) {
    const rows = fresh.map((customer) => ({
      ...customer,
      account_id,
      id: newId(),
      metadata: toJson(customer.metadata),
      origin: 'import' as const,
      field_sources: toJson(mergeSources(undefined, withoutNulls(customer), 'import')),
    }))
    await db.insertInto('customers').values(rows).execute()
    added.push(...rows.map(({ id }) => id))
  }
  const claimed = new Map<string, NewCustomer>()
  for (const [i, id] of existing) claimed.set(id, combine(claimed.get(id), customers[i]!))
  const changed = [...claimed].map(([id, customer]) => {
    return { ...customer, id, field_sources: mergeSources(undefined, withoutNulls(customer), 'import') }
  })
  if (changed.length > 0) {
    await sql`
      update customers c set
        ${sql.join(FILLED.map((field) => sql`${sql.ref(field)} = coalesce(${sql.ref(`g.${field}`)}, ${sql.ref(`c.${field}`)})`))},
        external_id = coalesce(c.external_id, g.external_id),
        claimed_external_id = case when g.external_id is null then c.claimed_external_id end,
        metadata = c.metadata || g.metadata,
        field_sources = c.field_sources || case when c.external_id is null then g.field_sources else g.field_sources - 'external_id' end,
        updated_at = now()
      from jsonb_to_recordset(${toJson(changed)}::jsonb) as g
        (id uuid, external_id text, ${sql.join(FILLED.map((field) => sql`${sql.ref(field)} text`))}, metadata jsonb, field_sources jsonb)
      where c.account_id = ${account_id} and c.id = g.id`.execute(db)
  }
  await linkClaimants(change, account_id, [...added, ...claimed.keys()])
  return { created: fresh.length, updated: newCustomers.length - fresh.length }
}

/**
 * Combines rows about one person, as importing them in two files would: one address is one person, unless two external
 * ids differ.
 */
function withoutRepeats(newCustomers: NewCustomer[]): NewCustomer[] {
  const people: NewCustomer[] = []
  const byId = new Map<string, number>()
  const byMail = new Map<string, number[]>()
  const byPhone = new Map<string, number>()
  for (const customer of newCustomers) {
    const { external_id, email } = customer
    const mail = email?.toLowerCase() ?? ''
    const sharing = (mail && byMail.get(mail)) || []
    const digits = identifyingPhone(customer)
    const match = digits ? byPhone.get(digits) : external_id === null ? undefined : byId.get(external_id)
    const alike = sharing.find((i) => external_id === null || people[i]!.external_id === null)
    const at = match ?? alike ?? people.length
    people[at] = combine(people[at], customer)
    if (external_id !== null) byId.set(external_id, at)
    if (mail && !sharing.includes(at)) byMail.set(mail, [...sharing, at])
    if (digits) byPhone.set(digits, at)
  }
  return people
}

/** The digits of the phone number, if nothing else identifies the customer. */
function identifyingPhone({ external_id, email, phone }: NewCustomer): string | undefined {
  return external_id === null && email === null ? phoneDigits(phone) : undefined
}

/** Where two rows differ, the later one wins. */
function combine(before: NewCustomer | undefined, after: NewCustomer): NewCustomer {
  if (!before) return after
  return { ...before, ...withoutNulls(after), metadata: { ...before.metadata, ...after.metadata } }
}

function withoutNulls(customer: NewCustomer): Partial<NewCustomer> {
  return Object.fromEntries(Object.entries(customer).filter(([, value]) => value !== null))
}

/** Which of these exist already, by index in the list. */
async function findExisting(
  db: Change['db'],
  account_id: string,
  customers: NewCustomer[],
): Promise<Map<number, string>> {
  const candidates = customers.map((customer, n) => {
    const { external_id, email } = customer
    return { n, external_id, email, digits: identifyingPhone(customer) ?? null }
  })
  const { rows } = await sql<{ n: number; id: string }>`
    select g.n, found.id from jsonb_to_recordset(${toJson(candidates)}::jsonb) as g (n int, external_id text, email text, digits text),
    lateral (select coalesce(
      (select coalesce(c.merged_into, c.id) from customers c
       where c.account_id = ${account_id} and c.external_id = g.external_id
         and (${isTrusted('c', 'external_id')} or c.merged_into is not null)),
      (select c.id from customers c
       where c.account_id = ${account_id} and c.email is not null and lower(c.email) = lower(g.email)
         and ${isTrusted('c', 'email')} and c.merged_into is null and c.deleted_at is null and (c.external_id is null or g.external_id is null)
       order by c.created_at, c.id limit 1),
      (select c.id from customers c
       where c.account_id = ${account_id} and c.phone is not null
         and regexp_replace(c.phone, '[^0-9]', '', 'g') in (g.digits, '00' || g.digits)
         and ${isTrusted('c', 'phone')} and c.merged_into is null and c.deleted_at is null
       order by c.last_seen_at desc, c.id limit 1)) as id) found
    where found.id is not null`.execute(db)
  return new Map(rows.map(({ n, id }) => [n, id]))
}
