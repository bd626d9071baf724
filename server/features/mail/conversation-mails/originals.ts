import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { CustomerData } from '../../../customer-data.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { removeFile } from '../../conversations/files/files.ts'

/** Stores the raw bytes of a mail. Repeating it replaces them by the same. */
export async function storeOriginal(
  { files }: Context,
  account_id: string,
  message_id: string,
  raw: Buffer,
): Promise<string> {
  const key = `${account_id}/mail-${message_id}`
  await files.put(key, raw, 'message/rfc822')
  return key
}

const KEPT_DAYS = 30
const BATCH = 500

/** Deletes originals that are a month old, and those of deleted messages. */
export async function pruneOriginals(context: Context): Promise<void> {
  while ((await context.change((tx) => pruneBatch(context, tx))) === BATCH);
}

async function pruneBatch({ jobs }: Context, { db }: Change): Promise<number> {
  const before = new Date(Date.now() - KEPT_DAYS * 86_400_000).toISOString()
  const { rows } = await sql<{ account_id: string; key: string }>`
    delete from mail_originals where (account_id, message_id) in (
      select o.account_id, o.message_id from mail_originals o
      where o.created_at < ${before} or not exists (
        select from messages m where m.account_id = o.account_id and m.id = o.message_id)
      limit ${BATCH} for update skip locked)
    returning account_id, key`.execute(db)
  for (const payload of rows) await jobs.enqueue(db, removeFile, payload)
  return rows.length
}

/** Deletes some originals of a closed account, and returns how many. */
export async function destroySomeOriginals(
  { jobs }: Pick<Context, 'jobs'>,
  { db }: Change,
  account_id: string,
): Promise<number> {
  const { rows } = await sql<{ key: string }>`
    delete from mail_originals where account_id = ${account_id} and message_id in (
      select message_id from mail_originals where account_id = ${account_id} limit ${BATCH})
    returning key`.execute(db)
  for (const { key } of rows) await jobs.enqueue(db, removeFile, { account_id, key })
  return rows.length
}

/** Deletes the stored mails with replies in a conversation, and the originals of mails received there. */
export async function destroyMailsOf(
  { jobs }: Pick<Context, 'jobs'>,
  tx: Change,
  account_id: string,
  conversation_id: string,
): Promise<void> {
  await deleteAnswersOf(tx, account_id, 'id', [conversation_id])
  const { rows } = await sql<{ key: string }>`
    delete from mail_originals where account_id = ${account_id} and message_id in (
      select id from messages where account_id = ${account_id} and conversation_id = ${conversation_id})
    returning key`.execute(tx.db)
  for (const { key } of rows) await jobs.enqueue(tx.db, removeFile, { account_id, key })
}

/** Deletes the stored mails with replies in these conversations or to these customers, whatever address they went to. */
async function deleteAnswersOf(
  { db }: Change,
  account_id: string,
  by: 'id' | 'customer_id',
  chosen_ids: string[],
): Promise<void> {
  // Writes mails, too: mails of conversations are stored as sent and received.
  await ofAccount(db, account_id)
    .deleteFrom('mails')
    .where('message_id', 'in', (eb) =>
      eb
        .selectFrom('messages')
        .innerJoin('conversations', (join) =>
          join
            .onRef('conversations.account_id', '=', 'messages.account_id')
            .onRef('conversations.id', '=', 'messages.conversation_id'),
        )
        .select('messages.id')
        .where('messages.account_id', '=', account_id)
        .where(`conversations.${by}`, 'in', chosen_ids),
    )
    .execute()
}

/** Runs before conversations are destroyed, because mails are found through them. */
export const mailOriginalsData: CustomerData = {
  table: 'mail_originals',
  merge: { stays: 'It records whose mail it was. Erasing includes everybody merged into the customer.' },
  export: { leftOut: 'Their content is in the messages of their conversations.' },
  delete: { stays: 'They belong to conversations, which are archived, and are deleted within a month.' },
  async erase({ jobs }, tx, account_id, ids) {
    const { db } = tx
    await deleteAnswersOf(tx, account_id, 'customer_id', ids)
    const deleted = await ofAccount(db, account_id)
      .deleteFrom('mail_originals')
      .where('customer_id', 'in', ids)
      .returning('key')
      .execute()
    for (const { key } of deleted) await jobs.enqueue(db, removeFile, { account_id, key })
    return { files: deleted.length }
  },
}
