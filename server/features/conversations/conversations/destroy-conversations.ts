import type { Erased } from '#contract/customers/erasure.ts'
import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { destroyFiles } from '../files/files.ts'

/**
 * Destroys conversations with everything in them: messages, files, mentions, drafts, shares, and search entries. The
 * contents of files are deleted by a job, which exists if, and only if, the rows are gone.
 */
export async function destroyConversations(
  { jobs }: Pick<Context, 'jobs'>,
  { db }: Pick<Change, 'db'>,
  account_id: string,
  ids: string[],
): Promise<Erased> {
  if (ids.length === 0) return { conversations: 0, messages: 0, files: 0 }
  const attached = await ofAccount(db, account_id)
    .selectFrom('message_files')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.account_id', '=', 'message_files.account_id')
        .onRef('messages.id', '=', 'message_files.message_id'),
    )
    .select('file_id')
    .distinct()
    .where('conversation_id', 'in', ids)
    .execute()
  const messages = await ofAccount(db, account_id)
    .deleteFrom('messages')
    .where('conversation_id', 'in', ids)
    .executeTakeFirst()
  const conversations = await ofAccount(db, account_id)
    .deleteFrom('conversations')
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

/** Destroys all conversations of these customers, and returns the counts. */
export async function destroyConversationsOf(
  context: Pick<Context, 'jobs'>,
  change: Pick<Change, 'db'>,
  account_id: string,
  customer_ids: string[],
): Promise<Erased> {
  const rows = await ofAccount(change.db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where('customer_id', 'in', customer_ids)
    .execute()
  const ids = rows.map(({ id }) => id)
  return destroyConversations(context, change, account_id, ids)
}
