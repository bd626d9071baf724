import type { Customer, CustomerClaims } from '#contract/customers/customers.ts'
import { customerUpdated } from '#contract/customers/customers.ts'
import { visibleText } from '#contract/text/visible.ts'
import { Invalid, NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { isAccount } from '../../accounts/accounts/accounts.ts'
import { listTeamOnlyKeys } from '../attributes/definitions.ts'
import { withoutTeamOnly } from '../attributes/values.ts'
import { type Source, settable } from './columns.ts'
import { type CustomerRow, columns, presentCustomerRow, selectCustomers } from './customers.ts'
import { announceClaimants, linkClaim, setExternalId } from './external-ids.ts'
import { IDENTITY_FIELDS, mergeSources, withoutTrusted } from './field-sources.ts'
import { recordPageVisit } from './page-visits.ts'
import { announceIdentified } from './unsigned-claims.ts'

interface NewCustomerDetails {
  id?: string
  /** The browser's IP address; null when the team adds a customer. */
  ip: string | null
  first_seen?: string | null
  /** In a test chat: the customer is in no list. */
  isTest?: boolean
}

/** Adds a customer with the fields from a source. A taken external id is only stored as a claim. */
export async function createCustomer(
  change: Change,
  account_id: string,
  claims: CustomerClaims,
  source: Source,
  { id = newId(), ip, first_seen, isTest }: NewCustomerDetails,
): Promise<Customer> {
  const { db } = change
  if (!(await isAccount(db, account_id))) throw new Invalid({ account_id: ['does not exist'] })
  const { external_id, ...values } = await settableClaims(db, account_id, claims, source)
  const row = await db
    .insertInto('customers')
    .values({
      account_id,
      id,
      ip,
      ...asColumns(values),
      ...(first_seen && { first_seen: first_seen.slice(0, 10) }),
      origin: isTest ? 'test' : source,
      ...(source !== 'browser' && { field_sources: toJson(mergeSources(undefined, values, source)) }),
    })
    .returning(columns)
    .$castTo<CustomerRow>()
    .executeTakeFirstOrThrow()
  return recordIdentity(change, account_id, row, { external_id, email: values.email }, source)
}

/**
 * Updates a customer from its browser, the team or a signed token, and the time it was last seen. The team is notified
 * if visible fields have changed: identity always, the current page once there is a conversation.
 */
export async function updateClaims(
  change: Change,
  account_id: string,
  id: string,
  claims: CustomerClaims,
  source: Source,
): Promise<Customer> {
  const { db } = change
  const before = await selectCustomers(db, account_id).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!before) throw new NotFound()
  const accepted = await settableClaims(db, account_id, claims, source, before)
  const { external_id, ...values } = source === 'browser' ? withoutTrusted(before, accepted) : accepted
  const now = new Date().toISOString()
  const row = await ofAccount(db, account_id)
    .updateTable('customers')
    .set({
      ...asColumns(values),
      ...(source !== 'browser' && { field_sources: toJson(mergeSources(before, values, source)) }),
      last_seen_at: now,
      updated_at: now,
    })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<CustomerRow>()
    .executeTakeFirstOrThrow()
  const isNew = external_id !== before.external_id || (source !== 'browser' && !before.field_sources.external_id)
  const identity = {
    external_id: isNew ? external_id : undefined,
    email: values.email === before.email ? undefined : values.email,
  }
  const customer = await recordIdentity(change, account_id, row, identity, source)
  announceIdentified(change, account_id, presentCustomerRow(before), customer)
  const { current_url } = customer
  const hasMoved = before.current_url !== current_url && (await hasConversation(db, account_id, id))
  if (hasMoved && current_url) await recordPageVisit(change, account_id, id, current_url)
  if (hasMoved || isRenamed(before, customer)) {
    change.announce(account_id, customerUpdated, { customer })
  }
  return customer
}

/**
 * External id and e-mail address identify people: a new one may belong to somebody else. Returns the updated customer.
 */
async function recordIdentity(
  change: Change,
  account_id: string,
  row: CustomerRow,
  { external_id, email }: { external_id?: string; email?: string },
  source: Source,
): Promise<Customer> {
  if (external_id) await setExternalId(change, account_id, row.id, external_id, source)
  if (!external_id && !email) return presentCustomerRow(row)
  if (source === 'browser') await linkClaim(change, account_id, row.id)
  else await announceClaimants(change, account_id, row.id)
  return presentCustomerRow(
    await selectCustomers(change.db, account_id).where('id', '=', row.id).executeTakeFirstOrThrow(),
  )
}

const SHOWN = [...IDENTITY_FIELDS, 'browser', 'os', 'claimed_external_id', 'claimed_customer_id'] as const

function isRenamed(before: CustomerRow, after: Customer): boolean {
  return (
    SHOWN.some((field) => before[field] !== after[field]) ||
    JSON.stringify(before.metadata) !== JSON.stringify(after.metadata)
  )
}

async function hasConversation(db: Db, account_id: string, customer_id: string): Promise<boolean> {
  const conversation = await ofAccount(db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where('customer_id', '=', customer_id)
    .limit(1)
    .executeTakeFirst()
  return !!conversation
}

const URL_LIMIT = 2000

/** Empty claims are dropped: a page that no longer sends the name does not make a known customer anonymous. */
function nonEmptyClaims(claims: CustomerClaims) {
  const { name, ...others } = claims
  const named = { ...others, name: name ? visibleText(name).trim() || null : null }
  const filled = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null && value !== undefined))
  return filled as { [Key in keyof CustomerClaims]: NonNullable<CustomerClaims[Key]> }
}

/**
 * What a source may set. A website sets no attribute that is for the team only, whether signed or not: every way in of
 * visitors passes here.
 */
async function settableClaims(
  db: Db,
  account_id: string,
  claims: CustomerClaims,
  source: Source,
  before?: CustomerRow,
) {
  const accepted = settable(nonEmptyClaims(claims), source)
  const isOfWebsite = source === 'browser' || source === 'proof'
  if (!isOfWebsite || !accepted.metadata) return accepted
  const hidden = await listTeamOnlyKeys(db, account_id)
  return { ...accepted, metadata: withoutTeamOnly(hidden, before?.metadata ?? {}, accepted.metadata) }
}

function asColumns({ metadata, ...plain }: Omit<ReturnType<typeof nonEmptyClaims>, 'external_id'>) {
  return {
    ...plain,
    ...(plain.current_url && { current_url: plain.current_url.slice(0, URL_LIMIT) }),
    ...(metadata && { metadata: toJson(metadata) }),
  }
}
