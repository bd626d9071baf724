import { conversationDestroyed } from '#contract/deleted-conversations.ts'
import type { Erased } from '#contract/erasure.ts'
import type { Context } from '../../context.ts'
import { NotFound } from '../../errors.ts'
import type { User } from '../../platform/caller.ts'
import type { Change } from '../../platform/db/change.ts'
import { recordAudit } from '../audit/audit.ts'
import { destroyMailsOf } from '../conversation-mails/originals.ts'
import { lockConversation } from '../conversations/conversations.ts'
import { destroyConversations } from '../conversations/destroy-conversations.ts'
import { forgetWebhooksOf } from '../event-subscriptions/customer-data.ts'
import { forgetRunsOf } from '../functions/customer-data.ts'
import { destroyInboundOf } from '../inbound/inbound-events.ts'
import { deleteMirroredPosts } from '../mirrors/delete-posts.ts'
import { countMessages } from '../reporting/counting.ts'
import { forgetMentionsOf } from './forget-mentions.ts'

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
  if (!conversation?.archived_at) throw new NotFound()
  await deleteMirroredPosts(context, tx, account_id, 'id', [id])
  await destroyMailsOf(context, tx, account_id, id)
  await destroyInboundOf(context, tx, account_id, id)
  await forgetWebhooksOf(tx, account_id, id)
  await forgetRunsOf(tx, account_id, id)
  const erased = await destroyConversations(context, tx, account_id, [id])
  await countMessages(tx.db, account_id, [id])
  await forgetMentionsOf(tx, account_id, [id])
  await tx.db
    .updateTable('audit_entries')
    .set({ subject_name: null })
    .where('account_id', '=', account_id)
    .where('subject_id', '=', id)
    .execute()
  await recordAudit(tx, caller, { action: 'conversation.destroyed', subject_id: id, details: erased })
  tx.announce(account_id, conversationDestroyed, { conversation_id: id })
  return erased
}
