import { sql } from 'kysely'
import type { Message, MessageDraft } from '#contract/messages.ts'
import { messageCreated } from '#contract/messages.ts'
import { Invalid, NotFound, OutdatedView, Refusal, Unacceptable } from '../../errors.ts'
import type { Change } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'
import { blocked } from '../customers/changing.ts'
import { loadCustomers } from '../customers/customers.ts'
import { attachFiles, loadAttachments } from '../files/files.ts'
import { findCompanyProfile } from '../messages/for-customer.ts'
import { columns, expandMessages, type MessageRow, present, selectMessages } from '../messages/messages.ts'
import { loadUsers } from '../users/users.ts'
import { type ConversationDbRow, lockConversation, NOT_CLOSED, saveConversation } from './conversations.ts'
import { addMentions } from './mentions.ts'
import { readMessages } from './read-receipts.ts'
import { AWAKE } from './snoozing.ts'

/** Who a message is from. A bot writes in the name of a user, or of nobody. */
export type Author = { kind: 'customer'; customer_id: string } | { kind: 'user' | 'bot'; user_id: number | null }

/** What is to be said; by whom stands beside it. */
type Draft = Omit<MessageDraft, 'customer_id'> & {
  /** The team starts the conversation with it: it answers nobody, so nobody takes the conversation on by it. */
  isOpening?: boolean
  /** A remark on the side: it neither opens the conversation again nor leaves it unread. */
  isQuiet?: boolean
  /** Of the mail that it came as. */
  email?: { subject: string | null; html: string | null }
}

/**
 * Posts a message: the only way in, called by widget, dashboard, API and integrations alike.
 *
 * Taking the conversation's row puts messages of one conversation in order, whoever sends them. A repeated id is
 * answered with the stored message and changes nothing. A customer's message reopens or wakes the conversation, brings
 * it back when it was deleted, and leaves it unread; a user's marks it read, and the first public reply assigns it; a
 * bot's leaves it unread. What opens a conversation changes nothing of this.
 * @throws Invalid with the field, NotFound, or OutdatedView with the messages the author has not seen
 */
export async function postMessage(change: Change, account_id: string, author: Author, draft: Draft): Promise<Message> {
  const { db } = change
  const conversation = await lockConversation(db, account_id, draft.conversation_id)
  if (!conversation) throw new Invalid({ conversation_id: ['does not exist'] })
  if (author.kind === 'customer' && conversation.customer_id !== author.customer_id) throw new NotFound()

  const writer = await readWriter(db, account_id, author)
  const refusal = await findRefusal(change, conversation, author, writer, draft)
  const row = refusal ? undefined : await insertMessage(change, conversation, author, draft)
  if (!row) return findRepeated(change, account_id, author, draft, refusal)

  await attachFiles(change, account_id, row.id, draft.file_ids ?? [])
  // A conversation that is read holds nothing of the customer's that is not.
  if (author.kind === 'user' && !conversation.read) await readMessages(change, conversation)
  const mentioned = await addMentions(
    change,
    conversation,
    row,
    author.kind === 'user' ? (draft.mentioned_user_ids ?? []) : [],
  )
  const consequences = draft.isOpening || draft.isQuiet ? activityOf(row) : consequencesFor(conversation, author, row)
  await saveConversation(change, conversation, { ...consequences, ...mentioned })

  const attachments = await loadAttachments(db, account_id, draft.file_ids?.length ? [row.id] : [])
  const message = present(row, { ...writer, attachments: attachments.get(row.id) })
  const company = await findCompanyProfile(db, message)
  const { customer_id } = conversation
  const is_opening = draft.isOpening
  change.announce(account_id, messageCreated, { message, customer_id, company, is_opening })
  return message
}

/**
 * The message that was stored under this id before. Whether there is one is asked only for what may not or cannot be
 * stored now, because nearly every message is new.
 * @throws the refusal when there is none
 */
