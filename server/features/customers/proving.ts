import { sql } from 'kysely'
import type { Customer, CustomerClaims } from '#contract/customers.ts'
import type { Change } from '../../platform/db/change.ts'
import type { Proof } from '../signed-identity/verifying.ts'
import { isProven } from './believing.ts'
import { createCustomer, updateClaims } from './customers.ts'
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

/** The customer for whom the website vouches: the one who is known by this external id, on whatever device, or a new one. */
export async function meetProven(
  change: Change,
  account_id: string,
  proof: Proof,
  claims: CustomerClaims,
  arrival: { id: string; ip: string | null },
): Promise<Met> {
  await waitForTurn(change, account_id, proof.external_id)
  const { email: _, external_id: __, ...harmless } = claims
  const proven = { ...harmless, ...proof }
  const known = await findByExternalId(change, account_id, proof.external_id)
  const id = known ?? (await createCustomer(change, account_id, proven, arrival)).id
  const signedOut = await noteProof(change, account_id, id)
  return { customer: await updateClaims(change, account_id, id, proven), signedOut }
}

/** Who an external id stands for, whether or not a browser has claimed it. */
export async function findByExternalId(
  { db }: Change,
  account_id: string,
  external_id: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('customers')
    .select((eb) => eb.fn.coalesce('merged_into', 'id').as('id'))
    .where('account_id', '=', account_id)
    .where('external_id', '=', external_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

/**
 * Notes that a customer is who they say. Browsers that had merely said so until then are signed out, else somebody who
 * was first to take an external id would read what its owner writes from now on. Answers with their sessions.
 */
export async function noteProof(change: Change, account_id: string, id: string, kept?: string): Promise<string[]> {
  if (await isProven(change.db, account_id, id)) return []
  await change.db
    .updateTable('customers')
    .set({ identity_proven_at: new Date().toISOString() })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
  change.announce(account_id, { type: 'access:changed', customer_id: id })
  return endVisitorSessionsOf(change, account_id, id, kept)
}
