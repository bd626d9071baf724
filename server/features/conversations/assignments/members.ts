import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { PRESENT_SECONDS } from '../../accounts/availability/availability.ts'

/** A team whose conversations are handed out. */
export interface HandingTeam {
  account_id: string
  id: string
  assignment: 'in_turn' | 'least_open'
}

/** A member who can be given conversations, with the number of their open ones. */
export interface FreeMember {
  user_id: number
  open_count: number
  open_limit: number | null
}

/** Open and not snoozed: what somebody has to do now, in whichever team. */
const openCount = sql`(
  select count(*)::integer from conversations c
  where c.account_id = u.account_id and c.assignee_id = u.id and c.status = 'open' and c.archived_at is null
    and c.snoozed_at is null)`

/** The members of a team who are present and not away, with what they have and may have. */
function availableMembers({ account_id, id }: Pick<HandingTeam, 'account_id' | 'id'>) {
  return sql`
    select u.id as user_id, coalesce(m.open_limit, t.open_limit) as open_limit, ${openCount} as open_count,
      a.last_assigned_at
    from teams t
    join users u on u.account_id = t.account_id and u.disabled_at is null and u.archived_at is null
    join user_availability a on a.account_id = u.account_id and a.user_id = u.id and a.away_at is null
      and a.last_present_at > clock_timestamp() - make_interval(secs => ${PRESENT_SECONDS})
    left join team_members m on m.account_id = t.account_id and m.team_id = t.id and m.user_id = u.id
    where t.account_id = ${account_id} and t.id = ${id} and (t.has_everybody or m.user_id is not null)`
}

/** The member of a team who gets its next conversation: below their limit, and last given one longest ago. */
export async function chooseMember(db: Db, team: HandingTeam): Promise<FreeMember | undefined> {
  const fewest = team.assignment === 'least_open' ? sql`open_count,` : sql``
  const { rows } = await sql<FreeMember>`
    select user_id, open_count, open_limit from (${availableMembers(team)}) as member
    where open_limit is null or open_count < open_limit
    order by ${fewest} last_assigned_at nulls first, user_id limit 1`.execute(db)
  return rows[0]
}

/** Whether a user has time for a conversation that is theirs already, so it is among those counted. */
export async function canKeep(db: Db, team: Pick<HandingTeam, 'account_id' | 'id'>, user_id: number): Promise<boolean> {
  const { rows } = await sql<FreeMember>`
    select user_id, open_count, open_limit from (${availableMembers(team)}) as member
    where user_id = ${user_id} and (open_limit is null or open_count <= open_limit)`.execute(db)
  return rows.length > 0
}