async function findRepeated({ db }: Change, account_id: string, author: Author, draft: Draft, refusal?: Refusal) {
  const stored = draft.id && (await selectMessages(db, account_id).where('id', '=', draft.id).executeTakeFirst())
  // What found no place and is not among our own has an id of another account, of which nothing is told.
  if (!stored) throw refusal ?? new Invalid({ id: ['has already been taken'] })
  const sameAuthor =
    author.kind === 'customer' ? stored.customer_id === author.customer_id : stored.user_id === author.user_id
  if (!sameAuthor || stored.conversation_id !== draft.conversation_id) {
    throw new Invalid({ id: ['has already been taken'] })
  }
  const [message] = await expandMessages(db, account_id, [stored])
  return message!
}

/** Whoever a message is from, as it is shown with it. */
type Writer = Partial<Pick<Message, 'user' | 'customer'>>

async function readWriter(db: Change['db'], account_id: string, author: Author): Promise<Writer> {
  if (author.kind === 'customer') {
    return { customer: (await loadCustomers(db, account_id, [author.customer_id])).get(author.customer_id) }
  }
  const { user_id } = author
  return user_id === null ? {} : { user: (await loadUsers(db, account_id, [user_id])).get(user_id) }
}

/** Why a message may not be stored, if it may not. */
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
    await refuseOutdated(change, conversation, author, draft)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** A message says something: in words, files or a form, or by the button that was pressed. */
export function refuseEmpty({
  body,
  file_ids,
  metadata,
  template,
}: Pick<Draft, 'body' | 'file_ids' | 'metadata' | 'template'>) {
  if (!body?.trim() && !file_ids?.length && !metadata?.reply_action && !template)
    throw new Invalid({ body: ["can't be blank"] })
}

/** A reply written before the customer's newest words may answer a question that is no longer asked. */
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

async function insertMessage({ db }: Change, conversation: ConversationDbRow, author: Author, draft: Draft) {
  const type = author.kind === 'bot' ? 'bot' : (draft.type ?? (draft.private ? 'note' : 'reply'))
  return db
    .insertInto('messages')
    .values({
      account_id: conversation.account_id,
      id: draft.id ?? newId(),
      conversation_id: conversation.id,
      number: conversation.last_number + 1,
      body: draft.body ?? null,
      type,
      // A note is private whichever of the two the client said.
      private: draft.private ?? type === 'note',
      source: draft.source ?? 'chat',
      sent_at: draft.sent_at ? `${draft.sent_at.slice(0, 19)}Z` : null,
      metadata: draft.metadata ? JSON.stringify(draft.metadata) : null,
      email_subject: draft.email?.subject ?? null,
      email_html: draft.email?.html ?? null,
      template: draft.template ? JSON.stringify(draft.template) : null,
      customer_id: author.kind === 'customer' ? author.customer_id : null,
      user_id: author.kind === 'customer' ? null : author.user_id,
      // The row lock orders messages; a transaction's own clock would stand still at its start.
      created_at: sql<string>`clock_timestamp()`,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(columns)
    .$castTo<MessageRow>()
    .executeTakeFirst()
}

function activityOf({ number, created_at }: MessageRow) {
  return { last_number: number, last_activity_at: created_at }
}

function consequencesFor(conversation: ConversationDbRow, author: Author, message: MessageRow) {
  const always = activityOf(message)
  if (author.kind === 'customer') {
    return { ...always, ...AWAKE, read: false, status: 'open' as const, ...NOT_CLOSED, archived_at: null }
  }
  if (author.kind === 'bot') return { ...always, read: false }
  const isFirstReply = !message.private && message.type === 'reply' && conversation.first_replied_at === null
  if (!isFirstReply) return { ...always, read: true }
  return { ...always, read: true, first_replied_at: message.created_at, assignee_id: author.user_id }
}

/** Which author an API client means: with `customer_id` it speaks for a customer, otherwise for its own user. */
export function chooseAuthor(user_id: number, customer_id: string | null | undefined, type: Draft['type']): Author {
  if (!customer_id) return { kind: type === 'bot' ? 'bot' : 'user', user_id }
  if (type === 'note' || type === 'bot') {
    throw new Unacceptable('A message should not have both a `user_id` and `customer_id`')
  }
  return { kind: 'customer', customer_id }
}
