import { userName } from '#contract/accounts/users.ts'
import type { Context } from '../../context.ts'
import { findSentAs, listThreads } from '../../features/connections/external-links/external-links.ts'
import { readMessage } from '../../features/connections/mirrors/unsent-messages.ts'
import { findCompanyProfile, forCustomer } from '../../features/conversations/messages/for-customer.ts'
import type { OpenDelivery, Receipt } from '../../integration.ts'
import { asSlack, type StoredSlack } from './authorization.ts'
import { changePost, removePost } from './change-post.ts'
import { postInThread } from './post.ts'
import { writeBody } from './root.ts'

const DROPPED: Receipt = { dropped: true }

/** Sends the team's messages to the thread where the customer wrote. */
export async function deliverSupport(context: Context, delivery: OpenDelivery<StoredSlack>): Promise<Receipt> {
  const { account_id, conversation_id, message_id, kind } = delivery
  const { db } = context
  const slack = asSlack(delivery.authorization)
  if (!conversation_id || !message_id || kind === 'status') return DROPPED
  const sent = await findSentAs(db, { account_id, authorization_id: slack.id }, message_id)
  if (kind === 'remove') return sent ? removePost(context, slack, sent) : DROPPED
  const message = await readMessage(db, account_id, message_id)
  if (!message || message.private || message.customer_id) return DROPPED
  const text = writeBody(message)
  if (kind === 'edit') return sent ? changePost(context, slack, sent, text) : DROPPED
  const threads = await listThreads(db, account_id, [conversation_id])
  const origin = threads.find((thread) => thread.authorization_id === slack.id && thread.role === 'origin')
  if (!origin) return DROPPED
  if (sent) return { place: sent.place, external_id: sent.external_id }
  // As the customer may see the author: with the company in place of people, where the inbox says so.
  const { user } = forCustomer(message, await findCompanyProfile(db, message))
  const { company_name } = await db
    .selectFrom('accounts')
    .select('company_name')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  const external_id = await postInThread(context, slack, {
    channel: origin.place,
    thread: origin.thread,
    message_id,
    text,
    username: user ? userName(user) : company_name,
    picture: user?.profile_photo_url ?? null,
  })
  return { place: origin.place, external_id }
}
