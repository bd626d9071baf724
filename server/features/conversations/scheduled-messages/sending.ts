import { sql } from 'kysely'
import type { HeldReason } from '#contract/conversations/scheduled-messages.ts'
import type { Context } from '../../../context.ts'
import { OutdatedView, Refusal } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { filterActiveUsers } from '../../accounts/users/users.ts'
import { NoMailbox } from '../conversations/admit-mail.ts'
import { getConversationRow, lockConversation } from '../conversations/conversations.ts'
import { postMessage } from '../conversations/posting.ts'
import { PossibleOptOut } from '../conversations/unsendable.ts'
import { updateConversation } from '../conversations/updating.ts'
import {
  announceUpdated,
  assertNotDeleted,
  findScheduled,
  isDue,
  lockOwnScheduled,
  type ScheduledRow,
  selectScheduled,
  toDraft,
} from './rows.ts'

/** A message that no server could send for so long is not sent any more: it may have become wrong meanwhile. */
const LATE = sql<boolean>`send_at < clock_timestamp() - interval '2 hours'`
const BATCH = 500

/**
 * Sends a scheduled message if it is due; otherwise does nothing. Where it cannot be sent, it is held back with the
 * reason. Row and message change in one transaction, so that it is sent once whoever tries, and however often.
 */
export async function sendIfDue(context: Context, account_id: string, id: string): Promise<void> {
  try {
    await context.change(async (tx) => {
      const row = await lockDue(tx, account_id, id)
      if (!row) return
      const obstacle = await findObstacle(tx, account_id, row)
      if (obstacle) return holdMessage(tx, account_id, row, obstacle)
      await send(context, tx, { account_id, user_id: row.user_id }, row)
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // What the refused transaction had written is rolled back.
    await context.change(async (tx) => {
      const row = await lockDue(tx, account_id, id)
      if (row) await holdMessage(tx, account_id, row, reasonOf(error))
    })
  }
}

/**
 * Sends a scheduled message now, in the name of the caller, even if the customer wrote meanwhile: a person decides.
 * @throws the refusal of the message, NotFound or Forbidden
 */
export async function sendAtOnce(
  context: Context,
  change: Change,
  caller: User,
  id: string,
  send_anyway: boolean | undefined,
): Promise<void> {
  const { account_id, user_id } = caller
  const { conversation_id } = await findScheduled(change, account_id, id)
  const conversation = await lockConversation(change.db, account_id, conversation_id)
  const row = await lockOwnScheduled(change, caller, id)
  assertNotDeleted(conversation)
  await send(context, change, { account_id, user_id }, { ...row, if_answered: 'send' }, send_anyway)
}

/** Sends everything that is due, in batches. Runs every minute; one that fails is tried again by the next run. */
export async function sendAllDue(context: Context): Promise<void> {
  let batch = await listDue(context.db)
  while (batch.length > 0) {
    for (const { account_id, id } of batch) {
      await sendIfDue(context, account_id, id).catch((error) =>
        context.log.warn({ err: error, account_id, scheduled_message_id: id }, 'A scheduled message could not be sent'),
      )
    }
    batch = batch.length < BATCH ? [] : await listDue(context.db, batch.at(-1))
  }
}

function listDue(db: Db, after?: { send_at: string; id: string }) {
  return acrossAccounts(db, 'looks after all accounts at once')
    .selectFrom('scheduled_messages')
    .select(['account_id', 'id', 'send_at'])
    .where(isDue)
    .$if(!!after, (query) => query.where(sql<boolean>`(send_at, id) > (${after!.send_at}, ${after!.id})`))
    .orderBy('send_at')
    .orderBy('id')
    .limit(BATCH)
    .execute()
}

type Author = { account_id: string; user_id: number }

async function send(
  context: Context,
  change: Change,
  author: Author,
  row: ScheduledRow,
  send_anyway?: boolean | undefined,
): Promise<void> {
  const { account_id, user_id } = author
  const { id } = row
  const isSent = await ofAccount(change.db, account_id)
    .selectFrom('messages')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  await ofAccount(change.db, account_id).deleteFrom('scheduled_messages').where('id', '=', id).execute()
  // Its client repeated the call, because the answer was lost, when the message was already sent.
  if (isSent) return
  await postMessage(context, change, account_id, { kind: 'user', user_id }, { ...toDraft(row), send_anyway })
  await changeConversation(change, author, row)
}

/** Closes the conversation of a sent message, or snoozes it. One that was closed meanwhile stays so. */
async function changeConversation(
  change: Change,
  author: Author,
  { conversation_id, closes, remind_minutes }: ScheduledRow,
): Promise<void> {
  const actor = { ...author, address: '' }
  if (closes) await updateConversation(change, actor, conversation_id, { status: 'closed' })
  if (closes || !remind_minutes) return
  const { status } = await getConversationRow(change.db, author.account_id, conversation_id)
  if (status === 'closed') return
  const until = new Date(Date.now() + remind_minutes * 60_000).toISOString()
  await updateConversation(change, actor, conversation_id, { snoozed: { until, follow_up: true } })
}

/** Locks its conversation, as every change of one does first, and then the row, if it is due. */
async function lockDue({ db }: Change, account_id: string, id: string) {
  const due = () => selectScheduled(db, account_id).where('id', '=', id).where(isDue)
  const row = await due().executeTakeFirst()
  if (!row) return undefined
  await lockConversation(db, account_id, row.conversation_id)
  return due().select(LATE.as('is_late')).forUpdate().executeTakeFirst()
}

/** Why a due message must not be sent, if there is a reason that is no rule of messages. */
async function findObstacle(
  { db }: Change,
  account_id: string,
  { user_id, conversation_id, created_at, is_late }: ScheduledRow & { is_late: boolean },
): Promise<HeldReason | undefined> {
  if (is_late) return 'late'
  const [active] = await filterActiveUsers(db, account_id, [user_id])
  if (active === undefined) return 'author'
  const conversation = await ofAccount(db, account_id)
    .selectFrom('conversations')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.account_id', '=', 'conversations.account_id')
        .onRef('customers.id', '=', 'conversations.customer_id'),
    )
    .select(['archived_at', 'deleted_at', 'blocked_at'])
    .where('conversations.id', '=', conversation_id)
    .executeTakeFirstOrThrow()
  if (conversation.archived_at || conversation.deleted_at) return 'deleted'
  // Whoever schedules a reply to a blocked customer means it.
  if (conversation.blocked_at && conversation.blocked_at > created_at) return 'blocked'
  return undefined
}

function reasonOf(error: Refusal): HeldReason {
  if (error instanceof OutdatedView) return 'answered'
  if (error instanceof PossibleOptOut) return 'possible_opt_out'
  return error instanceof NoMailbox ? 'mailbox' : 'refused'
}

/** Keeps a message back until a person decides. Its author sees why, and so does the team, from now on. */
async function holdMessage(
  change: Change,
  account_id: string,
  { is_late: _, ...row }: ScheduledRow & { is_late?: boolean },
  held_reason: HeldReason,
): Promise<void> {
  await ofAccount(change.db, account_id)
    .updateTable('scheduled_messages')
    .set({ held_reason, is_undo: false })
    .where('id', '=', row.id)
    .execute()
  await announceUpdated(change, account_id, { ...row, held_reason, is_undo: false })
}
