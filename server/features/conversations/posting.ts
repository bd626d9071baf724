import { sql } from 'kysely'
import type { Message, MessageDraft } from '#contract/messages.ts'
import { messageCreated } from '#contract/messages.ts'
import type { Context } from '../../context.ts'
import { Invalid, NotFound, OutdatedView, Refusal, Unacceptable } from '../../errors.ts'
import type { Change } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'
import { blocked } from '../customers/changing.ts'
import { loadCustomer } from '../customers/customers.ts'
import { attachFiles, loadAttachments } from '../files/files.ts'
import { loadCompanyProfile } from '../messages/for-customer.ts'
import {
  expandMessages,
  type MessageRow,
  columns as messageColumns,
  present,
  selectMessages,
} from '../messages/messages.ts'
import { filterActiveUsers, loadUser } from '../users/users.ts'
import { refuseWithoutMailbox } from './admit-mail.ts'
import {
  announceSaved,
  type ConversationDbRow,
  changesOf,
  columns as conversationColumns,
  lockConversationTogether,
  NOT_CLOSED,
  nextVersion,
  type Row,
  type Values,
} from './conversations.ts'
import { addMentions, withMentions } from './mentions.ts'
import { readMessages } from './read-receipts.ts'
import { AWAKE } from './snoozing.ts'

/** The author of a message. A bot writes in the name of a user, or of nobody. */
export type Author = { kind: 'customer'; customer_id: string } | { kind: 'user' | 'bot'; user_id: number | null }

/** The message to post; its author is a separate parameter. */
type Draft = Omit<MessageDraft, 'customer_id'> & {
  /** The team starts the conversation with it, so it is no reply and assigns nobody. */
  isOpening?: boolean
  /** A side remark: it neither reopens the conversation nor marks it as unread. */
  isQuiet?: boolean
  /** If it has to be sent by mail, only a mailbox can do it: there is no mail server. */
  needsMailbox?: boolean
  /** The mail it arrived as. */
  email?: { subject: string | null; html: string | null }
}

/**
 * Posts a message: the only way in, for widget, dashboard, API and integrations alike.
 *
 * Locking the conversation's row puts its messages in order, whoever sends them. A repeated id returns the stored
 * message and changes nothing. A customer's message reopens or wakes the conversation, restores it if archived, and
 * marks it unread; a user's marks it read, and the first public reply assigns it; a bot's marks it unread. An opening
 * message changes none of this.
 * @throws Invalid with the field, NotFound, or OutdatedView with the messages the author has not seen
 */
export async function postMessage(change: Change, account_id: string, author: Author, draft: Draft): Promise<Message> {
  const { db } = change
  // Queries issued together take one round trip.
  const [conversation, writer, company] = await Promise.all([
    lockConversationTogether(change, account_id, draft.conversation_id),
    readWriter(db, account_id, author),
    readCompany(db, account_id, author, draft),
  ])
  if (!conversation) throw new Invalid({ conversation_id: ['does not exist'] })
  if (author.kind === 'customer' && conversation.customer_id !== author.customer_id) throw new NotFound()

  const refusal = await findRefusal(change, conversation, author, writer, draft)
  const mentioned = await readMentioned(db, account_id, author, draft)
  const values = { ...consequencesFor(conversation, author, draft), ...withMentions(conversation, mentioned) }
  const changed = changesOf(conversation, values)
  const stored = refusal ? undefined : await storeMessage(change, conversation, author, draft, changed)
  if (!stored) return findRepeated(change, account_id, author, draft, refusal)

  const { row } = stored
  await attachFiles(change, account_id, row.id, draft.file_ids ?? [])
  // In a conversation marked as read, all messages of the customer are read.
  if (author.kind === 'user' && !conversation.read) await readMessages(change, conversation)
  await addMentions(change, row, mentioned)
  announceSaved(change, stored.conversation, changed)

  const attachments = await loadAttachments(db, account_id, draft.file_ids?.length ? [row.id] : [])
  const message = present(row, { ...writer, attachments: attachments.get(row.id) })
  const { customer_id } = conversation
  const is_opening = draft.isOpening
  change.announce(account_id, messageCreated, { message, customer_id, company, is_opening })
  return message
}

