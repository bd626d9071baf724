import type { UnreadCounts } from '#contract/conversations/conversations.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { readTogether } from '../../../platform/db/transact.ts'

/** Unread and total numbers of conversations by bucket for one user, from counters kept by the database. */
export async function countUnread(db: Db, account_id: string, user_id: number): Promise<UnreadCounts> {
  const [rows, inboxes] = await readTogether(db, (together) =>
    Promise.all([
      ofAccount(together, account_id)
        .selectFrom('unread_counters')
        .select((eb) => ['counter', eb.fn.sum<number>('count').as('count')])
        .groupBy('counter')
        .execute(),
      ofAccount(together, account_id).selectFrom('inboxes').select('id').execute(),
    ]),
  )
  const counts = new Map(rows.map(({ counter, count }) => [counter, count]))
  const count = (counter: string) => counts.get(counter) ?? 0
  return {
    conversations: {
      open: count('unread'),
      unread: count('unread'),
      assigned: count(`assigned:${user_id}`),
      unassigned: count('unassigned'),
      priority: count('priority'),
      closed: count('closed'),
      mentioned: count(`mentioned:${user_id}`),
    },
    // Existing clients hide inboxes that are missing here.
    inboxes: Object.fromEntries(inboxes.map(({ id }) => [id, count(`inbox:${id}`)])),
    totals: {
      conversations: {
        open: count('all'),
        assigned: count(`all:assigned:${user_id}`),
        unassigned: count('all:unassigned'),
        priority: count('all:priority'),
        snoozed: count('all:snoozed'),
        closed: count('all:closed'),
      },
      inboxes: Object.fromEntries(inboxes.map(({ id }) => [id, count(`all:inbox:${id}`)])),
    },
  }
}

/** How many unread conversations are a user's own or nobody's: those that wait for them. */
export async function countWaiting(db: Db, account_id: string, user_id: number): Promise<number> {
  const { count } = await ofAccount(db, account_id)
    .selectFrom('unread_counters')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'))
    .where('counter', 'in', [`assigned:${user_id}`, 'unassigned'])
    .executeTakeFirstOrThrow()
  return Number(count)
}
