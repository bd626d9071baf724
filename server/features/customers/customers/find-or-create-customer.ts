import type { Customer, CustomerClaims, VisitorSession } from '#contract/customers/customers.ts'
import { accessChanged, customerUpdated } from '#contract/customers/customers.ts'
import { Forbidden, Invalid } from '../../../errors.ts'
import { type Caller, isTeamOf } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import { hashToken, newId } from '../../../platform/secrets.ts'
import { isAccount } from '../../accounts/accounts/accounts.ts'
import type { Proof } from '../signed-identity/verifying.ts'
import { createCustomer, updateClaims } from './claims.ts'
import { findByExternalId, identifyCustomer } from './external-ids.ts'
import { takeOverPrepared } from './known-browsers.ts'
import { findOrCreateProven, waitForTurn } from './signed-identity.ts'
import { acceptClaims, acceptClaimsById, trustsUnsignedIds } from './unsigned-claims.ts'
import { mayActAsCustomer } from './visitor-sessions.ts'

/**
 * The customer named by a published client or the team: the one with this external id if the caller may find it, else a
 * new one. Concurrent calls with the same external id wait for each other, so that they become one customer.
 */
export async function findOrCreateCustomer(
  change: Change,
  caller: Caller,
  account_id: string,
  input: CustomerClaims,
  arrival: { ip: string | null; first_seen?: string | null },
): Promise<Customer> {
  const { db } = change
  const byTeam = isTeamOf(account_id, caller)
  const source = byTeam ? 'team' : 'browser'
  const claims = byTeam ? input : await acceptClaims(db, account_id, input)
  const { external_id } = claims
  if (external_id) {
    await waitForTurn(change, account_id, external_id)
    const existing = byTeam
      ? await findByExternalId(change, account_id, external_id)
      : await identifyCustomer(db, account_id, { external_id }, await trustsUnsignedIds(db, account_id))
    if (existing && (await mayActAsCustomer(db, caller, account_id, existing))) {
      const believed = byTeam ? claims : await acceptClaimsById(db, account_id, claims, existing)
      return updateClaims(change, account_id, existing, believed, source)
    }
  }
  const customer = await createCustomer(change, account_id, claims, source, arrival)
  // Visitors come by the thousand; only customers added by a colleague are announced.
  if (byTeam) change.announce(account_id, customerUpdated, { customer })
  return customer
}

interface SessionRequest {
  account_id: string
  token: string
  customer_id: string
  claims: CustomerClaims
  /** The website's proof, if there is one. */
  proof: Proof | undefined
  /** The secret of the session that an import prepared for this browser, if it has proven to be that browser. */
  prepared?: string | undefined
  isTest?: boolean
}

interface Started {
  session: VisitorSession
  /** Sessions that ended because somebody proved an identity that they had only claimed. */
  signedOut: string[]
}

/**
 * Opens a visitor session for a customer created by this call, for the one the website vouches for, for the one
 * whom this browser was before an import, or, where the account trusts unsigned ids, for the one with this external id
 * whom no browser has claimed. The browser created both
 * secret and id, so after a lost response it sends the same again and gets the same session.
 * @throws Invalid if the id belongs to an existing customer: knowing an id proves nothing
 */
export async function startVisitorSession(
  change: Change,
  { account_id, token, customer_id, claims, proof, prepared, isTest = false }: SessionRequest,
  device: { ip: string; user_agent: string | undefined },
): Promise<Started> {
  const { db } = change
  const token_hash = hashToken(token)
  // Queried before the session: if this finds a customer created by a concurrent repeat of the call, its session is
  // visible, too.
  const existing = await acrossAccounts(db, 'an id is taken in the whole installation')
    .selectFrom('customers')
    .select('id')
    .where('id', '=', customer_id)
    .executeTakeFirst()
  const session = await acrossAccounts(db, 'who holds the secret is told whose it is')
    .selectFrom('visitor_sessions')
    .select(['account_id', 'customer_id', 'revoked_at'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  if (session) {
    if (session.revoked_at) throw new Forbidden('This visitor session has ended. Start a new one.')
    if (session.account_id !== account_id) throw new Invalid({ token: ['has already been taken'] })
    return { session: { token, customer_id: session.customer_id }, signedOut: [] }
  }
  if (existing) throw new Invalid({ customer_id: ['has already been taken'] })
  if (!(await isAccount(db, account_id))) throw new Invalid({ account_id: ['does not exist'] })
  const arrival = { id: customer_id, ip: device.ip, isTest }
  const believed = proof ? undefined : await acceptClaims(db, account_id, claims)
  const { customer, signedOut } = proof
    ? await findOrCreateProven(change, account_id, proof, claims, arrival)
    : { customer: await findOrCreateUnsigned(change, account_id, believed!, prepared, arrival), signedOut: [] }
  const user_agent = device.user_agent?.slice(0, 400)
  const session_row = { account_id, id: newId(), customer_id: customer.id, token_hash, user_agent }
  await db
    .insertInto('visitor_sessions')
    .values({ ...session_row, email: believed?.email ?? null })
    .execute()
  // Until now the id alone may have given access to a known customer.
  if (customer.id !== customer_id) change.announce(account_id, accessChanged, { customer_id: customer.id })
  return { session: { token, customer_id: customer.id }, signedOut }
}

/**
 * The customer of a browser that was known before an import; otherwise a new one, or, where the account trusts unsigned
 * ids, the one whom no browser has claimed yet.
 */
async function findOrCreateUnsigned(
  change: Change,
  account_id: string,
  claims: CustomerClaims,
  prepared: string | undefined,
  arrival: { id: string; ip: string; isTest: boolean },
): Promise<Customer> {
  const { external_id } = claims
  const before = prepared && !arrival.isTest && (await takeOverPrepared(change, account_id, prepared, claims))
  if (before) {
    const believed = await acceptClaims(change.db, account_id, claims, before)
    return updateClaims(change, account_id, before, believed, 'browser')
  }
  if (external_id && !arrival.isTest && (await trustsUnsignedIds(change.db, account_id))) {
    await waitForTurn(change, account_id, external_id)
    const existing = await identifyCustomer(change.db, account_id, { external_id }, true)
    if (existing) return updateClaims(change, account_id, existing, claims, 'browser')
  }
  return createCustomer(change, account_id, claims, 'browser', arrival)
}
