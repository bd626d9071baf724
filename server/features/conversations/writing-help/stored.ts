import { type SqlBool, sql } from 'kysely'
import type { WrittenText } from '#contract/conversations/writing-help.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { pruneRows } from '../../../platform/db/prune-rows.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'

/** After a week a conversation has gone on, or is closed. */
const KEPT_DAYS = 7

/** The text that was written for the same request, if there is one. */
export async function findWritten(
  db: Db,
  account_id: string,
  conversation_id: string,
  request_hash: Buffer,
): Promise<WrittenText | undefined> {
  const row = await ofAccount(db, account_id)
    .selectFrom('written_texts')
    .select('answer')
    .where('conversation_id', '=', conversation_id)
    .where('request_hash', '=', request_hash)
    .executeTakeFirst()
  return row?.answer as WrittenText | undefined
}

/** Keeps a text for the next time that the same is asked. */
export async function storeWritten(
  { db }: Change,
  account_id: string,
  conversation_id: string,
  request_hash: Buffer,
  written: WrittenText,
): Promise<void> {
  const answer = toJson(written)
  await db
    .insertInto('written_texts')
    .values({ account_id, id: newId(), conversation_id, request_hash, answer })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'conversation_id', 'request_hash']).doUpdateSet({ answer }),
    )
    .execute()
}

/** Deletes texts that nobody asks for again. */
export function pruneWritten(db: Db): Promise<void> {
  return pruneRows(db, 'written_texts', sql<SqlBool>`created_at < now() - make_interval(days => ${KEPT_DAYS})`)
}
