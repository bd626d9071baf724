import type { Conversation } from '#contract/conversations/conversations.ts'
import { conversationCreated } from '#contract/conversations/conversations.ts'
import { Invalid, NotFound } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { isOfTest, resolveCustomer } from '../../customers/customers/customers.ts'
import { doesAssistantBegin } from '../../widget/inboxes/first-answers.ts'
import { chooseInbox } from '../../widget/inboxes/inboxes.ts'
import { expandConversations, selectConversations } from './conversations.ts'
import { findOriginOfAnswers } from './reply-address.ts'

interface Start {
  id?: string
  customer_id: string
  inbox_id?: string | null
  source?: Conversation['source']
  subject?: string | null
  metadata?: Record<string, unknown> | null
  /** The session of the browser that starts it. */
  session_id?: string
  /** Its customer starts it in the chat, where the assistant may answer first. */
  isByCustomer?: boolean
}

/**
 * Starts a conversation with a customer, by default in the primary inbox. It belongs to the team of its inbox. The client may choose the id: sending it
 * again returns the same conversation. What customers of test chats start are test conversations, with the source
 * `sandbox`.
 */
export async function startConversation(change: Change, account_id: string, start: Start): Promise<Conversation> {
  const { db } = change
  const [customer, inbox, isTest] = await Promise.all([
    resolveCustomer(db, start.customer_id, account_id),
    chooseInbox(db, account_id, start.inbox_id),
    isOfTest(db, account_id, start.customer_id),
  ])
  if (!customer) throw new Invalid({ customer_id: ['does not exist'] })
  if (!inbox) throw new Invalid({ inbox_id: ['does not exist'] })
  const id = start.id ?? newId()
  const { subject = null, metadata } = start
  const source = isTest ? 'sandbox' : (start.source ?? 'chat')
  const customer_id = customer.id
  const isAssisted = !isTest && start.isByCustomer && (await doesAssistantBegin(db, account_id, inbox))
  const inserted = await db
    .insertInto('conversations')
    .values({
      account_id,
      id,
      customer_id,
      inbox_id: inbox.id,
      team_id: inbox.team_id,
      source,
      subject,
      // Kept apart from the beginning: no list, counter or search has it.
      archived_at: source === 'sandbox' ? new Date().toISOString() : null,
      metadata: metadata ? toJson(metadata) : null,
      // Nobody of the team is to look before it is handed over.
      ...(isAssisted && { assistant: 'answering' as const, read: true }),
      ...(await findOriginOfAnswers(db, account_id, customer_id, start.session_id)),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  const stored = await selectConversations(db, account_id).where('id', '=', id).executeTakeFirst()
  // The same response for all other owners: other accounts' data must not be revealed.
  if (stored?.customer_id !== customer_id) throw new Invalid({ id: ['has already been taken'] })
  const [conversation] = await expandConversations(db, account_id, [stored], 'newest page')
  if (!conversation) throw new NotFound()
  if (inserted) change.announce(account_id, conversationCreated, { conversation })
  return conversation
}
