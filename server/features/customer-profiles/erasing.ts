import { customerDeleted } from '#contract/customers.ts'
import type { Change } from '../../platform/db/change.ts'
import { archiveConversationsOf } from '../conversations/moving.ts'
import { forgetWordsOf } from '../conversations/unproven.ts'
import { dropNotes } from '../customer-notes/customer-notes.ts'
import { lockCustomer } from '../customers/changing.ts'
import { eraseIdentity, listMerged } from '../customers/identity.ts'
import { dropTags } from '../customers/tagging.ts'
import { endVisitorSessionsOf } from '../customers/visitor-sessions.ts'
import { dropIssues } from '../issues/linking.ts'

/**
 * Erases a customer and those who became part of it. Conversations are archived rather than destroyed, as everywhere: the
 * team's own words stand in them too. What identified the person is gone for good. Answers with the customer's own id,
 * under which its sockets are known.
 */
export async function eraseCustomer(change: Change, account_id: string, id: string): Promise<string> {
  const customer = await lockCustomer(change.db, account_id, id)
  const ids = [customer.id, ...(await listMerged(change, account_id, customer.id))]
  await archiveConversationsOf(change, account_id, customer.id)
  for (const one of ids) {
    await endVisitorSessionsOf(change, account_id, one)
    await dropTags(change, account_id, one)
    await dropIssues(change, account_id, one)
    await dropNotes(change, account_id, one)
  }
  // Those that were taken back, too: what the customer lent meanwhile stands in them.
  await change.db
    .deleteFrom('customer_merges')
    .where('account_id', '=', account_id)
    .where((merge) => merge.or([merge('customer_id', 'in', ids), merge('merged_id', 'in', ids)]))
    .execute()
  await eraseIdentity(change, account_id, ids)
  await forgetWordsOf(change, account_id, ids)
  change.announce(account_id, customerDeleted, { customer_id: customer.id })
  return customer.id
}
