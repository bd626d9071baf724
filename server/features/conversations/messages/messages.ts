import { sql } from 'kysely'
import type { User } from '#contract/accounts/users.ts'
import type { Message } from '#contract/conversations/messages.ts'
import { PAGE_SIZE } from '#contract/conversations/messages.ts'
import { NotFound } from '../../../errors.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { readTogether } from '../../../platform/db/transact.ts'
import { loadUsers } from '../../accounts/users/users.ts'
import { loadCustomers } from '../../customers/customers/customers.ts'
import { loadAttachments } from '../files/files.ts'

export const columns = [
  'id',
  'account_id',
  'conversation_id',
  'number',
  'body',
  'type',
  'content_type',
  'private',
  'source',
  'created_at',
  'sent_at',
  'seen_at',
  'customer_id',
  'user_id',
  'metadata',
  'template',
  'edited_at',
  'email_subject',
  'email_html',
  'external_author',
  'by_assistant',
  'language',
] as const

export type MessageRow = {
  [Column in Exclude<(typeof columns)[number], 'external_author' | 'by_assistant' | 'language'>]: Message[Column]
} & { external_author?: string | null; by_assistant?: boolean | null; language?: string | null }

export function selectMessages(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('messages').select(columns).$castTo<MessageRow>()
}

/** Adds authors and, unless there can be none, attachments: three queries for any number of rows. */
export async function expandMessages(
  db: Db,
  account_id: string,
  rows: MessageRow[],
  { withFiles = true } = {},
): Promise<Message[]> {
  const [users, customers, attachments] = await Promise.all([
    loadUsers(
      db,
      account_id,
      rows.flatMap(({ user_id }) => user_id ?? []),
    ),
    loadCustomers(
      db,
      account_id,
      rows.flatMap(({ customer_id }) => customer_id ?? []),
    ),
    loadAttachments(db, account_id, withFiles ? rows.map(({ id }) => id) : []),
  ])
  return rows.map((row) =>
    presentMessageRow(row, {
      user: row.user_id === null ? undefined : users.get(row.user_id),
      customer: row.customer_id === null ? undefined : customers.get(row.customer_id),
      attachments: attachments.get(row.id),
    }),
  )
}

/** A row with its author and attachments. */
export function presentMessageRow(
  { external_author, by_assistant, language, ...row }: MessageRow,
  { user, customer, attachments }: Partial<Pick<Message, 'user' | 'customer' | 'attachments'>>,
): Message {
  return {
    ...row,
    object: 'message',
    // Published widgets recognise their own message by `sent_at` without milliseconds.
    sent_at: row.sent_at && `${row.sent_at.slice(0, 19)}Z`,
    user: (user && external_author ? withName(user, external_author) : user) ?? null,
    ...(external_author && { external_author }),
    ...(by_assistant && { by_assistant }),
    ...(language && { language }),
    ...(row.customer_id && { customer: customer ?? null }),
    attachments: attachments ?? [],
  }
}

/** All clients show the author's own name, not that of the user whose id the message has. */
function withName(user: User, display_name: string): User {
  return { ...user, display_name, full_name: display_name, profile_photo_url: null }
}

export interface MessageFilters {
  conversation_id?: string
  customer_id?: string
  user_id?: number
  source?: string
  type?: string
  private?: boolean
  body?: string
  before?: number
  after?: number
  around?: number | 'unread'
  limit?: number
}

/**
 * One page of messages, newest first. Within a conversation they are ordered by number; `next` is where the older page
 * begins and `previous` where the newer one does. Over a whole account only the newest page is returned.
 */
export function listMessages(db: Db, account_id: string, filters: MessageFilters) {
  return readTogether(db, (together) => readMessages(together, account_id, filters))
}

