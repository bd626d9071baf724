import {
  type EventSubscription,
  type EventSubscriptionDraft,
  FIRST_EVENTS,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '#contract/developers/webhooks.ts'
import { NotFound } from '../../../errors.ts'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import { makeSecret } from './webhook-secrets.ts'

const columns = [
  'account_id',
  'id',
  'webhook_url',
  'verified',
  'events',
  'failing_since',
  'switched_off_at',
  'created_at',
  'updated_at',
] as const

/** All webhooks of an account, oldest first. */
export async function listSubscriptions(db: Db, account_id: string): Promise<EventSubscription[]> {
  return (await select(db, account_id).orderBy('created_at').orderBy('id').execute()).map(presentEventSubscription)
}

/** @throws NotFound */
export async function getSubscription(db: Db, account_id: string, id: string): Promise<EventSubscription> {
  const row = await select(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentEventSubscription(row)
}

type Draft = Partial<EventSubscriptionDraft> & { verified?: boolean; is_enabled?: boolean | null | undefined }

/** Adds a webhook with its own secret. */
export async function createSubscription(
  change: Change,
  keys: Keyring,
  account_id: string,
  draft: EventSubscriptionDraft & { verified: boolean },
): Promise<EventSubscription> {
  const id = newId()
  await change.db
    .insertInto('event_subscriptions')
    .values({
      account_id,
      id,
      webhook_url: draft.webhook_url,
      verified: draft.verified,
      events: eventsOf(draft) ?? FIRST_EVENTS,
    })
    .execute()
  await makeSecret(change, keys, { account_id, subscription_id: id })
  return getSubscription(change.db, account_id, id)
}

/**
 * Changes the given fields. A webhook that is switched on starts without earlier failures.
 * @throws NotFound
 */
export async function updateSubscription(
  { db }: Change,
  account_id: string,
  id: string,
  draft: Draft,
): Promise<EventSubscription> {
  const { webhook_url, verified, is_enabled } = draft
  const current = await getSubscription(db, account_id, id)
  const now = new Date().toISOString()
  await ofAccount(db, account_id)
    .updateTable('event_subscriptions')
    .set({
      updated_at: now,
      ...(webhook_url && { webhook_url, verified: verified ?? false }),
      ...(eventsOf(draft) && { events: eventsOf(draft) }),
      ...(is_enabled === true && { switched_off_at: null, failing_since: null }),
      ...(is_enabled === false && { switched_off_at: current.switched_off_at ?? now }),
    })
    .where('id', '=', id)
    .execute()
  return getSubscription(db, account_id, id)
}

/** @throws NotFound */
export async function deleteSubscription({ db }: Change, account_id: string, id: string): Promise<null> {
  await getSubscription(db, account_id, id)
  await ofAccount(db, account_id).deleteFrom('event_subscriptions').where('id', '=', id).execute()
  return null
}

/** The chosen events or, in Papercups' form, the first two and those named by `scope`. */
function eventsOf({ events, scope }: Draft): WebhookEvent[] | undefined {
  if (events) return WEBHOOK_EVENTS.filter((event) => events.includes(event))
  if (scope === undefined || scope === null) return undefined
  return WEBHOOK_EVENTS.filter((event) => FIRST_EVENTS.includes(event) || scope.includes(event))
}

type SubscriptionRow = Omit<EventSubscription, 'object' | 'scope' | 'state'>

function select(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('event_subscriptions').select(columns).$castTo<SubscriptionRow>()
}

function presentEventSubscription(row: SubscriptionRow): EventSubscription {
  const failing = row.failing_since ? 'failing' : 'healthy'
  return {
    ...row,
    object: 'event_subscription',
    scope: row.events.join(' '),
    state: row.switched_off_at ? 'off' : failing,
  }
}
