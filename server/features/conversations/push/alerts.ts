import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { hasDevice, wantsMessages, wishes } from '../notifications/push-wishes.ts'

export type AlertKind = 'message' | 'mention' | 'assigned' | 'deadline_warned' | 'deadline_broken'

/** Something of which users may want to be notified. */
export interface NewAlert {
  account_id: string
  conversation_id: string
  kind: AlertKind
  message_id: string | null
  /** How many new messages of the customer. */
  messages: number
  /** The only user whom it concerns; null for everybody who wants it. */
  user_id: number | null
  /** Who caused it, and so knows. */
  by_user_id: number | null
}

/** Whom an alert waits for. */
export interface Waiting {
  account_id: string
  user_id: number
  due_at: string
}

/**
 * Whether what an alert is about still waits for this user: `a` is the alert, `c` its conversation. Nothing does where the
 * assistant answers.
 */
const STILL_WAITS = sql<boolean>`(c.archived_at is null and c.assistant is distinct from 'answering' and (
  (a.messages > 0 and c.status = 'open' and not c.read)
  or (a.kind = 'mention' and a.user_id = any (c.unseen_mention_user_ids))
  or (a.kind = 'assigned' and c.status = 'open' and c.assignee_id = a.user_id)
  or (a.kind in ('deadline_warned', 'deadline_broken') and c.status = 'open' and exists (
    select from deadlines d where d.account_id = a.account_id and d.conversation_id = a.conversation_id
      and d.done_at is null and d.cancelled_at is null))))`

/**
 * Stores alerts for the users who want them and have a device, to wait for some seconds. A conversation that waits already
 * keeps its time, so each row is due once. There may be one alert per conversation, kind and user.
 * @returns for whom something began to wait
 */
export async function storeAlerts(db: Db, alerts: NewAlert[], waitSeconds: number): Promise<Waiting[]> {
  if (alerts.length === 0) return []
  const { rows } = await sql<Waiting & { is_new: boolean }>`
    insert into push_alerts as a (account_id, id, user_id, conversation_id, kind, message_id, messages, due_at)
    select n.account_id, gen_random_uuid(), u.id, n.conversation_id, n.kind, n.message_id, n.messages,
      clock_timestamp() + make_interval(secs => ${waitSeconds})
    from json_to_recordset(${toJson(alerts)}::json) as n (account_id uuid, conversation_id uuid, kind text,
      message_id uuid, messages integer, user_id integer, by_user_id integer)
    join conversations c on c.account_id = n.account_id and c.id = n.conversation_id
    join users u on u.account_id = n.account_id and u.id is distinct from n.by_user_id
      and (n.user_id is null or u.id = n.user_id) and u.disabled_at is null and u.archived_at is null
    left join push_settings s on s.account_id = u.account_id and s.user_id = u.id
    where ${hasDevice} and case
      when n.kind = 'mention' then ${wishes} && '{all,mentions}'::text[]
      when n.kind = 'assigned' then ${wishes} && '{all,mine}'::text[]
      else ${wantsMessages} end
    order by 1, 3, 4
    on conflict (account_id, user_id, conversation_id) where notification_id is null do update set
      messages = a.messages + excluded.messages,
      message_id = coalesce(excluded.message_id, a.message_id),
      kind = case when excluded.kind in ('message', 'mention') then excluded.kind else a.kind end
    returning account_id, user_id, due_at, xmax = 0 as is_new`.execute(db)
  return rows.filter(({ is_new }) => is_new)
}

interface WaitingAlert {
  id: string
  kind: AlertKind
  message_id: string | null
  is_due: boolean
}

/**
 * The alerts that wait for a user; locks them, so that two servers never notify of the same one. In the order in which
 * `storeAlerts` locks them.
 */
