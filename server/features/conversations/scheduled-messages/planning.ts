import {
  SCHEDULED_DAYS,
  SCHEDULED_LIMIT,
  type ScheduledMessage,
  type ScheduledMessageChanges,
  type ScheduledMessageDraft,
  type SuggestionDraft,
  scheduledMessageRemoved,
} from '#contract/conversations/scheduled-messages.ts'
import type { Context } from '../../../context.ts'
import { Invalid, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { saveConversation } from '../conversations/conversations.ts'
import { type Opened, openForPosting } from '../conversations/open-for-posting.ts'
import { findRefusal } from '../conversations/posting-rules.ts'
import { loadFiles, retainUnattached } from '../files/files.ts'
import { selectMessages } from '../messages/messages.ts'
import {
  announceUpdated,
  assertNotDeleted,
  findScheduled,
  lockOwnScheduled,
  presentScheduled,
  type ScheduledRow,
  selectScheduled,
  toDraft,
} from './rows.ts'
import { sendScheduled } from './send-job.ts'

type Tools = Pick<Context, 'mailer' | 'jobs'>

/**
 * Stores a reply that is sent at a time, or after the seconds in which its author can take it back. Everything that
 * would refuse it as a message refuses it now. A repeated id returns the stored one.
 * @throws Invalid with the field, Unacceptable with a sentence, NotFound, or OutdatedView with the messages the author
 * has not seen
 */
export async function scheduleMessage(
  context: Tools,
  change: Change,
  caller: User,
  { id = newId(), conversation_id, undo_seconds, send_at, ...input }: ScheduledMessageDraft,
): Promise<ScheduledMessage> {
  const { db } = change
  const { account_id, user_id } = caller
  const opened = await openConversation(change, caller, conversation_id, id)
  const is_undo = typeof undo_seconds === 'number'
  if (is_undo === !!send_at) throw new Invalid({ send_at: ['give either a time, or `undo_seconds`'] })
  const row: ScheduledRow = {
    id,
    conversation_id,
    user_id,
    body: input.body ?? '',
    file_ids: [...new Set(input.file_ids ?? [])],
    mail: input.mail ?? null,
    send_at: is_undo ? addSeconds(opened.locked_at, undo_seconds) : checkTime(send_at!, opened.locked_at),
    is_undo,
    // Whoever sent it has read what came before; the seconds after that do not count.
    if_answered: is_undo ? 'send' : (input.if_answered ?? 'hold'),
    closes: input.closes ?? false,
    remind_minutes: input.remind_minutes ?? null,
    last_seen_number: opened.conversation.last_number,
    original_body: input.original_body ?? null,
    held_reason: null,
    created_at: opened.locked_at,
  }
  const existing = await selectScheduled(db, account_id).where('id', '=', id).executeTakeFirst()
  if (existing) return presentRepeated(change, caller, existing, row)
  if (opened.isRepeated) await assertOwnMessage(change, account_id, row)
  await assertSendable(context, change, opened, row, input)
  await assertFewEnough(change, account_id, conversation_id)
  if (input.send_anyway) await confirmSending(change, opened)
  await db
    .insertInto('scheduled_messages')
    .values({ account_id, ...row, mail: row.mail && toJson(row.mail) })
    .execute()
  if (is_undo) {
    const options = undo_seconds > 0 ? { not_before: new Date(row.send_at) } : {}
    await context.jobs.enqueue(db, sendScheduled, { account_id, id }, options)
  }
  return announceUpdated(change, account_id, row)
}

/**
 * Stores a reply of a program that waits for a person: it is shown in the conversation, and sent once somebody presses
 * Send. Everything that would refuse it as a message refuses it now. A repeated id returns the stored one.
 * @throws as `scheduleMessage`
 */
export async function suggestReply(
  context: Tools,
  tx: Change,
  caller: User,
  { id = newId(), conversation_id, body, last_seen_number }: SuggestionDraft,
): Promise<ScheduledMessage> {
  const { account_id, user_id } = caller
  const opened = await openConversation(tx, caller, conversation_id, id)
  const row: ScheduledRow = {
    id,
    conversation_id,
    user_id,
    body,
    file_ids: [],
    mail: null,
    send_at: opened.locked_at,
    is_undo: false,
    if_answered: 'hold',
    closes: false,
    remind_minutes: null,
    last_seen_number: opened.conversation.last_number,
    original_body: null,
    held_reason: 'suggested',
    created_at: opened.locked_at,
  }
  const existing = await selectScheduled(tx.db, account_id).where('id', '=', id).executeTakeFirst()
  if (existing) return presentRepeated(tx, caller, existing, row)
  if (opened.isRepeated) {
    await assertOwnMessage(tx, account_id, row)
    throw new Unacceptable('This suggestion was sent already.')
  }
  // Whoever presses Send is asked.
  await assertSendable(context, tx, opened, row, { last_seen_number, send_anyway: true })
  await assertFewEnough(tx, account_id, conversation_id)
  await tx.db
    .insertInto('scheduled_messages')
    .values({ account_id, ...row, mail: null })
    .execute()
  return announceUpdated(tx, account_id, row)
}

/**
 * Changes text, files, recipients, time or consequences. A new time also releases one that was held back.
 * @throws as `scheduleMessage`, or Forbidden
 */
export async function changeScheduled(
  context: Tools,
  change: Change,
  caller: User,
  id: string,
  { send_at, file_ids, last_seen_number, send_anyway, ...input }: ScheduledMessageChanges,
): Promise<ScheduledMessage> {
  const { db } = change
  const { account_id } = caller
  const { conversation_id } = await findScheduled(change, account_id, id)
  const opened = await openConversation(change, caller, conversation_id)
  const before = await lockOwnScheduled(change, caller, id)
  if (before.is_undo) throw new Unacceptable('It was sent. Take it back to change it.')
  const changes = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const row: ScheduledRow = {
    ...before,
    ...changes,
    body: input.body ?? before.body,
    // A changed text is no translation of what its author wrote before.
    ...(input.body && input.body !== before.body && { original_body: input.original_body ?? null }),
    ...(file_ids && { file_ids: [...new Set(file_ids)] }),
    ...(send_at && { send_at: checkTime(send_at, opened.locked_at), held_reason: null }),
    // Whoever changes it has the conversation before them.
    last_seen_number: opened.conversation.last_number,
  }
  await assertSendable(context, change, opened, row, { last_seen_number, send_anyway })
  if (send_anyway) await confirmSending(change, opened)
  const removed = before.file_ids.filter((file_id) => !row.file_ids.includes(file_id))
  const { id: _, created_at, user_id, ...values } = row
  await ofAccount(db, account_id)
    .updateTable('scheduled_messages')
    .set({ ...values, mail: row.mail && toJson(row.mail) })
    .where('id', '=', id)
    .execute()
  await retainUnattached(change, account_id, removed)
  return announceUpdated(change, account_id, row)
}

/**
 * Cancels a scheduled message, or takes back a sent one, and returns it. Its files are kept for a day, for the draft
 * into which its text returns.
 * @throws NotFound once it was sent, or Forbidden
 */
export async function cancelScheduled(change: Change, caller: User, id: string): Promise<ScheduledMessage> {
  const { account_id } = caller
  const row = await lockOwnScheduled(change, caller, id)
  await ofAccount(change.db, account_id).deleteFrom('scheduled_messages').where('id', '=', id).execute()
  await retainUnattached(change, account_id, row.file_ids)
  const { conversation_id } = row
  change.announce(account_id, scheduledMessageRemoved, { removed: { id, conversation_id } })
  const [cancelled] = await presentScheduled(change.db, account_id, [row])
  return cancelled!
}

/** Locks the conversation, as whoever posts to it. */
async function openConversation(
  change: Change,
  { account_id, user_id }: User,
  conversation_id: string,
  message_id: string | null = null,
) {
  const opened = await openForPosting(change, account_id, {
    conversation_id,
    customer_id: null,
    user_id,
    message_id,
  })
  if (!opened) throw new Invalid({ conversation_id: ['does not exist'] })
  assertNotDeleted(opened.conversation)
  return opened
}

/** What would refuse it as a message refuses it now, while its author can still correct it. */
async function assertSendable(
  context: Tools,
  change: Change,
  opened: Opened,
  row: ScheduledRow,
  { last_seen_number, send_anyway }: Pick<ScheduledMessageChanges, 'last_seen_number' | 'send_anyway'>,
): Promise<void> {
  const { account_id } = opened.conversation
  const draft = { ...toDraft(row), isMailOptional: false, last_seen_number, send_anyway }
  const refusal = await findRefusal(context, change, opened, { kind: 'user', user_id: row.user_id }, draft)
  if (refusal) throw refusal
  const files = await loadFiles(change.db, account_id, row.file_ids)
  if (files.length < row.file_ids.length) throw new Invalid({ file_ids: ['does not exist'] })
}

/** A person has decided to write although the customer may have asked for no more messages. */
async function confirmSending(change: Change, { conversation }: Opened): Promise<void> {
  await saveConversation(change, conversation, { possible_opt_out_at: null })
}

async function assertFewEnough({ db }: Change, account_id: string, conversation_id: string): Promise<void> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('scheduled_messages')
    .select('id')
    .where('conversation_id', '=', conversation_id)
    .limit(SCHEDULED_LIMIT)
    .execute()
  if (rows.length === SCHEDULED_LIMIT) {
    throw new Unacceptable(
      `A conversation can have ${SCHEDULED_LIMIT} scheduled messages. Send or cancel one of them first.`,
    )
  }
}

