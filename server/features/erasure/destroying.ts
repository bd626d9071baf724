import { sql } from 'kysely'
import type { Erased } from '#contract/erasure.ts'
import type { Parley } from '../../parley.ts'
import type { Change } from '../../platform/db/change.ts'

/**
 * Destroys conversations with all that hangs on them: messages, files, mentions, drafts, shares, and what search knows.
 * The bytes of files go by a job, which exists when, and only when, the rows are gone.
 */
export async function destroyConversations(
  { jobs }: Pick<Parley, 'jobs'>,
  { db }: Pick<Change, 'db'>,
  account_id: string,
  ids: string[],
): Promise<Erased> {
  if (ids.length === 0) return { conversations: 0, messages: 0, files: 0 }
  const attached = await db
    .selectFrom('message_files')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.account_id', '=', 'message_files.account_id')
        .onRef('messages.id', '=', 'message_files.message_id'),
    )
    .select('file_id')
    .distinct()
    .where('message_files.account_id', '=', account_id)
    .where('conversation_id', 'in', ids)
    .execute()
  const messages = await db
    .deleteFrom('messages')
    .where('account_id', '=', account_id)
    .where('conversation_id', 'in', ids)
    .executeTakeFirst()
  const conversations = await db
    .deleteFrom('conversations')
    .where('account_id', '=', account_id)
    .where('id', 'in', ids)
    .executeTakeFirst()
  const files = await destroyFiles(
    { jobs },
    { db },
    account_id,
    attached.map(({ file_id }) => file_id),
  )
  return { conversations: Number(conversations.numDeletedRows), messages: Number(messages.numDeletedRows), files }
}

/** Destroys files that no message shows any more. */
export async function destroyFiles(
  { jobs }: Pick<Parley, 'jobs'>,
  { db }: Pick<Change, 'db'>,
  account_id: string,
  ids: string[],
): Promise<number> {
  if (ids.length === 0) return 0
  const gone = await db
    .deleteFrom('files')
    .where('account_id', '=', account_id)
    .where('id', 'in', ids)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('message_files')
            .select('file_id')
            .whereRef('message_files.account_id', '=', 'files.account_id')
            .whereRef('message_files.file_id', '=', 'files.id'),
        ),
      ),
    )
    .returning('key')
    .execute()
  for (const { key } of gone) await jobs.enqueue(db, 'files.remove', { account_id, key })
  return gone.length
}

const AT_ONCE = 100

/** Takes out of the log, and of mails, whatever speaks of these ids. Both are kept for days only, so both are small. */
export async function forgetMentionsOf({ db }: Pick<Change, 'db'>, account_id: string, ids: string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const pattern = ids.slice(at, at + AT_ONCE).join('|')
    await db
      .deleteFrom('events')
      .where('account_id', '=', account_id)
      .where(sql<boolean>`event::text ~ ${pattern}`)
      .execute()
    await db
      .deleteFrom('mails')
      .where('account_id', '=', account_id)
      .where(sql<boolean>`text || headers::text ~ ${pattern}`)
      .execute()
  }
}
