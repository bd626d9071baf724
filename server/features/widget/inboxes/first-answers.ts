import { sql } from 'kysely'
import type { Inbox } from '#contract/widget/inboxes.ts'
import type { Db } from '../../../platform/db/change.ts'
import { PRESENT_SECONDS } from '../../accounts/availability/availability.ts'
import { isWorking, readSchedules } from '../working-hours/schedules.ts'

/** Whether the assistant answers first in a chat that begins now, as its inbox says. */
export async function doesAssistantBegin(
  db: Db,
  account_id: string,
  { id, first_answers, team_id }: Pick<Inbox, 'id' | 'first_answers' | 'team_id'>,
): Promise<boolean> {
  if (first_answers === 'outside_working_hours') return !isWorking(await readSchedules(db, account_id), id, new Date())
  if (first_answers === 'nobody_there') return !(await isSomebodyThere(db, account_id, team_id))
  return first_answers === 'always'
}

/** Whether somebody who would answer uses the dashboard and is not away: of the inbox's team, if it has one. */
async function isSomebodyThere(db: Db, account_id: string, team_id: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from user_availability a
    join users u on u.account_id = a.account_id and u.id = a.user_id and u.disabled_at is null and u.archived_at is null
    left join teams t on t.account_id = a.account_id and t.id = ${team_id}
    where a.account_id = ${account_id} and a.away_at is null
      and a.last_present_at > clock_timestamp() - make_interval(secs => ${PRESENT_SECONDS})
      and (t.id is null or t.has_everybody or exists (select from team_members m
        where m.account_id = t.account_id and m.team_id = t.id and m.user_id = a.user_id))
    limit 1`.execute(db)
  return rows.length > 0
}
