import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import type { Claimed } from './claim.ts'
import { sendWebhook, type WebhookResult } from './send-webhook.ts'
import { mailSwitchedOff } from './switched-off-mail.ts'
import { readSecrets } from './webhook-secrets.ts'

const HOUR_MS = 3_600_000
/** How long a delivery is retried. */
const TRIED_MS = 24 * HOUR_MS
const FIRST_WAIT_MS = 5_000
/** A webhook that has only failed for this long is switched off. */
const SWITCHED_OFF_MS = 72 * HOUR_MS

/** Makes one try, without holding locks or transactions meanwhile, and records the outcome. */
export async function attemptDelivery(context: Context, claimed: Claimed): Promise<void> {
  const { account_id, id, subscription_id } = claimed
  const delivery = await context.db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('event_subscriptions as s', (join) =>
      join.onRef('s.account_id', '=', 'd.account_id').onRef('s.id', '=', 'd.subscription_id'),
    )
    .select(['d.body', 's.webhook_url as url', 's.switched_off_at', 's.verified'])
    .where('d.account_id', '=', account_id)
    .where('d.id', '=', id)
    .executeTakeFirst()
  if (!delivery) return
  // Switched off meanwhile, or its content was deleted.
  if (!delivery.body || delivery.switched_off_at || !delivery.verified) return context.change((tx) => park(tx, claimed))
  const secrets = await readSecrets(context.db, context.keys, { account_id, subscription_id })
  const tried = await sendWebhook(context, { id, url: delivery.url, body: delivery.body, secrets })
  const { ok, status, duration_ms: ms } = tried
  context.log.debug({ webhook_delivery_id: id, tries: claimed.attempts + 1, ok, status, ms }, 'A webhook was called')
  await context.change((tx) => recordOutcome(context, tx, claimed, tried))
}

async function recordOutcome(
  context: Context,
  tx: Change,
  claimed: Claimed,
  { ok, ...tried }: WebhookResult,
): Promise<void> {
  const { account_id, id } = claimed
  const { numUpdatedRows } = await deliveries(tx, claimed)
    .set({
      attempts: claimed.attempts + 1,
      leased_until: null,
      ...(ok && { state: 'delivered' }),
    })
    .executeTakeFirst()
  // It was deleted while it was being sent.
  if (!numUpdatedRows) return
  await tx.db
    .insertInto('webhook_attempts')
    .values({ account_id, id: newId(), delivery_id: id, ...tried })
    .execute()
  if (ok) return recordSuccess(tx, claimed)
  await recordFailure(context, tx, claimed)
}

async function recordSuccess({ db }: Change, { account_id, subscription_id, isFailing }: Claimed): Promise<void> {
  if (!isFailing) return
  await ofAccount(db, account_id)
    .updateTable('event_subscriptions')
    .set({ failing_since: null })
    .where('id', '=', subscription_id)
    .execute()
}

async function recordFailure(context: Context, tx: Change, claimed: Claimed): Promise<void> {
  const { account_id, subscription_id } = claimed
  const { failing_since } = await ofAccount(tx.db, account_id)
    .updateTable('event_subscriptions')
    .set({ failing_since: sql`coalesce(failing_since, clock_timestamp())` })
    .where('id', '=', subscription_id)
    .returning('failing_since')
    .executeTakeFirstOrThrow()
  if (Date.now() - Date.parse(failing_since!) >= SWITCHED_OFF_MS) return switchOff(context, tx, claimed)
  if (Date.now() - Date.parse(claimed.begun_at) >= TRIED_MS) return park(tx, claimed)
  const next_attempt_at = new Date(Date.now() + waitAfter(claimed.attempts + 1)).toISOString()
  // Deliveries behind it wait equally long, because looking at them earlier is useless.
  await ofAccount(tx.db, account_id)
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at })
    .where('subscription_id', '=', subscription_id)
    .where('order_key', '=', claimed.order_key)
    .where('state', '=', 'pending')
    .execute()
}

/** Doubles with each failure, up to an hour, with jitter. */
export function waitAfter(failures: number, random = Math.random()): number {
  const wait = Math.min(HOUR_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
  return Math.round(wait * (0.75 + random / 2))
}

async function park(tx: Change, claimed: Claimed): Promise<void> {
  await deliveries(tx, claimed).set({ state: 'parked', leased_until: null }).execute()
}

/** Waiting deliveries stay in the log, and can be sent on request. */
async function switchOff(context: Context, tx: Change, { account_id, subscription_id }: Claimed): Promise<void> {
  const { numUpdatedRows } = await ofAccount(tx.db, account_id)
    .updateTable('event_subscriptions')
    .set({ switched_off_at: new Date().toISOString() })
    .where('id', '=', subscription_id)
    .where('switched_off_at', 'is', null)
    .executeTakeFirst()
  await ofAccount(tx.db, account_id)
    .updateTable('webhook_deliveries')
    .set({ state: 'parked' })
    .where('subscription_id', '=', subscription_id)
    .where('state', '=', 'pending')
    .execute()
  if (numUpdatedRows) await mailSwitchedOff(context, tx, { account_id, subscription_id })
}

function deliveries({ db }: Change, { account_id, id }: Claimed) {
  return ofAccount(db, account_id).updateTable('webhook_deliveries').where('id', '=', id)
}
