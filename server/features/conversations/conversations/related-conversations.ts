import type { Conversation } from '#contract/conversations/conversations.ts'
import { PAGE_SIZE } from '#contract/conversations/messages.ts'
import { NotFound } from '../../../errors.ts'
import type { Db } from '../../../platform/db/change.ts'
import { expandConversations, selectConversations } from './conversations.ts'

/** The customer's conversation before this one, or null. */
export async function findPrevious(db: Db, account_id: string, id: string): Promise<Conversation | null> {
  const conversation = await getRow(db, account_id, id)
  const rows = await othersOf(db, account_id, conversation)
    .where('created_at', '<', conversation.created_at)
    .limit(1)
    .execute()
  const [previous] = await expandConversations(db, account_id, rows, 'newest page')
  return previous ?? null
}

/** Other conversations of the same customer, newest first, each with its last message. */
export async function listRelated(db: Db, account_id: string, id: string, limit: number): Promise<Conversation[]> {
  const conversation = await getRow(db, account_id, id)
  const rows = await othersOf(db, account_id, conversation)
    .limit(Math.min(Math.max(limit, 1), PAGE_SIZE))
    .execute()
  return expandConversations(db, account_id, rows, 'preview')
}

async function getRow(db: Db, account_id: string, id: string) {
  const row = await selectConversations(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return row
}

function othersOf(db: Db, account_id: string, { customer_id, id }: { customer_id: string; id: string }) {
  return selectConversations(db, account_id)
    .where('customer_id', '=', customer_id)
    .where('id', '<>', id)
    .where('archived_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}
