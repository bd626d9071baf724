import { type ClosedDay, isWithinWorkingHours, type WorkingHours } from '#contract/widget/working-hours.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { readLocalTime } from './local-time.ts'
import type { Schedule } from './working-spans.ts'

/** The schedule of an account, and those of the inboxes that have their own. */
export interface Schedules {
  account: Schedule
  inboxes: Map<string, Schedule>
  /** Whether the account has a valid time zone. Without one the clock is that of UTC. */
  has_time_zone: boolean
}

/** Reads when the team works. */
export async function readSchedules(db: Db, account_id: string): Promise<Schedules> {
  const [account, inboxes] = await Promise.all([
    db
      .selectFrom('accounts')
      .select(['time_zone', 'working_hours', 'closed_days'])
      .where('id', '=', account_id)
      .executeTakeFirstOrThrow(),
    ofAccount(db, account_id)
      .selectFrom('inboxes')
      .select(['id', 'working_hours'])
      .where('working_hours', 'is not', null)
      .execute(),
  ])
  const has_time_zone = readLocalTime(account.time_zone, new Date()) !== undefined
  const common = {
    time_zone: (has_time_zone && account.time_zone) || 'UTC',
    closed_days: account.closed_days as unknown as ClosedDay[],
  }
  const withHours = (working_hours: unknown) => ({ ...common, working_hours: working_hours as WorkingHours[] })
  return {
    account: withHours(account.working_hours),
    inboxes: new Map(inboxes.map(({ id, working_hours }) => [id, withHours(working_hours)])),
    has_time_zone,
  }
}

/** The schedule of an inbox: its own, or the account's. */
export function scheduleOf({ account, inboxes }: Schedules, inbox_id: string): Schedule {
  return inboxes.get(inbox_id) ?? account
}

/** Whether the team of an inbox works at a moment. Without a valid time zone it always does. */
export function isWorking(schedules: Schedules, inbox_id: string, now: Date): boolean {
  const schedule = scheduleOf(schedules, inbox_id)
  const local = readLocalTime(schedule.time_zone, now)
  return !schedules.has_time_zone || !local || isWithinWorkingHours(schedule, local.day, local.minute)
}
