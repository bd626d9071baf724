import { sql } from 'kysely'
import type { Message } from '#contract/conversations/messages.ts'
import { isWait, type RuleTrigger, type WaitTrigger } from '#contract/conversations/rule-triggers.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { readSchedules } from '../../widget/working-hours/schedules.ts'
import { subtractWorking } from '../../widget/working-hours/working-time.ts'

/**
 * Starts watching the clock for a rule that was switched on: open conversations are looked at from now on. Those that
 * have waited longer already are left alone, or an old backlog would be answered at once.
 */
export async function beginWaits(
  { db }: Change,
  account_id: string,
  rule: { id: string; trigger: RuleTrigger },
): Promise<void> {
  if (!isWait(rule.trigger)) return
  const swept_until = (await dueSince(db, account_id, rule.trigger, new Date())).toISOString()
  await ofAccount(db, account_id).updateTable('rules').set({ swept_until }).where('id', '=', rule.id).execute()
  await readWaitsUnlessKept({ db }, account_id, rule.id)
}

/**
 * Makes sure that it is known who waits for whom, for a rule or a view that begins to need it.
 * @param id of that rule or view
 */
export async function readWaitsUnlessKept({ db }: Pick<Change, 'db'>, account_id: string, id: string): Promise<void> {
  if (!(await areWaitsKept(db, account_id, id))) await readWaits(db, account_id)
}

/** Whether a rule or a view needs to know who waits. `except` is the id of one that is not asked about. */
export async function areWaitsKept(db: Db, account_id: string, except: string | null = null): Promise<boolean> {
  const { rows } = await sql<{ are_kept: boolean }>`
    select exists (
      select from rules where account_id = ${account_id} and is_on and trigger ? 'minutes' and id is distinct from ${except}
    ) or exists (
      select from conversation_views where account_id = ${account_id} and reads_waits and id is distinct from ${except}
    ) as are_kept`.execute(db)
  return rows[0]!.are_kept
}

/** Reads from the messages who waits for whom. What is left from former rules and views is out of date. */
async function readWaits(db: Change['db'], account_id: string): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('conversation_waits').execute()
  const isPublic = sql`m.account_id = c.account_id and m.conversation_id = c.id and not m.private and m.type = 'reply'`
  const { numAffectedRows } = await sql`
    insert into conversation_waits (account_id, conversation_id, waiting_for, since)
    select c.account_id, c.id, case when unanswered.created_at is null then 'customer' else 'team' end,
      coalesce(unanswered.created_at, answer.created_at)
    from conversations c
    left join lateral (
      select m.number, m.created_at from messages m where ${isPublic} and m.customer_id is null
      order by m.number desc limit 1
    ) answer on true
    left join lateral (
      select m.created_at from messages m
      where ${isPublic} and m.customer_id is not null and m.number > coalesce(answer.number, 0)
      order by m.number limit 1
    ) unanswered on true
    where c.account_id = ${account_id} and c.status = 'open' and c.archived_at is null
      and (unanswered.created_at is not null or answer.created_at is not null)`.execute(db)
  // Until the database counts them by itself, a minute or more later, it takes them for few: lists took ten times as long.
  if (numAffectedRows) await sql`analyze conversation_waits`.execute(db)
}

/** The latest beginning of a wait that is long enough now. */
export async function dueSince(
  db: Db,
  account_id: string,
  { minutes, in_working_hours }: WaitTrigger,
  now: Date,
): Promise<Date> {
  const schedule = in_working_hours ? (await readSchedules(db, account_id)).account : undefined
  // A team without working hours is taken for one that always works.
  const counted = schedule && schedule.working_hours.length > 0 ? schedule : undefined
  const duration = minutes * 60_000
  return new Date(subtractWorking(now.getTime(), duration, counted) ?? now.getTime() - duration)
}

/** A public message by a person, or the end of a conversation. */
export type WaitChange = { conversation_id: string; message?: Message }

/**
 * Keeps for whose next message conversations wait. The team is waited for since the first message that it has not
 * answered, the customer since the last answer. What automatic messages say counts as no answer.
 */
export async function keepWaits({ db }: Change, account_id: string, changes: WaitChange[]): Promise<void> {
  for (const { conversation_id, message } of changes) {
    if (!message) {
      await ofAccount(db, account_id)
        .deleteFrom('conversation_waits')
        .where('conversation_id', '=', conversation_id)
        .execute()
      continue
    }
    const waiting_for = message.customer_id ? 'team' : 'customer'
    // The conversation may have been destroyed meanwhile.
    await sql`
      insert into conversation_waits (account_id, conversation_id, waiting_for, since)
      select account_id, id, ${waiting_for}, ${message.created_at}
      from conversations where account_id = ${account_id} and id = ${conversation_id}
      on conflict (account_id, conversation_id) do update set waiting_for = excluded.waiting_for, since = excluded.since
      where conversation_waits.waiting_for <> 'team' or excluded.waiting_for <> 'team'`.execute(db)
  }
  await lookAgain(db, account_id, changes)
}

/** Where events are read late, a rule may have looked past the time of a wait: it goes back. Nothing is done twice. */
async function lookAgain(db: Change['db'], account_id: string, changes: WaitChange[]): Promise<void> {
  const times = changes.flatMap(({ message }) => (message ? [message.created_at] : [])).sort()
  if (!times[0]) return
  const just_before = new Date(Date.parse(times[0]) - 1).toISOString()
  await ofAccount(db, account_id)
    .updateTable('rules')
    .set({ swept_until: just_before })
    .where('swept_until', '>', just_before)
    .execute()
}
