import type { Erased } from '#contract/customers/erasure.ts'
import type { Context } from '../../../context.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { deleteMirroredPosts } from '../../connections/mirrors/delete-posts.ts'
import { countMessages } from '../../conversations/reporting/counting.ts'
import { deleteCustomer } from '../customer-profiles/delete-customer.ts'
import { listMerged } from '../customers/forget-identity.ts'
import { deleteMentionsOf } from './forget-mentions.ts'
import { deleteTraces, findTraces } from './traces.ts'

/**
 * Destroys all data of one customer. First an ordinary deletion removes the customer from every screen; then all rows
 * are destroyed, including what the first step added to the log.
 */
export async function eraseEverything(context: Context, caller: User, id: string): Promise<Erased> {
  const { account_id } = caller
  const traces = await findTraces(context.db, account_id, id)
  const own_id = await context.change((tx) => deleteCustomer(context, tx, account_id, id))
  await context.realtime.disconnect({ account_id, customer_id: own_id })
  return context.change(async (tx) => {
    const ids = [own_id, ...(await listMerged(tx, account_id, own_id))]
    await deleteMirroredPosts(context, tx, account_id, 'customer_id', ids)
    const erased = await destroyRows(context, tx, account_id, ids)
    await deleteTraces(context, tx, account_id, traces)
    await recordAudit(tx, caller, { action: 'customer.erased', subject_id: own_id, details: erased })
    return erased
  })
}

async function destroyRows(context: Context, tx: Change, account_id: string, ids: string[]): Promise<Erased> {
  const { db } = tx
  const conversations = await ofAccount(db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where('customer_id', 'in', ids)
    .execute()
  const subjects = [...ids, ...conversations.map(({ id }) => id)]
  const erased: Erased = { conversations: 0, messages: 0, files: 0 }
  for (const { erase } of context.customerData) {
    if (typeof erase !== 'function') continue
    const { conversations = 0, messages = 0, files = 0 } = await erase(context, tx, account_id, ids)
    erased.conversations += conversations
    erased.messages += messages
    erased.files += files
  }
  await countMessages(
    db,
    account_id,
    conversations.map(({ id }) => id),
  )
  // Writes audit_entries, too: erasing removes names wherever they are.
  await ofAccount(db, account_id)
    .updateTable('audit_entries')
    .set({ subject_name: null, details: toJson({}) })
    .where('subject_id', 'in', subjects)
    .execute()
  await deleteMentionsOf(tx, account_id, subjects)
  // Customers merged into this one refer to it, so they are deleted first.
  // Writes customers, too: erasing deletes the row last, when nothing refers to it.
  await ofAccount(db, account_id).deleteFrom('customers').where('merged_into', 'in', ids).execute()
  // Writes customers, too: erasing deletes the row last, when nothing refers to it.
  await ofAccount(db, account_id).deleteFrom('customers').where('id', 'in', ids).execute()
  return erased
}