/** Posts a message in a transaction that others posted to the account at the same time may share. */
export function postInGroup(
  { groupedChange }: Pick<Context, 'groupedChange'>,
  account_id: string,
  author: Author,
  draft: Draft,
): Promise<Message> {
  return groupedChange(account_id, draft.conversation_id, (open) => postMessage(open, account_id, author, draft))
}

/**
 * The message already stored under this id. Only looked up if storing is refused or fails, because nearly every message
 * is new.
 * @throws the refusal if there is none
 */
async function findRepeated({ db }: Change, account_id: string, author: Author, draft: Draft, refusal?: Refusal) {
  const stored = draft.id && (await selectMessages(db, account_id).where('id', '=', draft.id).executeTakeFirst())
  // The id is taken, but not by our account: it belongs to another one, about which nothing is revealed.
  if (!stored) throw refusal ?? new Invalid({ id: ['has already been taken'] })
  const sameAuthor =
    author.kind === 'customer' ? stored.customer_id === author.customer_id : stored.user_id === author.user_id
  if (!sameAuthor || stored.conversation_id !== draft.conversation_id) {
    throw new Invalid({ id: ['has already been taken'] })
  }
  const [message] = await expandMessages(db, account_id, [stored])
  return message!
}

/** The author as included in a message. */
type Writer = Partial<Pick<Message, 'user' | 'customer'>>

async function readWriter(db: Change['db'], account_id: string, author: Author): Promise<Writer> {
  if (author.kind === 'customer') {
    return { customer: await loadCustomer(db, account_id, author.customer_id) }
  }
  const { user_id } = author
  return user_id === null ? {} : { user: await loadUser(db, account_id, user_id) }
}

/** The company shown to the customer instead of the author, if the inbox hides its people. */
async function readCompany(db: Change['db'], account_id: string, author: Author, draft: Draft) {
  const isShown = author.kind !== 'customer' && author.user_id !== null && !isPrivate(draft)
  if (!isShown) return undefined
  return loadCompanyProfile(db, account_id, draft.conversation_id)
}

