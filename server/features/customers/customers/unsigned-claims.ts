import type { Account } from '#contract/accounts/accounts.ts'
import type { Customer, CustomerClaims } from '#contract/customers/customers.ts'
import { accessChanged } from '#contract/customers/customers.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/**
 * Whether a visitor's identity counts only if the website has signed it. Customers belong to the account, not to an
 * inbox: if no inbox is named, a single one that requires it suffices; otherwise a claim refused in one inbox would be
 * accepted through another.
 */
export async function requiresProof(db: Db, account_id: string, inbox_id?: string | null): Promise<boolean> {
  const inbox = await ofAccount(db, account_id)
    .selectFrom('inboxes')
    .select('id')
    .where('requires_signed_identity', '=', true)
    .$if(!!inbox_id, (query) => query.where('id', '=', inbox_id!))
    .limit(1)
    .executeTakeFirst()
  return !!inbox
}

/**
 * Whether a customer has identifying data. Where identity must be proven, an id alone gives no access to such a
 * customer.
 */
export function isKnown(customer: Pick<Customer, 'name' | 'email' | 'phone' | 'external_id'>): boolean {
  return !!(customer.name || customer.email || customer.phone || customer.external_id)
}

/** Announces that access has changed because an anonymous customer now has an identity. */
export function announceIdentified(
  { announce }: Pick<Change, 'announce'>,
  account_id: string,
  before: Customer,
  after: Customer,
) {
  if (isKnown(before) || !isKnown(after)) return
  announce(account_id, accessChanged, { customer_id: after.id })
}

/** Whether an account lets unsigned external ids match customers added by the team or an import. */
export async function trustsUnsignedIds(db: Db, account_id: string): Promise<boolean> {
  const account = await db.selectFrom('accounts').select('settings').where('id', '=', account_id).executeTakeFirst()
  return (account?.settings as Account['settings'] | undefined)?.trust_unsigned_ids === true
}

/**
 * The accepted part of unsigned claims: everything but the identity, where that must be or has been proven. Visitors
 * may still set their own name.
 */
export async function acceptClaims(
  db: Db,
  account_id: string,
  claims: CustomerClaims,
  customer_id?: string,
): Promise<CustomerClaims> {
  const { external_id, email, ...harmless } = claims
  if (!external_id && !email) return claims
  const mustProve =
    (await requiresProof(db, account_id)) || (customer_id && (await isProven(db, account_id, customer_id)))
  return mustProve ? harmless : claims
}

/**
 * The same for a caller that only knows the customer's id. External ids can be guessed, so such a caller must not change
 * the address that mail goes to, nor add one to a customer of the team. Where none is stored for a customer of a browser,
 * the first one is accepted, and remains unproven. Locks the customer, so that concurrent calls cannot replace it.
 */
export async function acceptClaimsById(
  db: Db,
  account_id: string,
  claims: CustomerClaims,
  customer_id: string,
): Promise<CustomerClaims> {
  const accepted = await acceptClaims(db, account_id, claims, customer_id)
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select(['external_id', 'claimed_external_id', 'email', 'origin'])
    .where('id', '=', customer_id)
    .forUpdate()
    .executeTakeFirst()
  if (!customer?.external_id && !customer?.claimed_external_id) return accepted
  if (!customer.email && customer.origin === 'browser') return accepted
  const { email: _, ...rest } = accepted
  return rest
}

/** Whether a website has vouched for this customer's identity. */
export async function isProven(db: Db, account_id: string, id: string): Promise<boolean> {
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('identity_proven_at')
    .where('id', '=', id)
    .executeTakeFirst()
  return !!customer?.identity_proven_at
}
