import { sql } from 'kysely'
import type { Account } from '#contract/accounts/accounts.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { getInboxIds } from '../../widget/inboxes/inboxes.ts'
import { isWorking, readSchedules } from '../../widget/working-hours/schedules.ts'
import { lockConversation } from '../conversations/conversations.ts'
import { postMessage } from '../conversations/posting.ts'

const USUAL_HOURS = 72
const USUAL_MAX = 3
const PER_RUN = 10

interface Rules {
  hours: number
  max: number
}

/**
 * Reminds the team of conversations whose customer has waited too long for a reply. Due reminders are derived from the
 * conversations themselves, so a server that was down reminds once of each, and a clock change has no effect.
 */
export async function remindEverybody(context: Context, now: Date): Promise<void> {
  const accounts = await context.db
    .selectFrom('accounts')
    .select(['id', 'settings'])
    .where('suspended_at', 'is', null)
    .where(sql<boolean>`settings @> '{"conversation_reminders_enabled": true}'`)
    .execute()
  for (const { id, settings } of accounts) {
    await remindAccount(context, id, rulesIn(settings as Account['settings']), now)
  }
}

function rulesIn(settings: Account['settings']): Rules {
  return {
    hours: settings.conversation_reminder_hours_interval ?? USUAL_HOURS,
    max: settings.max_num_conversation_reminders ?? USUAL_MAX,
  }
}

async function remindAccount(context: Context, account_id: string, rules: Rules, now: Date): Promise<void> {
  const inbox_ids = await listOpenInboxes(context.db, account_id, now)
  for (const waiting of await findWaiting(context.db, account_id, inbox_ids, rules, now)) {
    const user_id = waiting.assignee_id ?? (await findPrimaryUser(context.db, account_id))
    const reminder_count = waiting.reminders + 1
    await context.change(async (tx) => {
      const conversation = await lockConversation(tx.db, account_id, waiting.id)
      // Somebody wrote or closed it meanwhile.
      if (conversation?.last_number !== waiting.last_number || conversation.status !== 'open') return
      await postMessage(
        context,
        tx,
        account_id,
        { kind: 'bot', user_id },
        {
          id: deriveId(`reminder ${waiting.id} ${waiting.last_number}`),
          conversation_id: waiting.id,
          private: true,
          body: reminderText(reminder_count, rules),
          metadata: { is_reminder: true, reminder_count },
        },
      )
    })
  }
}

/** The inboxes whose team works now. */
async function listOpenInboxes(db: Db, account_id: string, now: Date): Promise<string[]> {
  const schedules = await readSchedules(db, account_id)
  const ids = await getInboxIds(db, account_id)
  return ids.filter((id) => isWorking(schedules, id, now))
}

/** Conversations of some inboxes that wait for the team, longest first, with the number of earlier reminders. */
async function findWaiting(db: Db, account_id: string, inbox_ids: string[], { hours, max }: Rules, now: Date) {
  const before = new Date(now.getTime() - hours * 3_600_000).toISOString()
  // Clients may put anything into metadata, even text for numbers; only the server's own counts.
  const reminders = sql<number>`case when last.customer_id is null and last.metadata ->> 'reminder_count' ~ '^\\d{1,6}$'
    then (last.metadata ->> 'reminder_count')::integer else 0 end`
  return db
    .selectFrom('conversations as c')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('messages')
          .select(['created_at', 'customer_id', 'metadata'])
          .whereRef('messages.account_id', '=', 'c.account_id')
          .whereRef('messages.conversation_id', '=', 'c.id')
          .orderBy('number', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['c.id', 'c.assignee_id', 'c.last_number', reminders.as('reminders')])
    .where('c.account_id', '=', account_id)
    .where('c.inbox_id', 'in', inbox_ids)
    .where('c.status', '=', 'open')
    .where('c.archived_at', 'is', null)
    .where('c.snoozed_at', 'is', null)
    .where('last.created_at', '<', before)
    .where((eb) =>
      eb.or([
        eb('last.customer_id', 'is not', null),
        eb.and([sql<boolean>`last.metadata ->> 'is_reminder' = 'true'`, eb(reminders, '<', max)]),
      ]),
    )
    .orderBy('last.created_at')
    .limit(max > 0 ? PER_RUN : 0)
    .execute()
}

/** The author of a reminder if nobody is assigned: the oldest admin. */
async function findPrimaryUser(db: Db, account_id: string): Promise<number | null> {
  const admin = await ofAccount(db, account_id)
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return admin?.id ?? null
}

const CONFIGURE = '\n\n(Click [here](/settings/overview) to configure reminders for your account)'

function reminderText(count: number, { hours, max }: Rules): string {
  const text =
    count < max
      ? `This is an automated reminder (${count} of ${max}) to follow up on this conversation :bell: the next reminder will be sent in ${hours} ${hours === 1 ? 'hour' : 'hours'}.`
      : 'This is the last reminder to follow up on this conversation :bell: no more will be sent after this!'
  return text + CONFIGURE
}
