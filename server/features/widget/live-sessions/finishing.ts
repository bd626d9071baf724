import type { Context } from '../../../context.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { topicKey } from '../../../platform/realtime/topic-key.ts'
import { presenceKey, topics } from './topics.ts'

const MINUTE_MS = 60_000
const KEPT_DAYS = 30
const BATCH = 1_000

/**
 * Finishes sessions whose tab ended without a message: a closed laptop, a lost beacon. Checks each minute which
 * recorders are connected on any server; one that was missing at two checks in a row is gone.
 */
export async function finishAbandonedSessions(context: Context, now: Date): Promise<void> {
  // The state of other servers is unknown while they cannot be reached.
  if (!context.isBusHealthy()) return
  for (const [account_id, ids] of await listRecentSessions(context.db, now)) {
    const state = await context.realtime.presence.list(topicKey(account_id, topics.all(account_id)))
    const [present, absent] = [true, false].map((isPresent) =>
      ids.filter((id) => presenceKey(id) in state === isPresent),
    )
    await context.change(async (change) => {
      await recordPresence(change, account_id, present!)
      await recordAbsence(change, account_id, absent!, now)
      await finishAbsent(change, account_id, now)
    })
  }
}

/** Unfinished and recently finished sessions, by account. */
async function listRecentSessions(db: Db, now: Date): Promise<Map<string, string[]>> {
  const since = new Date(now.getTime() - 2 * MINUTE_MS).toISOString()
  const rows = await acrossAccounts(db, 'looks after all accounts at once')
    .selectFrom('browser_sessions')
    .select(['account_id', 'id'])
    .where(({ or, eb }) => or([eb('finished_at', 'is', null), eb('finished_at', '>', since)]))
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ account_id }) => account_id)].map(([account_id, own]) => [
      account_id,
      own.map(({ id }) => id),
    ]),
  )
}

/**
 * Marks sessions as active again, because the beacon about leaving a page may arrive after the next page has started.
 */
async function recordPresence({ db }: Change, account_id: string, present: string[]): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('browser_sessions')
    .set({ absent_since: null, finished_at: null })
    .where(({ or, eb }) => or([eb('absent_since', 'is not', null), eb('finished_at', 'is not', null)]))
    .where('id', 'in', present)
    .execute()
}

async function recordAbsence({ db }: Change, account_id: string, absent: string[], now: Date): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('browser_sessions')
    .set({ absent_since: now.toISOString() })
    .where('finished_at', 'is', null)
    .where('absent_since', 'is', null)
    .where('id', 'in', absent)
    .execute()
}

async function finishAbsent({ db }: Change, account_id: string, now: Date): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('browser_sessions')
    .set(({ ref }) => ({ finished_at: ref('absent_since') }))
    .where('finished_at', 'is', null)
    .where('absent_since', '<=', new Date(now.getTime() - MINUTE_MS).toISOString())
    .execute()
}

/** Deletes some of the sessions that finished long ago. Returns their number. */
export async function pruneSessions({ db }: Change): Promise<number> {
  const { numDeletedRows } = await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('browser_sessions')
    .where(({ eb, selectFrom }) =>
      eb(
        'id',
        'in',
        selectFrom('browser_sessions')
          .select('id')
          .where('finished_at', '<', new Date(Date.now() - KEPT_DAYS * 24 * 60 * MINUTE_MS).toISOString())
          .limit(BATCH),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
