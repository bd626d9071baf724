import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Conversation, ConversationRow } from '#contract/conversations/conversations.ts'
import { conversationUpdated } from '#contract/conversations/conversations.ts'
import { NotFound, Refusal } from '../../../errors.ts'
import type { Visitor } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { findTogether } from '../../../platform/db/load-together.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import type { Database } from '../../../platform/db/schema.ts'
import type { JsonText } from '../../../platform/db/to-json.ts'
import { readTogether } from '../../../platform/db/transact.ts'
import { loadCustomers } from '../../customers/customers/customers.ts'
import { loadTags } from '../../customers/tags/tags.ts'
import { loadConversationMessages, type MessageSelection } from '../messages/latest-messages.ts'
import { loadMentions } from './mentions.ts'

export type ConversationDbRow = Selectable<Database['conversations']>

export const columns = [
  'id',
  'account_id',
  'customer_id',
  'inbox_id',
  'assignee_id',
  'team_id',
  'source',
  'subject',
  'status',
  'priority',
  'read',
  'metadata',
  'created_at',
  'updated_at',
  'last_activity_at',
  'closed_at',
  'closed_by_id',
  'archived_at',
  'merged_into',
  'first_replied_at',
  'snoozed_at',
  'snoozed_until',
  'follow_up',
  'reply_until',
  'possible_opt_out_at',
  'due_at',
  'due_kind',
  'due_started_at',
  'assistant',
  'last_number',
  'version',
  'unseen_mention_user_ids',
  'unproven',
] as const

/** Values of the closing columns of an open conversation. */
export const NOT_CLOSED = { closed_at: null, closed_by_id: null }

export type StoredConversation = Pick<ConversationRow, (typeof columns)[number]>

export function presentConversationRow(row: StoredConversation): ConversationRow {
  return { ...row, object: 'conversation' }
}

export function selectConversations(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('conversations').select(columns).$castTo<StoredConversation>()
}

/** Adds what lists and threads show to rows: five queries, for any number of rows. */
export async function expandConversations(
  db: Db,
  account_id: string,
  rows: StoredConversation[],
  selection: MessageSelection,
): Promise<Conversation[]> {
  const ids = rows.map((row) => row.id)
  const [customers, messages, tags, mentions] = await Promise.all([
    loadCustomers(
      db,
      account_id,
      rows.map((row) => row.customer_id),
    ),
    loadConversationMessages(db, account_id, ids, selection),
    loadTags(db, account_id, ids),
    loadMentions(db, account_id, ids),
  ])
  return rows.map((row) => {
    const customer = customers.get(row.customer_id)
    if (!customer) throw new Error(`Conversation ${row.id} has no customer.`)
    return {
      ...presentConversationRow(row),
      customer,
      messages: messages.get(row.id) ?? [],
      tags: tags.get(row.id) ?? [],
      mentions: mentions.get(row.id) ?? [],
    }
  })
}

export async function getConversation(
  db: Db,
  account_id: string,
  id: string,
  selection: MessageSelection = 'newest page',
): Promise<Conversation> {
  return readTogether(db, async (together) => {
    const row = await selectConversations(together, account_id).where('id', '=', id).executeTakeFirst()
    const [conversation] = row ? await expandConversations(together, account_id, [row], selection) : []
    if (!conversation) throw new NotFound()
    return conversation
  })
}

