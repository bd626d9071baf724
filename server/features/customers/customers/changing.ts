import { isDeepStrictEqual } from 'node:util'
import type { AttributeValues } from '#contract/customers/attributes.ts'
import type { CustomerChanges } from '#contract/customers/customer-profiles.ts'
import type { Customer } from '#contract/customers/customers.ts'
import { customerUpdated } from '#contract/customers/customers.ts'
import { visibleText } from '#contract/text/visible.ts'
import { Forbidden, Invalid, NotFound } from '../../../errors.ts'
import { type Change, type Db, rethrowDuplicate } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { type JsonText, toJson } from '../../../platform/db/to-json.ts'
import { setAttributes } from '../attributes/values.ts'
import { loadCompanies } from '../companies/companies.ts'
import { settable } from './columns.ts'
import { type CustomerRow, columns, presentCustomerRow, resolveCustomer, selectCustomers } from './customers.ts'
import { announceClaimants, releaseExternalIds } from './external-ids.ts'
import { mergeSources } from './field-sources.ts'
import { announceIdentified } from './unsigned-claims.ts'

/**
 * Locks a customer's row until the transaction ends. Erased customers are not found; merged ones resolve to the
 * survivor, even if merged while this one waited.
 */
export async function lockCustomer(db: Change['db'], account_id: string, id: string): Promise<CustomerRow> {
  for (let customer = await resolveCustomer(db, id, account_id); customer; ) {
    const row = await selectCustomers(db, account_id)
      .where('id', '=', customer.id)
      .where('merged_into', 'is', null)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (row) return row
    customer = await resolveCustomer(db, id, account_id)
  }
  throw new NotFound()
}

type Values = Partial<Omit<CustomerRow, 'id' | 'metadata' | 'field_sources' | 'created_at'>> & {
  metadata?: JsonText
  field_sources?: JsonText
}

/** Writes changes to a locked customer and announces them to the team. */
export async function saveCustomer(change: Change, account_id: string, id: string, values: Values): Promise<Customer> {
  const row = await ofAccount(change.db, account_id)
    .updateTable('customers')
    .set({ ...values, ...(values.name && { name: visibleText(values.name) }), updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<CustomerRow>()
    .executeTakeFirstOrThrow()
    .catch(rethrowDuplicate('external_id'))
  const customer = presentCustomerRow(row)
  change.announce(account_id, customerUpdated, { customer })
  return customer
}

/**
 * Changes a customer by the team; browsers no longer change those fields. The company must belong to the account, and
 * the external id to nobody else according to the team, an import or a signed token.
 */
export async function updateCustomer(
  change: Change,
  account_id: string,
  id: string,
  changes: CustomerChanges,
): Promise<Customer> {
  const { metadata, ...plain } = settable(changes, 'team')
  const { company_id } = plain
  const customer = await lockCustomer(change.db, account_id, id)
  if (company_id && !(await loadCompanies(change.db, account_id, [company_id])).has(company_id)) {
    throw new Invalid({ company_id: ['does not exist'] })
  }
  const { id: own_id, external_id, email } = customer
  const isNewId = !!plain.external_id && plain.external_id !== external_id
  if (isNewId) await releaseExternalIds(change, account_id, [plain.external_id!], own_id)
  const saved = await saveCustomer(change, account_id, own_id, {
    ...plain,
    ...(metadata !== undefined && { metadata: toJson(metadata ?? {}) }),
    field_sources: toJson(mergeSources(customer, { ...plain, metadata }, 'team')),
    ...(plain.external_id && { claimed_external_id: null, claimed_customer_id: null }),
  })
  if (isNewId || (plain.email && plain.email !== email)) await announceClaimants(change, account_id, own_id)
  announceIdentified(change, account_id, presentCustomerRow(customer), saved)
  return saved
}

/** Sets attributes of a customer by the team; other metadata stays. @throws NotFound; Invalid for values that do not fit */
export async function setCustomerAttributes(
  change: Change,
  account_id: string,
  id: string,
  values: AttributeValues,
): Promise<Customer> {
  const customer = await lockCustomer(change.db, account_id, id)
  const metadata = await setAttributes(change.db, account_id, 'customer', customer.metadata, values)
  if (isDeepStrictEqual(metadata, customer.metadata)) return presentCustomerRow(customer)
  return saveCustomer(change, account_id, customer.id, {
    metadata: toJson(metadata),
    field_sources: toJson(mergeSources(customer, { metadata }, 'team')),
  })
}

/** Blocks a customer, or ends the block. */
export async function setBlocked(change: Change, account_id: string, id: string, blocked: boolean): Promise<Customer> {
  const customer = await lockCustomer(change.db, account_id, id)
  if (!!customer.blocked_at === blocked) return presentCustomerRow(customer)
  return saveCustomer(change, account_id, customer.id, { blocked_at: blocked ? new Date().toISOString() : null })
}

/** Throws if the team has blocked a customer. Every channel on which customers write calls this. */
export async function assertNotBlocked(db: Db, account_id: string, customer_id: string): Promise<void> {
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('blocked_at')
    .where('id', '=', customer_id)
    .executeTakeFirst()
  if (customer?.blocked_at) throw blocked()
}

/** The error for a blocked customer. */
export function blocked(): Forbidden {
  return new Forbidden('This conversation no longer accepts messages.')
}