export async function lockWaiting(db: Db, account_id: string, user_id: number): Promise<WaitingAlert[]> {
  return ofAccount(db, account_id)
    .selectFrom('push_alerts')
    .select(['id', 'kind', 'message_id'])
    .select(sql<boolean>`due_at <= clock_timestamp()`.as('is_due'))
    .where('user_id', '=', user_id)
    .where('notification_id', 'is', null)
    .orderBy('conversation_id')
    .forUpdate()
    .$castTo<WaitingAlert>()
    .execute()
}

/** Makes alerts one notification. */
export async function assignNotification(db: Db, account_id: string, ids: string[], notification_id: string) {
  await ofAccount(db, account_id).updateTable('push_alerts').set({ notification_id }).where('id', 'in', ids).execute()
}

/** Lets everything that waits for a user wait until a later moment. */
export async function postpone(db: Db, account_id: string, user_id: number, until: Date): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('push_alerts')
    .set({ due_at: until.toISOString() })
    .where('user_id', '=', user_id)
    .where('notification_id', 'is', null)
    .execute()
}

/** An alert that still waits for its user, with what is shown of its conversation. */
export interface LiveAlert {
  conversation_id: string
  kind: AlertKind
  message_id: string | null
  messages: number
  customer_id: string
  name: string | null
  email: string | null
  phone: string | null
}

/** What a notification is about and what still waits, at most two: one conversation is shown differently from several. */
export function findLive(db: Db, account_id: string, notification_id: string): Promise<LiveAlert[]> {
  return selectLive(db, account_id, sql`a.notification_id = ${notification_id}`)
}

/** One alert, if it still waits. */
export async function findLiveAlert(db: Db, account_id: string, id: string): Promise<LiveAlert | undefined> {
  const [alert] = await selectLive(db, account_id, sql`a.id = ${id}`)
  return alert
}

async function selectLive(db: Db, account_id: string, condition: RawBuilder<unknown>): Promise<LiveAlert[]> {
  const { rows } = await sql<LiveAlert>`
    select a.conversation_id, a.kind, a.message_id, a.messages, c.customer_id, k.name, k.email, k.phone
    from push_alerts a
    join conversations c on c.account_id = a.account_id and c.id = a.conversation_id
    join customers k on k.account_id = c.account_id and k.id = c.customer_id
    where a.account_id = ${account_id} and ${condition} and ${STILL_WAITS}
    order by a.created_at, a.id limit 2`.execute(db)
  return rows
}

/** Conversations that a device is told of: more than it shows, and few enough for a notification. */
const MAX_LIVE = 100

/** The conversations that a user was notified about within a day and that still wait; undefined if they are too many. */
export async function listLiveConversations(
  db: Db,
  account_id: string,
  user_id: number,
): Promise<string[] | undefined> {
  const { rows } = await sql<{ conversation_id: string }>`
    select distinct a.conversation_id
    from push_alerts a
    join conversations c on c.account_id = a.account_id and c.id = a.conversation_id
    where a.account_id = ${account_id} and a.user_id = ${user_id} and a.notification_id is not null
      and a.created_at > now() - interval '1 day' and ${STILL_WAITS}
    limit ${MAX_LIVE + 1}`.execute(db)
  return rows.length > MAX_LIVE ? undefined : rows.map(({ conversation_id }) => conversation_id)
}

/** How much of what a user was notified about together still waits: each such notification replaces the one before. */
export async function countTogether(db: Db, account_id: string, user_id: number) {
  const { rows } = await sql<{ messages: number; conversations: number }>`
    select sum(a.messages)::integer as messages, count(distinct a.conversation_id)::integer as conversations
    from push_alerts a
    join conversations c on c.account_id = a.account_id and c.id = a.conversation_id
    where a.account_id = ${account_id} and a.user_id = ${user_id} and a.notification_id <> a.id
      and a.created_at > now() - interval '1 day' and ${STILL_WAITS}`.execute(db)
  return rows[0]!
}

/** Deletes alerts that are no longer of use. */
export async function pruneAlerts(db: Db): Promise<void> {
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('push_alerts')
    .where('created_at', '<', sql<string>`now() - interval '2 days'`)
    .execute()
}