/** @throws NotFound */
export async function getConversationRow(db: Db, account_id: string, id: string): Promise<ConversationRow> {
  const row = await selectConversations(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentConversationRow(row)
}

/**
 * The account and customer of a conversation, for sockets that only know its id. Includes archived ones: a page that
 * still shows one must be able to rejoin, because its visitor's next message brings it back.
 */
export const findConversationById = findTogether(
  (db, ids: string[]) =>
    acrossAccounts(db, 'old clients send the id alone; who may see it is decided by the caller')
      .selectFrom('conversations')
      .select(['account_id', 'id', 'customer_id', 'inbox_id', 'archived_at', 'source'])
      .where('id', 'in', ids)
      .execute(),
  ({ id }) => id,
)

/** A visitor's own conversation; those of others, and archived ones, are not found. */
export async function findConversationOfCustomer(db: Db, visitor: Visitor, id: string) {
  const conversation = await findConversationById(db, id)
  const isOwn = conversation?.account_id === visitor.account_id && conversation.customer_id === visitor.customer_id
  if (!isOwn || (conversation.archived_at && conversation.source !== 'sandbox')) throw new NotFound()
  return conversation
}

/** Locks a conversation's row until the transaction ends. Every change locks it first. */
export async function lockConversation(
  db: Change['db'],
  account_id: string,
  id: string,
): Promise<ConversationDbRow | undefined> {
  const { rows } = await sql<ConversationDbRow>`
    select * from conversations where account_id = ${account_id} and id = ${id} for update`.execute(db)
  return rows[0]
}

export type Values = Partial<
  Omit<
    ConversationRow,
    'id' | 'object' | 'account_id' | 'version' | 'updated_at' | 'created_at' | 'metadata' | 'unproven' | 'follow_up'
  >
> & {
  metadata?: JsonText | null
  follow_up?: JsonText | null
  unproven?: JsonText | null
}

/**
 * Refuses to change a conversation that is part of another one.
 * @throws Refusal with the reason `merged`
 */
export function assertNotMerged({ merged_into }: Pick<ConversationDbRow, 'merged_into'>): void {
  if (merged_into) throw new Refusal(409, 'This conversation was merged into another one. Change that one.', 'merged')
}

/** Fields whose changes alone are not announced. A message announces the activity by itself. */
const QUIET = new Set(['last_number', 'last_activity_at'])

/** Writes changes to a locked conversation and announces them, unless only unimportant fields changed. */
export async function saveConversation(
  change: Change,
  locked: ConversationDbRow,
  values: Values,
): Promise<ConversationRow> {
  const changed = changesOf(locked, values)
  if (Object.keys(changed).length === 0) return presentLocked(locked)
  if (!('merged_into' in changed)) assertNotMerged(locked)
  const row = await ofAccount(change.db, locked.account_id)
    .updateTable('conversations')
    .set({ ...changed, ...nextVersion(locked) })
    .where('id', '=', locked.id)
    .returning(columns)
    .$castTo<ConversationRow>()
    .executeTakeFirstOrThrow()
  announceSaved(change, row, changed, locked)
  return presentConversationRow(row)
}

/** The values that differ from the locked conversation. */
export function changesOf(locked: ConversationDbRow, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([column, value]) => value !== undefined && !isSame(Reflect.get(locked, column), value),
    ),
  )
}

/** Values written with every change. */
export function nextVersion({ version }: ConversationDbRow) {
  return { version: version + 1, updated_at: sql<string>`clock_timestamp()` }
}

/** Fields whose previous values consumers of the event want to know. */
const COMPARED = ['status', 'priority', 'assignee_id', 'team_id', 'inbox_id', 'assistant'] as const

/** Announces the new state of a conversation, unless only unimportant fields changed. */
export function announceSaved(change: Change, row: ConversationRow, changed: Values, locked: ConversationDbRow): void {
  if (Object.keys(changed).every((column) => QUIET.has(column))) return
  const compared = COMPARED.filter((column) => column in changed)
  const before = Object.fromEntries(compared.map((column) => [column, locked[column]]))
  change.announce(row.account_id, conversationUpdated, {
    conversation: presentConversationRow(row),
    ...(compared.length > 0 && { before }),
  })
}

/** A locked row includes internal columns, such as the address for replies by mail. */
export function presentLocked(locked: ConversationDbRow): ConversationRow {
  return presentConversationRow(
    Object.fromEntries(columns.map((column) => [column, locked[column]])) as unknown as ConversationRow,
  )
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after)
}
