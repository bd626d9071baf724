import type { Context } from '../../../context.ts'
import { Forbidden } from '../../../errors.ts'
import type { Visitor } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { markUnproven } from '../../conversations/conversations/unproven.ts'
import { lockCustomer } from '../customers/changing.ts'
import { updateClaims } from '../customers/claims.ts'
import { findByExternalId } from '../customers/external-ids.ts'
import { deleteUnproven, recordProof, unprovenClaims, waitForTurn } from '../customers/signed-identity.ts'
import { isProven } from '../customers/unsigned-claims.ts'
import type { Proof } from '../signed-identity/verifying.ts'
import { mergeCustomers } from './merging.ts'

/**
 * A visitor proves their identity after they began to write, for example by signing in on the website. If that person
 * is known already, the conversations so far move to them. The identity is taken from the proof; the browser's earlier
 * claims stay in its conversations, marked as unproven. Returns the resulting customer, and the sessions whose sockets
 * must reconnect.
 * @throws Forbidden for a browser of somebody else: another person must start anew and inherits nothing
 */
export async function proveVisitor(
  context: Pick<Context, 'customerData'>,
  change: Change,
  { account_id, customer_id, session_id }: Visitor,
  proof: Proof,
): Promise<{ customer_id: string; session_ids: string[] }> {
  await waitForTurn(change, account_id, proof.external_id)
  const mine = await lockCustomer(change.db, account_id, customer_id)
  const owner = (await findByExternalId(change, account_id, proof.external_id)) ?? mine.id
  const claimed = mine.external_id ?? mine.claimed_external_id
  if (claimed && claimed !== proof.external_id) {
    throw new Forbidden('This browser belongs to another customer. Start a new visitor session.')
  }
  if (!(await isProven(change.db, account_id, mine.id))) {
    await markUnproven(change, account_id, mine.id, unprovenClaims(mine))
    if (owner === mine.id) await deleteUnproven(change, account_id, mine)
  }
  const session_ids = await recordProof(change, account_id, owner, session_id)
  if (owner !== mine.id) {
    session_ids.push(...(await mergeCustomers(context, change, account_id, null, owner, mine.id)).session_ids)
  }
  await updateClaims(change, account_id, owner, proof, 'proof')
  return { customer_id: owner, session_ids }
}
