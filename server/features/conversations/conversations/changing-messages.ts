import { sql } from 'kysely'
import {
  type Message,
  type MessageChanges,
  mayChangeMessage,
  messageDeleted,
  messageUpdated,
} from '#contract/conversations/messages.ts'
import { limitCombiningMarks } from '#contract/text/combining-marks.ts'
import type { Context } from '../../../context.ts'
import { Forbidden, NotFound, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { type Change, fieldChanges } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { removeFromLog, replaceInLog } from '../../developers/events/event-log.ts'
import { destroyFiles, loadAttachments, retainUnattached } from '../files/files.ts'
import { recognizeLanguage } from '../languages/recognize.ts'
import { findCompanyProfile } from '../messages/for-customer.ts'
import { columns, expandMessages, type MessageRow, selectMessages } from '../messages/messages.ts'
import { deleteTranslations } from '../messages/translations.ts'
import { type ConversationDbRow, lockConversation, saveConversation } from './conversations.ts'
import { assertNotEmpty } from './posting-rules.ts'

/**
 * Changes text or metadata of a message that the caller wrote; admins may change any. Messages of customers cannot be
 * changed. A note cannot become public, because it was meant for the team alone, nor a public message a note, because
 * it was already read.
 * @returns the current message, and the changed fields
 * @throws NotFound, Forbidden, Unacceptable with a sentence, or Invalid if the message would be empty
 */
export async function updateMessage(
  change: Change,
  caller: User,
  id: string,
  { body: text, metadata, type, private: isPrivate }: MessageChanges,
): Promise<{ message: Message; changed: string[] }> {
  const { db } = change
  const body = text && limitCombiningMarks(text)
  const { conversation, message: before } = await lockMessage(change, caller, id)
  const { account_id } = conversation
  if ('type' in fieldChanges(before, { type }) || 'private' in fieldChanges(before, { private: isPrivate })) {
    throw new Unacceptable(
      'A message cannot be turned into a note, nor a note into a message. Delete it and write a new one.',
    )
  }
  const changes = fieldChanges(before, { body, metadata })
  const attachments = (await loadAttachments(db, account_id, [id])).get(id) ?? []
  if ('body' in changes) {
    if (before.customer_id !== null) throw new Unacceptable('Messages of customers cannot be changed.')
    assertNotEmpty({ ...before, body, file_ids: attachments.map((file) => file.id) })
  }
  const row = await writeChanges(change, before, Object.keys(changes), { body, metadata })
  const [message] = await expandMessages(db, account_id, [row])
  if (!message) throw new Error('The locked message does not exist.')
  if (row !== before) await announceMessage(change, conversation, message)
  return { message, changed: Object.keys(changes) }
}

async function writeChanges(
  { db }: Change,
  before: MessageRow,
  changed: string[],
  { body, metadata }: Pick<MessageChanges, 'body' | 'metadata'>,
): Promise<MessageRow> {
  if (changed.length === 0) return before
  if (changed.includes('body')) await deleteTranslations({ db }, before)
  return ofAccount(db, before.account_id)
    .updateTable('messages')
    .set({
      ...(changed.includes('body') && {
        body,
        language: body ? recognizeLanguage(body) : null,
        edited_at: sql<string>`clock_timestamp()`,
      }),
      ...(changed.includes('metadata') && { metadata: metadata ? toJson(metadata) : null }),
    })
    .where('id', '=', before.id)
    .returning(columns)
    .$castTo<MessageRow>()
    .executeTakeFirstOrThrow()
}

async function announceMessage(change: Change, { account_id, customer_id }: ConversationDbRow, message: Message) {
  const company = await findCompanyProfile(change.db, message)
  await replaceInLog(change, message)
  change.announce(account_id, messageUpdated, { message, customer_id, company })
}

/** Adds metadata to a message about its state in other systems. Does nothing if it was deleted. */
export async function addMetadata(
  change: Change,
  account_id: string,
  id: string,
  added: Record<string, unknown>,
): Promise<void> {
  const unlocked = await selectMessages(change.db, account_id).where('id', '=', id).executeTakeFirst()
  const conversation = unlocked && (await lockConversation(change.db, account_id, unlocked.conversation_id))
  const before = conversation && (await selectMessages(change.db, account_id).where('id', '=', id).executeTakeFirst())
  if (!before) return
  const metadata = { ...before.metadata, ...added }
  const row = await writeChanges(change, before, Object.keys(fieldChanges(before, { metadata })), { metadata })
  const [message] = row === before ? [] : await expandMessages(change.db, account_id, [row])
  if (message) await announceMessage(change, conversation, message)
}

/**
 * Destroys a message of the caller; admins may destroy any. Includes files, mentions, the search index and the event
 * log.
 * Its number is not used again, and the conversation is updated as if it had never been written. Files that are kept
 * wait for another message, as after an upload.
 * @returns the deleted message
 * @throws NotFound or Forbidden
 */
export async function deleteMessage(
  context: Pick<Context, 'jobs'>,
  change: Change,
  caller: User,
  id: string,
  { keepsFiles = false }: { keepsFiles?: boolean } = {},
): Promise<MessageRow> {
  const { conversation, message } = await lockMessage(change, caller, id)
  await removeMessage(change, conversation, message, async (file_ids) =>
    keepsFiles
      ? retainUnattached(change, message.account_id, file_ids)
      : destroyFiles(context, change, message.account_id, file_ids),
  )
  return message
}

/**
 * Removes a message from a locked conversation for another one, where it is posted again with its files. Here it is
 * deleted like any other.
 */
export function detachMessage(change: Change, conversation: ConversationDbRow, message: MessageRow): Promise<void> {
  return removeMessage(change, conversation, message, (file_ids) =>
    retainUnattached(change, message.account_id, file_ids),
  )
}

async function removeMessage(
  change: Change,
  conversation: ConversationDbRow,
  message: MessageRow,
  withFiles: (file_ids: string[]) => Promise<unknown>,
): Promise<void> {
  const { db } = change
  const { account_id, id, number, conversation_id } = message
  const attachments = (await loadAttachments(db, account_id, [id])).get(id) ?? []
  await ofAccount(db, account_id).deleteFrom('messages').where('id', '=', id).execute()
  await withFiles(attachments.map((file) => file.id))
  await removeFromLog(change, message)
  await saveConversation(change, conversation, {
    ...(await withoutMentions(change, conversation)),
    ...(await withoutReply(change, conversation, message)),
    ...(await withoutUnread(change, conversation, message)),
  })
  const { customer_id } = conversation
  const { private: isPrivate } = message
  const deleted = { message_id: id, conversation_id, number, private: isPrivate, customer_id }
  change.announce(account_id, messageDeleted, { ...deleted })
}

/** Locks the conversation first, as every writer does, so that the message cannot change meanwhile. */
async function lockMessage({ db }: Change, { account_id, user_id, role }: User, id: string) {
  const select = () => selectMessages(db, account_id).where('id', '=', id).executeTakeFirst()
  const unlocked = await select()
  const conversation = unlocked && (await lockConversation(db, account_id, unlocked.conversation_id))
  const message = conversation && (await select())
  if (!message) throw new NotFound()
  if (!mayChangeMessage({ id: user_id, role }, message)) {
    throw new Forbidden('Only admins may change or delete messages of others.')
  }
  return { conversation, message }
}

/** Removes mentions of a deleted message, so that nobody is notified about it. */
async function withoutMentions({ db }: Change, { account_id, id, unseen_mention_user_ids }: ConversationDbRow) {
  if (unseen_mention_user_ids.length === 0) return {}
  const remaining = await ofAccount(db, account_id)
    .selectFrom('mentions')
    .select('user_id')
    .distinct()
    .where('conversation_id', '=', id)
    .where('seen_at', 'is', null)
    .execute()
  const called = new Set(remaining.map(({ user_id }) => user_id))
  return { unseen_mention_user_ids: unseen_mention_user_ids.filter((user_id) => called.has(user_id)) }
}

/** If the first reply was deleted, the next one becomes the first. */
async function withoutReply(
  { db }: Change,
  { account_id, id, first_replied_at }: ConversationDbRow,
  deleted: MessageRow,
) {
  const isReply = deleted.user_id !== null && !deleted.private && deleted.type === 'reply'
  if (!isReply || deleted.created_at !== first_replied_at) return {}
  const next = await selectMessages(db, account_id)
    .where('conversation_id', '=', id)
    .where('number', '>', deleted.number)
    .where('user_id', 'is not', null)
    .where('private', '=', false)
    .where('type', '=', 'reply')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return { first_replied_at: next?.created_at ?? null }
}

/** If the only unread message was deleted, the conversation is read. */
async function withoutUnread({ db }: Change, { account_id, id, read }: ConversationDbRow, deleted: MessageRow) {
  if (read || deleted.customer_id === null || deleted.seen_at !== null) return {}
  const remaining = await selectMessages(db, account_id)
    .where('conversation_id', '=', id)
    .where('customer_id', 'is not', null)
    .where('seen_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return remaining ? {} : { read: true }
}
