import { sql } from 'kysely'
import type { Message } from '#contract/conversations/messages.ts'
import { messageCreated } from '#contract/conversations/messages.ts'
import { limitCombiningMarks } from '#contract/text/combining-marks.ts'
import { visibleText } from '#contract/text/visible.ts'
import type { Context } from '../../../context.ts'
import { Invalid, NotFound, type Refusal } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { filterActiveUsers } from '../../accounts/users/users.ts'
import { attachFiles, loadAttachments } from '../files/files.ts'
import { recognizeLanguage } from '../languages/recognize.ts'
import { metadataOfCustomer } from '../messages/for-customer.ts'
import { expandMessages, type MessageRow, presentMessageRow, selectMessages } from '../messages/messages.ts'
import { storeOriginal } from '../messages/translations.ts'
import { announceSaved, changesOf, NOT_CLOSED, presentLocked, type Values } from './conversations.ts'
import { readMailOptions, storeMailOptions } from './mail-options.ts'
import { addMentions, withMentions } from './mentions.ts'
import { type Author, isCustomer } from './message-author.ts'
import { type Opened, openForPosting } from './open-for-posting.ts'
import { type Draft, findRefusal, isMail, isPrivate } from './posting-rules.ts'
import { readMessages } from './read-receipts.ts'
import { AWAKE } from './snoozing.ts'
import { replyUntil } from './unsendable.ts'

/**
 * Posts a message: the only way in, for widget, dashboard, API and integrations alike.
 *
 * Locking the conversation's row puts its messages in order, whoever sends them. A repeated id returns the stored
 * message and changes nothing. A customer's message reopens or wakes the conversation, restores it if archived, and
 * marks it unread, unless the assistant answers there; a user's marks it read, and the first public reply assigns it and
 * ends the assistant's turn; a bot's marks it unread. An opening message changes none of this.
 * @throws Invalid with the field (NoMailbox if nothing can send the reply), NotFound, or OutdatedView with the messages
 * the author has not seen
 */
export async function postMessage(
  context: Pick<Context, 'mailer'>,
  change: Change,
  account_id: string,
  author: Author,
  input: Draft,
): Promise<Message> {
  const { db } = change
  const asked = author.kind === 'visitor' ? limitToVisitor(input) : input
  const opened = await openForPosting(change, account_id, {
    conversation_id: asked.conversation_id,
    customer_id: isCustomer(author) ? author.customer_id : null,
    user_id: isCustomer(author) ? null : author.user_id,
    message_id: asked.id ?? null,
  })
  if (!opened) throw new Invalid({ conversation_id: ['does not exist'] })
  const { conversation, writer } = opened
  // What is written to a merged conversation is posted in the one that has its messages.
  const draft = { ...asked, conversation_id: conversation.id }
  if (isCustomer(author) && (conversation.customer_id !== author.customer_id || !writer.customer)) {
    throw new NotFound()
  }

  const refusal = await findRefusal(context, change, opened, author, draft)
  if (refusal || opened.isRepeated) return findRepeated(change, account_id, author, draft, refusal)

  const mentioned = await readMentioned(db, account_id, author, draft)
  const row = toRow(opened, author, draft)
  const values = { ...consequencesFor(opened, author, draft), ...withMentions(conversation, mentioned) }
  const changed = changesOf(conversation, values)
  const next = { ...changed, version: conversation.version + 1, updated_at: opened.locked_at }
  change.pending(storeMessage(change, row, next))
  const options = readMailOptions(draft, isMail(conversation, author, draft))
  if (options) change.pending(storeMailOptions(change, row, options))
  await attachFiles(change, account_id, row.id, draft.file_ids ?? [])
  // In a conversation marked as read, all messages of the customer are read.
  if (author.kind === 'user' && (!conversation.read || conversation.assistant === 'answering'))
    await readMessages(change, conversation)
  await addMentions(change, row, mentioned)
  announceSaved(change, presentLocked({ ...conversation, ...next }), changed, conversation)

  const attachments = await loadAttachments(db, account_id, draft.file_ids?.length ? [row.id] : [])
  const message = presentMessageRow(row, { ...writer, attachments: attachments.get(row.id) })
  const { customer_id } = conversation
  const company = message.private ? undefined : opened.company
  change.announce(account_id, messageCreated, {
    message,
    customer_id,
    company,
    is_opening: draft.isOpening,
    is_received: !!draft.email,
  })
  if (draft.original_body && author.kind === 'user' && author.user_id !== null && !message.private)
    await storeOriginal(change, row, author.user_id, draft.original_body)
  return message
}

/** Posts what somebody sent by HTTP or socket, in a transaction that others posted to the account at the same time may share. */
export function postInGroup(
  context: Pick<Context, 'groupedChange' | 'mailer'>,
  account_id: string,
  author: Author,
  draft: Draft,
): Promise<Message> {
  return context.groupedChange(account_id, draft.conversation_id, (tx) =>
    postMessage(context, tx, account_id, author, draft),
  )
}

/**
 * The message already stored under this id.
 * @throws the refusal if there is none
 */
