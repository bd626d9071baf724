import { type SqlBool, sql } from 'kysely'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { VisitorConversation } from '#contract/conversations/visitor-conversations.ts'
import { pick } from '../../../pick.ts'
import type { Visitor } from '../../../platform/caller.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { listForCustomer } from '../messages/for-customer.ts'
import { loadConversationMessages } from '../messages/latest-messages.ts'
import { expandConversations, type StoredConversation, selectConversations } from './conversations.ts'
import { loadRatings } from './rating.ts'

const MAX_CONVERSATIONS = 30
const OPEN_CHATS = 3
/** Chats that were not deleted; test conversations are archived from the beginning. */
const IN_WIDGET = sql<SqlBool>`(source = 'chat' and archived_at is null or source = 'sandbox')`

/**
 * A visitor's own chats in an inbox, latest first, each with its newest public message and the number of unseen team
 * messages. Chats without messages are left out.
 */
export async function listOwnConversations(
  db: Db,
  { account_id, customer_id }: Visitor,
  inbox_id: string | null | undefined,
): Promise<VisitorConversation[]> {
  const rows = await selectConversations(db, account_id)
    .where('customer_id', '=', customer_id)
    .where(IN_WIDGET)
    .where('last_number', '>', 0)
    .$if(!!inbox_id, (query) => query.where('inbox_id', '=', inbox_id!))
    .orderBy('last_activity_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_CONVERSATIONS)
    .execute()
  const ids = rows.map(({ id }) => id)
  const [messages, unseen, ratings] = await Promise.all([
    loadConversationMessages(db, account_id, ids, 'last public'),
    countUnseen(db, account_id, ids),
    loadRatings(db, account_id, ids),
  ])
  const last = await listForCustomer(db, account_id, [...messages.values()].flat())
  return rows.map((row) =>
    pick(VisitorConversation, {
      ...row,
      object: 'conversation',
      last_message: last.find(({ conversation_id }) => conversation_id === row.id) ?? null,
      unseen: unseen.get(row.id) ?? 0,
      rating: ratings.find(({ conversation_id }) => conversation_id === row.id) ?? null,
    }),
  )
}

/** The open chats of a customer for published clients, which handle only a few: the latest with messages. */
export async function listOpenChats(
  db: Db,
  account_id: string,
  customer_id: string,
  inbox_id: string | null | undefined,
): Promise<Conversation[]> {
  const rows = await selectConversations(db, account_id)
    .where('customer_id', '=', customer_id)
    .where(IN_WIDGET)
    .where('status', '=', 'open')
    .$if(!!inbox_id, (query) => query.where('inbox_id', '=', inbox_id!))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(OPEN_CHATS)
    .execute()
  return expandConversations(db, account_id, rows as StoredConversation[], 'newest public page')
}

/** Number of unseen team messages, by conversation. */
async function countUnseen(db: Db, account_id: string, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await ofAccount(db, account_id)
    .selectFrom('messages')
    .select((eb) => ['conversation_id', eb.fn.countAll<number>().as('count')])
    .where('conversation_id', 'in', ids)
    .where('user_id', 'is not', null)
    .where('private', '=', false)
    .where('seen_at', 'is', null)
    .groupBy('conversation_id')
    .execute()
  return new Map(rows.map(({ conversation_id, count }) => [conversation_id, count]))
}
