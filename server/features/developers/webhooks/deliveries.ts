import { type SqlBool, sql } from 'kysely'
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '#contract/developers/webhooks.ts'
import { NotFound, Unacceptable } from '../../../errors.ts'
import { readNumberCursor, writeNumberCursor } from '../../../platform/cursor.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'

const PAGE = 50
/** Days for which the log is kept, as long as the event log. */
const KEPT_DAYS = 7

interface SubscriptionKey {
  account_id: string
  subscription_id: string
}

interface Filters {
  state?: WebhookDelivery['state'] | undefined
  event?: string | undefined
  after?: string | undefined
  limit?: number | undefined
}

/** One page of the log, newest first. */
export async function listDeliveries(
  db: Db,
  key: SubscriptionKey,
  { state, event, after, limit = PAGE }: Filters,
): Promise<{ data: WebhookDelivery[]; next: string | null }> {
  const pageSize = Math.min(Math.max(1, limit), PAGE)
  const rows = await select(db, key)
    .select('seq')
    .$if(!!state, (query) => query.where('state', '=', state!))
    .$if(!!event, (query) => query.where('event', '=', event!))
    .$if(!!after, (query) => query.where('seq', '<', readNumberCursor(after!)))
    .orderBy('seq', 'desc')
    .limit(pageSize + 1)
    .execute()
  const page = rows.slice(0, pageSize)
  const tries = await loadAttempts(
    db,
    key.account_id,
    page.map(({ id }) => id),
  )
  return {
    data: page.map(({ seq: _, ...row }) => presentWebhookDelivery(row, tries.get(row.id) ?? [])),
    next: rows.length > pageSize ? writeNumberCursor(page.at(-1)!.seq) : null,
  }
}

/** @throws NotFound */
export async function getDelivery(db: Db, key: SubscriptionKey, id: string): Promise<WebhookDeliveryDetails> {
  const row = await select(db, key).select('body').where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  const { body, ...rest } = row
  const tries = (await loadAttempts(db, key.account_id, [id])).get(id) ?? []
  return { ...presentWebhookDelivery(rest, tries), body, tries }
}

/**
 * Queues a delivery again, with another day of retries.
 * @throws NotFound; Unacceptable if its content was deleted
 */
export async function resendDelivery({ db }: Change, key: SubscriptionKey, id: string): Promise<WebhookDelivery> {
  const { body } = await getDelivery(db, key, id)
  if (body === null) throw new Unacceptable('The data of this delivery was deleted, so it cannot be sent again.')
  await assertSwitchedOn(db, key)
  await reset(db, key).where('id', '=', id).execute()
  const { body: _, tries: __, ...delivery } = await getDelivery(db, key, id)
  return delivery
}

/** Queues everything since a time again, and returns the number. */
export async function resendSince({ db }: Change, key: SubscriptionKey, since: string): Promise<number> {
  await assertSwitchedOn(db, key)
  const { numUpdatedRows } = await reset(db, key)
    .where('created_at', '>=', since)
    .where('body', 'is not', null)
    .where('state', '<>', 'pending')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

function reset(db: Db, { account_id, subscription_id }: SubscriptionKey) {
  const now = new Date().toISOString()
  return ofAccount(db, account_id)
    .updateTable('webhook_deliveries')
    .set({ state: 'pending', begun_at: now, next_attempt_at: now, leased_until: null })
    .where('subscription_id', '=', subscription_id)
}

async function assertSwitchedOn(db: Db, { account_id, subscription_id }: SubscriptionKey): Promise<void> {
  const subscription = await ofAccount(db, account_id)
    .selectFrom('event_subscriptions')
    .select(['switched_off_at', 'verified'])
    .where('id', '=', subscription_id)
    .executeTakeFirst()
  if (!subscription) throw new NotFound()
  if (subscription.switched_off_at) throw new Unacceptable('This webhook is switched off. Switch it on first.')
  if (!subscription.verified) throw new Unacceptable('This webhook is not verified. Verify its URL first.')
}

/** Deletes entries older than a week. */
export async function pruneDeliveries(db: Db): Promise<void> {
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('webhook_deliveries')
    .where(sql<SqlBool>`created_at < now() - make_interval(days => ${KEPT_DAYS})`)
    .where('state', '<>', 'pending')
    .execute()
}

type WebhookDeliveryRow = Pick<WebhookDelivery, 'id' | 'event' | 'state' | 'attempts' | 'created_at'> & {
  next_attempt_at: string
}

function select(db: Db, { account_id, subscription_id }: SubscriptionKey) {
  return ofAccount(db, account_id)
    .selectFrom('webhook_deliveries')
    .select(['id', 'event', 'state', 'attempts', 'created_at', 'next_attempt_at'])
    .where('subscription_id', '=', subscription_id)
    .$narrowType<{ state: WebhookDelivery['state'] }>()
}

function presentWebhookDelivery(
  { next_attempt_at, ...row }: WebhookDeliveryRow,
  tries: WebhookAttempt[],
): WebhookDelivery {
  return {
    ...row,
    object: 'webhook_delivery',
    next_attempt_at: row.state === 'pending' ? next_attempt_at : null,
    last: tries.at(-1) ?? null,
  }
}

/** Attempts by delivery, oldest first. */
async function loadAttempts(db: Db, account_id: string, ids: string[]): Promise<Map<string, WebhookAttempt[]>> {
  if (ids.length === 0) return new Map()
  const rows = await ofAccount(db, account_id)
    .selectFrom('webhook_attempts')
    .select(['delivery_id', 'id', 'at', 'duration_ms', 'status', 'error', 'answer'])
    .where('delivery_id', 'in', ids)
    .orderBy('at')
    .execute()
  const tries = Map.groupBy(rows, ({ delivery_id }) => delivery_id)
  return new Map([...tries].map(([id, attempts]) => [id, attempts.map(({ delivery_id: _, ...attempt }) => attempt)]))
}
