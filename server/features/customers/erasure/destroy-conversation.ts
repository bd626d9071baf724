import { conversationDestroyed } from '#contract/conversations/deleted-conversations.ts'
import type { Erased } from '#contract/customers/erasure.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { destroyInboundOf } from '../../connections/inbound/inbound-events.ts'
import { deleteMirroredPosts } from '../../connections/mirrors/delete-posts.ts'
import { lockConversation } from '../../conversations/conversations/conversations.ts'
import { destroyConversations } from '../../conversations/conversations/destroy-conversations.ts'
import { countMessages } from '../../conversations/reporting/counting.ts'
import { deleteRunsOf } from '../../developers/functions/customer-data.ts'
import { deleteWebhookDeliveriesOf } from '../../developers/webhooks/customer-data.ts'
import { destroyMailsOf } from '../../mail/conversation-mails/originals.ts'
import { deleteMentionsOf } from './forget-mentions.ts'

/**
 * Destroys a deleted conversation for good, with everything that repeats what was said in it. Its customer stays.
 * Returns how much was destroyed.
 * @throws NotFound also for a conversation that was not deleted before
 */
export async function destroyDeletedConversation(
  context: Context,
  tx: Change,
  caller: User,
  id: string,
): Promise<Erased> {
  const { account_id } = caller
  const conversation = await lockConversation(tx.db, account_id, id)
  if (!conversation?.archived_at || conversation.merged_into) throw new NotFound()
  await deleteMirroredPosts(context, tx, account_id, 'id', [id])
  await destroyMailsOf(context, tx, account_id, id)
  await destroyInboundOf(context, tx, account_id, id)
  await deleteWebhookDeliveriesOf(tx, account_id, id)
  await deleteRunsOf(tx, account_id, id)
  const erased = await destroyConversations(context, tx, account_id, [id])
  await countMessages(tx.db, account_id, [id])
  await deleteMentionsOf(tx, account_id, [id])
  // Writes audit_entries, too: erasing removes names wherever they are.
  await ofAccount(tx.db, account_id)
    .updateTable('audit_entries')
    .set({ subject_name: null })
    .where('subject_id', '=', id)
    .execute()
  await recordAudit(tx, caller, { action: 'conversation.destroyed', subject_id: id, details: erased })
  tx.announce(account_id, conversationDestroyed, { conversation_id: id })
  return erased
}
