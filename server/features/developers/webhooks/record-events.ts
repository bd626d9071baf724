import { sql } from 'kysely'
import * as z from 'zod/mini'
import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/developers/webhooks.ts'
import type { Context } from '../../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../../feature.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { newId } from '../../../platform/secrets.ts'
import { dispatcherOf } from './dispatcher.ts'
import { isDisabled, payloadOf, subjectsOf } from './event-body.ts'

/** Wakes a server for waiting deliveries. They have an order and times of their own, so the job itself ends at once. */
export const deliverWebhooks = defineJob('eventSubscriptions.deliver', {
  schema: z.object({ account_id: z.string() }),
  run: async (context: Context) => dispatcherOf(context).wake(),
})

export const recordEvents = defineConsumer('eventSubscriptions.recordEvents', {
  of: WEBHOOK_EVENTS,
  concerns: sql`exists (select from event_subscriptions s where s.account_id = events.account_id)`,
  jobs: [deliverWebhooks],
  consume: recordDeliveries,
})

/** Stores a delivery for each event and each webhook subscribed to it, in the order of the log. */
async function recordDeliveries({ jobs }: Context, { db }: Change, events: LoggedEvent<WebhookEvent>[]): Promise<void> {
  await deleteDeliveriesOfDeleted(db, events)
  const accounts = [...new Set(events.map(({ account_id }) => account_id))]
  const subscriptions = await db
    .selectFrom('event_subscriptions')
    .select(['account_id', 'id', 'events', 'switched_off_at'])
    .where('account_id', 'in', accounts)
    .where('verified', '=', true)
    .execute()
  if (subscriptions.length === 0) return
  const customers = await findCustomers(db, events)
  const rows = events.flatMap(({ account_id, event, request_id = null }) => {
    if (isDisabled(event)) return []
    const receivers = subscriptions.filter(
      (subscription) => subscription.account_id === account_id && subscription.events.includes(event.type),
    )
    const { conversation_id, customer_id = customers.get(`${account_id} ${conversation_id}`) } = subjectsOf(event)
    return receivers.map(({ id, switched_off_at }) => ({
      account_id,
      id: newId(),
      subscription_id: id,
      event: event.type,
      conversation_id: conversation_id ?? null,
      customer_id: customer_id ?? null,
      order_key: conversation_id ?? customer_id ?? '',
      body: toJson({ event: event.type, payload: payloadOf(event) }),
      request_id,
      // Events that happen while it is switched off can be sent later, on request.
      state: switched_off_at ? ('parked' as const) : ('pending' as const),
    }))
  })
  if (rows.length === 0) return
  await db.insertInto('webhook_deliveries').values(rows).execute()
  const due = new Set(rows.filter(({ state }) => state === 'pending').map(({ account_id }) => account_id))
  const wakes = [...due].map((account_id) => ({ payload: { account_id } }))
  await jobs.enqueueAll(db, deliverWebhooks, wakes)
}

/** The text of a deleted message is no longer sent, and is removed from the log. */
async function deleteDeliveriesOfDeleted(db: Change['db'], events: LoggedEvent<WebhookEvent>[]): Promise<void> {
  for (const { account_id, event } of events) {
    if (event.type !== 'message:deleted') continue
    await ofAccount(db, account_id)
      .updateTable('webhook_deliveries')
      .set({ body: null })
      .where('conversation_id', '=', event.conversation_id)
      .where('event', 'in', ['message:created', 'message:updated'])
      .where(sql<boolean>`body::jsonb -> 'payload' ->> 'id' = ${event.message_id}`)
      .execute()
  }
}

/** The customers of conversations for events that only contain the conversation's id. */
async function findCustomers(db: Change['db'], events: LoggedEvent<WebhookEvent>[]): Promise<Map<string, string>> {
  const unknown = events.flatMap(({ account_id, event }) => {
    const { conversation_id, customer_id } = subjectsOf(event)
    return conversation_id && !customer_id ? [{ account_id, conversation_id }] : []
  })
  if (unknown.length === 0) return new Map()
  const rows = await db
    .selectFrom('conversations')
    .select(['account_id', 'id', 'customer_id'])
    .where('account_id', 'in', [...new Set(unknown.map(({ account_id }) => account_id))])
    .where('id', 'in', [...new Set(unknown.map(({ conversation_id }) => conversation_id))])
    .execute()
  return new Map(rows.map(({ account_id, id, customer_id }) => [`${account_id} ${id}`, customer_id]))
}