async function presentRepeated(
  change: Change,
  { account_id, user_id }: User,
  existing: ScheduledRow,
  row: ScheduledRow,
) {
  if (existing.user_id !== user_id || existing.conversation_id !== row.conversation_id) {
    throw new Invalid({ id: ['has already been taken'] })
  }
  const [stored] = await presentScheduled(change.db, account_id, [existing])
  return stored!
}

/** Where the answer of a call was lost, it is repeated when the message may already have been sent. */
async function assertOwnMessage({ db }: Change, account_id: string, { id, conversation_id, user_id }: ScheduledRow) {
  const message = await selectMessages(db, account_id).where('id', '=', id).executeTakeFirst()
  if (message?.conversation_id !== conversation_id || message.user_id !== user_id) {
    throw new Invalid({ id: ['has already been taken'] })
  }
}

/** @throws Invalid unless the time is in the future, and not too far, by the database's clock */
function checkTime(send_at: string, now: string): string {
  const ahead = Date.parse(send_at) - Date.parse(now)
  if (ahead <= 0) throw new Invalid({ send_at: ['must be in the future'] })
  if (ahead > SCHEDULED_DAYS * 86_400_000) throw new Invalid({ send_at: [`must be within ${SCHEDULED_DAYS} days`] })
  return send_at
}

function addSeconds(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString()
}
