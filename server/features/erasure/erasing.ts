import type { Erased } from '#contract/erasure.ts'
import type { Context } from '../../context.ts'
import type { User } from '../../platform/caller.ts'
import type { Change } from '../../platform/db/change.ts'
import { noteDeed } from '../audit/audit.ts'
import { eraseCustomer } from '../customer-profiles/erasing.ts'
import { listMerged } from '../customers/identity.ts'
import { destroyFiles } from '../files/files.ts'
import { destroyConversations, forgetMentionsOf } from './destroying.ts'
import { findTraces, forgetTraces } from './traces.ts'

/**
 * Destroys everything of one customer. First the customer leaves every screen, as by an ordinary deletion, so that the
 * team's browsers hear of it; then every row goes, and with it what the first step wrote into the log.
 */
export async function eraseEverything(context: Context, caller: User, id: string): Promise<Erased> {
  const { account_id } = caller
  const traces = await findTraces(context.db, account_id, id)
  const own_id = await context.change((open) => eraseCustomer(open, account_id, id))
  await context.realtime.disconnect({ account_id, customer_id: own_id })
  return context.change(async (open) => {
    const ids = [own_id, ...(await listMerged(open, account_id, own_id))]
    const erased = await destroyRows(context, open, account_id, ids)
    await forgetTraces(open, account_id, traces)
    await noteDeed(open, caller, { action: 'customer.erased', subject_id: own_id, details: erased })
    return erased
  })
}

async function destroyRows(context: Context, open: Change, account_id: string, ids: string[]): Promise<Erased> {
  const { db } = open
  const conversations = await db
    .selectFrom('conversations')
    .select('id')
    .where('account_id', '=', account_id)
    .where('customer_id', 'in', ids)
    .execute()
  const conversation_ids = conversations.map((conversation) => conversation.id)
  const sent = await db
    .selectFrom('files')
    .select('id')
    .where('account_id', '=', account_id)
    .where('customer_id', 'in', ids)
    .execute()
  const erased = await destroyConversations(context, open, account_id, conversation_ids)
  const files = await destroyFiles(
    context,
    open,
    account_id,
    sent.map((file) => file.id),
  )
  await db
    .updateTable('audit_entries')
    .set({ subject_name: null, details: '{}' })
    .where('account_id', '=', account_id)
    .where('subject_id', 'in', [...ids, ...conversation_ids])
    .execute()
  await forgetMentionsOf(open, account_id, [...ids, ...conversation_ids])
  // Those who became part of the customer point at it, so they go first.
  await db.deleteFrom('customers').where('account_id', '=', account_id).where('merged_into', 'in', ids).execute()
  await db.deleteFrom('customers').where('account_id', '=', account_id).where('id', 'in', ids).execute()
  return { ...erased, files: erased.files + files }
}
