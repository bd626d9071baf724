import { sql } from 'kysely'
import type { Message } from '#contract/conversations/messages.ts'
import type { Context } from '../../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../../feature.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import { type NewAlert, storeAlerts, type Waiting } from './alerts.ts'
import { notifyUser } from './notify-user.ts'

type Followed = 'message:created' | 'conversation:assigned' | 'deadline:warned' | 'deadline:broken'

/** Short beside the time that notifications wait anyway. */
const REST_MS = 250

/** Stores what the team's devices are to be notified about, and enqueues a job for the moment when it is due. */
export const followEvents = defineConsumer('push.followEvents', {
  of: ['message:created', 'conversation:assigned', 'deadline:warned', 'deadline:broken'],
  restMs: REST_MS,
  concerns: sql`exists (select from push_devices d where d.account_id = events.account_id)`,
  jobs: [notifyUser],
  consume: recordAlerts,
})

async function recordAlerts({ config, jobs }: Context, { db }: Change, events: LoggedEvent<Followed>[]): Promise<void> {
  const mentions = await mentionsIn(db, events)
  // One statement may not change a row twice, so each kind has its own.
  for (const alerts of [messagesIn(events), mentions, assignmentsIn(events), deadlinesIn(events)]) {
    const waiting = await storeAlerts(db, alerts, config.pushWaitSeconds)
    await jobs.enqueueAll(db, notifyUser, waiting.map(jobOf))
  }
}

/** Notifies the team of a message that the assistant has handed over, as of one that has just arrived. */
export async function notifyOfHandOver(
  { config, jobs }: Pick<Context, 'config' | 'jobs'>,
  { db }: Change,
  { account_id, conversation_id, id }: Pick<Message, 'account_id' | 'conversation_id' | 'id'>,
): Promise<void> {
  const alert = { ...EMPTY, account_id, conversation_id, kind: 'message' as const, message_id: id, messages: 1 }
  const waiting = await storeAlerts(db, [alert], config.pushWaitSeconds)
  await jobs.enqueueAll(db, notifyUser, waiting.map(jobOf))
}

function jobOf({ account_id, user_id, due_at }: Waiting) {
  return { payload: { account_id, user_id }, not_before: new Date(due_at) }
}

const EMPTY = { message_id: null, messages: 0, user_id: null, by_user_id: null }

/** The messages of customers, one alert per conversation. */
function messagesIn(events: LoggedEvent<Followed>[]): NewAlert[] {
  const alerts = new Map<string, NewAlert>()
  for (const { account_id, event } of events) {
    if (event.type !== 'message:created') continue
    const { id, conversation_id, customer_id, private: isPrivate, type } = event.message
    if (!customer_id || isPrivate || type === 'bot') continue
    const key = `${account_id} ${conversation_id}`
    const messages = (alerts.get(key)?.messages ?? 0) + 1
    alerts.set(key, { ...EMPTY, account_id, conversation_id, kind: 'message', message_id: id, messages })
  }
  return [...alerts.values()]
}

/** Mentions by colleagues and rules; of several of one user in one conversation the newest. */
async function mentionsIn(db: Db, events: LoggedEvent<Followed>[]): Promise<NewAlert[]> {
  const messages = events.flatMap(({ account_id, event }) =>
    event.type === 'message:created' && event.message.customer_id === null ? [{ ...event.message, account_id }] : [],
  )
  if (messages.length === 0) return []
  const authors = new Map(messages.map(({ id, user_id }) => [id, user_id]))
  const rows = await acrossAccounts(db, 'messages of a batch of events, each with its account')
    .selectFrom('mentions')
    .select(['account_id', 'conversation_id', 'message_id', 'user_id'])
    .where(
      sql<boolean>`(account_id, message_id) in (
        select * from unnest(${messages.map(({ account_id }) => account_id)}::uuid[], ${messages.map(({ id }) => id)}::uuid[]))`,
    )
    .orderBy('created_at')
    .execute()
  const newest = new Map(rows.map((row) => [`${row.account_id} ${row.conversation_id} ${row.user_id}`, row]))
  return [...newest.values()].map((row) => ({
    ...EMPTY,
    ...row,
    kind: 'mention',
    by_user_id: authors.get(row.message_id) ?? null,
  }))
}

/** Conversations that somebody else gave to a user; of several changes of one conversation the last. */
function assignmentsIn(events: LoggedEvent<Followed>[]): NewAlert[] {
  const alerts = new Map<string, NewAlert>()
  for (const { account_id, event } of events) {
    if (event.type !== 'conversation:assigned') continue
    const { conversation_id, user_id, by_user_id } = event.assignment
    const key = `${account_id} ${conversation_id}`
    if (user_id === null) alerts.delete(key)
    else alerts.set(key, { ...EMPTY, account_id, conversation_id, kind: 'assigned', user_id, by_user_id })
  }
  return [...alerts.values()]
}

/** Deadlines that come close or were missed, while the team works. */
function deadlinesIn(events: LoggedEvent<Followed>[]): NewAlert[] {
  const alerts = new Map<string, NewAlert>()
  for (const { account_id, event } of events) {
    if (event.type !== 'deadline:warned' && event.type !== 'deadline:broken') continue
    const { conversation_id, assignee_id: user_id, is_working_time } = event.deadline
    if (!is_working_time) continue
    const kind = event.type === 'deadline:warned' ? 'deadline_warned' : 'deadline_broken'
    alerts.set(`${account_id} ${conversation_id}`, { ...EMPTY, account_id, conversation_id, kind, user_id })
  }
  return [...alerts.values()]
}
