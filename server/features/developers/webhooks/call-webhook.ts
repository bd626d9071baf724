import type { ConversationRow } from '#contract/conversations/conversations.ts'
import { WEBHOOK_CALLED } from '#contract/developers/webhooks.ts'
import type { Context } from '../../../context.ts'
import { Unacceptable } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { currentRequestId } from '../../../platform/request-id.ts'
import { newId } from '../../../platform/secrets.ts'
import { deliverWebhooks } from './record-events.ts'

/**
 * Sends a conversation to a webhook, whatever events that is subscribed to: signed, in order with the other deliveries
 * about the conversation, and tried as often.
 * @throws Unacceptable if there is no such verified webhook
 */
export async function callWebhook(
  { jobs }: Pick<Context, 'jobs'>,
  { db }: Change,
  account_id: string,
  subscription_id: string,
  conversation: ConversationRow,
): Promise<void> {
  const subscription = await ofAccount(db, account_id)
    .selectFrom('event_subscriptions')
    .select('switched_off_at')
    .where('id', '=', subscription_id)
    .where('verified', '=', true)
    .executeTakeFirst()
  if (!subscription) throw new Unacceptable('This webhook was deleted, or its URL is not verified. Choose another one.')
  await db
    .insertInto('webhook_deliveries')
    .values({
      account_id,
      id: newId(),
      subscription_id,
      event: WEBHOOK_CALLED,
      conversation_id: conversation.id,
      customer_id: conversation.customer_id,
      order_key: conversation.id,
      body: toJson({ event: WEBHOOK_CALLED, payload: conversation }),
      request_id: currentRequestId() ?? null,
      state: subscription.switched_off_at ? 'parked' : 'pending',
    })
    .execute()
  if (!subscription.switched_off_at) await jobs.enqueue(db, deliverWebhooks, { account_id })
}

/** The ids of the webhooks that can be called. */
export async function listCallable(db: Db, account_id: string): Promise<string[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('event_subscriptions')
    .select('id')
    .where('verified', '=', true)
    .execute()
  return rows.map(({ id }) => id)
}
