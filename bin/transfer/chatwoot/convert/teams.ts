import type { Conversion } from '../../moving-in/reader.ts'
import { at, created, newId } from '../expressions.ts'

/** A team of this name was made in Parley, so its conversations go there. */
export const TEAM_OF = (number: string, account_id: string) =>
  `(select t.id from old_teams n join teams t on t.account_id = ${account_id} and (t.id = ${newId('teams', 'n.id')} or t.name = btrim(n.name))
    where n.id = ${number} order by (t.id = ${newId('teams', 'n.id')}) desc limit 1)`

/** Teams with their members. Conversations are assigned by hand, until somebody chooses otherwise. */
export const TEAMS: Conversion[] = [
  {
    table: 'teams',
    sql: `
insert into teams (account_id, id, name, created_at, updated_at)
select a.account_id, ${newId('teams', 'o.id')}, left(btrim(o.name), 100), ${created('o')}
from old_teams o join moved_accounts a on a.id = o.account_id where btrim(o.name) <> '' order by o.id on conflict do nothing`,
  },
  {
    table: 'team_members',
    // Only of teams that an import has made, and that nobody has changed here since.
    sql: `
insert into team_members (account_id, team_id, user_id)
select t.account_id, t.id, u.id
from old_team_members o join old_teams n on n.id = o.team_id join moved_accounts a on a.id = n.account_id
join teams t on t.account_id = a.account_id and t.id = ${newId('teams', 'n.id')}
join people p on p.account = a.id and p.user_id = o.user_id and p.is_member
join users u on u.account_id = a.account_id and u.id = p.id
where t.updated_at <= coalesce(${at('n.updated_at')}, t.created_at)
on conflict do nothing`,
  },
]