/** Why a message must not be stored, if there is a reason. */
async function findRefusal(
  change: Change,
  conversation: ConversationDbRow,
  author: Author,
  { customer }: Writer,
  draft: Draft,
) {
  try {
    refuseEmpty(draft)
    if (customer?.blocked_at) throw blocked()
    if (draft.needsMailbox) await refuseWithoutMailbox(change.db, conversation)
    await refuseOutdated(change, conversation, author, draft)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** A message needs content: text, files, a form, or a pressed button. */
export function refuseEmpty({
  body,
  file_ids,
  metadata,
  template,
}: Pick<Draft, 'body' | 'file_ids' | 'metadata' | 'template'>) {
  if (!body?.trim() && !file_ids?.length && !metadata?.reply_action && !template)
    throw new Invalid({ body: ["can't be blank"] })
}

/** A reply written before the customer's newest message may answer an outdated question. */
async function refuseOutdated({ db }: Change, conversation: ConversationDbRow, author: Author, draft: Draft) {
  const seen = draft.last_seen_number
  if (author.kind !== 'user' || draft.private || seen === null || seen === undefined) return
  if (seen >= conversation.last_number) return
  const { account_id, id } = conversation
  const missed = await selectMessages(db, account_id)
    .where('conversation_id', '=', id)
    .where('number', '>', seen)
    .orderBy('number')
    .limit(50)
    .execute()
  if (missed.some((message) => message.customer_id !== null)) {
    throw new OutdatedView(await expandMessages(db, account_id, missed))
  }
}

/**
 * Stores a message and updates its conversation, in one statement. Returns undefined if a message with that id exists.
 */
async function storeMessage(
  { db }: Change,
  conversation: ConversationDbRow,
  author: Author,
  draft: Draft,
  changed: Values,
): Promise<{ row: MessageRow; conversation: Row } | undefined> {
  const { account_id, id } = conversation
  const message = Object.entries(messageRow(conversation, author, draft))
  const changes = Object.entries({ ...changed, ...nextVersion(conversation) })
  const { rows } = await sql<Record<string, unknown>>`
    with stored as (
      insert into messages (${sql.join(message.map(([column]) => sql.ref(column)))})
      values (${sql.join(message.map(([, value]) => value))})
      on conflict (id) do nothing returning *
    )
    update conversations set ${sql.join(changes.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
    from stored where conversations.account_id = ${account_id} and conversations.id = ${id}
    returning ${BOTH}`.execute(db)
  const [found] = rows
  if (!found) return undefined
  const read = (table: string, columns: readonly string[]) =>
    Object.fromEntries(columns.map((column) => [column, found[`${table}.${column}`]]))
  return {
    row: read('stored', messageColumns) as unknown as MessageRow,
    conversation: read('conversations', conversationColumns) as unknown as Row,
  }
}

/** Columns of the message and its conversation, which share names. */
const BOTH = sql.raw(
  [
    ...messageColumns.map((column) => `stored.${column} as "stored.${column}"`),
    ...conversationColumns.map((column) => `conversations.${column} as "conversations.${column}"`),
  ].join(),
)

function messageRow(conversation: ConversationDbRow, author: Author, draft: Draft) {
  const type = author.kind === 'bot' ? 'bot' : (draft.type ?? (draft.private ? 'note' : 'reply'))
  return {
    account_id: conversation.account_id,
    id: draft.id ?? newId(),
    conversation_id: conversation.id,
    number: conversation.last_number + 1,
    body: draft.body ?? null,
    type,
    private: isPrivate({ ...draft, type }),
    source: draft.source ?? 'chat',
    sent_at: draft.sent_at ? `${draft.sent_at.slice(0, 19)}Z` : null,
    metadata: draft.metadata ? JSON.stringify(draft.metadata) : null,
    email_subject: draft.email?.subject ?? null,
    email_html: draft.email?.html ?? null,
    template: draft.template ? JSON.stringify(draft.template) : null,
    customer_id: author.kind === 'customer' ? author.customer_id : null,
    user_id: author.kind === 'customer' ? null : author.user_id,
    // The row lock orders messages; the transaction's own time is that of its start.
    created_at: sql<string>`clock_timestamp()`,
  }
}

/** The mentioned users: active in the account, without the author. */
async function readMentioned(db: Change['db'], account_id: string, author: Author, draft: Draft): Promise<number[]> {
  if (author.kind !== 'user') return []
  const others = (draft.mentioned_user_ids ?? []).filter((id) => id !== author.user_id)
  return filterActiveUsers(db, account_id, others)
}

/** A note is private, even if the client sent only one of the two. */
function isPrivate(draft: Pick<Draft, 'private' | 'type'>): boolean {
  return draft.private ?? draft.type === 'note'
}

/** The time of the message stored by the same statement. */
const STORED_AT = sql<string>`stored.created_at` as unknown as string

function consequencesFor(conversation: ConversationDbRow, author: Author, draft: Draft): Values {
  const always = { last_number: conversation.last_number + 1, last_activity_at: STORED_AT }
  if (draft.isOpening || draft.isQuiet) return always
  if (author.kind === 'customer') {
    return { ...always, ...AWAKE, read: false, status: 'open' as const, ...NOT_CLOSED, archived_at: null }
  }
  if (author.kind === 'bot') return { ...always, read: false }
  const isReply = !isPrivate(draft) && (draft.type ?? 'reply') === 'reply'
  if (!isReply || conversation.first_replied_at !== null) return { ...always, read: true }
  return { ...always, read: true, first_replied_at: STORED_AT, assignee_id: author.user_id }
}

/** The author for an API client: with `customer_id` it writes for a customer, otherwise for its own user. */
export function chooseAuthor(user_id: number, customer_id: string | null | undefined, type: Draft['type']): Author {
  if (!customer_id) return { kind: type === 'bot' ? 'bot' : 'user', user_id }
  if (type === 'note' || type === 'bot') {
    throw new Unacceptable('A message should not have both a `user_id` and `customer_id`')
  }
  return { kind: 'customer', customer_id }
}
