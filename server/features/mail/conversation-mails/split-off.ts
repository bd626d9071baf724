import type { Conversation, ConversationRow } from '#contract/conversations/conversations.ts'
import type { Context } from '../../../context.ts'
import { NotFound, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { detachMessage } from '../../conversations/conversations/changing-messages.ts'
import { getConversationRow, lockConversation } from '../../conversations/conversations/conversations.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'
import { startConversation } from '../../conversations/conversations/starting.ts'
import { archiveConversation } from '../../conversations/conversations/updating.ts'
import { loadAttachments } from '../../conversations/files/files.ts'
import { type MessageRow, selectMessages } from '../../conversations/messages/messages.ts'
import { findAuthor, findOrCreateSender } from './find-author.ts'
import { splitIdOf } from './message-mails.ts'

/**
 * Moves a mail of somebody other than the customer into a conversation of its own sender, with its files. The message
 * gets a new id, because clients remember ids of deleted ones; a repeat returns the same conversation.
 * @throws NotFound if it is no mail; Unacceptable if it is the customer's
 */
export async function splitOff(
  context: Context,
  tx: Change,
  caller: User,
  message_id: string,
): Promise<ConversationRow> {
  const { account_id } = caller
  const id = splitIdOf(message_id)
  const old = await lockConversationOf(tx, account_id, message_id)
  const before = await selectMessages(tx.db, account_id).where('id', '=', id).executeTakeFirst()
  if (before) return getConversationRow(tx.db, account_id, before.conversation_id)
  const message = await selectMessages(tx.db, account_id).where('id', '=', message_id).executeTakeFirst()
  const mail = await readMail(tx, account_id, message_id)
  if (!old || !message || !mail?.from_address || message.customer_id === null) throw new NotFound()
  const from = { address: mail.from_address, name: mail.from_name }
  const author = await findAuthor(tx.db, account_id, old.customer_id, { from, result: mail.proof ?? 'none' })
  if (author.kind !== 'other') {
    throw new Unacceptable('The customer of this conversation wrote this mail, so it cannot be split off.')
  }
  const files = (await loadAttachments(tx.db, account_id, [message_id])).get(message_id) ?? []
  await detachMessage(tx, old, message)
  const conversation = await startConversation(tx, account_id, {
    id: deriveId(`conversation of ${id}`),
    customer_id: await findOrCreateSender(tx, account_id, from),
    inbox_id: old.inbox_id,
    source: 'email',
    subject: mail.subject || null,
  })
  const file_ids = files.map((file) => file.id)
  const { mail_sender: _, ...metadata } = message.metadata ?? {}
  await postAgain(context, tx, message, { id, conversation, file_ids, metadata })
  await insertMail(tx, { ...mail, message_id: id, conversation_id: conversation.id, split_from: old.id })
  await moveOriginal(tx, account_id, { message_id, id, customer_id: conversation.customer_id })
  const details = { message_id, number: message.number, conversation_id: conversation.id }
  await recordAudit(tx, caller, { action: 'message.split_off', subject_id: old.id, details })
  return getConversationRow(tx.db, account_id, conversation.id)
}

/**
 * Moves a mail that was split off back into the conversation it came from, and archives the other one.
 * @throws NotFound if it was not split off; Unacceptable if the conversation has gone on since
 */
export async function undoSplitOff(
  context: Context,
  tx: Change,
  caller: User,
  message_id: string,
): Promise<ConversationRow> {
  const { account_id } = caller
  const split = await lockConversationOf(tx, account_id, message_id)
  const message = await selectMessages(tx.db, account_id).where('id', '=', message_id).executeTakeFirst()
  const mail = await readMail(tx, account_id, message_id)
  const old = mail?.split_from ? await lockConversation(tx.db, account_id, mail.split_from) : undefined
  if (!split || !message || !mail?.from_address || !old) throw new NotFound()
  if (split.last_number !== message.number) {
    throw new Unacceptable('Somebody has written in this conversation since, so the mail stays here.')
  }
  const id = splitIdOf(message_id)
  const from = { address: mail.from_address, name: mail.from_name }
  const author = await findAuthor(tx.db, account_id, old.customer_id, { from, result: mail.proof ?? 'none' })
  const files = (await loadAttachments(tx.db, account_id, [message_id])).get(message_id) ?? []
  await detachMessage(tx, split, message)
  const sender = author.kind === 'other' ? { mail_sender: author.from } : {}
  const returned = { ...message, metadata: { ...message.metadata, ...sender } }
  const file_ids = files.map((file) => file.id)
  await postAgain(context, tx, returned, { id, conversation: old, file_ids, metadata: returned.metadata })
  await insertMail(tx, { ...mail, message_id: id, conversation_id: old.id, split_from: null })
  await moveOriginal(tx, account_id, { message_id, id, customer_id: old.customer_id })
  await archiveConversation(tx, caller, split.id)
  const details = { message_id: id, conversation_id: split.id }
  await recordAudit(tx, caller, { action: 'message.split_undone', subject_id: old.id, details })
  return getConversationRow(tx.db, account_id, old.id)
}

/** Posts the message as its sender's own, with its time and files. */
async function postAgain(
  context: Context,
  tx: Change,
  { account_id, body, source, created_at, email_subject: subject, email_html: html }: MessageRow,
  { id, conversation, file_ids, metadata }: PostedAgain,
): Promise<void> {
  const { id: conversation_id, customer_id } = conversation
  const author = { kind: 'customer' as const, customer_id }
  const email = { subject, html }
  const draft = { id, conversation_id, body, source, created_at, metadata, email, file_ids }
  await postMessage(context, tx, account_id, author, draft)
}

interface PostedAgain {
  id: string
  conversation: Pick<Conversation, 'id' | 'customer_id'>
  file_ids: string[]
  metadata: Record<string, unknown>
}

async function lockConversationOf({ db }: Change, account_id: string, message_id: string) {
  const message = await selectMessages(db, account_id).where('id', '=', message_id).executeTakeFirst()
  return message && lockConversation(db, account_id, message.conversation_id)
}

function readMail({ db }: Change, account_id: string, message_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('message_mails')
    .selectAll()
    .where('message_id', '=', message_id)
    .where('direction', '=', 'in')
    .where('verdict', '=', 'person')
    .executeTakeFirst()
}

type MailRow = NonNullable<Awaited<ReturnType<typeof readMail>>>

async function insertMail({ db }: Change, mail: MailRow): Promise<void> {
  await db.insertInto('message_mails').values(mail).execute()
}

async function moveOriginal(
  { db }: Change,
  account_id: string,
  { message_id, id, customer_id }: { message_id: string; id: string; customer_id: string },
): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('mail_originals')
    .set({ message_id: id, customer_id })
    .where('message_id', '=', message_id)
    .execute()
}
