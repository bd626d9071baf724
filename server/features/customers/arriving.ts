import type { Customer, CustomerClaims, VisitorSession } from '#contract/customers.ts'
import { Forbidden, Invalid } from '../../errors.ts'
import { type Caller, isTeamOf } from '../../platform/caller.ts'
import type { Change } from '../../platform/db/change.ts'
import { hashToken, newId } from '../../platform/secrets.ts'
import type { Proof } from '../signed-identity/verifying.ts'
import { believe } from './believing.ts'
import { createCustomer, updateClaims } from './customers.ts'
import { identifyCustomer } from './identifying.ts'
import { meetProven, waitForTurn } from './proving.ts'
import { mayActAsCustomer } from './visitor-sessions.ts'

/**
 * A published client says who is there: the customer with this external id when there is one and its id still opens it,
 * else a new one. Those who say the same external id at once wait for each other, so that they become one customer.
 */
export async function meetCustomer(
  change: Change,
  caller: Caller,
  account_id: string,
  given: CustomerClaims,
  arrival: { ip: string | null; first_seen?: string | null },
): Promise<Customer> {
  const byTeam = isTeamOf(account_id, caller)
  const claims = byTeam ? given : await believe(change.db, account_id, given)
  const { external_id } = claims
  if (external_id) {
    await waitForTurn(change, account_id, external_id)
    const known = await identifyCustomer(change.db, account_id, { external_id })
    if (known && (await mayActAsCustomer(change.db, caller, account_id, known))) {
      return updateClaims(change, account_id, known, claims)
    }
  }
  const customer = await createCustomer(change, account_id, claims, arrival)
  // Visitors come by the thousand; what a colleague adds is news.
  if (byTeam) change.announce(account_id, { type: 'customer:updated', customer })
  return customer
}

interface Wish {
  account_id: string
  token: string
  customer_id: string
  claims: CustomerClaims
  /** Whom the website vouches for, if it does. */
  proof: Proof | undefined
}

interface Started {
  session: VisitorSession
  /** Sessions that ended because somebody proved to be who they had only said to be. */
  signedOut: string[]
}

/**
 * Opens a visitor session for a customer that this very call creates, or for the one whom the website vouches for. The
 * browser made both secret and id, so when an answer is lost it sends the same again and meets the same session.
 * @throws Invalid when the id belongs to a customer that was there before: an id is no proof of being somebody
 */
export async function startVisitorSession(
  change: Change,
  { account_id, token, customer_id, claims, proof }: Wish,
  device: { ip: string; user_agent: string | undefined },
): Promise<Started> {
  const { db } = change
  const token_hash = hashToken(token)
  // Asked before the session: whoever sees a customer that the same start has just made then sees its session, too.
  const taken = await db.selectFrom('customers').select('id').where('id', '=', customer_id).executeTakeFirst()
  const session = await db
    .selectFrom('visitor_sessions')
    .select(['account_id', 'customer_id', 'revoked_at'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  if (session) {
    if (session.revoked_at) throw new Forbidden('This visitor session has ended. Start a new one.')
    if (session.account_id !== account_id) throw new Invalid({ token: ['has already been taken'] })
    return { session: { token, customer_id: session.customer_id }, signedOut: [] }
  }
  if (taken) throw new Invalid({ customer_id: ['has already been taken'] })
  const arrival = { id: customer_id, ip: device.ip }
  const { customer, signedOut } = proof
    ? await meetProven(change, account_id, proof, claims, arrival)
    : {
        customer: await createCustomer(change, account_id, await believe(db, account_id, claims), arrival),
        signedOut: [],
      }
  const user_agent = device.user_agent?.slice(0, 400)
  await db
    .insertInto('visitor_sessions')
    .values({ account_id, id: newId(), customer_id: customer.id, token_hash, user_agent })
    .execute()
  // Until now the id alone may have opened somebody who was known already.
  if (customer.id !== customer_id) change.announce(account_id, { type: 'access:changed', customer_id: customer.id })
  return { session: { token, customer_id: customer.id }, signedOut }
}
