import { sql } from 'kysely'
import type { Customer, CustomerClaims } from '#contract/customers.ts'
import { accessChanged } from '#contract/customers.ts'
import type { Change } from '../../platform/db/change.ts'
import type { Proof } from '../signed-identity/verifying.ts'
import { createCustomer, updateClaims } from './claims.ts'
import type { Row } from './customers.ts'
import { findByExternalId } from './external-ids.ts'
import { IDENTITY_FIELDS } from './field-sources.ts'
import { isProven } from './unsigned-claims.ts'
import { endVisitorSessionsOf } from './visitor-sessions.ts'

interface Met {
  customer: Customer
  /** Browsers that had only said to be this customer, and are no longer. */
  signedOut: string[]
}

/** Those who say the same external id at once come one after the other, so that they become one customer. */
export async function waitForTurn({ db }: Change, account_id: string, external_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} ${external_id}`}, 0))`.execute(db)
}

/**
 * The customer for whom the website vouches: the one whom the team, an import or an earlier proof knows by this external
 * id, or a new one. Who has merely said to be that person keeps to what they said.
 */
export async function findOrCreateProven(
  change: Change,
  account_id: string,
  proof: Proof,
  claims: CustomerClaims,
  arrival: { id: string; ip: string | null },
): Promise<Met> {
  await waitForTurn(change, account_id, proof.external_id)
  const { email: _, external_id: __, ...harmless } = claims
  const known = await findByExternalId(change, account_id, proof.external_id)
  const id = known ?? (await createCustomer(change, account_id, proof, 'proof', arrival)).id
  const signedOut = await noteProof(change, account_id, id)
  await updateClaims(change, account_id, id, proof, 'proof')
  return { customer: await updateClaims(change, account_id, id, harmless, 'browser'), signedOut }
}

/** What unsigned browsers have told of a customer, by the names of the fields. */
export function unprovenClaims(customer: Row): Record<string, unknown> {
  const { field_sources, claimed_external_id } = customer
  const fields = IDENTITY_FIELDS.filter((field) => field !== 'time_zone' && !field_sources[field] && customer[field])
  const keys = Object.entries(customer.metadata).filter(([key]) => !field_sources[`metadata.${key}`])
  return {
    ...Object.fromEntries(fields.map((field) => [field, customer[field]])),
    ...(claimed_external_id && { external_id: claimed_external_id }),
    ...(keys.length > 0 && { metadata: Object.fromEntries(keys) }),
  }
}

/** Empties every field that unsigned browsers have told, so that nothing of it is taken for what a proof says. */
export async function forgetUnproven({ db }: Change, account_id: string, customer: Row): Promise<void> {
  const { metadata = {}, ...claims } = unprovenClaims(customer) as { metadata?: object }
  const kept = Object.entries(customer.metadata).filter(([key]) => !(key in metadata))
  await db
    .updateTable('customers')
    .set({
      ...Object.fromEntries(Object.keys(claims).map((field) => [field, null])),
      metadata: JSON.stringify(Object.fromEntries(kept)),
    })
    .where('account_id', '=', account_id)
    .where('id', '=', customer.id)
    .execute()
}

/**
 * Notes that a customer is who they say. Browsers that had merely said so until then are signed out, else somebody who
 * was first to take an external id would read what its owner writes from now on. Answers with their sessions.
 */
export async function noteProof(change: Change, account_id: string, id: string, kept?: string): Promise<string[]> {
  if (await isProven(change.db, account_id, id)) return []
  await change.db
    .updateTable('customers')
    .set({ identity_proven_at: new Date().toISOString(), claimed_external_id: null, claimed_customer_id: null })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
  change.announce(account_id, accessChanged, { customer_id: id })
  return endVisitorSessionsOf(change, account_id, id, kept)
}