async function findRepeated({ db }: Change, account_id: string, author: Author, draft: Draft, refusal?: Refusal) {
  const stored = draft.id && (await selectMessages(db, account_id).where('id', '=', draft.id).executeTakeFirst())
  // The id is taken, but not by our account: it belongs to another one, about which nothing is revealed.
  if (!stored) throw refusal ?? new Invalid({ id: ['has already been taken'] })
  const sameAuthor = isCustomer(author) ? stored.customer_id === author.customer_id : stored.user_id === author.user_id
  if (!sameAuthor || stored.conversation_id !== draft.conversation_id) {
    throw new Invalid({ id: ['has already been taken'] })
  }
  const [message] = await expandMessages(db, account_id, [stored])
  return message!
}

/** Whether somebody has decided to write to a customer who may have asked for no more messages: nobody is asked again. */
function isConfirmed(author: Author, draft: Draft): boolean {
  return !!draft.send_anyway && !isCustomer(author) && !isPrivate(draft)
}

/** What a visitor decides about a message: they can neither write as the team nor write a note. */
function limitToVisitor({ id, conversation_id, body, sent_at, file_ids, metadata }: Draft): Draft {
  return { id, conversation_id, body, sent_at, file_ids, metadata: metadataOfCustomer(metadata) }
}

/** The message as it is going to be stored. */
function toRow({ conversation, locked_at }: Opened, author: Author, draft: Draft): MessageRow {
  const type = author.kind === 'bot' ? 'bot' : (draft.type ?? (draft.private ? 'note' : 'reply'))
  return {
    account_id: conversation.account_id,
    id: draft.id ?? newId(),
    conversation_id: conversation.id,
    number: conversation.last_number + 1,
    body: draft.body ? limitCombiningMarks(draft.body) : (draft.body ?? null),
    type,
    content_type: 'text',
    private: isPrivate({ ...draft, type }),
    source: draft.source ?? 'chat',
    created_at: draft.created_at ?? locked_at,
    sent_at: draft.sent_at ? `${draft.sent_at.slice(0, 19)}Z` : null,
    seen_at: null,
    customer_id: isCustomer(author) ? author.customer_id : null,
    user_id: isCustomer(author) ? null : author.user_id,
    metadata: draft.metadata ?? null,
    template: draft.template ?? null,
    edited_at: null,
    email_subject: draft.email?.subject ?? null,
    email_html: draft.email?.html ?? null,
    external_author: draft.external_author ? visibleText(draft.external_author).slice(0, 255) : null,
    by_assistant: draft.isByAssistant || null,
    language: draft.body ? recognizeLanguage(draft.body) : null,
  }
}

/** Stores a message and updates its conversation, in one statement. */
function storeMessage({ db }: Change, row: MessageRow, changes: Values): Promise<unknown> {
  const message = Object.entries({
    ...row,
    metadata: row.metadata && toJson(row.metadata),
    template: row.template && toJson(row.template),
  })
  const changed = Object.entries(changes)
  return sql`
    with stored as (
      insert into messages (${sql.join(message.map(([column]) => sql.ref(column)))})
      values (${sql.join(message.map(([, value]) => value))})
    )
    update conversations set ${sql.join(changed.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
    where account_id = ${row.account_id} and id = ${row.conversation_id}`.execute(db)
}

/** The mentioned users: active in the account, without the author. Of programs, only rules mention somebody. */
async function readMentioned(db: Change['db'], account_id: string, author: Author, draft: Draft): Promise<number[]> {
  const isByRule = author.kind === 'bot' && draft.isQuiet
  if (isByRule) return filterActiveUsers(db, account_id, draft.mentioned_user_ids ?? [])
  if (author.kind !== 'user') return []
  const others = (draft.mentioned_user_ids ?? []).filter((id) => id !== author.user_id)
  return filterActiveUsers(db, account_id, others)
}

function consequencesFor({ conversation, locked_at }: Opened, author: Author, draft: Draft): Values {
  const possible_opt_out_at = isConfirmed(author, draft) ? null : draft.possible_opt_out_at
  const always = {
    last_number: conversation.last_number + 1,
    last_activity_at: locked_at,
    ...(possible_opt_out_at !== undefined && { possible_opt_out_at }),
  }
  if (draft.isOpening || draft.isQuiet) return always
  if (isCustomer(author)) {
    const written_at = draft.sent_at && draft.sent_at < locked_at ? draft.sent_at : locked_at
    const reply_until = replyUntil(conversation, written_at)
    return {
      ...always,
      ...AWAKE,
      ...(reply_until && { reply_until }),
      // Nobody is to look while the assistant answers. Whom it had helped is answered by a person.
      ...(conversation.assistant !== 'answering' && { read: false }),
      ...(conversation.assistant === 'helped' && { assistant: 'reopened' as const }),
      status: 'open' as const,
      ...NOT_CLOSED,
      ...(conversation.source !== 'sandbox' && { archived_at: null }),
    }
  }
  if (author.kind === 'bot') return { ...always, read: false }
  const isReply = !isPrivate(draft) && (draft.type ?? 'reply') === 'reply'
  if (!isReply) return { ...always, read: true }
  // Whoever it came back to, because nobody had answered, has written again.
  const replied = {
    ...always,
    read: true,
    ...(conversation.snoozed_at === null && { follow_up: null }),
    ...(conversation.assistant === 'answering' && { assistant: 'handed_over' as const }),
  }
  if (conversation.first_replied_at !== null) return replied
  return { ...replied, first_replied_at: locked_at, assignee_id: author.user_id }
}