async function readMessages(db: Db, account_id: string, filters: MessageFilters) {
  const limit = Math.min(Math.max(filters.limit ?? PAGE_SIZE, 1), PAGE_SIZE * 4)
  if (filters.conversation_id) {
    const { rows, next, previous } = await readPage(db, account_id, filters, limit)
    return { data: await expandMessages(db, account_id, rows), next, previous }
  }
  let query = matching(db, account_id, filters)
  if (filters.before !== undefined) query = query.where('number', '<', filters.before)
  const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(sql.lit(limit)).execute()
  return { data: await expandMessages(db, account_id, rows), next: null, previous: null }
}

function matching(db: Db, account_id: string, filters: MessageFilters) {
  let query = selectMessages(db, account_id)
  for (const column of ['conversation_id', 'customer_id', 'user_id', 'source', 'type', 'private'] as const) {
    const value = filters[column]
    if (value !== undefined) query = query.where(column, '=', value as never)
  }
  return filters.body ? query.where('body', 'ilike', patternOf(filters.body)) : query
}

/** API clients may send a pattern, such as `%refund%`; anything else, such as `50%`, is searched literally. */
function patternOf(text: string): string {
  return text.startsWith('%') ? text : `%${escapeLike(text)}%`
}

/** A page by number: newer than a number, older than it, or both halves around it. */
async function readPage(db: Db, account_id: string, filters: MessageFilters, limit: number) {
  const { before, after } = filters
  const around = filters.around === 'unread' ? await findFirstUnread(db, account_id, filters) : filters.around
  const query = matching(db, account_id, filters)
  const newer = async (than: number, count: number) => {
    const rows = await query
      .where('number', '>', than)
      .orderBy('number')
      .limit(sql.lit(count + 1))
      .execute()
    return { rows: rows.slice(0, count).reverse(), isMore: rows.length > count }
  }
  const older = async (than: number | undefined, count: number) => {
    const rows = await query
      .$if(than !== undefined, (builder) => builder.where('number', '<', than!))
      .orderBy('number', 'desc')
      .limit(sql.lit(count + 1))
      .execute()
    return { rows: rows.slice(0, count), isMore: rows.length > count }
  }
  if (around !== undefined) {
    const above = await newer(around, Math.floor(limit / 2))
    const below = await older(around + 1, limit - above.rows.length)
    return ends([...above.rows, ...below.rows], below.isMore, above.isMore)
  }
  if (after !== undefined) {
    const { rows, isMore } = await newer(after, limit)
    return ends(rows, true, isMore)
  }
  const { rows, isMore } = await older(before, limit)
  return ends(rows, isMore, before !== undefined)
}

async function findFirstUnread(db: Db, account_id: string, filters: MessageFilters): Promise<number | undefined> {
  // An agent who replied has read everything above the reply, even if no read receipt says so.
  const answer = await matching(db, account_id, filters)
    .where('user_id', 'is not', null)
    .where('private', '=', false)
    .where('type', '=', 'reply')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const first = await matching(db, account_id, filters)
    .where('number', '>', answer?.number ?? 0)
    .where('customer_id', 'is not', null)
    .where('seen_at', 'is', null)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return first?.number
}

/** Numbers begin with 1, so there is nothing older than that. */
function ends(rows: MessageRow[], isOlder: boolean, isNewer: boolean) {
  const [newest, oldest] = [rows[0]?.number, rows.at(-1)?.number]
  return {
    rows,
    next: isOlder && oldest !== undefined && oldest > 1 ? oldest : null,
    previous: isNewer && newest !== undefined ? newest : null,
  }
}

export async function getMessage(db: Db, account_id: string, id: string): Promise<Message> {
  const row = await selectMessages(db, account_id).where('id', '=', id).executeTakeFirst()
  const [message] = row ? await expandMessages(db, account_id, [row]) : []
  if (!message) throw new NotFound()
  return message
}

export async function countMessages(db: Db, account_id: string): Promise<number> {
  const { count } = await ofAccount(db, account_id)
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Makes text safe inside a LIKE pattern, so that `50%` looks for a percent sign. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
