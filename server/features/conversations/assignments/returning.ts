import { sql } from 'kysely'
import type { AssignmentReason } from '#contract/conversations/assignments.ts'
import type { Change, Db, MakeChange } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { lockConversation, saveConversation } from '../conversations/conversations.ts'
import { recordAssignment } from '../conversations/record-assignment.ts'
import { lockHandingTeams } from './handing-out.ts'
import { canKeep } from './members.ts'

/** The newest message that customer or team can read is the customer's; automatic ones are no answer. */
const customerWaits = sql<boolean>`coalesce((
  select m.customer_id is not null from messages m
  where m.account_id = conversations.account_id and m.conversation_id = conversations.id
    and not m.private and m.type <> 'bot'
  order by m.number desc limit 1), false)`

function selectWaiting(db: Db, account_id: string, user_id: number) {
  return ofAccount(db, account_id)
    .selectFrom('conversations')
    .where('assignee_id', '=', user_id)
    .where('status', '=', sql.lit('open'))
    .where('snoozed_at', 'is', null)
    .where('archived_at', 'is', null)
    .where(customerWaits)
}

/** How many open conversations of a user wait for an answer. */
export async function countWaiting(db: Db, account_id: string, user_id: number): Promise<number> {
  const { count } = await selectWaiting(db, account_id, user_id)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Unassigns the open conversations of a user that wait for an answer. Returns how many there were. */
export async function giveBackWaiting(change: MakeChange, account_id: string, user_id: number): Promise<number> {
  const rows = await change(({ db }) => selectWaiting(db, account_id, user_id).select('id').orderBy('id').execute())
  let count = 0
  for (const { id } of rows) {
    const returned = { account_id, conversation_id: id, user_id }
    if (await change((tx) => returnConversation(tx, returned, 'given_back'))) count++
  }
  return count
}

/**
 * A reopened conversation goes to others if the user who had it is absent, away, not in its team any more, or has as
 * many as they may have.
 */
export async function returnReopened(change: Change, account_id: string, conversation_id: string): Promise<void> {
  const teams = await lockHandingTeams(change, account_id)
  const conversation = await lockConversation(change.db, account_id, conversation_id)
  const team = teams.find(({ id }) => id === conversation?.team_id)
  const user_id = conversation?.assignee_id
  if (!team || !user_id || (await canKeep(change.db, team, user_id))) return
  await returnConversation(change, { account_id, conversation_id, user_id }, 'reopened')
}

/**
 * Unassigns the conversations that wait for an answer, and whose users have been absent longer than the team allows. One
 * that a person assigned only recently stays as long.
 */
export async function returnFromAbsent(change: MakeChange, account_id: string): Promise<void> {
  const rows = await change(({ db }) => listHeldByAbsent(db, account_id))
  for (const { conversation_id, user_id } of rows) {
    await change((tx) => returnConversation(tx, { account_id, conversation_id, user_id }, 'absent'))
  }
}

async function listHeldByAbsent(db: Db, account_id: string) {
  const { rows } = await sql<{ conversation_id: string; user_id: number }>`
    select conversations.id as conversation_id, conversations.assignee_id as user_id
    from teams t
    join conversations on conversations.account_id = t.account_id and conversations.team_id = t.id
      and conversations.status = 'open' and conversations.snoozed_at is null and conversations.archived_at is null
      and conversations.assignee_id is not null
    left join user_availability a on a.account_id = conversations.account_id and a.user_id = conversations.assignee_id
    cross join lateral (select clock_timestamp() - make_interval(mins => t.return_after_minutes) as moment) as latest
    where t.account_id = ${account_id} and t.return_after_minutes is not null
      and coalesce(least(a.away_at, a.last_present_at), '-infinity') < latest.moment
      and not exists (
        select from conversation_assignments s
        where s.account_id = conversations.account_id and s.conversation_id = conversations.id
          and s.user_id = conversations.assignee_id and s.created_at >= latest.moment)
      and ${customerWaits}
    order by conversations.id`.execute(db)
  return rows
}

interface Returned {
  account_id: string
  conversation_id: string
  user_id: number
}

/** Unassigns a conversation, if it is still open and that user's. */
async function returnConversation(
  change: Change,
  { account_id, conversation_id, user_id }: Returned,
  reason: AssignmentReason,
): Promise<boolean> {
  const conversation = await lockConversation(change.db, account_id, conversation_id)
  if (conversation?.assignee_id !== user_id) return false
  if (conversation.status !== 'open' || conversation.archived_at) return false
  await saveConversation(change, conversation, { assignee_id: null })
  await recordAssignment(change, conversation, null, { reason, by_user_id: reason === 'given_back' ? user_id : null })
  return true
}
