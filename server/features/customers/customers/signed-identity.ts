import { sql } from 'kysely'
import type { Customer, CustomerClaims } from '#contract/customers/customers.ts'
import { accessChanged } from '#contract/customers/customers.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import type { Proof } from '../signed-identity/verifying.ts'
import { createCustomer, updateClaims } from './claims.ts'
import type { CustomerRow } from './customers.ts'
import { findByExternalId } from './external-ids.ts'
import { IDENTITY_FIELDS } from './field-sources.ts'
import { isProven } from './unsigned-claims.ts'
import { endVisitorSessionsOf } from './visitor-sessions.ts'

interface FoundCustomer {
  customer: Customer
  /** Ended sessions of browsers that had merely claimed to be this customer. */
  signedOut: string[]
}

/** Makes concurrent calls with the same external id wait for each other, so that they become one customer. */
export async function waitForTurn({ db }: Change, account_id: string, external_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} ${external_id}`}, 0))`.execute(db)
}

/**
 * The customer that the website vouches for: the one known under this external id to the team, an import or an earlier
 * proof, or a new one. Customers who merely claimed to be that person stay separate.
 */
export async function findOrCreateProven(
  change: Change,
  account_id: string,
  proof: Proof,
  claims: CustomerClaims,
  arrival: { id: string; ip: string | null },
): Promise<FoundCustomer> {
  await waitForTurn(change, account_id, proof.external_id)
  const { email: _, external_id: __, ...harmless } = claims
  const existing = await findByExternalId(change, account_id, proof.external_id)
  const id = existing ?? (await createCustomer(change, account_id, proof, 'proof', arrival)).id
  const signedOut = await recordProof(change, account_id, id)
  await updateClaims(change, account_id, id, proof, 'proof')
  return { customer: await updateClaims(change, account_id, id, harmless, 'browser'), signedOut }
}

/** Values that came from unsigned browsers, by field. */
export function unprovenClaims(customer: CustomerRow): Record<string, unknown> {
  const { field_sources, claimed_external_id } = customer
  const fields = IDENTITY_FIELDS.filter((field) => field !== 'time_zone' && !field_sources[field] && customer[field])
  const keys = Object.entries(customer.metadata).filter(([key]) => !field_sources[`metadata.${key}`])
  return {
    ...Object.fromEntries(fields.map((field) => [field, customer[field]])),
    ...(claimed_external_id && { external_id: claimed_external_id }),
    ...(keys.length > 0 && { metadata: Object.fromEntries(keys) }),
  }
}

/** Clears every field that came from unsigned browsers, so that none of it is taken for proven. */
export async function deleteUnproven({ db }: Change, account_id: string, customer: CustomerRow): Promise<void> {
  const { metadata = {}, ...claims } = unprovenClaims(customer) as { metadata?: object }
  const others = Object.entries(customer.metadata).filter(([key]) => !(key in metadata))
  await ofAccount(db, account_id)
    .updateTable('customers')
    .set({
      ...Object.fromEntries(Object.keys(claims).map((field) => [field, null])),
      metadata: toJson(Object.fromEntries(others)),
    })
    .where('id', '=', customer.id)
    .execute()
}

/**
 * Marks a customer as proven. Browsers that had merely claimed this identity are signed out: otherwise whoever was
 * first to claim an external id could read its owner's messages from now on. Returns their sessions.
 */
export async function recordProof(
  change: Change,
  account_id: string,
  id: string,
  session_id?: string,
): Promise<string[]> {
  if (await isProven(change.db, account_id, id)) return []
  await ofAccount(change.db, account_id)
    .updateTable('customers')
    .set({ identity_proven_at: new Date().toISOString(), claimed_external_id: null, claimed_customer_id: null })
    .where('id', '=', id)
    .execute()
  change.announce(account_id, accessChanged, { customer_id: id })
  return endVisitorSessionsOf(change, account_id, id, session_id)
}
