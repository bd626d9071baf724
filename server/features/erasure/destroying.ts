import { sql } from 'kysely'
import type { Erased } from '#contract/erasure.ts'
import type { Context } from '../../context.ts'
import type { Change } from '../../platform/db/change.ts'
import { destroyFiles } from '../files/files.ts'
import { escapeLike } from '../messages/messages.ts'

/**
 * Destroys conversations with all that hangs on them: messages, files, mentions, drafts, shares, and what search knows.
 * The bytes of files go by a job, which exists when, and only when, the rows are gone.
 */
export async function destroyConversations(
  { jobs }: Pick<Context, 'jobs'>,
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

const AT_ONCE = 100

/**
 * Takes out of the log, and of mails, whatever speaks of these ids; where words are given, only what says one of them.
 * Both are kept for days only, so both are small.
 */
export async function forgetMentionsOf(
  { db }: Pick<Change, 'db'>,
  account_id: string,
  ids: string[],
  words = [''],
): Promise<void> {
  const said = words.map((word) => `%${escapeLike(word)}%`)
  const quoted = words.map((word) => `%${escapeLike(JSON.stringify(word).slice(1, -1))}%`)
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const pattern = ids.slice(at, at + AT_ONCE).join('|')
    await db
      .deleteFrom('events')
      .where('account_id', '=', account_id)
      .where(sql<boolean>`event::text ~ ${pattern} and event::text ilike any(${quoted}::text[])`)
      .execute()
    await db
      .deleteFrom('mails')
      .where('account_id', '=', account_id)
      .where(sql<boolean>`text || headers::text ~ ${pattern} and subject || text ilike any(${said}::text[])`)
      .execute()
  }
}
