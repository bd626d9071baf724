import { type SqlBool, sql } from 'kysely'
import type { MakeChange } from '../../../platform/db/change.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'

const BATCH = 100
/** A run ends before the next one is due. */
const RUN_MS = 45_000

/**
 * Restores conversations that versions before 0.3.0 archived because they had been closed for two weeks; the upgrade
 * to 0.3.0 has listed them. Runs every minute until the list is empty. Nobody is notified: years of history must
 * not reach webhooks and open pages as news.
 */
export async function restoreHistory(change: MakeChange): Promise<void> {
  const end = Date.now() + RUN_MS
  while (Date.now() < end && (await restoreBatch(change)) > 0);
}

/** Returns how many were taken from the list. Conversations that somebody is changing are left for the next run. */
function restoreBatch(change: MakeChange): Promise<number> {
  return change(async ({ db }) => {
    const listed = await acrossAccounts(db, 'looks after all accounts at once')
      .selectFrom('archived_by_age')
      .innerJoin('conversations', (join) =>
        join
          .onRef('conversations.account_id', '=', 'archived_by_age.account_id')
          .onRef('conversations.id', '=', 'archived_by_age.conversation_id'),
      )
      .select(['conversations.account_id', 'conversations.id'])
      .orderBy('archived_by_age.account_id')
      .orderBy('archived_by_age.conversation_id')
      .limit(BATCH)
      // The conversation first, as everywhere: whoever destroys one removes it from the list afterwards.
      .forUpdate('conversations')
      .skipLocked()
      .execute()
    if (listed.length === 0) return 0
    const ids = listed.map(({ id }) => id)
    const account_ids = listed.map(({ account_id }) => account_id)
    const isListed = (account: string, id: string) =>
      sql<SqlBool>`(${sql.ref(account)}, ${sql.ref(id)}) in (select * from unnest(${account_ids}::uuid[], ${ids}::uuid[]))`
    await db
      .updateTable('conversations')
      .set({ archived_at: null, version: sql<number>`version + 1`, updated_at: sql<string>`clock_timestamp()` })
      .where(isListed('conversations.account_id', 'conversations.id'))
      .where('archived_at', 'is not', null)
      // A customer who was deleted meanwhile has deleted conversations.
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('customers')
            .select('customers.id')
            .whereRef('customers.account_id', '=', 'conversations.account_id')
            .whereRef('customers.id', '=', 'conversations.customer_id')
            .where('customers.deleted_at', 'is', null),
        ),
      )
      .execute()
    await db.deleteFrom('archived_by_age').where(isListed('account_id', 'conversation_id')).execute()
    return listed.length
  })
}
