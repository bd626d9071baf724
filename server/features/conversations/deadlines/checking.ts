import { sql } from 'kysely'
import { deadlineBroken, deadlineWarned } from '#contract/conversations/deadlines.ts'
import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { readSchedules } from '../../widget/working-hours/schedules.ts'
import { followConversations } from './consumer.ts'
import { presentNotice } from './presenting.ts'
import type { DeadlineRow } from './timing.ts'

const BATCH = 100

interface Due {
  account_id: string
  id: string
  assignee_id: number | null
  inbox_id: string
}

/**
 * Announces the deadlines that come close or were missed, each once: the time at which it was announced is stored in the
 * same transaction. Runs every minute.
 */
export async function checkDeadlines({ change }: Pick<Context, 'change'>, now: Date): Promise<void> {
  while ((await change((tx) => announceDue(tx, 'broken', now))) > 0);
  while ((await change((tx) => announceDue(tx, 'warned', now))) > 0);
}

/** @returns how many were announced */
async function announceDue(tx: Change, as: 'warned' | 'broken', now: Date): Promise<number> {
  let announced = 0
  const due = await lockDue(tx, as, now)
  for (const [account_id, ofAccount] of Map.groupBy(due, (row) => row.account_id)) {
    const until = await readUntil(tx, account_id, now)
    const schedules = await readSchedules(tx.db, account_id)
    for (const { id, ...conversation } of ofAccount) {
      const row = await mark(tx, account_id, id, as, until)
      if (!row) continue
      const event = as === 'warned' ? deadlineWarned : deadlineBroken
      tx.announce(account_id, event, { deadline: presentNotice(row, conversation, schedules, now) })
      announced++
    }
  }
  return announced
}

/** Locks conversations, so that nobody answers meanwhile; those that are locked are left for the next minute. */
async function lockDue({ db }: Change, as: 'warned' | 'broken', now: Date): Promise<Due[]> {
  const moment = as === 'warned' ? sql`d.warn_at` : sql`d.due_at`
  const isUnknown = as === 'warned' ? sql`d.warned_at is null and d.broken_at is null` : sql`d.broken_at is null`
  const { rows } = await sql<Due>`
    select d.account_id, d.id, c.assignee_id, c.inbox_id
    from deadlines d join conversations c on c.account_id = d.account_id and c.id = d.conversation_id
    where ${moment} <= ${now.toISOString()} and ${isUnknown} and d.done_at is null and d.cancelled_at is null
    order by ${moment} limit ${BATCH} for update of c skip locked`.execute(
    acrossAccounts(db, 'looks after all accounts at once'),
  )
  return rows
}

/**
 * Up to when the deadlines of an account are known: an event that the consumer has not read yet may be the answer that
 * came in time.
 */
async function readUntil({ db }: Change, account_id: string, now: Date): Promise<string> {
  const { rows } = await sql<{ oldest: string | null }>`
    select min(e.created_at) as oldest
    from event_followers f join events e on (e.xid, e.id) > (f.xid, f.id)
    where f.name = ${followConversations.name} and e.account_id = ${account_id}
      and e.event ->> 'type' = any(${followConversations.of})`.execute(db)
  const oldest = rows[0]?.oldest
  return oldest && oldest < now.toISOString() ? oldest : now.toISOString()
}

/** Marks a deadline, unless it ended, was paused or marked meanwhile. */
async function mark(
  { db }: Change,
  account_id: string,
  id: string,
  as: 'warned' | 'broken',
  until: string,
): Promise<DeadlineRow | undefined> {
  const open = ofAccount(db, account_id)
    .updateTable('deadlines')
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .where('broken_at', 'is', null)
    .returningAll()
  if (as === 'broken') {
    return open.set({ broken_at: sql<string>`due_at` }).where('due_at', '<=', until).executeTakeFirst()
  }
  return open
    .set({ warned_at: until })
    .where('warn_at', '<=', until)
    .where('due_at', '>', until)
    .where('warned_at', 'is', null)
    .executeTakeFirst()
}
