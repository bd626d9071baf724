import { sql } from 'kysely'
import type { Customer, CustomerClaims } from '#contract/customers.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Change } from '../../platform/db/change.ts'
import { createCustomer, updateClaims } from './customers.ts'
import { identifyCustomer } from './identifying.ts'
import { mayActAsCustomer } from './visitor-sessions.ts'

/**
 * A published client says who is there: the customer with this external id when there is one and its id still opens it,
 * else a new one. Those who say the same external id at once wait for each other, so that they become one customer.
 */
export async function meetCustomer(
  change: Change,
  caller: Caller,
  account_id: string,
  claims: CustomerClaims,
  arrival: { ip: string | null; first_seen?: string | null },
): Promise<Customer> {
  const { external_id } = claims
  if (external_id) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} ${external_id}`}, 0))`.execute(change.db)
    const known = await identifyCustomer(change.db, account_id, { external_id })
    if (known && (await mayActAsCustomer(change.db, caller, account_id, known))) {
      return updateClaims(change, account_id, known, claims)
    }
  }
  const customer = await createCustomer(change, account_id, claims, arrival)
  // Visitors come by the thousand; what a colleague adds is news.
  if (caller.kind === 'user') change.announce(account_id, { type: 'customer:updated', customer })
  return customer
}
