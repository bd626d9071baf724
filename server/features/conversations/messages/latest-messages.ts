import { sql } from 'kysely'
import { type Message, PAGE_SIZE } from '#contract/conversations/messages.ts'
import { cutText } from '#contract/text/graphemes.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { expandMessages, type MessageRow, columns as messageColumns } from './messages.ts'

/**
 * Which messages come with each conversation: the newest one (for lists only the beginning of its text), the newest page or
 * all, with private ones or without.
 */
export type MessageSelection = 'preview' | 'last' | 'last public' | 'newest page' | 'newest public page' | 'all'

/** Characters of a message in a list, which shows one or two lines of it. */
const PREVIEW_LENGTH = 500

/** A list shows no HTML of mails, which may be long. */
const previewColumns = messageColumns.filter((column) => column !== 'email_html')

/** Messages as lists show them, with their whole text. */
export function selectPreviews(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('messages').select(previewColumns)
}

/** Of a longer thread only the newest are sent; the rest is read in pages. */
const THREAD_LIMIT = 10_000

/**
 * The newest messages of several conversations, oldest first, by conversation. The number index is read backwards for
 * each conversation, so a long thread costs no more than a short one.
 */
export async function loadConversationMessages(
  db: Db,
  account_id: string,
  conversation_ids: string[],
  selection: MessageSelection,
): Promise<Map<string, Message[]>> {
  const rows = await readLatest(db, account_id, conversation_ids, selection)
  if (selection === 'preview')
    for (const row of rows) Object.assign(row, { body: cutText(row.body, PREVIEW_LENGTH), email_html: null })
  const messages = await expandMessages(db, account_id, rows.reverse())
  return Map.groupBy(messages, (message) => message.conversation_id)
}

/** The same as plain rows, those of each conversation newest first. */
export async function readLatest(
  db: Db,
  account_id: string,
  conversation_ids: string[],
  selection: MessageSelection,
): Promise<MessageRow[]> {
  if (conversation_ids.length === 0) return []
  return db
    .selectFrom(
      sql<{ conversation_id: string }>`unnest(${conversation_ids}::uuid[])`.as<'wanted'>(sql`wanted(conversation_id)`),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('messages')
          .select(selection === 'preview' ? previewColumns : messageColumns)
          .where('messages.account_id', '=', account_id)
          .whereRef('messages.conversation_id', '=', 'wanted.conversation_id')
          .$if(selection.includes('public'), (query) => query.where('private', '=', false))
          .orderBy('messages.number', 'desc')
          .limit(sql.lit(limitOf(selection)))
          .as('newest'),
      (join) => join.onTrue(),
    )
    .selectAll('newest')
    .$castTo<MessageRow>()
    .execute()
}

function limitOf(selection: MessageSelection): number {
  if (selection === 'all') return THREAD_LIMIT
  return selection === 'preview' || selection.startsWith('last') ? 1 : PAGE_SIZE
}
