import type { Context } from '../../../context.ts'
import { defineConsumer } from '../../../feature.ts'
import type { Integration, NewDelivery, Planned, PlannedConversation } from '../../../integration.ts'
import { PLANNED_EVENTS } from '../../../integration.ts'
import type { Change } from '../../../platform/db/change.ts'
import { newId } from '../../../platform/secrets.ts'
import { writeDeliveries } from './deliveries.ts'
import {
  conversationOf,
  listAuthorizationsOf,
  type PlannedEvent,
  type PlanningData,
  readPlanningData,
} from './planning-data.ts'
import { sendDeliveries } from './sender.ts'

/** Plans deliveries for events. It starts at the end of the log, so a new connection gets no old messages. */
export const planDeliveries = defineConsumer('deliveries.plan', {
  of: PLANNED_EVENTS,
  jobs: [sendDeliveries],
  consume: plan,
})

/** One query of each kind for a whole batch; a single query if nothing is connected. */
async function plan(context: Context, tx: Change, events: PlannedEvent[]): Promise<void> {
  const authorizations = await listAuthorizationsOf(tx.db, events)
  const isSomethingThere = [...context.integrations.values()].some(({ isBuiltIn }) => isBuiltIn)
  if (authorizations.length === 0 && !isSomethingThere) return
  const connected = new Set(authorizations.map(({ account_id }) => account_id))
  const concerned = events.filter(({ account_id }) => isSomethingThere || connected.has(account_id))
  const data = await readPlanningData(context, tx.db, concerned, authorizations)
  const deliveries = concerned.flatMap((plannedEvent) =>
    planEvent(context, plannedEvent, data).map((delivery) => ({
      request_id: plannedEvent.request_id ?? null,
      ...delivery,
    })),
  )
  const accounts = await writeDeliveries(tx, deliveries)
  const payloads = accounts.map((account_id) => ({ payload: { account_id } }))
  await context.jobs.enqueueAll(tx.db, sendDeliveries, payloads)
}

type PlannedDelivery = NewDelivery & { account_id: string; integration: Integration['name'] }

/**
 * The deliveries that follow from an event. A reply to a customer whose channel was disconnected waits until it is
 * connected again.
 */
function planEvent(
  context: Pick<Context, 'integrations'>,
  plannedEvent: PlannedEvent,
  data: PlanningData,
): PlannedDelivery[] {
  const all = [...context.integrations.values()]
  const origins = all.filter(({ role }) => role === 'origin')
  const planWith = (integrations: Integration[], is_removed: boolean) =>
    integrations.flatMap((integration) =>
      planFor(integration, plannedEvent, data, is_removed).map((delivery) => ({
        ...delivery,
        account_id: plannedEvent.account_id,
        integration: integration.name,
      })),
    )
  const mirrored = planWith(
    all.filter(({ role }) => role !== 'origin'),
    false,
  )
  const sent = planWith(origins, false)
  const isWithoutChannel = plannedEvent.event.type === 'message:created' && sent.length === 0
  return [...mirrored, ...(isWithoutChannel ? planWith(origins, true) : sent)]
}

/** The deliveries of a reply of this user to the customer, as if it was sent now. */
export async function planReply(
  context: Pick<Context, 'db' | 'integrations' | 'mailer'>,
  { account_id, conversation_id, user_id }: { account_id: string; conversation_id: string; user_id: number },
): Promise<PlannedDelivery[]> {
  const message = {
    account_id,
    conversation_id,
    id: newId(),
    user_id,
    customer_id: null,
    private: false,
    metadata: null,
  }
  const reply = { account_id, event: { type: 'message:created', message } } as unknown as PlannedEvent
  const authorizations = await listAuthorizationsOf(context.db, [reply])
  const data = await readPlanningData(context, context.db, [reply], authorizations)
  const origins = new Map([...context.integrations].filter(([, { role }]) => role === 'origin'))
  return planEvent({ integrations: origins }, reply, data)
}

function planFor(
  integration: Integration,
  { account_id, event }: PlannedEvent,
  data: PlanningData,
  is_removed: boolean,
): NewDelivery[] {
  if (!integration.plan) return []
  const message = 'message' in event ? event.message : undefined
  const message_id = message?.id ?? ('message_id' in event ? event.message_id : undefined)
  const cameBy = message_id && data.cameBy.get(message_id)
  const isForTeam = !!message && (message.private || message.customer_id !== null)
  // Notes and the customer's messages go to mirrors only, never back to where the customer is.
  if (isForTeam && integration.role === 'origin') return []
  const authorizations = data.authorizations.filter(
    (authorization) =>
      authorization.account_id === account_id &&
      authorization.integration === integration.name &&
      authorization.id !== cameBy &&
      authorization.is_removed === is_removed,
  )
  if (authorizations.length === 0 && (is_removed || !integration.isBuiltIn)) return []
  const conversation_id = conversationOf(event)
  const ids = new Set(authorizations.map(({ id }) => id))
  const threads = data.threads.get(`${account_id} ${conversation_id}`) ?? []
  const origin = threads.findLast(({ role }) => role === 'origin')
  const planned: Planned = {
    account_id,
    event,
    conversation: forAuthor(data.conversations.get(`${account_id} ${conversation_id}`), data, message),
    authorizations,
    origin: data.authorizations.find(({ id }) => id === origin?.authorization_id)?.integration,
    threads: threads.filter((thread) => ids.has(thread.authorization_id)),
  }
  return integration.plan(planned)
}

/** A user's messages are sent from their own mailbox, if they have connected one. */
function forAuthor(
  conversation: PlannedConversation | undefined,
  { authorizations }: PlanningData,
  message: { account_id: string; user_id: number | null } | undefined,
): PlannedConversation | undefined {
  const own = authorizations.find(
    (authorization) =>
      !authorization.is_removed &&
      authorization.account_id === message?.account_id &&
      authorization.integration === 'gmail' &&
      authorization.inbox_id === null &&
      authorization.user_id !== null &&
      authorization.user_id === message.user_id,
  )
  return own && conversation ? { ...conversation, mailbox_id: own.id } : conversation
}
