import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { listPlanRetention } from '../../accounts/billing/plan-retention.ts'
import { destroyConversations } from '../../conversations/conversations/destroy-conversations.ts'
import { countMessages } from '../../conversations/reporting/counting.ts'
import { prunePageVisits } from '../customers/page-visits.ts'

const BATCH = 200
const DAY_MS = 86_400_000

/**
 * Destroys closed and deleted conversations past the retention period of their account, or of its plan where plans are
 * sold. Runs every night, in batches.
 */
export async function applyRetention(context: Context, now: Date): Promise<void> {
  const accounts = await context.db
    .selectFrom('accounts')
    .select(['id', sql<number | null>`(settings ->> 'retention_days')::integer`.as('days')])
    .execute()
  const byPlan = await listPlanRetention(context)
  for (const { id, days: own } of accounts) {
    const limits = [own, byPlan.get(id)].flatMap((limit) => (limit && limit > 0 ? [limit] : []))
    if (limits.length === 0) continue
    const days = Math.min(...limits)
    const before = new Date(now.getTime() - days * DAY_MS).toISOString()
    await context.change((tx) => prunePageVisits(tx, id, before))
    while ((await destroyOlder(context, id, before)) === BATCH);
  }
}

function destroyOlder(context: Context, account_id: string, before: string): Promise<number> {
  return context.change(async (tx) => {
    const old = await ofAccount(tx.db, account_id)
      .selectFrom('conversations')
      .select('id')
      .where((row) => row.or([row('status', '=', 'closed'), row('archived_at', 'is not', null)]))
      .where('last_activity_at', '<', before)
      .orderBy('last_activity_at')
      .limit(BATCH)
      // Adding a row that references a conversation, such as a tag, briefly locks its key: this waits for that.
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    const ids = old.map(({ id }) => id)
    await destroyConversations(context, tx, account_id, ids)
    await countMessages(tx.db, account_id, ids)
    return ids.length
  })
}
