import { sql } from 'kysely'
import { type ScheduledMessage, scheduledMessageUpdated } from '#contract/conversations/scheduled-messages.ts'
import { Forbidden, NotFound, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { loadFiles } from '../files/files.ts'

const columns = [
  'id',
  'conversation_id',
  'user_id',
  'body',
  'file_ids',
  'mail',
  'send_at',
  'is_undo',
  'if_answered',
  'closes',
  'remind_minutes',
  'last_seen_number',
  'held_reason',
  'original_body',
  'created_at',
] as const

/** A scheduled message as stored. */
export interface ScheduledRow extends Omit<ScheduledMessage, 'object' | 'files'> {
  file_ids: string[]
}

const LIST_LIMIT = 200

/** The scheduled messages of an account. */
export function selectScheduled(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('scheduled_messages').select(columns).$castTo<ScheduledRow>()
}

/** SQL condition: a scheduled message is to be sent now, by the database's clock, which all servers share. */
export const isDue = sql<boolean>`held_reason is null and send_at <= clock_timestamp()
  and ${isServed('scheduled_messages.account_id')}`

/** Adds the files to rows: one query for any number of rows. */
export async function presentScheduled(db: Db, account_id: string, rows: ScheduledRow[]): Promise<ScheduledMessage[]> {
  const files = await loadFiles(
    db,
    account_id,
    rows.flatMap(({ file_ids }) => file_ids),
  )
  const byId = new Map(files.map((file) => [file.id, file]))
  return rows.map(({ file_ids, ...row }) => ({
    ...row,
    object: 'scheduled_message',
    files: file_ids.flatMap((id) => byId.get(id) ?? []),
  }))
}

/**
 * Scheduled messages of a conversation, of the caller, or of the whole team, soonest first. Those that can still be
 * taken back are shown to their author alone, and only in their conversation.
 * @throws Forbidden if a member asks for those of the whole team
 */
export async function listScheduled(
  db: Db,
  { account_id, user_id, role }: User,
  { conversation_id, all = false }: { conversation_id?: string | undefined; all?: boolean | undefined },
): Promise<ScheduledMessage[]> {
  if (all && role !== 'admin') throw new Forbidden('Only admins see the scheduled messages of the whole team.')
  const query = selectScheduled(db, account_id).orderBy('send_at').orderBy('id').limit(LIST_LIMIT)
  const rows = conversation_id
    ? query
        .where('conversation_id', '=', conversation_id)
        .where((eb) => eb.or([eb('is_undo', '=', false), eb('user_id', '=', user_id)]))
    : query.where('is_undo', '=', false).$if(!all, (mine) => mine.where('user_id', '=', user_id))
  return presentScheduled(db, account_id, await rows.execute())
}

/**
 * Locks a scheduled message that the caller may change: its author, or an admin. The caller has locked its conversation
 * first, if it is going to change that, too.
 * @throws NotFound, also of one that somebody else can still take back, or Forbidden
 */
export async function lockOwnScheduled(
  { db }: Change,
  { account_id, user_id, role }: User,
  id: string,
): Promise<ScheduledRow> {
  const row = await selectScheduled(db, account_id).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row || (row.is_undo && row.user_id !== user_id)) throw new NotFound()
  if (row.user_id !== user_id && role !== 'admin') {
    throw new Forbidden('Only its author or an admin may change this scheduled message.')
  }
  return row
}

/** @throws NotFound */
export async function findScheduled({ db }: Change, account_id: string, id: string): Promise<ScheduledRow> {
  const row = await selectScheduled(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return row
}

/** Announces the state of a scheduled message, unless its author can still take it back: nobody else knows of it then. */
export async function announceUpdated(
  change: Change,
  account_id: string,
  row: ScheduledRow,
): Promise<ScheduledMessage> {
  const [scheduled_message] = await presentScheduled(change.db, account_id, [row])
  if (!row.is_undo) change.announce(account_id, scheduledMessageUpdated, { scheduled_message: scheduled_message! })
  return scheduled_message!
}

/** Scheduled messages of a conversation that was merged are sent in the one that has its messages. */
export async function moveScheduled(tx: Change, account_id: string, from_id: string, into_id: string): Promise<void> {
  const rows = await ofAccount(tx.db, account_id)
    .updateTable('scheduled_messages')
    .set({ conversation_id: into_id })
    .where('conversation_id', '=', from_id)
    .returning(columns)
    .$castTo<ScheduledRow>()
    .execute()
  for (const row of rows) await announceUpdated(tx, account_id, row)
}

/** The message that a scheduled one becomes. */
export function toDraft(row: ScheduledRow) {
  const { id, conversation_id, body, file_ids, mail, if_answered, last_seen_number, original_body } = row
  return {
    id,
    conversation_id,
    body,
    type: 'reply' as const,
    file_ids,
    mail,
    original_body,
    isMailOptional: true,
    last_seen_number: if_answered === 'hold' ? last_seen_number : null,
  }
}

/** @throws Unacceptable where nothing may be sent, because a person deleted the conversation */
export function assertNotDeleted(conversation: { archived_at: string | null } | undefined): void {
  if (conversation?.archived_at) throw new Unacceptable('This conversation was deleted. Restore it first.')
}
