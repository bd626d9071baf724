import type { ConversationChannel } from '#contract/connections/deliveries.ts'
import { INTEGRATION_NAMES, kindOf } from '#contract/connections/kinds.ts'
import type { Context } from '../../../context.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { getConversation } from '../../conversations/conversations/conversations.ts'
import { describeDisconnected } from './disconnected.ts'
import { planReply } from './plan.ts'

/**
 * Why a reply of this user would not reach the customer at the moment; null if it would.
 * @throws NotFound
 */
export async function findChannelProblem(
  context: Context,
  { account_id, user_id }: { account_id: string; user_id: number },
  conversation_id: string,
): Promise<ConversationChannel | null> {
  const { source, inbox_id } = await getConversation(context.db, account_id, conversation_id)
  const [planned] = await planReply(context, { account_id, conversation_id, user_id })
  if (!planned) {
    // Mail may also come to the installation itself.
    const integration = INTEGRATION_NAMES.find((name) => source !== 'email' && kindOf(name).carries === source)
    return integration ? { integration, inbox_id, waits: false, problem: describeDisconnected(integration) } : null
  }
  const { authorization_id, integration } = planned
  if (!authorization_id) return null
  const connection = await ofAccount(context.db, account_id)
    .selectFrom('authorizations')
    .select(['state', 'problem', 'removed_at', 'inbox_id'])
    .where('id', '=', authorization_id)
    .executeTakeFirstOrThrow()
  if (!connection.removed_at && connection.state === 'connected') return null
  const problem = (!connection.removed_at && connection.problem) || describeDisconnected(integration)
  return { integration, inbox_id: connection.inbox_id, waits: true, problem }
}
